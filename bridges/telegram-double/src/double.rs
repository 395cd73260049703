//! A double in the process of a test, or of the program.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::client::Orders;
use crate::orders::{NewBot, OrderError};
use crate::shared::Shared;
use crate::state::Machine;

/// A double that serves until it is dropped.
pub struct Double {
    address: SocketAddr,
    orders: Orders,
    task: JoinHandle<()>,
    shared: Arc<Shared>,
}

impl Double {
    /// Starts a double on a free port of loopback.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn start() -> io::Result<Self> {
        Self::listen((Ipv4Addr::LOCALHOST, 0).into()).await
    }

    /// Starts a double on an address of loopback.
    ///
    /// # Errors
    /// When the address is not of loopback, for the double has no protection; or when it is taken.
    pub async fn listen(address: SocketAddr) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            let text = format!(
                "{address} is not of loopback: anyone who reaches the double gives it orders"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        // What the client for webhooks signs and encrypts with. One that is set already stays.
        drop(rustls::crypto::ring::default_provider().install_default());
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::new());
        let task = tokio::spawn(crate::http::serve(Arc::clone(&shared), listener));
        Ok(Self {
            address,
            orders: Orders::new(&format!("http://{address}")),
            task,
            shared,
        })
    }

    /// Returns the address, such as `http://127.0.0.1:8081`: the base URL of bots.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the orders of this double.
    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// Registers a bot without a request.
    ///
    /// # Errors
    /// When the token is malformed.
    pub fn register(&self, token: &str) -> Result<(), OrderError> {
        let bot = NewBot {
            token: token.to_owned(),
            ..NewBot::default()
        };
        let register = |machine: &mut Machine, now| machine.register(bot, now);
        self.shared.change(register).map(drop)
    }

    /// Serves until the task ends, which it does not.
    pub async fn serve(mut self) {
        drop((&mut self.task).await);
    }
}

impl Drop for Double {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl fmt::Debug for Double {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Double")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}
