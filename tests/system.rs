//! Whole-system tests: the installed extension in a real server.
//!
//! The tests start a private cluster, give each test a database of its own in it, and speak to it
//! as any client would. They need the extension installed where `pg_config` (or the program that
//! the variable PG_CONFIG names) points to. Each test states what must hold; what the server
//! prints belongs to the regression tests beside.
//!
//! * [`cluster`], [`db`]: the server, and a database in it with short ways to ask questions;
//! * [`kinds`]: a row for each type, from which the tests of what every type must do run;
//! * [`values`], [`collations`]: which values are equal;
//! * [`aggregates`], [`windows`], [`plans`]: the same result however a query runs;
//! * [`columns`], [`clients`], [`durability`]: sketches in tables, in programs, on the move;
//! * [`citus`], [`foreign`]: sketches that are made on several servers;
//! * [`outside`]: programs that build and read sketches without the server;
//! * [`errors`], [`hostile`], [`memory`]: what a user cannot break;
//! * [`hll`], [`hll_errors`], [`bloom`], [`bloom_lookups`], [`cuckoo`], [`cuckoo_lookups`],
//!   [`cms`], [`cms_windows`], [`hash_ring`]: what is true of one type.

mod aggregates;
mod bloom;
mod bloom_lookups;
mod citus;
mod clients;
mod cluster;
mod cms;
mod cms_windows;
mod collations;
mod columns;
mod cuckoo;
mod cuckoo_lookups;
mod db;
mod documents;
mod durability;
mod errors;
mod foreign;
mod hash_ring;
mod hll;
mod hll_errors;
mod hostile;
mod kinds;
mod memory;
mod outside;
mod plans;
mod values;
mod windows;
