//! The process keeps a connection only while no request is in progress on it.

use std::net::Ipv4Addr;

use switchboard_network::limits::connections::ConnectionLimits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::*;

/// The longest wait for anything here.
const PATIENCE: Duration = Duration::from_secs(60);
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok\n";

/// A client and the stream of its connection.
async fn connected(kept: &KeptConnections) -> (TcpStream, Socket) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).await;
    let (stream, peer) = listener.accept().await.unwrap();
    let limits = ConnectionLimits {
        size: 8,
        share: 8,
        proxies: Vec::new(),
    };
    let settings = SocketSettings {
        head: Duration::from_secs(60),
        patience: Duration::ZERO,
        kept: kept.clone(),
        connections: Arc::new(Connections::new(limits)),
        word: |_, _| actix_web::HttpResponse::BadRequest().finish(),
    };
    let socket = Socket::new(stream, peer.ip(), Vec::new(), false, &settings);
    (client.unwrap(), socket)
}

/// Reads as many bytes as the client has sent.
async fn reads(socket: &mut Socket, bytes: &[u8]) {
    let mut read = vec![0; bytes.len()];
    let reading = timeout(PATIENCE, socket.read_exact(&mut read)).await;
    reading.unwrap().unwrap();
    assert_eq!(read, bytes);
}

/// The framework takes it for the end of what the client sends, and gives the stream up.
async fn leaves(mut socket: Socket, kept: &KeptConnections) -> Vec<u8> {
    let mut room = [0; 8];
    let reading = timeout(PATIENCE, socket.read(&mut room)).await;
    assert_eq!(reading.unwrap().unwrap(), 0);
    drop(socket);
    let connection = kept.take().pop();
    connection.unwrap().read
}

/// The framework begins a request when there is nothing more to read. A round that ends in between waits for its answer.
#[tokio::test]
async fn a_connection_stays_until_an_arrived_request_is_answered() {
    let connections = KeptConnections::default();
    let (mut client, mut socket) = connected(&connections).await;
    client.write_all(REQUEST).await.unwrap();
    reads(&mut socket, REQUEST).await;
    connections.open();
    let mut context = Context::from_waker(std::task::Waker::noop());
    let mut room = [0; 8];
    let again = Pin::new(&mut socket).poll_read(&mut context, &mut ReadBuf::new(&mut room));
    assert!(again.is_pending(), "the request is about to begin");

    let answering = socket.intake().answering(false);
    socket.write_all(ANSWER).await.unwrap();
    drop(answering);
    socket.flush().await.unwrap();
    let mut answer = vec![0; ANSWER.len()];
    let reading = timeout(PATIENCE, client.read_exact(&mut answer)).await;
    reading.unwrap().unwrap();
    assert_eq!(answer, ANSWER);
    assert_eq!(leaves(socket, &connections).await, b"");
}

#[tokio::test]
async fn a_connection_leaves_with_the_part_of_a_request_that_was_read() {
    let connections = KeptConnections::default();
    let (mut client, mut socket) = connected(&connections).await;
    let (part, rest) = REQUEST.split_at(9);
    client.write_all(part).await.unwrap();
    reads(&mut socket, part).await;
    socket.flush().await.unwrap();
    connections.open();
    client.write_all(rest).await.unwrap();
    assert_eq!(leaves(socket, &connections).await, part);
}
