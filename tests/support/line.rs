//! The line to a server, which a test cuts, slows down or makes deaf.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// The state of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineState {
    /// Everything passes.
    Whole,
    /// Everything passes this much later.
    Late(Duration),
    /// Requests pass, answers do not: the server carries out requests whose answer the client does not get.
    Deaf,
    /// Connections end, and new ones end at once.
    Cut,
}

/// The line to a server. Dropping it cuts it.
pub struct Line {
    address: SocketAddr,
    state: watch::Sender<LineState>,
    task: AbortHandle,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Line {
    /// To the server that listens on this port of the loopback.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (state, seen) = watch::channel(LineState::Whole);
        let task = tokio::spawn(async move {
            loop {
                let (near, _) = listener.accept().await.unwrap();
                tokio::spawn(pass(near, port, seen.clone()));
            }
        });
        Self {
            address,
            state,
            task: task.abort_handle(),
        }
    }

    /// Its near end.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The line is like this from now on.
    pub fn becomes(&self, state: LineState) {
        self.state.send_replace(state);
    }
}

/// A connection, until the line is cut.
async fn pass(near: TcpStream, port: u16, mut state: watch::Receiver<LineState>) {
    if *state.borrow() == LineState::Cut {
        return;
    }
    let Ok(far) = TcpStream::connect(("127.0.0.1", port)).await else {
        return;
    };
    let (near_read, near_write) = near.into_split();
    let (far_read, far_write) = far.into_split();
    let (there, back) = (state.clone(), state.clone());
    tokio::select! {
        () = copy(near_read, far_write, there, false) => {}
        () = copy(far_read, near_write, back, true) => {}
        _ = state.wait_for(|state| *state == LineState::Cut) => {}
    }
}

/// Copies what comes, as the line is at that moment.
async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    state: watch::Receiver<LineState>,
    is_answer: bool,
) {
    let mut bytes = vec![0; 64 << 10];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        let now = *state.borrow();
        match now {
            LineState::Deaf if is_answer => continue,
            LineState::Late(pause) => tokio::time::sleep(pause).await,
            LineState::Whole | LineState::Deaf | LineState::Cut => {}
        }
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}
