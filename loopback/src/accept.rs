//! Accepts connections, each with a place.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::place::{Place, Places};

/// The pause after the system lacked what a connection needs.
const SHORTAGE: Duration = Duration::from_millis(200);

/// Accepts connections until `end`, at most so many at once; gives those that are open then. They end with what is given.
pub async fn accept<C>(
    listener: TcpListener,
    connections_max: usize,
    end: impl Future<Output = ()>,
    connection: impl Fn(TcpStream, Arc<Place>) -> C,
) -> JoinSet<()>
where
    C: Future<Output = ()> + 'static,
{
    let places = Places::new(connections_max);
    let mut connections = JoinSet::new();
    let mut end = std::pin::pin!(end);
    loop {
        let mut arrival = std::pin::pin!(async {
            let (socket, peer) = listener.accept().await?;
            // A connection that came is kept while it waits for a place.
            Ok::<_, std::io::Error>((socket, places.take(peer.ip().to_canonical()).await))
        });
        let connection_and_place = loop {
            tokio::select! {
                () = &mut end => return connections,
                _ = connections.join_next(), if !connections.is_empty() => {}
                accepted = &mut arrival => break accepted,
            }
        };
        match connection_and_place {
            Ok((socket, place)) => {
                let task = connection(socket, Arc::clone(&place));
                place.occupied_by(connections.spawn_local(task));
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection on loopback");
                tokio::time::sleep(SHORTAGE).await;
            }
        }
    }
}
