//! `cuckoo` in and out, and how filters compare.

use sketch::cuckoo::Cuckoo;

use crate::surface::io::doors;

doors!("cuckoo": Cuckoo);
