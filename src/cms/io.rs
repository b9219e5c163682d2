//! `cms` in and out.

use sketch::cms::Cms;

use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned};

export!(cms_in, cms_out, cms_recv, cms_send, cms_from_bytea, cms_to_bytea);

fn cms_in(args: &Args) -> Returned {
    aggregate::input::<Cms>(args)
}

fn cms_out(args: &Args) -> Returned {
    aggregate::output::<Cms>(args)
}

fn cms_recv(args: &Args) -> Returned {
    aggregate::receive::<Cms>(args)
}

fn cms_send(args: &Args) -> Returned {
    aggregate::send::<Cms>(args)
}

fn cms_from_bytea(args: &Args) -> Returned {
    aggregate::from_bytea::<Cms>(args)
}

fn cms_to_bytea(args: &Args) -> Returned {
    aggregate::send::<Cms>(args)
}
