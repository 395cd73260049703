mod account;
mod answers;
mod callbacks;
mod kills;
mod lanes;
mod posts;
mod stops;
mod store;

use std::cell::RefCell;
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{Notify, mpsc};
use tokio::task::{JoinHandle, LocalSet};
use tokio::time::{sleep, timeout};

use crate::answer::Answer;
use crate::forms::{content, conversation_name, part, text};
use crate::page::{self, PageRequest, PageResponse};
use crate::settings::Settings;
use crate::signature::sign;
use crate::state::{Change, Job, Kind, Lane};
use crate::{Bridge, Messenger, Outcome};

const WITHIN: Duration = Duration::from_secs(20);
const SECRET: &str = "secret-of-the-channel";

/// Runs a test on one thread, as a bridge does.
fn run<T>(test: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().unwrap();
    runtime.block_on(LocalSet::new().run_until(async {
        let outcome = timeout(WITHIN, test).await;
        outcome.unwrap()
    }))
}

/// Awaits a state.
async fn until(is_true: impl Fn() -> bool) {
    while !is_true() {
        sleep(Duration::from_millis(2)).await;
    }
}

/// A messenger whose work is what the words of a job say: `pause`, `hold`, `forget`, or anything else, which is done at once.
#[derive(Default)]
struct Toy {
    /// The words of the jobs that are done, and what else happens.
    events: RefCell<Vec<String>>,
    release: Notify,
    /// The body of the next answer that is a stream.
    stream: RefCell<Option<Stream>>,
}

/// A body whose parts a test sends.
struct Stream(mpsc::Receiver<Bytes>);

impl Body for Stream {
    type Data = Bytes;
    type Error = page::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let part = self.0.poll_recv(context);
        part.map(|part| part.map(|bytes| Ok(Frame::data(bytes))))
    }
}

impl Toy {
    fn note(&self, event: impl Into<String>) {
        self.events.borrow_mut().push(event.into());
    }

    fn has(&self, event: &str) -> bool {
        self.events.borrow().iter().any(|it| it == event)
    }
}

impl Messenger for Toy {
    fn lane(_bridge: &Rc<Bridge<Self>>, event: &Value) -> Option<Lane> {
        content(event).as_object()?;
        let name = conversation_name(part(event, "message"));
        Some(Lane::new(Kind::Deliver, name))
    }

    fn on_ephemeral(bridge: &Rc<Bridge<Self>>, _event: &Value) {
        bridge.messenger.note("ephemeral");
    }

    async fn work(bridge: &Rc<Bridge<Self>>, job: &Job, tries: u32) -> Outcome {
        let event: Value = serde_json::from_str(&job.body).unwrap_or_default();
        let words = match text(content(&event), "text") {
            "" => &job.body,
            words => words,
        };
        let toy = &bridge.messenger;
        match words {
            "pause" => {
                toy.note(format!("pause {tries}"));
                return Outcome::Later(Duration::from_secs(3_600));
            }
            "forget" => {
                toy.note("forget");
                return Outcome::Over;
            }
            "hold" => {
                toy.note("hold");
                toy.release.notified().await;
            }
            _ => {}
        }
        let key = format!("{:020}", job.id);
        let changes = vec![Change::End(job.id), Change::put("done", key, words)];
        bridge.commit(changes).await;
        toy.note(words);
        Outcome::Over
    }

    fn posted(bridge: &Rc<Bridge<Self>>, job: &Job, answer: Option<&Answer>) -> Vec<Change> {
        let outcome = match answer {
            Some(answer) => format!("posted {}", answer.status),
            None => "refused".to_owned(),
        };
        bridge.messenger.note(outcome.clone());
        vec![Change::put("posts", job.lane.name.as_str(), outcome)]
    }

    async fn page(bridge: &Rc<Bridge<Self>>, request: PageRequest<'_>) -> Option<PageResponse> {
        match request.path {
            "/health" => Some(page::text(StatusCode::OK, "[]")),
            "/stream" => {
                let stream = bridge.messenger.stream.borrow_mut().take()?;
                Some(Response::new(stream.boxed()))
            }
            _ => None,
        }
    }
}

fn settings(directory: &Path, url: &str) -> Settings {
    Settings {
        listen: (Ipv4Addr::LOCALHOST, 0).into(),
        url: url.to_owned(),
        account_id: "a-1".to_owned(),
        channel_id: "c-1".to_owned(),
        scope_id: String::new(),
        secrets: vec![SECRET.to_owned()],
        client_id: "client".to_owned(),
        client_secret: "secret-of-the-client".to_owned(),
        redirect_uri: "http://127.0.0.1/oauth".to_owned(),
        code: None,
        directory: directory.to_owned(),
        connect: false,
        title: "Bridge".to_owned(),
        requests_per_second: 1_000,
        jobs_max: 1_000,
    }
}

/// A bridge without a service.
async fn bridge(directory: &TempDir) -> Rc<Bridge<Toy>> {
    let settings = settings(directory.path(), "http://127.0.0.1:9");
    Bridge::start(settings, Toy::default()).await.unwrap()
}

/// A bridge on a socket, with the order to stop it.
struct Served {
    bridge: Rc<Bridge<Toy>>,
    address: SocketAddr,
    stop: Rc<Notify>,
    end: JoinHandle<anyhow::Result<()>>,
}

impl Served {
    async fn start(settings: Settings) -> Self {
        let bridge = Bridge::start(settings, Toy::default()).await.unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Rc::new(Notify::new());
        let (server, until) = (Rc::clone(&bridge), Rc::clone(&stop));
        let end =
            tokio::task::spawn_local(
                async move { server.serve_on(listener, until.notified()).await },
            );
        Self {
            bridge,
            address,
            stop,
            end,
        }
    }

    /// Sends a callback with this signature.
    async fn send(&self, body: &str, signature: &str) -> reqwest::Response {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client
            .post(format!("http://{}/", self.address))
            .header("Content-Type", "application/json")
            .header("X-Signature", signature)
            .body(body.to_owned());
        request.send().await.unwrap()
    }

    /// Sends a callback about a message, and returns the status of the answer.
    async fn message(&self, id: &str, words: &str) -> u16 {
        let body = message(id, words);
        let signature = sign(SECRET, body.as_bytes());
        self.send(&body, &signature).await.status().as_u16()
    }
}

fn message(id: &str, words: &str) -> String {
    let message = json!({
        "conversation": { "id": format!("talk-{id}") },
        "message": { "id": id, "type": "text", "text": words },
    });
    json!({ "account_id": "a-1", "message": message }).to_string()
}

/// A request to the service.
#[derive(Clone, Debug)]
struct Arrival {
    path: String,
    body: Value,
    bearer: String,
}

type Script = dyn Fn(&Arrival) -> (u16, Value);

/// A service whose answers a test gives.
struct Fake {
    url: String,
    requests: Rc<RefCell<Vec<Arrival>>>,
}

impl Fake {
    async fn start(script: impl Fn(&Arrival) -> (u16, Value) + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Rc<RefCell<Vec<Arrival>>> = Rc::default();
        let (script, log): (Rc<Script>, _) = (Rc::new(script), Rc::clone(&requests));
        tokio::task::spawn_local(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (script, log) = (Rc::clone(&script), Rc::clone(&log));
                tokio::task::spawn_local(async move {
                    let service = service_fn(|request| {
                        let (script, log) = (Rc::clone(&script), Rc::clone(&log));
                        async move { play(&script, &log, request).await }
                    });
                    let connection = http1::Builder::new();
                    drop(
                        connection
                            .serve_connection(TokioIo::new(stream), service)
                            .await,
                    );
                });
            }
        });
        Self { url, requests }
    }

    /// The number of requests whose path ends like this.
    fn count(&self, end: &str) -> usize {
        let requests = self.requests.borrow();
        requests.iter().filter(|it| it.path.ends_with(end)).count()
    }
}

async fn play(
    script: &Rc<Script>,
    log: &RefCell<Vec<Arrival>>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let (head, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let bearer = head.headers.get("authorization");
    let request = Arrival {
        path: head.uri.path().to_owned(),
        body: serde_json::from_slice(&body).unwrap_or_default(),
        bearer: bearer.map_or(String::new(), |it| it.to_str().unwrap().to_owned()),
    };
    log.borrow_mut().push(request.clone());
    let (status, answer) = script(&request);
    let mut response = Response::new(Full::new(Bytes::from(answer.to_string())));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    let kind = hyper::header::HeaderValue::from_static("application/json");
    response.headers_mut().insert("content-type", kind);
    Ok(response)
}
