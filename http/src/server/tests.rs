//! A service that takes no requests hands its connections on as the others do.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::*;
use switchboard_connections::kept::KeptConnection;

/// The longest wait for anything here.
const PATIENCE: Duration = Duration::from_secs(60);

/// A request that is answered when the test says so.
#[derive(Default)]
struct Held {
    has_begun: Notify,
    goes_on: Notify,
}

fn site(held: &web::Data<Held>) -> SmallSite<Held> {
    SmallSite {
        routes: |config| {
            config
                .route("/now", web::get().to(|| ready("ok\n")))
                .route("/held", web::get().to(answer_held));
        },
        data: held.clone(),
        refuse: |_, _| HttpResponse::NotFound().finish(),
    }
}

async fn answer_held(held: web::Data<Held>) -> &'static str {
    held.has_begun.notify_one();
    held.goes_on.notified().await;
    "ok\n"
}

async fn start(held: &web::Data<Held>, kept: &KeptConnections) -> (Server, SocketAddr) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let server = start_small(listener, site(held), kept.clone()).await;
    (server.unwrap(), address)
}

async fn asks(client: &mut TcpStream, path: &str) {
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    client.write_all(request.as_bytes()).await.unwrap();
}

async fn answer(client: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    while !answer.ends_with(b"ok\n") {
        let read = timeout(PATIENCE, client.read_buf(&mut answer)).await;
        let length = read.unwrap().unwrap();
        assert!(length > 0, "no answer");
    }
    String::from_utf8(answer).unwrap()
}

/// What was answered is not answered again by the next round.
#[actix_web::test]
async fn a_small_service_hands_on_no_request_that_it_has_answered() {
    let (held, kept) = (web::Data::new(Held::default()), KeptConnections::default());
    let (server, address) = start(&held, &kept).await;
    let mut client = TcpStream::connect(address).await.unwrap();
    for _ in 0..2 {
        asks(&mut client, "/now").await;
        answer(&mut client).await;
    }
    server.stop(true, true).await;
    let connections = kept.take();
    assert_eq!(connections.len(), 1);
    let read: Vec<_> = connections.iter().flat_map(KeptConnection::read).collect();
    assert!(read.is_empty(), "{} bytes", read.len());
}

#[actix_web::test]
async fn a_small_service_answers_the_request_in_progress_when_it_ends() {
    let (held, kept) = (web::Data::new(Held::default()), KeptConnections::default());
    let (mut server, address) = start(&held, &kept).await;
    server.set_drain(PATIENCE);
    let mut idle = TcpStream::connect(address).await.unwrap();
    asks(&mut idle, "/now").await;
    answer(&mut idle).await;
    let mut client = TcpStream::connect(address).await.unwrap();
    asks(&mut client, "/held").await;
    let begins = timeout(PATIENCE, held.has_begun.notified());
    begins.await.unwrap();
    let stopping = actix_web::rt::spawn(server.stop(true, true));
    let leaves = timeout(PATIENCE, async {
        while kept.count() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    leaves.await.unwrap();
    held.goes_on.notify_one();
    assert!(answer(&mut client).await.contains("connection: close\r\n"));
    stopping.await.unwrap();
    assert_eq!(kept.count(), 1);
}
