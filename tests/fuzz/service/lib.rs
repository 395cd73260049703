//! Stands in for the service: its configuration, which reads what comes from outside and needs nothing of the rest.

#[path = "../../../src"]
mod service {
    pub mod config;
}

pub use service::config;
