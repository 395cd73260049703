//! The paths of the document, each with its methods and no others.

use std::collections::BTreeSet;

use crate::support::answer::Answer;
use crate::support::client::{Client, scope};
use crate::support::described::DOCUMENT;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

#[tokio::test]
async fn the_document_needs_no_token() {
    let server = Server::start().await;
    let client = server.client();
    let answer = client.request("GET", "/openapi.json").send().await.is(200);
    assert_eq!(answer.json, *DOCUMENT);
    assert_eq!(answer.json["openapi"], "3.1.1");
    assert_eq!(answer.json["info"]["version"], env!("CARGO_PKG_VERSION"));
    client.request("HEAD", "/openapi.json").send().await.is(200);
}

/// A path that looks like this one.
fn filled(template: &str) -> String {
    let path = template
        .replace("{channel_id}", CHANNEL)
        .replace("{scope_id}", &scope(CHANNEL, ACCOUNT));
    let parts = path
        .split('/')
        .map(|part| if part.starts_with('{') { ACCOUNT } else { part });
    parts.collect::<Vec<_>>().join("/")
}

async fn asked(client: &Client, method: &str, path: &str) -> Answer {
    let answer = client.request(method, path).send().await;
    assert!(
        !answer.body.contains("there is nothing at"),
        "{}",
        answer.body
    );
    answer
}

#[tokio::test]
async fn each_path_accepts_only_the_described_methods() {
    let server = Server::start().await;
    let client = server.client();
    let root = env!("CARGO_MANIFEST_DIR");
    let page = std::fs::read_to_string(format!("{root}/docs/not-offered.md")).unwrap();
    for (template, operations) in DOCUMENT["paths"].as_object().unwrap() {
        let path = filled(template);
        let methods: BTreeSet<String> = operations
            .as_object()
            .unwrap()
            .keys()
            .map(|method| method.to_ascii_uppercase())
            .collect();
        for method in METHODS {
            let answer = asked(client, method, &path).await;
            let status = answer.status;
            if methods.contains(method) {
                assert_ne!(status, 405, "{method} {template}");
            } else if page.contains(&format!("`{method} {template}`")) {
                assert_eq!(status, 404, "{method} {template}");
                assert_eq!(answer.json["code"], "NotOffered", "{method} {template}");
            } else {
                assert_eq!(status, 405, "{method} {template}");
                let allow = answer.header("allow");
                let words: BTreeSet<String> = allow
                    .split(", ")
                    .filter(|word| *word != "HEAD")
                    .map(str::to_owned)
                    .collect();
                assert_eq!(words, methods, "{method} {template}");
            }
        }
    }
}
