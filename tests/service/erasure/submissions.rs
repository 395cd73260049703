//! What visitors sent in forms is erased with them.

use serde_json::json;

use super::{NAME, WORD, contact, done, order_hers, traces};
use crate::rights::floor;
use crate::support::server::Server;

const UNSORTED: &str = "/api/v4/leads/unsorted";

#[tokio::test]
async fn the_lead_of_a_form_is_erased_with_its_contact() {
    let mut server = Server::start().await;
    let client = server.client();
    let form = |name: &str, word: &str| {
        json!({
            "source_name": "Shop", "source_uid": format!("uid-{word}"),
            "metadata": { "ip": format!("ip-{word}"), "referer": format!("https://{word}.example") },
            "_embedded": { "leads": [{ "name": word }], "contacts": [{ "name": name }] },
        })
    };
    let mut of_others = form("Somebody else", "other");
    of_others["metadata"]["form_name"] = format!("As told by {NAME}").into();
    let body = json!([form(NAME, WORD), of_others]);
    let target = format!("{UNSORTED}/forms");
    floor::admin(client, "POST", &target, &body).await.is(200);
    let accept = format!("{UNSORTED}/1/accept");
    floor::admin(client, "POST", &accept, &json!({}))
        .await
        .is(200);
    assert_eq!(contact(client, NAME).await, 1);
    order_hers(client).await;
    done(client, 1).await;
    let leads = client.leads().await;
    assert_eq!((leads.len(), &leads[0]["id"]), (1, &json!(2)));
    let record = client.read(&format!("{UNSORTED}/2")).await;
    assert_eq!(record["metadata"]["form_name"], "As told by [erased]");
    assert_eq!(record["metadata"]["ip"], "ip-other");
    let summary = client.read(&format!("{UNSORTED}/summary")).await;
    assert_eq!(
        (&summary["total"], &summary["accepted"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(traces(&server.data(), &[WORD, NAME]), [""; 0]);
}
