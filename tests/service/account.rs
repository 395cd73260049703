//! The account interface, `/api/v4`.

mod access;
mod contacts;
mod leads;
