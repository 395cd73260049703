//! Lists of leads and contacts that are filtered by the values of custom fields.

use serde_json::json;

use super::field_values::{field, fields, value};
use crate::rights::floor;
use crate::support::server::Server;

#[tokio::test]
async fn lists_are_filtered_by_values() {
    let server = Server::start().await;
    let client = server.client();
    fields(client).await;
    let leads = json!([
        { "custom_fields_values": [value(3, "a"), value(5, 9), value(9, 100), value(6, "S")] },
        { "custom_fields_values": [value(3, "b"), value(5, "10.5"), value(9, 200), value(8, true)] },
        { "custom_fields_values": [value(3, "a b"), value(5, -3), field(7, json!([{ "value": "A" }, { "value": "C" }]))] },
        {},
    ]);
    floor::admin(client, "POST", "/api/v4/leads", &leads)
        .await
        .is(200);
    let name = |field: u64, end: &str| format!("filter[custom_fields_values][{field}]{end}");
    for (query, ids) in [
        (format!("{}=a", name(3, "[]")), vec![1]),
        (format!("{}=a&{0}=b", name(3, "[]")), vec![1, 2]),
        (format!("{}=a", name(3, "")), vec![1]),
        (format!("{}=10.50", name(5, "[0]")), vec![2]),
        (format!("{}=9", name(5, "[from]")), vec![1, 2]),
        (
            format!("{}=-3&{}=9.0", name(5, "[from]"), name(5, "[to]")),
            vec![1, 3],
        ),
        (format!("{}=150", name(9, "[to]")), vec![1]),
        (format!("{}=1", name(8, "[]")), vec![2]),
        (format!("{}=3", name(6, "[]")), vec![1]),
        (format!("{}=S", name(6, "[]")), vec![1]),
        (format!("{}=7", name(7, "[]")), vec![3]),
        (format!("{}=6&{0}=5", name(7, "[]")), vec![3]),
        (
            format!("{}=a&{}=10", name(3, "[]"), name(5, "[from]")),
            vec![],
        ),
        (format!("{}=a&filter[id]=2", name(3, "[]")), vec![]),
    ] {
        let answer = client.get(&format!("/api/v4/leads?{query}")).await;
        if ids.is_empty() {
            answer.is(204);
        } else {
            assert_eq!(floor::ids(&answer.is(200).json, "leads"), ids, "{query}");
        }
    }
    let contacts =
        json!([{ "name": "x" }, { "name": "y", "custom_fields_values": [value(11, "Ace")] }]);
    floor::admin(client, "POST", "/api/v4/contacts", &contacts)
        .await
        .is(200);
    let list = client
        .read(&format!("/api/v4/contacts?{}=Ace", name(11, "[]")))
        .await;
    assert_eq!(floor::ids(&list, "contacts"), [2]);
    for query in [
        format!("{}=Ace", name(11, "[]")),
        format!("{}=x", name(99, "[]")),
        format!("{}=x", name(5, "[]")),
        format!("{}=a", name(3, "[from]")),
        format!("{}=2&{}=1", name(5, "[from]"), name(5, "[to]")),
        format!("{}=XL", name(6, "[]")),
        format!("{}=", name(3, "[]")),
        "filter[custom_fields_values]=x".to_owned(),
        "filter[custom_fields_values][x][]=x".to_owned(),
    ] {
        client.get(&format!("/api/v4/leads?{query}")).await.is(400);
    }
}
