//! The program at the address of the bridge, if there is one: perhaps the bridge itself.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use serde_json::Value;

const WITHIN: Duration = Duration::from_secs(5);

/// The program at the address.
pub(super) enum Neighbour {
    None,
    /// The address is none of this machine, or may not be used.
    Unusable(String),
    /// A program that is no bridge.
    Stranger,
    Bridge(Health),
}

/// The state of a bridge that runs.
pub(super) struct Health {
    pub(super) is_installed: bool,
    pub(super) problems: Vec<String>,
}

impl Neighbour {
    /// Asks whatever listens at an address how it is.
    pub(super) async fn find(address: SocketAddr) -> Self {
        match TcpListener::bind(address) {
            Ok(_) => Self::None,
            Err(error) if error.kind() != ErrorKind::AddrInUse => Self::Unusable(error.to_string()),
            Err(_) => match health(address).await {
                Some(health) => Self::Bridge(health),
                None => Self::Stranger,
            },
        }
    }
}

async fn health(address: SocketAddr) -> Option<Health> {
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(WITHIN)
        .build();
    let request = client.ok()?.get(format!("http://{address}/health"));
    let text = request.send().await.ok()?.text().await.ok()?;
    let document: Value = serde_json::from_str(&text).ok()?;
    let problems = document.get("problems")?.as_array()?.iter();
    Some(Health {
        is_installed: document.get("installed")?.as_bool()?,
        problems: problems
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect(),
    })
}
