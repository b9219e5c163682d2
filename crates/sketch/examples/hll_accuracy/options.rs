//! The command line.

use std::path::PathBuf;

use crate::trial::Plan;

pub const USAGE: &str = "\
hll_accuracy [error|coverage|overlap]... [OPTIONS]
measures the accuracy of hll sketches: the error of the estimate, how often the bounds hold, and
the overlap of two sketches. Without a word, all three.

  --p LIST            precisions, such as 4,8 [error 4,8,11,13,16,18; coverage 4,5,6 as well;
                      overlap 12,13]
  --trials N          trials instead of each measurement's own number
  --deep-trials N     trials that go on to the largest sizes
  --min-n N           the first size of error and coverage [1]
  --max-n N           the last size of error and coverage [10000000]
  --confidence LIST   confidences of coverage and overlap [0.68,0.95,0.99]
  --sets A,B,SHARE    overlap of these sizes only, such as 3000,3000,0.5
  --seed N            another seed
  --points            print every size, not only the summaries
  --out DIRECTORY     fill the tables of accuracy.md and write the plots there";

pub struct Options {
    pub error: bool,
    pub coverage: bool,
    pub overlap: bool,
    pub precisions: Option<Vec<u32>>,
    pub trials: Option<u64>,
    pub deep: Option<u64>,
    pub min_n: u64,
    pub max_n: Option<u64>,
    pub confidences: Vec<f64>,
    pub sets: Option<(u64, u64, f64)>,
    pub seed: u64,
    pub points: bool,
    pub out: Option<PathBuf>,
}

impl Options {
    pub fn parse(args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Options {
            error: false,
            coverage: false,
            overlap: false,
            precisions: None,
            trials: None,
            deep: None,
            min_n: 1,
            max_n: None,
            confidences: vec![0.68, 0.95, 0.99],
            sets: None,
            seed: 1,
            points: false,
            out: None,
        };
        let mut args = args;
        while let Some(word) = args.next() {
            let mut value =
                || args.next().ok_or_else(|| format!("'{word}' needs a value\n\n{USAGE}"));
            match word.as_str() {
                "error" => options.error = true,
                "coverage" => options.coverage = true,
                "overlap" => options.overlap = true,
                "--p" => options.precisions = Some(list(&value()?)?),
                "--trials" => options.trials = Some(number(&value()?)?),
                "--deep-trials" => options.deep = Some(number(&value()?)?),
                "--min-n" => options.min_n = number(&value()?)?,
                "--max-n" => options.max_n = Some(number(&value()?)?),
                "--confidence" => options.confidences = list(&value()?)?,
                "--sets" => match list::<f64>(&value()?)?[..] {
                    [a, b, share] => options.sets = Some((a as u64, b as u64, share)),
                    _ => return Err("'--sets' takes two sizes and a share".into()),
                },
                "--seed" => options.seed = number(&value()?)?,
                "--points" => options.points = true,
                "--out" => options.out = Some(value()?.into()),
                "--help" => {
                    println!("{USAGE}");
                    std::process::exit(0);
                }
                _ => return Err(format!("there is no option '{word}'\n\n{USAGE}")),
            }
        }
        if options.precisions.iter().flatten().any(|p| !(4..=18).contains(p)) {
            return Err("precisions are whole numbers from 4 to 18".into());
        }
        if options.confidences.iter().any(|&c| c <= 0.0 || c >= 1.0) {
            return Err("confidences lie between 0 and 1".into());
        }
        if !(options.error || options.coverage || options.overlap) {
            (options.error, options.coverage, options.overlap) = (true, true, true);
        }
        Ok(options)
    }

    pub fn precisions(&self, own: &[u32]) -> Vec<u32> {
        self.precisions.clone().unwrap_or_else(|| own.to_vec())
    }

    pub fn plan(&self, trials: u64, shallow: u64, deep: u64) -> Plan {
        let trials = self.trials.unwrap_or(trials);
        Plan { trials, deep: self.deep.unwrap_or(deep).min(trials), shallow }
    }
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("'{word}' is not a number as it is needed here"))
}

fn list<T: std::str::FromStr>(words: &str) -> Result<Vec<T>, String> {
    words.split(',').map(number).collect()
}
