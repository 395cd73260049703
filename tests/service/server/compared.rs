//! What the benchmark compares with is not in a server that was not started for it (`tests/bench.rs` has one that was).

use crate::support::server::Server;

#[tokio::test]
async fn an_ordinary_server_has_no_handlers_of_the_benchmark() {
    let server = Server::start().await;
    for path in ["/benchmark/noop", "/benchmark/verified"] {
        server.client().request("POST", path).send().await.is(404);
    }
}
