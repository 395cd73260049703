//! Stands in for the service: those of its modules that read what comes from outside and need nothing of the rest.

#[path = "../../../src"]
mod service {
    pub mod config;
    pub mod host;
    pub mod outbound {
        pub mod address;
        pub mod guard;
    }
}

use service::host;
pub use service::{config, outbound};
