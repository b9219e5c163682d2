//! `bloom` in and out, and how filters compare.

use sketch::bloom::Bloom;

use crate::surface::io::doors;

doors!("bloom": Bloom);
