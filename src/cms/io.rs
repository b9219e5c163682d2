//! `cms` in and out.

use sketch::cms::Cms;

use crate::aggregate::doors;

doors!(Cms: cms_in, cms_out, cms_recv, cms_send, cms_from_bytea, cms_to_bytea);
