//! Access to deliveries: only the operator sees and changes them.

use crate::delivery::done;
use crate::support::server::{CHANNEL, Server, TOKEN};

const ID: &str = "30c362b9-9201-4864-8c24-1f637b1733ed";

/// Without the operator's token no delivery is shown and none is changed.
#[tokio::test]
async fn without_the_operator_token_every_delivery_address_is_refused() {
    let server = Server::start().await;
    let client = server.client();
    let addresses = [
        ("GET", "/admin/v1/endpoints".to_owned()),
        ("GET", "/admin/v1/deliveries".to_owned()),
        ("GET", format!("/admin/v1/deliveries/{ID}")),
        ("GET", format!("/admin/v1/deliveries/{ID}/request")),
        ("POST", format!("/admin/v1/deliveries/{ID}/edited-replay")),
        ("GET", "/admin/v1/replays".to_owned()),
        ("GET", "/admin/v1/replays/1".to_owned()),
        ("POST", format!("/admin/v1/endpoints/{CHANNEL}/v2/enable")),
        ("POST", format!("/admin/v1/deliveries/{ID}/replay")),
        ("POST", format!("/admin/v1/deliveries/{ID}/discard")),
        ("POST", "/admin/v1/replays".to_owned()),
        ("POST", "/admin/v1/replays/1/cancel".to_owned()),
    ];
    for (method, target) in &addresses {
        let bare = client.request(method, target).send().await.is(401);
        let unknown = client.request(method, target).bearer("unknown").send();
        assert_eq!(unknown.await.is(401).body, bare.body, "{method} {target}");
        let user = client.request(method, target).bearer(TOKEN).send().await;
        user.is(401);
        let wrong = client.operate("PATCH", target).send().await.is(405);
        assert!(wrong.header("allow").contains(method), "{method} {target}");
    }
    assert_eq!(done(&server).await, Vec::new());
}
