//! Reads sketches that the database has stored, and prints what they say for each key.
//!
//! ```sh
//! psql -c 'COPY daily (key, sketch) TO STDOUT' | read_back TYPE
//! ```
//!
//! TYPE is hll (the distinct count), bloom (the distinct count), cuckoo (the copies) or cms (the total).

use std::error::Error;
use std::io::{self, BufRead};

use sketch::bloom::BloomRef;
use sketch::cms::CmsRef;
use sketch::cuckoo::CuckooRef;
use sketch::hll::HllRef;

fn main() -> Result<(), Box<dyn Error>> {
    let kind = std::env::args().nth(1).ok_or("usage: read_back TYPE")?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (key, text) = line.split_once('\t').ok_or("a line has no tab")?;
        // COPY writes a backslash as two.
        let bytes = sketch::from_text(&text.replace("\\\\", "\\"))?;
        let answer = match &kind[..] {
            "hll" => HllRef::parse(&bytes)?.cardinality()?,
            "bloom" => BloomRef::parse(&bytes)?.cardinality() as i64,
            "cuckoo" => CuckooRef::parse(&bytes)?.count() as i64,
            "cms" => CmsRef::parse(&bytes)?.total() as i64,
            _ => return Err(format!("unknown type {kind}: hll, bloom, cuckoo or cms").into()),
        };
        println!("{key}\t{answer}");
    }
    Ok(())
}
