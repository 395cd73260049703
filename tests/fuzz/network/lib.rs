//! Stands in for the package: those of its modules that read what comes from outside and need nothing of the rest.

#[path = "../../../network/src"]
mod network {
    pub mod host;
    pub mod outbound {
        pub mod address;
        pub mod guard;
    }
}

pub use network::{host, outbound};
