//! Worlds over HTTP: whole services in memory, each with an address, a clock and faults of its own, for tests of integrations.
//!
//! A world has a thread of its own, which takes orders one after the other, and a port of its own on loopback: everything
//! that a program sends there belongs to it, a request with a wrong channel or without any credentials too, and forks of a
//! world may have the same ids.

mod clock;
mod control;
mod error;
mod export;
mod fault;
mod habit;
mod host;
mod journal;
mod kept;
mod lease;
mod listener;
mod mask;
mod named;
mod names;
mod order;
mod outside;
mod own_ids;
mod registry;
mod reply;
mod sender;
mod vendor;

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use serde_json::{Value, json};
use switchboard_engine::runtime::entropy::{Entropy as _, Generator};
use switchboard_http::vendor::VendorKey;
use switchboard_http::worlds::{TakesOrders, WorldOrder};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::dev::problem::detail;
use crate::dev::world_place::WorldPlace;
use crate::dev::worlds::control::Control;
use crate::dev::worlds::outside::Outside;
use crate::dev::worlds::registry::{Registry, WORLDS_MAX};
use crate::dev::worlds_key::WorldsKey;

pub(super) use crate::dev::worlds::vendor::FoundWorld;
pub use crate::dev::worlds::vendor::VendorWorlds;

/// Connections for orders at once. Those that wait for something in a world must not keep back the orders that bring it
/// about: in each world one may wait while another acts. Strangers make room for those that have the token.
const ORDERS_AT_ONCE_MAX: usize = 2 * WORLDS_MAX;
/// The port of worlds that have a free one each.
const ANY_PORT: u16 = 0;

/// The worlds of this process, and the address at which they are made.
pub struct Worlds {
    address: SocketAddr,
    token: String,
    registry: Arc<Registry>,
    control: Arc<Control>,
    serving: JoinHandle<()>,
    sending: JoinHandle<()>,
}

impl Worlds {
    /// Listens on a free port of loopback. Who makes worlds has to know this token; their secrets follow from the key. Who has
    /// the vendor key may name hosts of the counterpart to them.
    ///
    /// # Errors
    /// When no port or no HTTP client can be had.
    pub async fn start(token: String, key: WorldsKey, vendor: VendorKey) -> Result<Self> {
        Self::with_port(token, key, vendor, ANY_PORT).await
    }

    /// As [`Worlds::start`]; each world has this port.
    async fn with_port(
        token: String,
        key: WorldsKey,
        vendor: VendorKey,
        world_port: u16,
    ) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .context("cannot listen for orders about worlds")?;
        let address = listener
            .local_addr()
            .context("cannot read the address for orders about worlds")?;
        let (outside, sending) = Outside::start()?;
        let registry = Arc::new(Registry::new(outside, key, vendor, world_port));
        let control = Arc::new(Control::new(Arc::clone(&registry), &token));
        let server = listener::serve(listener, ORDERS_AT_ONCE_MAX, Arc::clone(&control));
        let serving = tokio::task::spawn_local(server);
        Ok(Self {
            address,
            token,
            registry,
            control,
            serving,
            sending,
        })
    }

    /// Worlds to which only this process gives orders. Their secrets follow from the key; without one, from chance.
    ///
    /// # Errors
    /// When no port, no HTTP client or no random numbers can be had.
    pub async fn drawn(key: Option<WorldsKey>) -> Result<Self> {
        let random = Generator::from_system().context("the system has no random numbers")?;
        // No other process learns the token.
        let token = hex::encode(random.bytes());
        let random_key = || WorldsKey::from_random([random.bytes(), random.bytes()]);
        let vendor = VendorKey::from_random(random.bytes());
        Self::start(token, key.unwrap_or_else(random_key), vendor).await
    }

    /// One world after the other to which only this process gives orders, all in one place. What each world draws is new.
    ///
    /// # Errors
    /// As [`Worlds::drawn`].
    pub(crate) async fn drawn_at(place: WorldPlace) -> Result<Self> {
        let random = Generator::from_system().context("the system has no random numbers")?;
        let key = place.key.with_other_ids(random.bytes());
        let (token, vendor) = (hex::encode(random.bytes()), random.bytes());
        let vendor = VendorKey::from_random(vendor);
        Self::with_port(token, key, vendor, place.port).await
    }

    /// Returns the part of the ready file by which programs make worlds.
    pub fn document(&self) -> Value {
        json!({ "url": self.url(), "token": self.token })
    }

    /// The worlds as the hosts of the counterpart lead to them.
    pub fn vendor(&self) -> VendorWorlds {
        VendorWorlds::new(Arc::clone(&self.registry))
    }

    /// Returns the receiver of orders from the service of this process, which checks the right to give them.
    pub fn orders(&self) -> Arc<dyn TakesOrders> {
        Arc::<Control>::clone(&self.control)
    }

    /// Gives an order as a request to `/dev/v1` does; the path is what follows `/dev/v1/worlds`. Gives the status and the
    /// document or text of the answer.
    pub async fn order(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let order = WorldOrder {
            method: method.to_owned(),
            target: format!("/dev/v1/worlds{path}"),
            media_type: Some("application/json".to_owned()),
            body: if body.is_null() {
                Bytes::new()
            } else {
                body.to_string().into()
            },
        };
        let answer = self.control.take(order).await;
        let text = || Value::from(String::from_utf8_lossy(&answer.body));
        let body = serde_json::from_slice(&answer.body).unwrap_or_else(|_text| text());
        (answer.status, body)
    }

    /// As [`Worlds::order`], with the answer to an order that is obeyed.
    ///
    /// # Errors
    /// With the detail of a refusal.
    pub async fn accepted_order(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let (status, answer) = self.order(method, path, body).await;
        ensure!((200..300).contains(&status), "{}", detail(&answer));
        Ok(answer)
    }

    /// Returns the address at which worlds are made.
    pub fn url(&self) -> String {
        format!("http://{}/dev/v1", self.address)
    }

    /// Ends when the last lease has.
    pub async fn abandoned(&self) {
        self.control.leases().abandoned().await;
    }

    /// Ends all worlds, and takes no more orders.
    pub async fn stop(&self) {
        self.serving.abort();
        self.registry.end_all("the process ends").await;
        self.sending.abort();
    }
}
