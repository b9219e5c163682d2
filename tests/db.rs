//! A database of one test, and short ways to ask it questions.

use std::sync::atomic::{AtomicU32, Ordering};

use postgres::error::DbError;
use postgres::types::FromSqlOwned;
use postgres::{Client, Error};

use crate::cluster::cluster;

/// Settings with which the server takes a plan with four workers where it can.
const PARALLEL: &str = "
    SET parallel_setup_cost = 0;
    SET parallel_tuple_cost = 0;
    SET min_parallel_table_scan_size = 0;
    SET max_parallel_workers_per_gather = 4;";

/// A database, and a session in it.
pub struct Db {
    /// The name of the database.
    pub name: String,
    /// The session.
    pub client: Client,
    /// Whether the database goes with this value.
    owned: bool,
}

impl Drop for Db {
    fn drop(&mut self) {
        if self.owned {
            // If this fails, the database stays until the cluster goes.
            let _ = cluster().try_connect("postgres").and_then(|mut client| {
                client.batch_execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name))
            });
        }
    }
}

impl Db {
    /// A new database with the extension.
    pub fn new() -> Self {
        let mut db = Self::without_extension();
        db.run("CREATE EXTENSION pg_sketch");
        db
    }

    /// A new database.
    pub fn without_extension() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let created =
            cluster().connect("postgres").batch_execute(&format!("CREATE DATABASE {name}"));
        ok(created, &name);
        let client = cluster().connect(&name);
        Db { name, client, owned: true }
    }

    /// A new database with the extension, filled by statements.
    pub fn with(setup: &str) -> Self {
        let mut db = Self::new();
        db.run(setup);
        db
    }

    /// Another session in the same database.
    pub fn another_session(&self) -> Self {
        Db { name: self.name.clone(), client: cluster().connect(&self.name), owned: false }
    }

    /// Runs statements that must succeed.
    #[track_caller]
    pub fn run(&mut self, sql: &str) {
        let result = self.client.batch_execute(sql);
        ok(result, sql);
    }

    /// The one column of the one row that a query returns.
    #[track_caller]
    pub fn one<T: FromSqlOwned>(&mut self, sql: &str) -> T {
        let result = self.client.query_one(sql, &[]);
        ok(result, sql).get(0)
    }

    /// Fails unless a condition is true.
    #[track_caller]
    pub fn holds(&mut self, condition: &str) {
        let holds: Option<bool> = self.one(&format!("SELECT ({condition})"));
        assert_eq!(holds, Some(true), "{condition}");
    }

    /// Fails if a query returns a row.
    #[track_caller]
    pub fn none(&mut self, query: &str) {
        let rows = self.rows(query);
        assert!(rows.is_empty(), "{query}: {} rows, first {:?}", rows.len(), rows.first());
    }

    /// The rows of a query as sorted text, in which sketches show every byte.
    #[track_caller]
    pub fn rows(&mut self, query: &str) -> Vec<String> {
        let sql = as_text(query);
        let result = self.client.query(&sql, &[]);
        ok(result, &sql).iter().map(|row| row.get(0)).collect()
    }

    /// Fails unless two queries return the same rows, and some.
    #[track_caller]
    pub fn same_rows(&mut self, a: &str, b: &str) {
        let (rows_a, rows_b) = (self.rows(a), self.rows(b));
        assert!(!rows_a.is_empty(), "{a}: no rows");
        assert!(rows_a == rows_b, "these differ:\n{a}\n{b}");
    }

    /// The plan by which [`Db::rows`] gets the rows of a query, with what came of it.
    #[track_caller]
    pub fn plan(&mut self, query: &str) -> String {
        let sql = format!("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) {}", as_text(query));
        let result = self.client.query(&sql, &[]);
        ok(result, &sql).iter().map(|row| row.get::<_, String>(0) + "\n").collect()
    }

    /// Back to the settings of the start, but for parallel plans, which are off.
    pub fn serial(&mut self) {
        self.run("RESET ALL; SET max_parallel_workers_per_gather = 0");
    }

    /// From here on plans are parallel where they can be.
    pub fn parallel(&mut self) {
        self.run(PARALLEL);
    }

    /// Fails unless several processes run a query, each a part whose result is then combined.
    #[track_caller]
    pub fn runs_in_parts(&mut self, query: &str) {
        let plan = self.plan(query);
        assert!(plan.contains("Partial") && plan.contains("Finalize"), "{query}\n{plan}");
        assert!(number_in_plan(&plan, "Workers Launched") >= Some(1), "{query}\n{plan}");
    }

    /// How many pages a query reads: the fewest of some runs, since in any of them the session may
    /// also have to read catalogs again that another has changed.
    #[track_caller]
    pub fn pages(&mut self, query: &str) -> u64 {
        let sql = format!("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) {query}");
        let mut run = || {
            let plan = ok(self.client.query(&sql, &[]), &sql);
            let plan: String = plan.iter().map(|row| row.get::<_, String>(0) + "\n").collect();
            let execution = plan.split("Planning").next().expect("a plan");
            ["hit=", "read="].iter().filter_map(|label| number_in_plan(execution, label)).sum()
        };
        (0..4).map(|_| run()).min().expect("a run")
    }

    /// The error of a statement that must fail.
    #[track_caller]
    pub fn error(&mut self, sql: &str) -> DbError {
        match self.client.batch_execute(sql) {
            Ok(()) => panic!("no error: {sql}"),
            Err(error) => db_error(&error, sql),
        }
    }

    /// Fails unless a statement fails with this SQLSTATE; returns the error.
    #[track_caller]
    pub fn fails(&mut self, sql: &str, state: &str) -> DbError {
        let error = self.error(sql);
        assert_eq!(error.code().code(), state, "{sql}: {}", error.message());
        error
    }

    /// Whether the server is built with ICU.
    pub fn has_icu(&mut self) -> bool {
        // From PostgreSQL 16 on the collation "unicode" is there in every build.
        let has_icu: bool = self.one(
            "SELECT EXISTS (
                SELECT FROM pg_collation WHERE collprovider = 'i' AND collname <> 'unicode'
            )",
        );
        if !has_icu {
            eprintln!("skipped: the server has no ICU");
        }
        has_icu
    }

    /// Whether an extension of the server's own can be had, which is then created.
    pub fn has_extension(&mut self, name: &str) -> bool {
        let available: bool = self.one(&format!(
            "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = '{name}')"
        ));
        if available {
            self.run(&format!("CREATE EXTENSION {name}"));
        } else {
            eprintln!("skipped: the server has no {name}");
        }
        available
    }
}

/// The number behind a label in a plan, the largest if there are several.
pub fn number_in_plan(plan: &str, label: &str) -> Option<u64> {
    let numbers = plan.split(label).skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches([':', ' ']);
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    });
    numbers.max()
}

/// The server's error in an error.
#[track_caller]
pub fn db_error(error: &Error, sql: &str) -> DbError {
    match error.as_db_error() {
        Some(error) => error.clone(),
        None => panic!("{sql}: {error}"),
    }
}

fn as_text(query: &str) -> String {
    format!("SELECT (r.*)::text FROM ({query}) r ORDER BY 1")
}

#[track_caller]
fn ok<T>(result: Result<T, Error>, sql: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => {
            let error = db_error(&error, sql);
            panic!("{sql}: {} {}", error.code().code(), error.message())
        }
    }
}
