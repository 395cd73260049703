//! The lines of the log about callbacks that do not arrive.

use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{conversation, delivery_is};
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::Server;

#[tokio::test]
async fn the_log_gives_the_reason_of_a_dead_callback() {
    let receiver = Receiver::start().await;
    let no_more = Reply::new(422).header("X-No-Retry", "1");
    receiver.script([Behaviour::Answer(no_more)]);
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let message = server.client().replied(&conversation, "one").await;
    let dead = delivery_is(&server, &message, "dead").await;
    let log = eventually("it is logged", async || {
        let log = server.log();
        log.contains("a callback was given up").then_some(log)
    })
    .await;
    let line = log.lines().find(|line| line.contains("given up")).unwrap();
    let reason = dead["reason"].as_str().unwrap();
    assert!(line.contains(&format!("why={reason}")), "{line}");
}
