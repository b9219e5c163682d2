//! The documentation is right: each statement of README.md and docs/ prints what stands behind it.
//!
//! The blocks marked `sql` are run in order, page by page, by psql, each page in a database of its
//! own. A block is what a session looks like: statements, each with what it prints directly behind
//! it, and a blank line after that. Three dots in what is printed stand for anything, for times and
//! for what differs between servers. A page that creates the extension starts without it.
//!
//! With the variable WRITE_DOCUMENTS set, the pages are rewritten with what is printed instead.

use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cluster::cluster;
use crate::db::Db;

/// In front of a block that is run.
const FENCE: &str = "```sql";

/// Stands between what two statements print.
const MARK: &str = "-- end of statement --";

/// The version of the server whose plans the pages show; other versions print some of them otherwise.
const PLANS_OF: i32 = 15;

/// A line of a page: of its text, or a statement with what it prints.
enum Part {
    Text(String),
    Statement(Statement),
}

struct Statement {
    /// The number of its first line in the page.
    line: usize,
    sql: String,
    printed: Vec<String>,
    /// Whether a blank line follows.
    blank: bool,
}

#[test]
fn every_statement_prints_what_its_page_shows() {
    let differences: String = pages().iter().map(|page| check(page)).collect();
    assert!(
        differences.is_empty(),
        "{differences}\nWith WRITE_DOCUMENTS=1 this test writes what is printed into the pages."
    );
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn pages() -> Vec<PathBuf> {
    let docs = root().join("docs").read_dir().expect("docs/");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// Runs the statements of a page and returns how it differs, or rewrites it.
fn check(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a page");
    let fences = text.lines().filter(|line| *line == FENCE).count();
    assert_eq!(text.matches(FENCE).count(), fences, "{}: a block is missed", path.display());
    let mut parts = parse(&text);
    let statements = || parts.iter().filter_map(Part::statement);
    if statements().next().is_none() {
        return String::new();
    }
    let printed = run(&statements().collect::<Vec<_>>());
    assert_eq!(printed.len(), statements().count(), "{}", path.display());

    let version: i32 =
        Db::without_extension().one("SELECT current_setting('server_version_num')::int");
    let shows_plans = version / 10_000 == PLANS_OF;
    let mut differences = String::new();
    for (statement, printed) in parts.iter_mut().filter_map(Part::statement_mut).zip(printed) {
        let shown = &statement.printed;
        let same = |i: usize| shown.get(i).is_some_and(|line| matches(line, &printed[i]));
        if shown.len() == printed.len() && (0..printed.len()).all(same)
            || statement.sql.starts_with("EXPLAIN") && !shows_plans
        {
            continue;
        }
        let place = path.strip_prefix(root()).expect("a page of ours").display();
        writeln!(differences, "\n{place}:{}", statement.line).unwrap();
        writeln!(differences, "{}", statement.sql.trim_end()).unwrap();
        shown.iter().for_each(|line| writeln!(differences, "-{line}").unwrap());
        printed.iter().for_each(|line| writeln!(differences, "+{line}").unwrap());
        // Three dots stay where they still fit.
        let line = |i: usize| if same(i) { &shown[i] } else { &printed[i] };
        statement.printed = (0..printed.len()).map(|i| line(i).clone()).collect();
    }
    if std::env::var_os("WRITE_DOCUMENTS").is_some() && !differences.is_empty() {
        std::fs::write(path, render(&parts)).expect("a page that may be written");
        return String::new();
    }
    differences
}

/// What each statement prints, with errors where they come.
fn run(statements: &[&Statement]) -> Vec<Vec<String>> {
    let creates = statements.iter().any(|s| s.sql.starts_with("CREATE EXTENSION pg_sketch"));
    let db = if creates { Db::without_extension() } else { Db::new() };
    let input: String = statements.iter().map(|s| format!("{}\\echo '{MARK}'\n", s.sql)).collect();
    let pg_config = std::env::var("PG_CONFIG").unwrap_or_else(|_| "pg_config".to_owned());
    let bin = Command::new(pg_config).arg("--bindir").output().expect("pg_config").stdout;
    let psql = Path::new(String::from_utf8(bin).expect("UTF-8").trim()).join("psql");

    // One pipe for both, so that errors stand where they belong.
    let (mut output, writer) = std::io::pipe().expect("a pipe");
    let mut command = Command::new(psql);
    command
        .args(["--no-psqlrc", "--quiet", "--pset=footer=off", "-d"])
        .arg(cluster().conninfo(&db.name))
        .env("PGOPTIONS", "--client-min-messages=warning")
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().expect("a pipe"))
        .stderr(writer);
    let mut psql = command.spawn().expect("psql");
    // It holds the other end of the pipe, which must close for the output to end.
    drop(command);
    let mut stdin = psql.stdin.take().expect("a pipe");
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let mut printed = String::new();
    output.read_to_string(&mut printed).expect("UTF-8");
    assert!(psql.wait().expect("psql ends").success(), "{printed}");
    feeder.join().expect("no panic").expect("psql reads its input");

    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for line in printed.lines() {
        if line == MARK {
            all.push(Vec::new());
        } else {
            // Blanks at the end of a line are a hazard in a page.
            all.last_mut().expect("one").push(line.trim_end().to_owned());
        }
    }
    all.pop();
    for lines in &mut all {
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
    }
    all
}

/// Whether a line is as the page shows it, where three dots stand for anything.
fn matches(shown: &str, line: &str) -> bool {
    let Some((first, mut shown)) = shown.split_once("...") else {
        return shown == line;
    };
    let Some(mut line) = line.strip_prefix(first) else {
        return false;
    };
    while let Some((next, rest)) = shown.split_once("...") {
        let Some(at) = line.find(next) else {
            return false;
        };
        (line, shown) = (&line[at + next.len()..], rest);
    }
    line.ends_with(shown)
}

impl Part {
    fn statement(&self) -> Option<&Statement> {
        if let Part::Statement(statement) = self { Some(statement) } else { None }
    }

    fn statement_mut(&mut self) -> Option<&mut Statement> {
        if let Part::Statement(statement) = self { Some(statement) } else { None }
    }
}

fn parse(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = page.lines().enumerate().peekable();
    while let Some((_, line)) = lines.next() {
        parts.push(Part::Text(line.to_owned()));
        if line != FENCE {
            continue;
        }
        while let Some((at, first)) = lines.next_if(|(_, line)| *line != "```") {
            parts.push(Part::Statement(statement(at + 1, first, &mut lines)));
        }
    }
    parts
}

/// The statement that begins with a line of a page, in front of the others.
fn statement<'a>(
    line: usize,
    first: &str,
    lines: &mut Peekable<impl Iterator<Item = (usize, &'a str)>>,
) -> Statement {
    let mut sql = format!("{first}\n");
    while !ends(&sql)
        && let Some((_, line)) = lines.next_if(|(_, line)| *line != "```")
    {
        sql += line;
        sql += "\n";
    }
    let is_text = |line: &str| line != "```" && !line.is_empty();
    let mut printed = Vec::new();
    if lines.peek().is_some_and(|(_, line)| !begins(line)) {
        while let Some((_, line)) = lines.next_if(|(_, line)| is_text(line)) {
            printed.push(line.to_owned());
        }
    }
    let blank = lines.next_if(|(_, line)| line.is_empty()).is_some();
    Statement { line, sql, printed, blank }
}

/// Whether a line is the first one of a statement: a comment, a command of psql, or a keyword.
/// `ERROR:` is none.
fn begins(line: &str) -> bool {
    let word = line.split(' ').next().expect("one");
    line.starts_with("--")
        || line.starts_with('\\')
        || !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c == ';')
}

/// Whether a statement ends here.
fn ends(sql: &str) -> bool {
    let quoted = sql.matches("$$").count() % 2 == 1;
    sql.starts_with('\\') || sql.ends_with(";\n") && !quoted
}

fn render(parts: &[Part]) -> String {
    let mut page = String::new();
    for (i, part) in parts.iter().enumerate() {
        match part {
            Part::Text(line) => writeln!(page, "{line}").unwrap(),
            Part::Statement(statement) => {
                page += &statement.sql;
                statement.printed.iter().for_each(|line| writeln!(page, "{line}").unwrap());
                let more = matches!(parts.get(i + 1), Some(Part::Statement(_)));
                if more && (statement.blank || !statement.printed.is_empty()) {
                    page.push('\n');
                }
            }
        }
    }
    page
}
