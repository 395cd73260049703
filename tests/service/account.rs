//! The account interface, `/api/v4`.

mod access;
mod leads;
