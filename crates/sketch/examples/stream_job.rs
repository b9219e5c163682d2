//! Builds a sketch for each key of a stream, and prints rows for `COPY`.
//!
//! ```sh
//! stream_job TYPE CLASS < lines.tsv | psql -c 'COPY daily (key, sketch) FROM STDIN'
//! ```
//!
//! TYPE is hll, bloom, cuckoo or cms, CLASS is text or number. Each line is a key, a tab and a value.
//! The bytes are those that `TYPE_agg(value)` gives in the database.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, BufRead, Write};

use sketch::bloom::{self, Bloom};
use sketch::cms::Cms;
use sketch::cuckoo::{self, Cuckoo};
use sketch::hash::Value;
use sketch::hll::Hll;
use sketch::{HashSketch, Owned, Sketch};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, class] = &args[..] else { return Err("usage: stream_job TYPE CLASS".into()) };
    let value = match &class[..] {
        "text" => |text: &str| Ok(Value::text(text)),
        "number" => |text: &str| text.parse().map(Value::number),
        _ => return Err(format!("unknown class {class}: text or number").into()),
    };
    match &kind[..] {
        "hll" => run::<Hll>(Hll::DEFAULT_PARAMS, value),
        // Without a capacity a filter is sized to the values that have come.
        "bloom" => run::<Bloom>(bloom::Params::gathering(0.01)?, value),
        "cuckoo" => run::<Cuckoo>(cuckoo::Params::gathering(0.002)?, value),
        "cms" => run::<Cms>(Cms::DEFAULT_PARAMS, value),
        _ => Err(format!("unknown type {kind}: hll, bloom, cuckoo or cms").into()),
    }
}

fn run<S: HashSketch>(
    params: S::Params,
    value: impl Fn(&str) -> Result<Value, std::num::ParseIntError>,
) -> Result<(), Box<dyn Error>> {
    let mut sketches = BTreeMap::<String, Owned<S>>::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (key, text) = line.split_once('\t').ok_or("a line has no tab")?;
        if !sketches.contains_key(key) {
            sketches.insert(key.to_owned(), Owned::new(params));
        }
        let sketch = sketches.get_mut(key).expect("it was just inserted");
        sketch.insert(value(text)?)?;
    }
    let mut out = io::stdout().lock();
    for (key, sketch) in sketches {
        // COPY reads a doubled backslash as one.
        writeln!(out, "{key}\t\\{}", sketch::to_text(&sketch.rest()?))?;
    }
    Ok(())
}
