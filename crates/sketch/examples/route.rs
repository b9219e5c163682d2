//! Routes the keys on its input as the database does: prints the node of each.
//!
//! ```sh
//! psql -Atc 'SELECT ring FROM cluster' > ring
//! route ring number < keys
//! ```
//!
//! The first argument is a file with the text of a `hash_ring`, the second the class of the keys,
//! text or number. With a third argument `n` it prints the first `n` nodes in line, the owner first.

use std::error::Error;
use std::io::{self, BufRead, Write};

use sketch::hash::Value;
use sketch::hash_ring::Router;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (file, class, n) = match &args[..] {
        [file, class] => (file, class, 1),
        [file, class, n] => (file, class, n.parse()?),
        _ => return Err("usage: route FILE CLASS [N]".into()),
    };
    let ring = sketch::from_text(std::fs::read_to_string(file)?.trim())?;
    let mut router = Router::of_bytes(&ring)?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let key = match &class[..] {
            "text" => Value::text(line),
            "number" => Value::number(line.parse()?),
            _ => return Err(format!("unknown class {class}: text or number").into()),
        };
        writeln!(out, "{}", String::from_utf8_lossy(&router.owners(key, n)?.join(&b'\t')))?;
    }
    Ok(())
}
