//! The operator looks at the webhooks of an account, and switches them off and on.

use serde_json::{Value, json};

use crate::operator::audit_log;
use crate::rights::floor;
use crate::support::eventually;
use crate::support::oauth::{OAUTH_CLIENT, does, installed};
use crate::support::operating::{json_in, printed_by, run_here as run};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, OTHER_ACCOUNT, Server};

const WEBHOOKS: &str = "/admin/v1/accounts/0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3/webhooks";

/// Two webhooks: one of Ada, one of an OAuth client.
async fn two_webhooks(server: &Server) {
    let client = server.client();
    let body = json!({
        "destination": "https://hooks.example.org/in?k=7d1f",
        "settings": ["add_lead", "add_customer", "add_company"],
    });
    floor::admin(client, "POST", "/api/v4/webhooks", &body)
        .await
        .is(201);
    let (access, _) = installed(client).await;
    let body = json!({ "destination": "https://bot.example", "settings": ["add_message"] });
    does(client, &access, "POST", "/api/v4/webhooks", &body)
        .await
        .is(201);
}

#[tokio::test]
async fn webhooks_are_listed_switched_off_and_on_and_deleted() {
    let mut server = Server::start().await;
    two_webhooks(&server).await;
    let ask = async |server: &Server, method: &str, rest: &str| {
        let target = format!("{WEBHOOKS}{rest}");
        server.client().operate(method, &target).send().await
    };
    let list = ask(&server, "GET", "").await.is(200).json;
    let since = list["webhooks"][0]["created_at"].clone();
    let first = json!({
        "id": 1, "destination": "https://hooks.example.org/in?k=7d1f",
        "settings": ["add_lead", "add_customer", "add_company"], "never_sent": ["add_customer", "add_company"],
        "sort": 10, "created_at": since, "updated_at": since, "created_by": 1, "client_id": null,
        "disabled_at": null, "disabled_by": null,
    });
    assert_eq!(list["webhooks"][0], first);
    let second = &list["webhooks"][1];
    assert_eq!(
        (&second["client_id"], &second["never_sent"]),
        (&json!(OAUTH_CLIENT), &json!([]))
    );
    assert_eq!(list["next"], Value::Null);
    let page = ask(&server, "GET", "?limit=1&cursor=1").await.is(200).json;
    assert_eq!(page["webhooks"], json!([second]));
    ask(&server, "POST", "/1/enable").await.is(409);
    let off = ask(&server, "POST", "/1/disable").await.is(200).json;
    assert_eq!(off["disabled_by"], "operator");
    ask(&server, "POST", "/1/disable").await.is(409);
    server.kill_9();
    server.restart().await;
    let list = ask(&server, "GET", "").await.is(200).json;
    assert_eq!(list["webhooks"][0], off);
    let on = ask(&server, "POST", "/1/enable").await.is(200).json;
    assert_eq!(
        (&on["disabled_at"], &on["disabled_by"]),
        (&Value::Null, &Value::Null)
    );
    ask(&server, "DELETE", "/2").await.is(204);
    for (method, rest) in [
        ("DELETE", "/2"),
        ("DELETE", "/x"),
        ("POST", "/2/enable"),
        ("POST", "/0/disable"),
    ] {
        ask(&server, method, rest).await.is(404);
    }
    let other = WEBHOOKS.replace(ACCOUNT, OTHER_ACCOUNT);
    let client = server.client();
    let list = client.operate("GET", &other).send().await.is(200).json;
    assert_eq!(list, json!({ "webhooks": [], "next": null }));
    client
        .operate("DELETE", &format!("{other}/1"))
        .send()
        .await
        .is(404);
    let nobody = WEBHOOKS.replace(ACCOUNT, OAUTH_CLIENT);
    client.operate("GET", &nobody).send().await.is(404);
    client.request("GET", WEBHOOKS).send().await.is(401);
    let log = audit_log(&server).await;
    let entries = log["entries"].as_array().unwrap().iter();
    let by_operator = entries.filter(|it| it["by"]["kind"] == "operator");
    let actions: Vec<_> = by_operator
        .map(|it| (&it["action"], &it["object"]))
        .collect();
    let (one, two) = (json!("1"), json!("2"));
    let expected = [
        (&json!("webhook.delete"), &two),
        (&json!("webhook.enable"), &one),
        (&json!("webhook.disable"), &one),
    ];
    assert_eq!(actions, expected);
}

#[tokio::test]
async fn webhooks_are_listed_switched_and_deleted_by_command() {
    let server = Server::start().await;
    let printed = |args: &[&str]| printed_by(run(&server, args, ""), args);
    let none = printed(&["webhook", "list", ACCOUNT]);
    assert_eq!(none, "the account has no webhooks\n");
    two_webhooks(&server).await;
    let table = printed(&["webhook", "list", ACCOUNT]);
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let expected = [
        "ID DESTINATION DISABLED BY USER CLIENT EVENTS".to_owned(),
        "1 https://hooks.example.org/in?k=7d1f - - 1 - add_lead, add_customer, add_company"
            .to_owned(),
        format!("2 https://bot.example/ - - 1 {OAUTH_CLIENT} add_message"),
    ];
    for (line, expected) in lines.iter().zip(&expected) {
        assert_eq!(line.join(" "), *expected);
    }
    assert_eq!(lines.len(), 3);
    let off = json_in(&printed(&["webhook", "disable", ACCOUNT, "1", "--json"]));
    assert_eq!(off["disabled_by"], "operator");
    let on = printed(&["webhook", "enable", ACCOUNT, "1"]);
    assert!(
        on.contains("\nnever sent   add_customer, add_company\ndisabled     -\n"),
        "{on}"
    );
    let text = printed(&["webhook", "delete", ACCOUNT, "2"]);
    assert!(text.starts_with("done"), "{text}");
    for (verb, id, why) in [("enable", "1", "409"), ("delete", "2", "404")] {
        let output = run(&server, &["webhook", verb, ACCOUNT, id], "");
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(why), "{stderr}");
    }
    let output = run(&server, &["webhook", "delete", ACCOUNT, "0"], "");
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test]
async fn a_webhook_is_created_by_command() {
    let server = Server::start().await;
    let printed = |args: &[&str]| printed_by(run(&server, args, ""), args);
    let bot = ["webhook", "create", ACCOUNT, "http://127.0.0.1:9/in"];
    let output = printed(&[&bot[..], &["--event", "add_lead", "--json"]].concat());
    let created = json_in(&output);
    assert_eq!(
        (&created["created_by"], &created["settings"]),
        (&json!(1), &json!(["add_lead"]))
    );
    let wrong = [
        &bot[..3],
        &["ftp://127.0.0.1/", "--event", "add_lead", "--user", "99"],
    ]
    .concat();
    let stderr = String::from_utf8(run(&server, &wrong, "").stderr).unwrap();
    assert!(
        stderr.contains("destination") && stderr.contains("user_id"),
        "{stderr}"
    );
    let hooks = printed(&["webhook", "hooks", ACCOUNT, "1"]);
    assert_eq!(hooks, "the webhook was sent nothing\n");
}

#[tokio::test]
async fn a_page_of_hooks_that_is_just_full_is_the_last() {
    let receiver = Receiver::start().await;
    let server = Server::start().await;
    let client = server.client();
    let webhook = json!({ "destination": receiver.webhook("in"), "settings": ["add_lead"] });
    let created = client.operates("POST", WEBHOOKS, &webhook).await.is(201);
    assert_eq!(created.json["disabled_at"], Value::Null);
    let leads = json!([{ "name": "a" }, { "name": "b" }]);
    floor::admin(client, "POST", "/api/v4/leads", &leads)
        .await
        .is(200);
    let hooks = async |limit: usize| {
        let target = format!("{WEBHOOKS}/1/hooks?limit={limit}");
        client.operate("GET", &target).send().await.is(200).json
    };
    eventually("both hooks are made", async || {
        (hooks(3).await["hooks"].as_array()?.len() == 2).then_some(())
    })
    .await;
    assert_eq!(hooks(2).await["next"], Value::Null);
    let first = hooks(1).await;
    let next = first["next"].as_str().unwrap();
    let target = format!("{WEBHOOKS}/1/hooks?limit=1&cursor={next}");
    let second = client.operate("GET", &target).send().await.is(200).json;
    assert_eq!(second["next"], Value::Null);
    assert_ne!(first["hooks"][0]["id"], second["hooks"][0]["id"]);
}
