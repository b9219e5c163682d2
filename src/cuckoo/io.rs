//! `cuckoo` in and out.

use sketch::cuckoo::Cuckoo;

use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned};

export!(cuckoo_in, cuckoo_out, cuckoo_recv, cuckoo_send, cuckoo_from_bytea, cuckoo_to_bytea);

fn cuckoo_in(args: &Args) -> Returned {
    aggregate::input::<Cuckoo>(args)
}

fn cuckoo_out(args: &Args) -> Returned {
    aggregate::output::<Cuckoo>(args)
}

fn cuckoo_recv(args: &Args) -> Returned {
    aggregate::receive::<Cuckoo>(args)
}

fn cuckoo_send(args: &Args) -> Returned {
    aggregate::send::<Cuckoo>(args)
}

fn cuckoo_from_bytea(args: &Args) -> Returned {
    aggregate::from_bytea::<Cuckoo>(args)
}

fn cuckoo_to_bytea(args: &Args) -> Returned {
    aggregate::send::<Cuckoo>(args)
}
