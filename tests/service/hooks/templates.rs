//! Hooks about templates: the integration that has a template hears that its review is asked for.

use serde_json::json;

use crate::hooks::{event, form, hooks_of, patient};
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::oauth::{Browser, OTHER_CLIENT, does, installed, installs, offers_the_other};
use crate::support::receiver::Receiver;
use crate::support::server::TOKEN;

const TEMPLATES: &str = "/api/v4/chats/templates";

/// A client creates a template, asks for its review and approves it.
async fn asks_for_review(client: &Client, own: &str) {
    let template = json!([{
        "name": "Order & more", "content": "It is paid, {{contact.name}}.", "type": "waba",
        "waba_footer": "No reply", "waba_category": "UTILITY", "waba_language": "en",
    }]);
    does(client, own, "POST", TEMPLATES, &template)
        .await
        .is(200);
    let review = format!("{TEMPLATES}/1/review");
    does(client, own, "POST", &review, &json!({})).await.is(200);
    let approval = json!({ "status": "approved" });
    does(client, own, "POST", &format!("{review}/1"), &approval)
        .await
        .is(200);
}

#[tokio::test]
async fn a_review_is_a_hook_for_the_owner_of_its_template() {
    let receivers = [
        Receiver::start().await,
        Receiver::start().await,
        Receiver::start().await,
    ];
    let server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    let (own, _) = installed(client).await;
    offers_the_other(client).await;
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    let (other, _) = installs(&browser, OTHER_CLIENT).await;
    for (receiver, token) in receivers.iter().zip([own.as_str(), &other, TOKEN]) {
        let body = json!({
            "destination": receiver.webhook("in"),
            "settings": ["add_chat_template_review", "add_message"],
        });
        does(client, token, "POST", "/api/v4/webhooks", &body)
            .await
            .is(201);
    }
    asks_for_review(client, &own).await;
    // What all of them hear comes behind what one of them heard.
    client.sent(&message("m1", "c")).await;
    let [ours, others, users] = &receivers;
    for receiver in [others, users] {
        let codes = eventually("the message has arrived", async || {
            let codes = hooks_of(receiver).await;
            (!codes.is_empty()).then_some(codes)
        })
        .await;
        assert_eq!(codes, ["add_message"]);
    }
    let requests = ours.requests(2).await;
    let fields = requests
        .iter()
        .map(form)
        .find(|fields| event(fields) == "add[0]")
        .unwrap();
    for (key, value) in [
        ("id", "1"),
        ("type", "waba"),
        ("name", "Order & more"),
        ("content", "It is paid, {{contact.name}}."),
        ("is_editable", "0"),
        ("is_on_review", "1"),
        ("reviews][0][id", "1"),
        ("reviews][0][status", "review"),
        ("reviews][0][reject_reason", ""),
        ("waba_footer", "No reply"),
        ("waba_category", "UTILITY"),
        ("waba_language", "en"),
    ] {
        assert_eq!(fields[&format!("add[0][{key}]")], value, "{key}");
    }
    assert_eq!(fields["add[0][account_id]"], fields["account[id]"]);
    // The answer to the review is an act of the integration: no hook says it again.
    assert_eq!(requests.len(), 2);
    assert_eq!(fields.get("add[0][reviews][0][source_id]"), None);
}
