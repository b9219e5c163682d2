//! `hash_ring` in and out, and how rings compare.

use sketch::hash_ring::HashRing;

use crate::surface::io::doors;

doors!("hash_ring": HashRing);
