//! Measures the accuracy of hll sketches on random hashes: `docs/accuracy.md` shows what it finds
//! and `bench/accuracy` makes that page's tables and plots with it.

mod coverage;
mod error;
mod moments;
mod options;
mod overlap;
mod plot;
mod report;
mod sets;
mod theory;
mod trial;

use std::process::ExitCode;

use coverage::Coverage;
use error::Errors;
use options::Options;
use overlap::{Overlapped, all_sets};

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| measure(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measure(options: &Options) -> Result<(), String> {
    if options.error {
        let precisions = options.precisions(&[4, 8, 11, 13, 16, 18]);
        let all: Vec<_> = precisions.iter().map(|&p| Errors::measure(p, options)).collect();
        report::errors(&all, options)?;
        plot::errors(&all, options)?;
    }
    if options.coverage {
        let precisions = options.precisions(&[4, 5, 6, 8, 11, 13, 16, 18]);
        let all: Vec<_> = precisions.iter().map(|&p| Coverage::measure(p, options)).collect();
        report::coverage(&all, options)?;
        plot::coverage(&all, options)?;
    }
    if options.overlap {
        let all: Vec<_> =
            all_sets(options).into_iter().map(|sets| Overlapped::measure(sets, options)).collect();
        report::overlap(&all, options)?;
        plot::overlap(&all, options)?;
    }
    Ok(())
}
