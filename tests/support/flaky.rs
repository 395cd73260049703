//! An integration that is not well: it takes most callbacks, answers some with 500 and resets others, and keeps a
//! ledger of what it answered. It outlives the services that call it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use super::client::signature;
use super::eventually;
use super::random::Random;
use super::server::SECRET;

/// A message fails at most this often, so that all of them get through in the end, within the first retries.
const FAILURES_MAX: usize = 2;

/// One attempt as it arrived.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The service's id of the message.
    pub message: String,
    /// `X-Delivery-Attempt`.
    pub number: u32,
    /// The body, without the time of sending.
    pub fields: Value,
    /// Whether it was answered with 200.
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
    address: SocketAddr,
    mind: Arc<Mutex<Mind>>,
    server: AbortHandle,
}

struct Mind {
    random: Random,
    well: bool,
    /// Nothing is taken, not even noticed.
    dark: bool,
    /// Who is connected.
    open: BTreeSet<SocketAddr>,
    failures: BTreeMap<String, usize>,
    arrivals: Vec<Arrival>,
}

#[derive(Clone, Copy)]
enum Decision {
    Take,
    Fail,
    Reset,
}

impl Flaky {
    /// Starts it on a port of its own.
    pub async fn start(random: Random) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let mind = Arc::new(Mutex::new(Mind {
            random,
            well: false,
            dark: false,
            open: BTreeSet::new(),
            failures: BTreeMap::new(),
            arrivals: Vec::new(),
        }));
        let served = Arc::clone(&mind);
        let server = tokio::spawn(async move {
            while let Ok((socket, peer)) = listener.accept().await {
                let mind = Arc::clone(&served);
                mind.lock().unwrap().open.insert(peer);
                tokio::spawn(async move {
                    // The service may be killed in the middle.
                    converse(socket, &mind).await.ok();
                    mind.lock().unwrap().open.remove(&peer);
                });
            }
        });
        Self {
            address,
            mind,
            server: server.abort_handle(),
        }
    }

    /// The address for callbacks of one version, as a channel has it.
    pub fn webhook(&self, version: &str) -> String {
        format!("http://{}/{version}/:scope_id", self.address)
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
        let mine = TcpStream::connect(self.address).await.unwrap();
        let only_mine = BTreeSet::from([mine.local_addr().unwrap()]);
        eventually("nobody is connected any more", async || {
            (self.mind.lock().unwrap().open == only_mine).then_some(())
        })
        .await;
        self.mind.lock().unwrap().dark = false;
    }

    /// Everything that arrived, in order.
    pub fn arrivals(&self) -> Vec<Arrival> {
        self.mind.lock().unwrap().arrivals.clone()
    }
}

impl Drop for Flaky {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Mind {
    fn decide(&mut self, message: &str) -> Decision {
        let failed = self.failures.entry(message.to_owned()).or_default();
        if self.well || *failed >= FAILURES_MAX || !self.random.percent(15) {
            return Decision::Take;
        }
        *failed += 1;
        if self.random.percent(50) {
            Decision::Fail
        } else {
            Decision::Reset
        }
    }
}

async fn converse(mut socket: TcpStream, mind: &Mutex<Mind>) -> io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let head = loop {
            let end = buffer.windows(4).position(|window| window == b"\r\n\r\n");
            if let Some(end) = end {
                break String::from_utf8(buffer.drain(..end + 4).collect()).unwrap();
            }
            if socket.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        let length: usize = header(&head, "content-length").parse().unwrap();
        while buffer.len() < length {
            if socket.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        let body: Vec<u8> = buffer.drain(..length).collect();
        assert_eq!(header(&head, "x-signature"), signature(SECRET, &body));
        match note(mind, &head, &body) {
            Some(Decision::Take) => answer(&mut socket, "200 OK").await?,
            Some(Decision::Fail) => answer(&mut socket, "500 Not Well").await?,
            Some(Decision::Reset) => return socket.set_zero_linger(),
            None => return Ok(()),
        }
    }
}

/// Decides, and puts the attempt into the ledger before the service can know of the answer; `None` in the dark.
fn note(mind: &Mutex<Mind>, head: &str, body: &[u8]) -> Option<Decision> {
    let mut fields: Value = serde_json::from_slice(body).unwrap();
    fields.as_object_mut().unwrap().remove("time").unwrap();
    let message = header(head, "webhook-id");
    assert_eq!(fields["message"]["message"]["id"], message.as_str());
    let mut mind = mind.lock().unwrap();
    if mind.dark {
        return None;
    }
    let decision = mind.decide(&message);
    mind.arrivals.push(Arrival {
        message,
        number: header(head, "x-delivery-attempt").parse().unwrap(),
        fields,
        taken: matches!(decision, Decision::Take),
    });
    Some(decision)
}

async fn answer(socket: &mut TcpStream, status: &str) -> io::Result<()> {
    let text = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
    socket.write_all(text.as_bytes()).await
}

fn header(head: &str, name: &str) -> String {
    let value = head.lines().find_map(|line| {
        let (known, value) = line.split_once(':')?;
        known.eq_ignore_ascii_case(name).then(|| value.trim())
    });
    value
        .unwrap_or_else(|| panic!("no {name} in {head}"))
        .to_owned()
}
