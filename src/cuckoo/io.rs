//! `cuckoo` in and out.

use sketch::cuckoo::Cuckoo;

use crate::aggregate::doors;

doors!(Cuckoo: cuckoo_in, cuckoo_out, cuckoo_recv, cuckoo_send, cuckoo_from_bytea, cuckoo_to_bytea);
