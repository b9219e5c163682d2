//! `bloom` in and out.

use sketch::bloom::Bloom;

use crate::aggregate::doors;

doors!(Bloom: bloom_in, bloom_out, bloom_recv, bloom_send, bloom_from_bytea, bloom_to_bytea);
