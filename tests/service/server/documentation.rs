//! The pages of the documentation, as the service has them.

use std::collections::BTreeSet;

use crate::support::answer::Answer;
use crate::support::client::Client;
use crate::support::server::Server;

/// Requests a target without credentials.
async fn open(client: &Client, target: &str) -> Answer {
    client.request("GET", target).send().await
}

/// The targets of the links in a text.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    let parts = prose.flat_map(|part| part.split("](").skip(1));
    let targets = parts.filter_map(|part| part.split([')', '#']).next());
    let relative = |link: &&str| link.ends_with(".md") && !link.contains(':');
    targets.filter(relative).collect()
}

#[tokio::test]
async fn every_page_is_found_from_the_list_without_a_token() {
    let server = Server::start().await;
    let client = server.client();
    let list = open(client, "/llms.txt").await.is(200);
    assert_eq!(list.header("content-type"), "text/plain; charset=utf-8");
    assert!(
        list.body
            .starts_with("# Switchboard\n\n> A chat-channel service")
    );
    assert!(list.body.contains("\n## For integration developers\n\n- ["));
    let line = "\n- [The exam: is my integration right?](docs/exam.md): `switchboard exam` plays";
    assert!(list.body.contains(line), "{}", list.body);

    let base = reqwest::Url::parse(server.url()).unwrap();
    let first = base.join("/llms.txt").unwrap();
    let mut pages: BTreeSet<String> = BTreeSet::new();
    let mut unread = vec![(first, list.body)];
    while let Some((place, text)) = unread.pop() {
        for link in links(&text) {
            let target = place.join(link).unwrap();
            if pages.insert(target.path().to_owned()) {
                let page = open(client, target.path()).await.is(200);
                assert_eq!(page.header("content-type"), "text/markdown; charset=utf-8");
                assert_eq!(page.header("cache-control"), "no-cache");
                assert!(page.body.starts_with("# "), "{target}");
                unread.push((target, page.body));
            }
        }
    }
    for path in [
        "/docs/worlds.md",
        "/docs/exam/09.md",
        "/docs/kits/python/README.md",
    ] {
        assert!(pages.contains(path), "{path}");
    }
    assert!(pages.len() > 120, "{} pages", pages.len());
}

#[tokio::test]
async fn a_page_that_the_client_has_is_not_sent_again() {
    let server = Server::start().await;
    let client = server.client();
    for target in ["/llms.txt", "/docs/exam/09.md", "/openapi.json"] {
        let page = open(client, target).await.is(200);
        let tag = page.header("etag");
        let request = client.request("GET", target).header("If-None-Match", tag);
        let again = request.send().await.is(304);
        assert_eq!((again.body.as_str(), again.header("etag")), ("", tag));
        let other = client
            .request("GET", target)
            .header("If-None-Match", "\"x\"");
        other.send().await.is(200);
        let head = client.request("HEAD", target).send().await.is(200);
        assert_eq!(head.header("etag"), tag);
        let post = client.request("POST", target).send().await.is(405);
        assert_eq!(post.header("allow"), "GET, HEAD");
    }
}

/// Nothing but pages is at these addresses, however a path is written.
#[tokio::test]
async fn only_pages_are_served() {
    let server = Server::start().await;
    let client = server.client();
    let host = client.host();
    for target in [
        "/docs/nothing.md",
        "/docs/worlds",
        "/docs/console.png",
        "/docs/config.toml",
        "/docs/Cargo.toml",
        "/docs/../Cargo.toml",
        "/docs/%2e%2e/Cargo.toml",
        "/docs/..%2fCargo.toml",
        "/docs/exam/../worlds.md",
        "/docs//worlds.md",
        "/docs/exam/09.md/",
        "/docs/%2Fetc%2Fpasswd",
    ] {
        // A client of HTTP would shorten some of these paths.
        let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let answer = client.raw(request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 404 "), "{target}: {answer}");
    }
}
