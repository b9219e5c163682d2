//! Plots as SVG.

use std::fmt::Write as _;
use std::path::Path;

use crate::coverage::{Coverage, registers_from};
use crate::error::Errors;
use crate::options::Options;
use crate::overlap::{Overlapped, Sets};
use crate::theory::count_error;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 130.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;

/// Colours that people who do not see all of them can tell apart (Okabe & Ito 2008).
const COLORS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a8a00"];

/// One axis: the range, and whether it is logarithmic.
struct Axis {
    title: &'static str,
    low: f64,
    high: f64,
    log: bool,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From 0 to 1 along the axis.
    fn share(&self, x: f64) -> f64 {
        let scale = |x: f64| if self.log { x.ln() } else { x };
        ((scale(x) - scale(self.low)) / (scale(self.high) - scale(self.low))).clamp(0.0, 1.0)
    }

    fn decades(title: &'static str, low: i32, high: i32, text: impl Fn(i32) -> String) -> Self {
        let ticks = (low..=high).map(|e| (10f64.powi(e), text(e))).collect();
        Axis { title, low: 10f64.powi(low), high: 10f64.powi(high), log: true, ticks }
    }

    fn steps(title: &'static str, low: f64, high: f64, step: f64, text: fn(f64) -> String) -> Self {
        let count = ((high - low) / step).round() as usize;
        let ticks = (0..=count).map(|i| low + i as f64 * step).map(|x| (x, text(x))).collect();
        Axis { title, low, high, log: false, ticks }
    }
}

struct Plot {
    x: Axis,
    y: Axis,
    body: String,
    legend: usize,
}

impl Plot {
    fn new(x: Axis, y: Axis) -> Self {
        let mut plot = Plot { x, y, body: String::new(), legend: 0 };
        plot.frame();
        plot
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (
            LEFT + self.x.share(x) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - self.y.share(y) * (HEIGHT - TOP - BOTTOM),
        )
    }

    fn frame(&mut self) {
        let (left, right) = (LEFT, WIDTH - RIGHT);
        let (top, bottom) = (TOP, HEIGHT - BOTTOM);
        let mut body = String::new();
        for (value, text) in &self.x.ticks {
            let (x, _) = self.at(*value, self.y.low);
            writeln!(body, r##"<path d="M{x:.1} {top}V{bottom}" stroke="#ddd"/>"##).unwrap();
            let y = bottom + 16.0;
            writeln!(body, r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{text}</text>"#)
                .unwrap();
        }
        for (value, text) in &self.y.ticks {
            let (_, y) = self.at(self.x.low, *value);
            writeln!(body, r##"<path d="M{left} {y:.1}H{right}" stroke="#ddd"/>"##).unwrap();
            let (x, y) = (left - 6.0, y + 4.0);
            writeln!(body, r#"<text x="{x}" y="{y:.1}" text-anchor="end">{text}</text>"#).unwrap();
        }
        let (middle, low) = ((left + right) / 2.0, HEIGHT - 12.0);
        let title = self.x.title;
        writeln!(body, r#"<text x="{middle}" y="{low}" text-anchor="middle">{title}</text>"#)
            .unwrap();
        let (middle, title) = ((top + bottom) / 2.0, self.y.title);
        writeln!(
            body,
            r#"<text transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">{title}</text>"#
        )
        .unwrap();
        self.body = body;
    }

    fn name(&mut self, name: &str, color: &str, style: &str) {
        let (x, y) = (WIDTH - RIGHT + 8.0, TOP + 10.0 + 18.0 * self.legend as f64);
        let end = x + 18.0;
        self.legend += 1;
        writeln!(
            self.body,
            r#"<path d="M{x} {y}H{end}" stroke="{color}" stroke-width="2" {style}/>"#
        )
        .unwrap();
        let (x, y) = (x + 24.0, y + 4.0);
        writeln!(self.body, r#"<text x="{x}" y="{y}">{name}</text>"#).unwrap();
    }

    fn line(&mut self, name: &str, color: &str, style: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points
            .iter()
            .map(|&(x, y)| self.at(x, y))
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        writeln!(
            self.body,
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="1.6" {style}/>"#,
            points.join(" ")
        )
        .unwrap();
        if !name.is_empty() {
            self.name(name, color, style);
        }
    }

    fn dots(&mut self, color: &str, points: &[(f64, f64)]) {
        for &(x, y) in points {
            let (x, y) = self.at(x, y);
            writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.5" fill="{color}"/>"#)
                .unwrap();
        }
    }

    fn write(&self, name: &str, options: &Options) -> Result<(), String> {
        let Some(directory) = &options.out else { return Ok(()) };
        let svg = format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" "#,
                r##"height="{h}" font-family="sans-serif" font-size="12" fill="#222">"##,
                "\n<rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n{body}</svg>\n"
            ),
            w = WIDTH,
            h = HEIGHT,
            body = self.body
        );
        let path: &Path = &directory.join(name);
        std::fs::write(path, svg).map_err(|error| format!("{}: {error}", path.display()))
    }
}

const DASHED: &str = r#"stroke-dasharray="5 4""#;

/// The root mean square and the bias against the number of values a register.
pub fn errors(all: &[Errors], options: &Options) -> Result<(), String> {
    let x = || {
        Axis::decades("values a register, n / m", -2, 2, |e| {
            ["0.01", "0.1", "1", "10", "100"][(e + 2) as usize].into()
        })
    };
    let two = |y: f64| format!("{y:.2}");
    let rms = Axis::steps("RMS error / (0.761 / √m)", 0.0, 1.2, 0.2, |y| format!("{y:.1}"));
    let bias = Axis::steps("bias / (0.761 / √m)", -0.15, 0.15, 0.05, two);
    let (mut rms, mut bias) = (Plot::new(x(), rms), Plot::new(x(), bias));
    for (errors, color) in all.iter().zip(COLORS) {
        let m = errors.precision.registers() as f64;
        let sigma = errors.precision.standard_error();
        let name = format!("p = {}", errors.precision.get());
        let points = errors.points.iter().map(|(n, moments)| (*n as f64 / m, moments));
        let points = points.filter(|(x, _)| (0.01..=100.0).contains(x));
        let of = |what: &dyn Fn(&crate::moments::Moments) -> f64| -> Vec<(f64, f64)> {
            points.clone().map(|(x, moments)| (x, what(moments) / sigma)).collect()
        };
        rms.line(&name, color, "", &of(&|moments| moments.rms().value));
        bias.line(&name, color, "", &of(&|moments| moments.bias().value));
    }
    // It depends on n / m alone.
    let m = 1e6;
    let theory = (0..=60).map(|step| 0.25 * 400f64.powf(f64::from(step) / 60.0));
    let theory: Vec<_> = theory.map(|x| (x, count_error(x * m, m) / (0.7609 / m.sqrt()))).collect();
    rms.line("theory", "#000", DASHED, &theory);
    rms.line("promised", "#c00", DASHED, &[(0.01, 1.05), (100.0, 1.05)]);
    bias.line("promised", "#c00", DASHED, &[(0.01, 0.1), (100.0, 0.1)]);
    bias.line("", "#c00", DASHED, &[(0.01, -0.1), (100.0, -0.1)]);
    rms.write("accuracy-error.svg", options)?;
    bias.write("accuracy-bias.svg", options)
}

/// The coverage of the interval against the number of values, where sketches hold registers.
pub fn coverage(all: &[Coverage], options: &Options) -> Result<(), String> {
    let x = Axis::decades("n", 0, 7, |e| {
        ["1", "10", "100", "1,000", "10,000", "100,000", "1 M", "10 M"][e as usize].into()
    });
    let y = Axis::steps("held by the interval", 0.5, 1.0, 0.1, |y| format!("{:.0} %", 100.0 * y));
    let mut plot = Plot::new(x, y);
    for (coverage, color) in all.iter().zip(COLORS) {
        let from = registers_from(coverage.precision);
        for index in 0..options.confidences.len() {
            let points: Vec<(f64, f64)> = coverage
                .points
                .iter()
                .filter(|(n, _)| *n >= from)
                .map(|(n, point)| (*n as f64, point.exact[index].share()))
                .collect();
            let name = format!("p = {}", coverage.precision.get());
            plot.line(if index == 0 { &name } else { "" }, color, "", &points);
        }
    }
    for (index, &asked) in options.confidences.iter().enumerate() {
        let name = if index == 0 { "asked" } else { "" };
        plot.line(name, "#c00", DASHED, &[(1.0, asked), (1e7, asked)]);
    }
    plot.write("accuracy-coverage.svg", options)
}

/// The error of the overlap of equally large sets against what they have in common.
pub fn overlap(all: &[Overlapped], options: &Options) -> Result<(), String> {
    let x = Axis::decades("Jaccard index", -3, 0, |e| {
        ["0.001", "0.01", "0.1", "1"][(e + 3) as usize].into()
    });
    let mut y = Axis::decades("RMS error of the overlap", -2, 1, |e| {
        ["1 %", "10 %", "100 %", "1000 %"][(e + 2) as usize].into()
    });
    (y.low, y.high) = (0.005, 10.0);
    y.ticks.push((0.005, "0.5 %".into()));
    let mut plot = Plot::new(x, y);
    let precisions: Vec<u32> =
        all.chunk_by(|a, b| a.sets.p == b.sets.p).map(|c| c[0].sets.p).collect();
    let mut colors = COLORS.iter();
    for p in precisions {
        let Some(largest) = all.iter().map(|o| o.sets.a.min(o.sets.b)).max() else { break };
        let of_size = |o: &&Overlapped| {
            o.sets.p == p && o.sets.a.min(o.sets.b) == largest && o.sets.share > 0.0
        };
        let measured = |what: &dyn Fn(&Overlapped) -> f64| -> Vec<(f64, f64)> {
            all.iter()
                .filter(of_size)
                .map(|o| (o.sets.truth()[4], what(o) / o.sets.truth()[0]))
                .collect()
        };
        let curve = |what: &dyn Fn(&Sets) -> f64| -> Vec<(f64, f64)> {
            (0..=60)
                .map(|step| {
                    let jaccard = 10f64.powf(-3.0 + f64::from(step) / 20.0);
                    let share = 2.0 * jaccard / (1.0 + jaccard);
                    let sets = Sets { p, a: largest, b: largest, share };
                    (jaccard, what(&sets) / sets.truth()[0])
                })
                .filter(|&(_, error)| error < 10.0)
                .collect()
        };
        let (Some(color), Some(other)) = (colors.next(), colors.next()) else { break };
        plot.line(&format!("p = {p}"), color, "", &curve(&|sets| sets.theory().joint()));
        plot.dots(color, &measured(&|o| o.errors[0].rms().value));
        let counts = curve(&|sets| sets.theory().inclusion_exclusion());
        plot.line("three counts", other, DASHED, &counts);
        plot.dots(other, &measured(&|o| o.inclusion_exclusion.rms().value));
    }
    plot.write("accuracy-overlap.svg", options)
}
