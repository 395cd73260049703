//! The callback of a message as it would be sent, for the operator to look at.

use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{conversation, delivery_is, read};
use crate::support::client::signature;
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, SECRET, Server};

#[tokio::test]
async fn a_shown_request_equals_the_one_the_integration_gets() {
    let receiver = Receiver::start().await;
    let no_more = Behaviour::Answer(Reply::new(422).header("X-No-Retry", "1"));
    receiver.script([no_more]);
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let id = server.client().replied(&conversation, "Good day").await;
    let dead = delivery_is(&server, &id, "dead").await;
    assert!(
        !dead.to_string().contains("Good day"),
        "what was written is told to who asks for it"
    );
    let request = read(&server, &format!("/admin/v1/deliveries/{id}/request")).await;
    let callback = receiver.callbacks(1).await.remove(0);
    let body = request["body"].as_str().unwrap();
    let mut document: Value = serde_json::from_str(body).unwrap();
    // The moment of the attempt is the only thing that differs.
    document["time"] = callback.json["time"].clone();
    assert_eq!(document, callback.json);
    assert!(
        request["url"]
            .as_str()
            .unwrap()
            .ends_with(&callback.request.target)
    );
    assert_eq!(
        (&request["method"], &request["version"]),
        (&json!("POST"), &json!("v2"))
    );
    assert_eq!(request["signature"], signature(SECRET, body.as_bytes()));
    let headers = request["headers"].as_array().unwrap();
    assert_eq!(headers.len(), 5);
    for header in headers {
        let name = header["name"].as_str().unwrap();
        let came = callback.request.header(name).unwrap();
        match name {
            "X-Signature" => assert_eq!(header["value"], request["signature"]),
            "X-Delivery-Attempt" => assert_eq!((came, &header["value"]), ("1", &json!("2"))),
            "webhook-timestamp" => assert!(header["value"].as_str().unwrap() >= came),
            _ => assert_eq!(header["value"], came, "{name}"),
        }
    }
    assert_eq!(receiver.so_far().len(), 1, "looking sends nothing");
}

/// A request is shown in the other version too, or with the reason why it has no form in it.
#[tokio::test]
async fn a_request_is_shown_in_the_other_version_or_with_the_reason() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let id = client.replied(&conversation, "Good day").await;
    delivery_is(&server, &id, "delivered").await;
    let target = format!("/admin/v1/deliveries/{id}/request");
    let first = read(&server, &format!("{target}?version=v1")).await;
    assert_eq!(first["version"], "v1");
    let body: Value = serde_json::from_str(first["body"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&body["text"], &body["conversation_id"]),
        (&json!("Good day"), &json!("c"))
    );
    let wrong = client.operate("GET", &format!("{target}?version=v3"));
    assert!(wrong.send().await.is(400).body.contains("v3"));
    let channel = format!("/admin/v1/channels/{CHANNEL}");
    let none = json!({ "webhook_v1": null });
    client.operates("PATCH", &channel, &none).await.is(200);
    let request = client.operate("GET", &format!("{target}?version=v1"));
    assert!(request.send().await.is(409).body.contains("webhook_v1"));
    let unknown = "/admin/v1/deliveries/30c362b9-9201-4864-8c24-1f637b1733ed/request";
    client.operate("GET", unknown).send().await.is(404);
}
