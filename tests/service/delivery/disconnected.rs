//! A long queue of a disconnected account: cancelled whole, also when the process is killed in the middle.

use futures_util::future::join_all;

use crate::delivery::{conversation, listed};
use crate::support::eventually;
use crate::support::server::Server;

/// More than are cancelled at a time.
const CONVERSATIONS: usize = 12;
const EACH: usize = 50;

#[tokio::test]
async fn a_delivery_cancelled_by_a_disconnect_stays_so_after_kill_9() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    let mut conversations = Vec::new();
    for number in 0..CONVERSATIONS {
        conversations.push(conversation(&server, &format!("c{number}")).await);
    }
    let client = server.client();
    let write = async |conversation: &String| {
        for number in 0..EACH {
            client.replied(conversation, &number.to_string()).await;
        }
    };
    join_all(conversations.iter().map(write)).await;
    server.client().disconnect().await;
    server.kill_9();
    server.restart().await;
    let cancelled = eventually("all are cancelled", async || {
        let cancelled = listed(&server, "&state=cancelled", 250).await;
        (cancelled.len() == CONVERSATIONS * EACH).then_some(cancelled)
    })
    .await;
    assert_eq!(listed(&server, "", 250).await.len(), cancelled.len());
    // Another connection has nothing to do with what was written before it.
    server.client().connect("v2").await;
    let reply = server.client().replied(&conversations[0], "after").await;
    let rest = listed(&server, "", 250).await;
    assert_eq!(rest.len(), cancelled.len() + 1);
    assert_eq!(rest.first(), Some(&reply));
}
