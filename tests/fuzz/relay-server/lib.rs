//! Stands in for the package: those of its modules that the configuration reads.

#[path = "../../../relay/server/src"]
mod server {
    pub mod upward {
        pub mod channel;
        pub mod hosts;
    }
}

pub use server::upward;
