//! What the benchmark compares with is not in a server that was not started for it.

use crate::support::server::{Server, Setup};

const PATHS: [&str; 2] = ["/benchmark/noop", "/benchmark/verified"];

#[tokio::test]
async fn an_ordinary_server_has_no_handlers_of_the_benchmark() {
    let server = Server::start().await;
    for path in PATHS {
        server.client().request("POST", path).send().await.is(404);
    }
}

#[tokio::test]
async fn a_server_of_the_benchmark_does_nothing_at_one_and_verifies_at_the_other() {
    let server = Setup::default().argument("--benchmark").start().await;
    let [noop, verified] = PATHS;
    let done = server.client().request("POST", noop).send().await.is(200);
    assert_eq!(done.body, "");
    server.client().request("POST", verified).send().await.is(404);
}
