//! The tools that `switchboard dev` has beside the service. The service knows no more of it than this: a build without
//! the feature `dev` has nothing behind these traits.

use std::fmt;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use switchboard_actors::System;
use switchboard_http::vendor::VendorKey;
use switchboard_http::worlds::TakesOrders;

/// The tools of a process that has not started.
pub trait DevTools: fmt::Debug + Send + Sync {
    /// The address of a socket that need not be on loopback.
    fn listener(&self) -> Option<SocketAddr>;

    /// Opens the sockets, which outlive a restart of the service within the process. Files are below the data directory.
    ///
    /// # Errors
    /// When an address is in use, or files cannot be read or written.
    fn open(&self, data: &Path) -> Result<Box<dyn DevSockets>>;
}

/// The tools of a process.
pub trait DevSockets {
    /// Starts the tools of a round.
    ///
    /// # Errors
    /// When a socket cannot be used.
    fn begin<'s>(&'s self, system: &'s System) -> LocalBoxFuture<'s, Result<Box<dyn DevRound>>>;
}

/// The tools of a round of the service.
pub trait DevRound {
    /// The key that proves to the service that a request comes by the sockets; `None`: there are none.
    fn vendor_key(&self) -> Option<VendorKey>;

    /// The receiver of orders about worlds.
    fn orders(&self) -> Arc<dyn TakesOrders>;

    /// Passes requests to the service, which is reached at this address.
    ///
    /// # Errors
    /// When a socket cannot be used.
    fn serve(&mut self, address: SocketAddr, system: &System) -> Result<()>;

    /// Rows for people: the name of a tool, and where it is.
    fn rows(&self) -> Vec<[String; 2]>;

    /// Members of the ready file, for an installation with these subdomains.
    fn ready(&self, subdomains: &[String]) -> Vec<(String, Value)>;

    /// A text for the program that reads the standard output.
    fn printed(&self, subdomains: &[String]) -> Option<String>;

    /// Ends when the process is to end, because no program uses the tools any more.
    fn abandoned(&self) -> LocalBoxFuture<'_, ()>;

    /// Ends all worlds.
    fn end_worlds(&mut self) -> LocalBoxFuture<'_, ()>;

    /// Accepts nothing more, and gives requests in progress this long.
    fn stop(self: Box<Self>, patience: Duration) -> LocalBoxFuture<'static, ()>;
}
