//! Tables of what was measured.

use std::fmt::Write as _;

use crate::coverage::{Coverage, Hits, registers_from};
use crate::error::{Errors, Worst};
use crate::options::Options;
use crate::overlap::{Overlapped, QUANTITIES};

/// The promises, in the units in which they are measured.
const MOST_RMS: f64 = 1.05;
const MOST_BIAS: f64 = 0.1;
const COVERAGE_POINTS: f64 = 1.5;
const OVERLAP_POINTS: f64 = 3.0;

/// A table in Markdown.
struct Table {
    text: String,
}

impl Table {
    fn new(columns: &[String]) -> Self {
        let mut table = Table { text: String::new() };
        table.row(columns);
        table.row(&vec!["---:".to_owned(); columns.len()]);
        table
    }

    fn row(&mut self, cells: &[String]) {
        writeln!(self.text, "| {} |", cells.join(" | ")).unwrap();
    }
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// A whole number with its thousands apart.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with three significant digits, as long as it is not tiny.
fn short(x: f64) -> String {
    match x.abs() {
        x if x < 5e-5 => "0".into(),
        0.0..1.0 => format!("{x:.3}"),
        1.0..10.0 => format!("{x:.2}"),
        10.0..100.0 => format!("{x:.1}"),
        _ => format!("{x:.0}"),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Prints a table, and puts it into its place in the page if there is to be one.
fn put(name: &str, table: &Table, options: &Options) -> Result<(), String> {
    println!("{name}\n\n{}", table.text);
    let Some(directory) = &options.out else { return Ok(()) };
    let path = directory.join("accuracy.md");
    let failed = |error| format!("{}: {error}", path.display());
    let page = std::fs::read_to_string(&path).map_err(failed)?;
    let (begin, end) = (format!("<!-- {name} -->\n"), "<!-- end -->");
    let (before, rest) = page
        .split_once(&begin)
        .ok_or_else(|| format!("{} has no place for the table {name}", path.display()))?;
    let (_, after) = rest
        .split_once(end)
        .ok_or_else(|| format!("the table {name} of {} has no end", path.display()))?;
    let page = format!("{before}{begin}\n{}\n{end}{after}", table.text);
    std::fs::write(&path, page).map_err(failed)
}

pub fn errors(all: &[Errors], options: &Options) -> Result<(), String> {
    let mut summary = Table::new(&strings(&[
        "`p`",
        "trials",
        "theory",
        "worst RMS error",
        "at `n / m`",
        "worst up to `2 m`",
        "from `10 m`",
        "worst bias",
        "at `n / m`",
        "worst of tokens",
    ]));
    for errors in all {
        let sigma = errors.precision.standard_error();
        let m = errors.precision.registers() as f64;
        let worst = |worst: Option<Worst>, most: f64| match worst {
            None => strings(&["", ""]),
            Some(Worst { ratio, n }) => {
                // Beyond doubt: by more than two standard errors.
                let mark = if ratio.value.abs() - 2.0 * ratio.error > most { " !" } else { "" };
                vec![format!("{:.3} ± {:.3}{mark}", ratio.value, ratio.error), short(n as f64 / m)]
            }
        };
        let mut row = vec![
            errors.precision.get().to_string(),
            thousands(errors.trials),
            format!("{:.2} %", 100.0 * sigma),
        ];
        row.extend(worst(errors.worst_rms(0.0..f64::INFINITY), MOST_RMS));
        row.extend(worst(errors.worst_rms(0.0..2.0), MOST_RMS).into_iter().take(1));
        row.push(format!("{:.3}", errors.mean_rms(10.0..f64::INFINITY)));
        row.extend(worst(errors.worst_bias(), MOST_BIAS));
        row.push(match errors.worst_of_tokens() {
            Some((rms, _)) => format!("{:.4} %", 100.0 * rms),
            None => String::new(),
        });
        summary.row(&row);
        if options.points {
            print_errors(errors);
        }
    }
    put("error-summary", &summary, options)?;
    let head = all.iter().map(|errors| format!("`p` = {}", errors.precision.get()));
    let mut decades = Table::new(&[vec!["`n`".to_owned()], head.collect()].concat());
    for n in (0..8).map(|exponent| 10u64.pow(exponent)) {
        let mut row = vec![thousands(n)];
        for errors in all {
            let point = errors.points.iter().find(|(at, _)| *at == n);
            row.push(point.map_or(String::new(), |(_, moments)| {
                format!("{} %", short(100.0 * moments.rms().value))
            }));
        }
        decades.row(&row);
    }
    put("error-decades", &decades, options)
}

fn print_errors(errors: &Errors) {
    let sigma = errors.precision.standard_error();
    let m = errors.precision.registers() as f64;
    println!("p = {}: n, n / m, RMS / theory ± , bias / theory ±", errors.precision.get());
    for (n, moments) in &errors.points {
        let (rms, bias) = (moments.rms() / sigma, moments.bias() / sigma);
        println!(
            "{n:>9} {:>9.3} {:>7.3} ±{:.3} {:>8.4} ±{:.4}",
            *n as f64 / m,
            rms.value,
            rms.error,
            bias.value,
            bias.error
        );
    }
}

pub fn coverage(all: &[Coverage], options: &Options) -> Result<(), String> {
    let mut summary = Table::new(&strings(&[
        "`p`",
        "asked",
        "mean",
        "lowest",
        "at `n`",
        "highest",
        "at `n`",
        "off by more",
        "`n` below",
        "`n` above",
        "whole numbers: lowest",
        "highest",
    ]));
    for coverage in all {
        for (index, &asked) in options.confidences.iter().enumerate() {
            let points: Vec<(u64, Hits, Hits)> = coverage
                .of_registers()
                .map(|(n, point)| (*n, point.exact[index], point.rounded[index]))
                .collect();
            if points.is_empty() {
                continue;
            }
            let order = |a: &&(u64, Hits, Hits), b: &&(u64, Hits, Hits)| {
                a.1.share().total_cmp(&b.1.share())
            };
            let lowest = points.iter().min_by(order).unwrap();
            let highest = points.iter().max_by(order).unwrap();
            // Chance alone moves a coverage by a standard error or two.
            let off = points.iter().filter(|(_, exact, _)| {
                let off = 100.0 * (exact.share() - asked).abs();
                off > COVERAGE_POINTS + 200.0 * exact.error(asked)
            });
            let rounded = points.iter().map(|(_, _, rounded)| rounded.share());
            let mean = |what: &dyn Fn(&Hits) -> f64| {
                points.iter().map(|(_, exact, _)| what(exact)).sum::<f64>() / points.len() as f64
            };
            summary.row(&[
                coverage.precision.get().to_string(),
                percent(asked),
                percent(mean(&Hits::share)),
                percent(lowest.1.share()),
                thousands(lowest.0),
                percent(highest.1.share()),
                thousands(highest.0),
                format!("{} of {}", off.count(), points.len()),
                percent(mean(&|hits| hits.below as f64 / hits.trials as f64)),
                percent(mean(&|hits| hits.above as f64 / hits.trials as f64)),
                percent(rounded.clone().fold(1.0, f64::min)),
                percent(rounded.fold(0.0, f64::max)),
            ]);
        }
        if options.points {
            print_coverage(coverage, options);
        }
    }
    put("coverage-summary", &summary, options)?;
    coverage_by_size(all, options)
}

fn print_coverage(coverage: &Coverage, options: &Options) {
    let precision = coverage.precision;
    let sigma = precision.standard_error();
    println!(
        "p = {}: n, then for each confidence of {:?}: coverage ± (n below the bounds, n above), \
         width as a multiple of the theoretical error, coverage of whole numbers",
        precision.get(),
        options.confidences
    );
    for (n, point) in &coverage.points {
        let mut line = format!("{n:>9}");
        let kinds = point.exact.iter().zip(&point.rounded);
        for ((hits, rounded), &asked) in kinds.zip(&options.confidences) {
            let share = |count: u64| 100.0 * count as f64 / hits.trials as f64;
            let width = hits.width / hits.trials as f64 / sigma;
            write!(
                line,
                "   {:6.2} ±{:.2} ({:5.2} {:5.2}) {width:5.2} {:6.2}",
                100.0 * hits.share(),
                100.0 * hits.error(asked),
                share(hits.below),
                share(hits.above),
                100.0 * rounded.share()
            )
            .unwrap();
        }
        let mark = if *n < registers_from(precision) { " tokens" } else { "" };
        println!("{line}{mark}");
    }
}

fn coverage_by_size(all: &[Coverage], options: &Options) -> Result<(), String> {
    let head = all.iter().map(|coverage| format!("`p` = {}", coverage.precision.get()));
    let mut decades = Table::new(&[vec!["`n`".to_owned()], head.collect()].concat());
    for n in (0..8).map(|exponent| 10u64.pow(exponent)) {
        let mut row = vec![thousands(n)];
        for coverage in all {
            let point = coverage.points.iter().find(|(at, _)| *at == n);
            row.push(point.map_or(String::new(), |(_, point)| shares(&point.exact)));
        }
        decades.row(&row);
    }
    put("coverage-decades", &decades, options)?;
    let mut tokens = Table::new(&strings(&["`p`", "`n` up to", "lowest coverage"]));
    for coverage in all {
        let lowest: Vec<String> = (0..options.confidences.len())
            .map(|index| {
                let shares = coverage.of_tokens().map(|(_, point)| point.exact[index].share());
                percent(shares.fold(1.0, f64::min))
            })
            .collect();
        tokens.row(&[
            coverage.precision.get().to_string(),
            thousands(coverage.precision.max_tokens() as u64),
            lowest.join(" / "),
        ]);
    }
    put("coverage-tokens", &tokens, options)
}

/// The coverage for each confidence.
fn shares(hits: &[Hits]) -> String {
    hits.iter().map(|hits| percent(hits.share())).collect::<Vec<_>>().join(" / ")
}

pub fn overlap(all: &[Overlapped], options: &Options) -> Result<(), String> {
    let mut errors = Table::new(&strings(&[
        "`p`",
        "first",
        "second",
        "in common",
        "Jaccard",
        "error of `both`",
        "theory",
        "by three counts",
        "theory",
        "bias of `both`",
        "error of `jaccard`",
    ]));
    for overlapped in all {
        let sets = overlapped.sets;
        let truth = sets.truth();
        // Where there is nothing in common, errors are shares of the union.
        let none = truth[0] == 0.0;
        let unit = if none { truth[3] } else { truth[0] };
        let of = if none { " of union" } else { "" };
        let share = |error: f64| format!("{} %{of}", short(100.0 * error / unit));
        let theory = sets.theory();
        // Tokens are counted, not estimated, and no estimate is below nothing.
        let counted = overlapped.holds_tokens();
        let expected = |error: f64, here: bool| if here { share(error) } else { String::new() };
        let jaccard = overlapped.errors[4].rms().value;
        let bias = overlapped.errors[0].bias() / unit;
        errors.row(&[
            sets.p.to_string(),
            thousands(sets.a),
            thousands(sets.b),
            thousands(truth[0] as u64),
            short(truth[4]),
            share(overlapped.errors[0].rms().value),
            expected(theory.joint(), !counted && !none),
            share(overlapped.inclusion_exclusion.rms().value),
            expected(theory.inclusion_exclusion(), !counted),
            format!("{:.2} ± {:.2} %", 100.0 * bias.value, 100.0 * bias.error),
            if none {
                format!("{jaccard:.5}")
            } else {
                format!("{} %", short(100.0 * jaccard / truth[4]))
            },
        ]);
    }
    put("overlap-error", &errors, options)?;
    let head = strings(&["`p`", "first", "second", "in common"]);
    let quantities: Vec<String> = QUANTITIES.iter().map(|name| format!("`{name}`")).collect();
    let mut table = Table::new(&[head, quantities].concat());
    for overlapped in all {
        let sets = overlapped.sets;
        let mut row = vec![
            sets.p.to_string(),
            thousands(sets.a),
            thousands(sets.b),
            thousands(sets.truth()[0] as u64),
        ];
        for quantity in 0..QUANTITIES.len() {
            let hits: Vec<Hits> = overlapped.hits.iter().map(|hits| hits[quantity]).collect();
            let misses = hits.iter().zip(&options.confidences).any(|(hits, &asked)| {
                let off = 100.0 * (hits.share() - asked);
                // Bounds cannot miss on the far side of nothing or of all.
                let off = if overlapped.at_an_end(quantity) { off.min(0.0) } else { off };
                off.abs() > OVERLAP_POINTS + 200.0 * hits.error(asked)
            });
            row.push(format!("{}{}", shares(&hits), if misses { " !" } else { "" }));
            if options.points {
                print_misses(QUANTITIES[quantity], &hits, options);
            }
        }
        table.row(&row);
    }
    put("overlap-coverage", &table, options)
}

fn print_misses(name: &str, hits: &[Hits], options: &Options) {
    for (hits, confidence) in hits.iter().zip(&options.confidences) {
        println!(
            "{name:>8} at {confidence}: {:.1} % held, below {}, above {} of {}, mean width {:.4}",
            100.0 * hits.share(),
            hits.below,
            hits.above,
            hits.trials,
            hits.width / hits.trials as f64
        );
    }
}
