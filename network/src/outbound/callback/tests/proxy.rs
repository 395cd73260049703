//! The variables that name a proxy mean nothing to us.

use std::process::Command;

use super::*;

const PLAIN: &str = "outbound::callback::tests::proxy::an_attempt_goes_straight_to_its_receiver";

/// Also run as a child of the test below, under variables that name a proxy.
#[tokio::test]
async fn an_attempt_goes_straight_to_its_receiver() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let names = Names::new();
    names.answer("hook.test", &["127.0.0.1"]);
    let client = client_with(&names, &ClientSettings::default());
    for host in ["127.0.0.1", "hook.test"] {
        let url = format!("http://{host}:{}/", sink.address().port());
        let exchange = client.attempt(attempt(&url, PATIENT)).await;
        assert_eq!(answer(exchange).status, 200);
    }
    assert_eq!(sink.ledger().count, 2);
}

#[tokio::test]
async fn a_proxy_in_the_environment_is_ignored() {
    let proxy = Sink::start(Behaviour::status(502)).await.unwrap();
    let address = proxy.url("");
    // Variables cannot be set safely within a process with threads, so a child has them.
    let child = tokio::task::spawn_blocking(move || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", PLAIN]);
        for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env(name, &address);
        }
        for name in ["no_proxy", "NO_PROXY", "REQUEST_METHOD"] {
            command.env_remove(name);
        }
        command.output().unwrap()
    });
    let output = child.await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
    assert_eq!(proxy.ledger().connections, 0);
}
