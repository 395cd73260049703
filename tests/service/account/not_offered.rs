//! The parts of the counterpart's interface that the service lacks.

use crate::support::server::Server;

#[tokio::test]
async fn what_is_not_offered_is_named_by_a_404_with_a_code() {
    let server = Server::start().await;
    let client = server.client();
    for (target, what) in [
        ("/api/v4/companies", "companies"),
        ("/api/v4/leads/loss_reasons", "loss reasons"),
        ("/api/v4/leads/1/files", "files of entities"),
        ("/api/v4/currencies", "currencies"),
        ("/api/v4/leads/notes/1/pin", "pins of notes"),
        ("/api/v4/calls", "calls"),
        (
            "/api/v2/leads?limit_rows=5",
            "the account interface of version 2",
        ),
    ] {
        let answer = client.get(target).await.is(404);
        assert_eq!(answer.json["code"], "NotOffered");
        assert_eq!(answer.json["surface"], what);
        let page = format!("{}/docs/not-offered.md", server.url());
        assert_eq!(answer.json["page"], page);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        let detail = answer.json["detail"].as_str().unwrap();
        let text = format!("Switchboard does not offer {what}; {page}");
        assert!(detail.contains(&text), "{detail}");
    }
    // The service has the page that it names.
    let page = client
        .request("GET", "/docs/not-offered.md")
        .send()
        .await
        .is(200);
    assert_eq!(page.header("content-type"), "text/markdown; charset=utf-8");
    assert!(page.body.contains("`/api/v4/companies`"), "{}", page.body);
}

#[tokio::test]
async fn a_method_that_is_not_offered_is_named_by_a_404() {
    let server = Server::start().await;
    let client = server.client();
    for (method, target, what) in [(
        "PATCH",
        "/api/v4/leads/1/notes",
        "changes of several notes in one request",
    )] {
        let answer = client.request(method, target).send().await.is(404);
        assert_eq!(answer.json["code"], "NotOffered");
        let detail = answer.json["detail"].as_str().unwrap();
        let line = format!("{method} {target}: Switchboard does not offer {what}; ");
        assert!(detail.starts_with(&line), "{detail}");
    }
    let other = client.request("PUT", "/api/v4/leads/pipelines").send();
    other.await.is(405);
    for target in [
        "/api/v4/nothing",
        "/api/v4/leads/nothing",
        "/api/v4/contacts/1x",
    ] {
        let answer = client.get(target).await.is(404);
        let detail = format!("there is nothing at GET {target}");
        assert_eq!(answer.json["detail"], detail);
        assert!(answer.json["code"].is_null());
    }
}
