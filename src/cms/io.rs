//! `cms` in and out, and how sketches compare.

use sketch::cms::Cms;

use crate::surface::io::doors;

doors!("cms": Cms);
