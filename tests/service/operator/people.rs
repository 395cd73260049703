//! `switchboard account`, `user` and `token`, as processes beside the service.

use serde_json::{Value, json};

use crate::rights::floor::sign_in;
use crate::support::operating::{json_in, printed_by, run_here as run};
use crate::support::server::{ACCOUNT, Server};

/// As [`run`], must work; gives what it printed.
fn printed(server: &Server, args: &[&str]) -> String {
    printed_by(run(server, args, ""), args)
}

fn json_of(server: &Server, args: &[&str]) -> Value {
    json_in(&printed(server, &[args, &["--json"]].concat()))
}

#[tokio::test]
async fn accounts_users_and_tokens_are_created_and_revoked() {
    let server = Server::start().await;
    let account_json = json_of(
        &server,
        &["account", "create", "Third", "--plan", "enterprise"],
    );
    let account = account_json["id"].as_str().unwrap();
    let list = printed(&server, &["account", "list"]);
    assert!(
        list.lines()
            .any(|line| line.starts_with(account) && line.ends_with("enterprise")),
        "{list}"
    );
    let args = [
        "user",
        "create",
        account,
        "Ida",
        "ida@third.example",
        "--admin",
    ];
    assert_eq!(json_of(&server, &args)["rights"]["is_admin"], true);
    let password = run(
        &server,
        &["user", "update-password", account, "1", "-"],
        "An0ther-one\n",
    );
    assert_eq!(password.status.code(), Some(0));
    let body = json!({ "email": "ida@third.example", "password": "An0ther-one" });
    sign_in(server.client(), &body).await.is(201);
    let table = printed(&server, &["user", "list", account]);
    assert_eq!(table.lines().count(), 2, "{table}");
    let output = printed(
        &server,
        &[
            "token",
            "create",
            account,
            "1",
            "report",
            "--expires-in",
            "90d",
        ],
    );
    let token = output
        .lines()
        .find_map(|line| line.strip_prefix("token"))
        .unwrap()
        .trim();
    server.client().get_as(token, "/api/v4/users").await.is(200);
    let output = run(&server, &["token", "list", account, "1"], "");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("in the configuration of the service are not listed"),
        "{stderr}"
    );
    let tokens = printed_by(output, &["token", "list"]);
    assert!(
        tokens.contains("report") && !tokens.contains(token),
        "{tokens}"
    );
    printed(&server, &["token", "revoke", account, "1", "1"]);
    server.client().get_as(token, "/api/v4/users").await.is(401);
}

#[tokio::test]
async fn a_refused_command_ends_with_1_and_a_wrong_one_with_2() {
    let server = Server::start().await;
    let both = ["user", "update", ACCOUNT, "1", "--admin", "--role", "1"];
    let last = ["user", "update", ACCOUNT, "1", "--active", "false"];
    for (args, expected) in [
        (&both[..], "only one of is_admin, is_free and role_id"),
        (&last, "last active administrator"),
    ] {
        let output = run(&server, args, "");
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(expected), "{stderr}");
    }
    for args in [
        &["user", "update", ACCOUNT, "1"][..],
        &["account", "update", ACCOUNT],
        &["token", "create", ACCOUNT, "0", "x"],
    ] {
        assert_eq!(run(&server, args, "").status.code(), Some(2), "{args:?}");
    }
}
