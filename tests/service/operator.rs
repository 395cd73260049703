//! The operator's interface, `/admin/v1`.

mod access;
