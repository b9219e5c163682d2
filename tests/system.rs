//! Whole-system tests: the installed extension in a real server.
//!
//! The tests start a private cluster, give each test a database of its own in it, and speak to it
//! as any client would. They need the extension installed where `pg_config` (or the program that
//! the variable PG_CONFIG names) points to. Each test states what must hold; what the server
//! prints belongs to the regression tests beside.
//!
//! * [`cluster`], [`db`]: the server, and a database in it with short ways to ask questions;
//! * [`kinds`]: the types, for tests that every type must pass;
//! * [`accuracy`], [`values`]: counts of values of every type, and which values are equal;
//! * [`aggregates`], [`windows`], [`plans`]: the same result however a query runs;
//! * [`columns`], [`clients`], [`durability`]: sketches in tables, in programs, on the move;
//! * [`membership`], [`lookups`], [`deletion`]: filters hold what was added, wherever they lie, and
//!   no more what was removed;
//! * [`frequency`], [`moving`]: frequencies are not below the truth, and sums are exact;
//! * [`errors`], [`hostile`], [`memory`]: what a user cannot break.

mod accuracy;
mod aggregates;
mod clients;
mod cluster;
mod columns;
mod db;
mod deletion;
mod documents;
mod durability;
mod errors;
mod frequency;
mod hostile;
mod kinds;
mod lookups;
mod membership;
mod memory;
mod moving;
mod plans;
mod values;
mod windows;
