//! `bloom` in and out.

use sketch::bloom::Bloom;

use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned};

export!(bloom_in, bloom_out, bloom_recv, bloom_send, bloom_from_bytea, bloom_to_bytea);

fn bloom_in(args: &Args) -> Returned {
    aggregate::input::<Bloom>(args)
}

fn bloom_out(args: &Args) -> Returned {
    aggregate::output::<Bloom>(args)
}

fn bloom_recv(args: &Args) -> Returned {
    aggregate::receive::<Bloom>(args)
}

fn bloom_send(args: &Args) -> Returned {
    aggregate::send::<Bloom>(args)
}

fn bloom_from_bytea(args: &Args) -> Returned {
    aggregate::from_bytea::<Bloom>(args)
}

fn bloom_to_bytea(args: &Args) -> Returned {
    aggregate::send::<Bloom>(args)
}
