//! Stores of the archive that do not behave: they never answer, or declare more than there can be.

use switchboard_worlds::sink::{Behaviour, Sink};

use super::object_store::place_at;
use crate::support::eventually;
use crate::support::server::Setup;

/// A store that never answers.
async fn silent() -> Sink {
    Sink::start(Behaviour::Hang).await.unwrap()
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_store_that_never_answers() {
    let store = silent().await;
    let archive = place_at(store.url(""), "silent");
    let setup = archive
        .setup(Setup::default())
        .setting("server", "drain_seconds = 1");
    let mut server = setup.start().await;
    eventually("the archive waits for its store", async || {
        let state = server
            .client()
            .operate("GET", "/admin/v1/archive")
            .send()
            .await;
        (state.json["state"] == "starting").then_some(())
    })
    .await;
    assert_eq!(server.terminate().await, Some(0));
    let log = server.log();
    assert!(
        log.contains("the store of the archive does not answer"),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_declares_a_petabyte_is_not_believed() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000\r\nETag: \"x\"\r\n\
                  Last-Modified: Thu, 26 Nov 2026 00:00:00 GMT\r\n\r\n";
    let store = Sink::start(Behaviour::RawAndHang(answer.into()))
        .await
        .unwrap();
    let archive = place_at(store.url(""), "huge");
    for words in [&["backup", "verify"][..], &["restore", "--check"]] {
        let output = archive.run(words);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        let says = "has 1000000000000000 bytes, and an object under such a key has 65536 at most";
        assert!(
            stderr.contains(says) && stderr.contains("s3://"),
            "{stderr}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_without_tls_is_refused_and_the_variable_named() {
    let store = silent().await;
    let mut archive = place_at(store.url(""), "plain");
    archive
        .variables
        .retain(|(name, _)| name != "AWS_ALLOW_HTTP");
    let output = archive.run(&["backup", "verify"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("set the variable AWS_ALLOW_HTTP=true"),
        "{stderr}"
    );
}
