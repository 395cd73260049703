//! Ids that a configuration chooses for an account: its subdomain, pipelines, stages, fields and users.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::operator::audit_log;
use crate::support::server::{ACCOUNT, OTHER_ACCOUNT, Server, Setup};

const SHOP: &str = "5a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d";
const TOKEN: &str = "token-of-cy";

/// The shop as it is declared, with these lines in place of others.
fn shop(changes: &[(&str, &str)]) -> String {
    let mut lines = format!(
        "[[accounts]]\nid = \"{SHOP}\"\nname = \"Shop\"\nsubdomain = \"my-shop\"\nphone_field_id = 264911\nemail_field_id = 264913\n\
         [[accounts.pipelines]]\nid = 3177727\nname = \"Sales\"\nunsorted_id = 32392156\n\
         [[accounts.pipelines.stages]]\nid = 32392159\nname = \"First call\"\n\
         [[accounts.users]]\nid = 8238142\nname = \"Cy\"\nemail = \"cy@example.com\"\npassword = \"Secr3tive\"\nis_admin = true\ntoken = \"{TOKEN}\"\n\
         [[accounts.users]]\nname = \"Di\"\nemail = \"di@example.com\"\npassword = \"Secr3tive\"\n"
    );
    for (old, new) in changes {
        assert!(lines.contains(old), "{old}");
        lines = lines.replace(old, new);
    }
    lines
}

async fn got(server: &Server, path: &str) -> Value {
    server.client().get_as(TOKEN, path).await.is(200).json
}

async fn audited(server: &Server) -> usize {
    let list = audit_log(server).await;
    list["entries"].as_array().unwrap().len()
}

#[tokio::test]
async fn an_account_keeps_its_chosen_ids_over_restarts() {
    let mut server = Setup::default().lines(&shop(&[])).start().await;
    let (mut entries, mut rounds) = (audited(&server).await, 0);
    while rounds < 2 {
        assert_eq!(
            got(&server, "/api/v4/account").await["subdomain"],
            "my-shop"
        );
        let pipeline = got(&server, "/api/v4/leads/pipelines/3177727").await;
        let stages = &pipeline["_embedded"]["statuses"];
        assert_eq!(
            (&stages[0]["id"], &stages[1]["id"]),
            (&json!(32_392_156), &json!(32_392_159))
        );
        assert_eq!(got(&server, "/api/v4/users/8238142").await["name"], "Cy");
        assert_eq!(got(&server, "/api/v4/users/8238143").await["name"], "Di");
        got(&server, "/api/v4/contacts/custom_fields/264911").await;
        assert_eq!(server.terminate().await, Some(0));
        server.restart().await;
        assert_eq!(audited(&server).await, entries);
        rounds += 1;
    }
    // Of pipelines that are there, the names may change; and an account may go back to its usual subdomain.
    assert_eq!(server.terminate().await, Some(0));
    let renamed = [("First call", "Call"), ("subdomain = \"my-shop\"\n", "")];
    server.change(|_| Setup::default().lines(&shop(&renamed)));
    server.restart().await;
    let pipeline = got(&server, "/api/v4/leads/pipelines/3177727").await;
    assert_eq!(pipeline["_embedded"]["statuses"][1]["name"], "Call");
    assert_eq!(
        got(&server, "/api/v4/account").await["subdomain"],
        "account3"
    );
    entries += 1;
    assert_eq!(audited(&server).await, entries, "the subdomain");
}

#[tokio::test]
async fn conflicts_with_stored_ids_are_named_and_nothing_is_written() {
    let mut server = Setup::default().lines(&shop(&[])).start().await;
    // Another account has taken the subdomain that the file will name.
    let body = json!({ "subdomain": "taken" });
    let path = format!("/admin/v1/accounts/{ACCOUNT}");
    let request = server
        .client()
        .operate("PATCH", &path)
        .header("Content-Type", "application/json");
    let response = request.body(body.to_string()).send().await.is(200).json;
    assert_eq!(response["subdomain"], "taken");
    let path = format!("/admin/v1/accounts/{OTHER_ACCOUNT}");
    let request = server
        .client()
        .operate("PATCH", &path)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await.is(409);
    let conflicting = shop(&[
        ("name = \"Shop\"", "name = \"Renamed\""),
        ("my-shop", "taken"),
        ("unsorted_id = 32392156", "unsorted_id = 32392160"),
        ("id = 8238142", "id = 8238199"),
        ("name = \"Di\"", "id = 8238142\nname = \"Di\""),
        ("di@", "new@"),
    ]);
    // A running service goes on as it is.
    let entries = audited(&server).await;
    server.change(|_| Setup::default().lines(&conflicting));
    server.signal(Signal::HUP);
    crate::support::eventually("the conflict is logged", async || {
        server
            .log()
            .contains("SIGHUP: the settings stay as they are")
            .then_some(())
    })
    .await;
    assert_eq!(got(&server, "/api/v4/account").await["name"], "Shop");
    assert_eq!(server.terminate().await, Some(0));
    let refusal = server.try_restart().await.unwrap_err();
    for words in [
        "nothing of it was declared",
        &format!("accounts[2].subdomain: the account {ACCOUNT} has this subdomain already"),
        "accounts[2].pipelines: the stage 32392160 cannot be declared in the pipeline 3177727: the account has the pipelines 3177727 (stages 32392156, 32392159, 142, 143)",
        "accounts[2].users[0].id: the user has the number 8238142 already",
        "accounts[2].users[1].id: another user of the account has the number 8238142 already",
    ] {
        assert!(refusal.said.contains(words), "{words}: {}", refusal.said);
    }
    server.change(|_| Setup::default().lines(&shop(&[])));
    server.restart().await;
    assert_eq!(got(&server, "/api/v4/account").await["name"], "Shop");
    assert_eq!(audited(&server).await, entries);
}

/// The configuration declares a minimum: what was created over the interface stays, and what was deleted comes back.
#[tokio::test]
async fn declared_pipelines_come_to_those_that_are_there() {
    let mut server = Setup::default().lines(&shop(&[])).start().await;
    let pipeline = "[[accounts.pipelines]]\nid = 7\nname = \"Own\"\nunsorted_id = 8\n[[accounts.pipelines.stages]]\nid = 9\nname = \"x\"\n";
    let stages = "/api/v4/leads/pipelines/3177727/statuses";
    let answer = sends(&server, "POST", stages, json!({ "name": "Own" })).await;
    assert_eq!(answer["_embedded"]["statuses"][0]["id"], 32_392_160);
    let declared = format!("{stages}/32392159");
    sends(&server, "DELETE", &declared, json!({})).await;
    let name = json!({ "name": "Other", "sort": 9 });
    sends(&server, "PATCH", "/api/v4/leads/pipelines/3177727", name).await;
    assert_eq!(server.terminate().await, Some(0));
    let first = format!("id = \"{ACCOUNT}\"");
    server.change(|setup| {
        let text = setup.text();
        let (before, after) = text.split_once("[[accounts.users]]").unwrap();
        assert!(before.contains(&first));
        setup.config(&format!("{before}{pipeline}[[accounts.users]]{after}"))
    });
    server.restart().await;
    let sales = got(&server, "/api/v4/leads/pipelines/3177727").await;
    assert_eq!(
        (&sales["name"], &sales["sort"]),
        (&json!("Sales"), &json!(9))
    );
    let numbers = |pipeline: &Value| {
        let stages = pipeline["_embedded"]["statuses"].as_array().unwrap();
        let numbers = stages.iter().map(|stage| stage["id"].as_u64().unwrap());
        numbers.collect::<Vec<_>>()
    };
    let ids = [32_392_156, 32_392_160, 32_392_159, 142, 143];
    assert_eq!(numbers(&sales), ids);
    // The account without pipelines of its own has the usual one, which stays the main one.
    let list = server.client().read("/api/v4/leads/pipelines").await;
    let pipelines = list["_embedded"]["pipelines"].as_array().unwrap();
    assert_eq!(numbers(&pipelines[0]), [1, 2, 3, 4, 142, 143]);
    assert_eq!(numbers(&pipelines[1]), [8, 9, 142, 143]);
    assert_eq!(pipelines[0]["is_main"], true);
    assert_eq!(pipelines[1]["is_main"], false);
}

/// Cy, the administrator of the shop, sends a body.
async fn sends(server: &Server, method: &str, path: &str, body: Value) -> Value {
    let request = server.client().request(method, path).bearer(TOKEN);
    let declared = request.header("Content-Type", "application/json");
    let answer = declared.body(body.to_string()).send().await;
    assert!([200, 204].contains(&answer.status), "{}", answer.body);
    answer.json
}
