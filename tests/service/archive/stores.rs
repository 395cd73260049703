//! Stores of the archive that do not behave: they never answer, or declare more than there can be.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

use super::object_store::place_at;
use crate::support::eventually;
use crate::support::server::Setup;

/// A store that accepts connections; `answer` is what each gets once its request has come.
fn store(answer: Option<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            if let Some(answer) = &answer {
                let head = BufReader::new(&stream).lines();
                // Up to the end of the head.
                head.map_while(Result::ok).find(String::is_empty);
                stream.write_all(answer.as_bytes()).unwrap_or_default();
            }
            open.push(stream);
        }
    });
    address
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_store_that_never_answers() {
    let archive = place_at(store(None), "silent");
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

#[test]
fn a_store_that_declares_a_petabyte_is_not_believed() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000\r\nETag: \"x\"\r\n\
                  Last-Modified: Thu, 26 Nov 2026 00:00:00 GMT\r\n\r\n";
    let archive = place_at(store(Some(answer.to_owned())), "huge");
    for words in [&["backup", "verify"][..], &["restore", "--check"]] {
        let output = archive.run(words);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        let says = "has 1000000000000000 bytes, and an object under such a key has 65536 at most";
        assert!(told.contains(says) && told.contains("s3://"), "{told}");
    }
}

#[test]
fn a_store_without_tls_is_refused_and_the_variable_named() {
    let mut archive = place_at(store(None), "plain");
    archive
        .variables
        .retain(|(name, _)| name != "AWS_ALLOW_HTTP");
    let output = archive.run(&["backup", "verify"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("set the variable AWS_ALLOW_HTTP=true"),
        "{told}"
    );
}
