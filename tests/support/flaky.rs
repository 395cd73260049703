//! An integration that is not well: it takes most callbacks, answers some with 500 and resets others, and keeps a
//! ledger of what it answered. It outlives the services that call it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use serde_json::Value;
use switchboard_worlds::sink::{Behaviour, Ledger, Received, Sink};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::client::signature;
use super::random::Random;
use super::server::SECRET;

/// A message fails at most this often, so that all of them get through in the end, within the first retries.
const FAILURES_MAX: usize = 2;

/// The path of a request that is no callback.
const PROBE: &str = "/probe";

/// One attempt as it arrived.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The service's id of the message.
    pub message: String,
    /// `X-Delivery-Attempt`.
    pub number: u32,
    /// The body, without the time of sending.
    pub fields: Value,
    /// True when it was answered with 200.
    pub taken: bool,
}

impl Arrival {
    /// The conversation it belongs to, by the integration's id.
    pub fn conversation(&self) -> &str {
        self.fields["message"]["conversation"]["client_id"]
            .as_str()
            .unwrap()
    }

    /// The text of the message.
    pub fn text(&self) -> &str {
        self.fields["message"]["message"]["text"].as_str().unwrap()
    }
}

/// The integration. Dropping it ends it.
pub struct Flaky {
    sink: Sink,
    mind: Arc<Mutex<Mind>>,
}

struct Mind {
    random: Random,
    well: bool,
    /// Nothing is taken, not even noticed.
    dark: bool,
    failures: BTreeMap<String, usize>,
    arrivals: Vec<Arrival>,
}

impl Flaky {
    /// Starts it on a port of its own.
    pub async fn start(random: Random) -> Self {
        let mind = Arc::new(Mutex::new(Mind {
            random,
            well: false,
            dark: false,
            failures: BTreeMap::new(),
            arrivals: Vec::new(),
        }));
        let judging = Arc::clone(&mind);
        let sink = Sink::judging(move |request| judge(&judging, request)).await;
        Self {
            sink: sink.unwrap(),
            mind,
        }
    }

    /// The address for callbacks of one version, as a channel has it.
    pub fn webhook(&self, version: &str) -> String {
        self.sink.url(&format!("/{version}/:scope_id"))
    }

    /// From now on it takes everything.
    pub fn recover(&self) {
        self.mind.lock().unwrap().well = true;
    }

    /// From now on some attempts fail again.
    pub fn sicken(&self) {
        self.mind.lock().unwrap().well = false;
    }

    /// The power fails, also for the process that uses the disk: its answers from now on count as never given. A disk
    /// that fails while the machine runs only resembles that; the service may continue for some milliseconds, since it
    /// believes what the kernel reports of a disk that is gone.
    pub fn goes_dark(&self) {
        self.mind.lock().unwrap().dark = true;
    }

    /// The power is back, and whatever called is dead: once nothing of what it said is left to be heard.
    pub async fn comes_back(&self) {
        // Connections are accepted in their order, so when this one is, there are none of the dead behind it.
        let mut mine = TcpStream::connect(self.sink.address()).await.unwrap();
        let request = format!("GET {PROBE} HTTP/1.1\r\n\r\n");
        mine.write_all(request.as_bytes()).await.unwrap();
        mine.read_u8().await.unwrap();
        let is_alone = |ledger: &Ledger| ledger.connections == ledger.ended + 1;
        self.sink.until(is_alone).await.unwrap();
        self.mind.lock().unwrap().dark = false;
        drop(mine);
    }

    /// Everything that arrived, in order.
    pub fn arrivals(&self) -> Vec<Arrival> {
        self.mind.lock().unwrap().arrivals.clone()
    }
}

impl Mind {
    fn decide(&mut self, message: &str) -> Behaviour {
        let failed = self.failures.entry(message.to_owned()).or_default();
        if self.well || *failed >= FAILURES_MAX || !self.random.percent(15) {
            return Behaviour::status(200);
        }
        *failed += 1;
        if self.random.percent(50) {
            Behaviour::status(500)
        } else {
            Behaviour::Reset(Bytes::new())
        }
    }
}

/// Decides, and puts the attempt into the list before the service can know of the answer. In the dark the connection ends.
fn judge(mind: &Mutex<Mind>, request: &Received) -> Behaviour {
    if request.target == PROBE {
        return Behaviour::status(200);
    }
    let header = |name: &str| request.header(name).unwrap_or_else(|| panic!("no {name}"));
    assert_eq!(header("x-signature"), signature(SECRET, &request.body));
    let mut fields: Value = serde_json::from_slice(&request.body).unwrap();
    fields.as_object_mut().unwrap().remove("time").unwrap();
    let message = header("webhook-id");
    assert_eq!(fields["message"]["message"]["id"], message);
    let mut mind = mind.lock().unwrap();
    if mind.dark {
        return Behaviour::Raw(Bytes::new());
    }
    let behaviour = mind.decide(message);
    mind.arrivals.push(Arrival {
        message: message.to_owned(),
        number: header("x-delivery-attempt").parse().unwrap(),
        fields,
        taken: behaviour == Behaviour::status(200),
    });
    behaviour
}
