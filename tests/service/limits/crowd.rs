//! Room for crowds of connections: one crowd at a time, and none where a process may not open that many.

use std::net::{Ipv4Addr, SocketAddr};

use rustix::process::{Resource, getrlimit};
use switchboard_bench::machine::allow_many_files;
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::{Mutex, MutexGuard};

use crate::support::client::Client;
use crate::support::skip::skipped;

/// The files that the other tests of this process have open meanwhile, and the service besides its connections.
const OTHERS: u64 = 600;

static ROOM: Mutex<()> = Mutex::const_new(());

/// Waits until this many connections may be opened; `None` when the system never lets a process open that many, which is
/// noted then.
pub(crate) async fn room_for(connections: usize) -> Option<MutexGuard<'static, ()>> {
    allow_many_files().unwrap();
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let demand = OTHERS + u64::try_from(connections).unwrap();
    if limit < demand {
        let why = format!("a process may open {limit} files here, and {demand} are needed");
        skipped(&why, &format!("raise the hard limit: ulimit -Hn {demand}"));
        return None;
    }
    Some(ROOM.lock().await)
}

/// A connection to the service from this address of the machine.
pub(super) async fn open_from(address: Ipv4Addr, client: &Client) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((address, 0))).unwrap();
    socket
        .connect(client.host().parse().unwrap())
        .await
        .unwrap()
}
