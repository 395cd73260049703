use clap::Parser as _;

use super::*;
use crate::cli::channel::ChannelCommand;
use crate::cli::delivery::DeliveryCommand;
use crate::cli::oauth_client::OauthClientCommand;
use crate::cli::people::account::AccountCommand;
use crate::cli::people::group::GroupCommand;
use crate::cli::people::token::TokenCommand;
use crate::cli::people::user::UserCommand;
use crate::cli::relay::RelayCommand;
use crate::cli::request::RequestCommand;
use crate::cli::webhook::WebhookCommand;

const A: &str = "af9945ff-1490-4cad-807d-945c15d88bec";
const M: &str = "30c362b9-9201-4864-8c24-1f637b1733ed";
const C: &str = "c0ffee00-1111-4222-8333-444455556666";

/// The request of a call: `LIST` is that for all pages of a list.
fn written(call: Result<Call<'_>, CliError>) -> String {
    let call = match call {
        Ok(call) => call,
        Err(failure) => return failure.to_string(),
    };
    let method = if call.is_list {
        "LIST"
    } else {
        call.method.as_str()
    };
    let body = call.body.map(|body| format!(" {body}"));
    format!("{method} {}{}", call.path, body.unwrap_or_default())
}

/// A command line of one resource: the first word is its name.
#[derive(Debug, clap::Parser)]
struct Line<V: Verbs> {
    #[command(flatten)]
    resource: Resource<V>,
}

/// The request that the words of a command line make.
fn request<V: Verbs>(words: &str) -> String {
    let words = words.replace("$A", A).replace("$M", M).replace("$C", C);
    let line = Line::<V>::try_parse_from(words.split(' ')).expect(&words);
    written(line.resource.verb.call())
}

fn all_are<V: Verbs>(rows: &[(&str, &str)]) {
    for (words, expected) in rows {
        let call = expected.replace("$A", A).replace("$M", M).replace("$C", C);
        assert_eq!(request::<V>(words), call, "{words}");
    }
}

#[test]
fn verbs_of_channels_and_clients_are_requests() {
    all_are::<ChannelCommand>(&[
        ("channel list", "LIST admin/v1/channels"),
        ("channel get c", "GET admin/v1/channels/c"),
        (
            "channel create N --id c --secret s3cret",
            r#"POST admin/v1/channels {"id":"c","name":"N","secret":"s3cret"}"#,
        ),
        ("channel create N", r#"POST admin/v1/channels {"name":"N"}"#),
        (
            "channel update c --name N",
            r#"PATCH admin/v1/channels/c {"name":"N"}"#,
        ),
        (
            "channel rotate-secret c --grace 2h",
            r#"POST admin/v1/channels/c/rotate-secret {"grace_seconds":7200}"#,
        ),
        (
            "channel end-rotation c",
            "POST admin/v1/channels/c/end-rotation {}",
        ),
        ("channel pause c", "POST admin/v1/channels/c/pause {}"),
        ("channel resume c", "POST admin/v1/channels/c/resume {}"),
        (
            "channel test c --version v1 --account $A",
            r#"POST admin/v1/channels/c/test-send {"account_id":"$A","version":"v1"}"#,
        ),
    ]);
    all_are::<OauthClientCommand>(&[
        ("oauth-client list", "LIST admin/v1/oauth-clients"),
        ("oauth-client get $C", "GET admin/v1/oauth-clients/$C"),
        (
            "oauth-client create N https://h/x --id $C",
            r#"POST admin/v1/oauth-clients {"id":"$C","name":"N","redirect_uri":"https://h/x"}"#,
        ),
        (
            "oauth-client update $C --name N",
            r#"PATCH admin/v1/oauth-clients/$C {"name":"N"}"#,
        ),
        (
            "oauth-client rotate-secret $C",
            "POST admin/v1/oauth-clients/$C/rotate-secret {}",
        ),
        (
            "oauth-client grants $C",
            "LIST admin/v1/oauth-clients/$C/grants",
        ),
        (
            "oauth-client revoke $C $A",
            "DELETE admin/v1/oauth-clients/$C/grants/$A",
        ),
        (
            "oauth-client token-requests $C",
            "LIST admin/v1/oauth-clients/$C/token-requests",
        ),
    ]);
}

#[test]
fn verbs_of_accounts_and_people_are_requests() {
    all_are::<AccountCommand>(&[
        ("account list", "LIST admin/v1/accounts"),
        ("account get $A", "GET admin/v1/accounts/$A"),
        (
            "account create N --id $A",
            r#"POST admin/v1/accounts {"id":"$A","name":"N"}"#,
        ),
        (
            "account update $A --plan base",
            r#"PATCH admin/v1/accounts/$A {"plan":"base"}"#,
        ),
    ]);
    all_are::<UserCommand>(&[
        ("user list $A", "LIST admin/v1/accounts/$A/users"),
        ("user get $A 2", "GET admin/v1/accounts/$A/users/2"),
        (
            "user create $A N n@example.com --admin",
            r#"POST admin/v1/accounts/$A/users {"email":"n@example.com","is_admin":true,"name":"N"}"#,
        ),
        (
            "user update $A 2 --name N",
            r#"PATCH admin/v1/accounts/$A/users/2 {"name":"N"}"#,
        ),
        (
            "user update-password $A 2 Passw0rd",
            r#"POST admin/v1/accounts/$A/users/2/password {"password":"Passw0rd"}"#,
        ),
    ]);
    all_are::<GroupCommand>(&[
        ("group list $A", "LIST admin/v1/accounts/$A/groups"),
        (
            "group create $A N",
            r#"POST admin/v1/accounts/$A/groups {"name":"N"}"#,
        ),
        (
            "group update $A 3 N",
            r#"PATCH admin/v1/accounts/$A/groups/3 {"name":"N"}"#,
        ),
        ("group delete $A 3", "DELETE admin/v1/accounts/$A/groups/3"),
    ]);
    all_are::<TokenCommand>(&[
        (
            "token list $A 2",
            "LIST admin/v1/accounts/$A/users/2/tokens",
        ),
        (
            "token create $A 2 N --expires-in 90d",
            r#"POST admin/v1/accounts/$A/users/2/tokens {"expires_in_seconds":7776000,"name":"N"}"#,
        ),
        (
            "token revoke $A 2 4",
            "DELETE admin/v1/accounts/$A/users/2/tokens/4",
        ),
    ]);
}

#[test]
fn verbs_of_webhooks_are_requests() {
    all_are::<WebhookCommand>(&[
        ("webhook list $A", "LIST admin/v1/accounts/$A/webhooks"),
        (
            "webhook create $A http://127.0.0.1:9/in --event add_lead --event add_message",
            r#"POST admin/v1/accounts/$A/webhooks {"destination":"http://127.0.0.1:9/in","settings":["add_lead","add_message"]}"#,
        ),
        (
            "webhook create $A http://127.0.0.1:9/in --event add_lead --user 2",
            r#"POST admin/v1/accounts/$A/webhooks {"destination":"http://127.0.0.1:9/in","settings":["add_lead"],"user_id":2}"#,
        ),
        (
            "webhook hooks $A 3",
            "LIST admin/v1/accounts/$A/webhooks/3/hooks",
        ),
        (
            "webhook hook $A 3 24",
            "GET admin/v1/accounts/$A/webhooks/3/hooks/24",
        ),
        (
            "webhook replay $A 3 24",
            "POST admin/v1/accounts/$A/webhooks/3/hooks/24/replay {}",
        ),
        (
            "webhook enable $A 3",
            "POST admin/v1/accounts/$A/webhooks/3/enable {}",
        ),
        (
            "webhook disable $A 3",
            "POST admin/v1/accounts/$A/webhooks/3/disable {}",
        ),
        (
            "webhook delete $A 3",
            "DELETE admin/v1/accounts/$A/webhooks/3",
        ),
    ]);
}

#[test]
fn verbs_of_deliveries_and_requests_are_requests() {
    all_are::<DeliveryCommand>(&[
        (
            "delivery list --state dead --channel c",
            "GET admin/v1/deliveries?limit=50&state=dead&channel_id=c",
        ),
        ("delivery get $M", "GET admin/v1/deliveries/$M"),
        (
            "delivery replay $M",
            "POST admin/v1/deliveries/$M/replay {}",
        ),
        (
            "delivery replay --state dead --channel c",
            r#"POST admin/v1/replays {"channel_id":"c","state":"dead"}"#,
        ),
        ("delivery replays", "LIST admin/v1/replays"),
        (
            "delivery cancel-replay 7",
            "POST admin/v1/replays/7/cancel {}",
        ),
        (
            "delivery discard $M",
            "POST admin/v1/deliveries/$M/discard {}",
        ),
        ("delivery endpoints", "LIST admin/v1/endpoints"),
        (
            "delivery enable c v2",
            "POST admin/v1/endpoints/c/v2/enable {}",
        ),
    ]);
    all_are::<RequestCommand>(&[
        (
            "request list --outcome refused --cursor 00",
            "GET admin/v1/requests?limit=50&outcome=refused&cursor=00",
        ),
        ("request get a/b", "GET admin/v1/requests/a%2Fb"),
    ]);
}

#[test]
fn a_change_of_nothing_is_refused() {
    for (refusal, command) in [
        (
            request::<ChannelCommand>("channel update c"),
            "channel update",
        ),
        (
            request::<OauthClientCommand>("oauth-client update $C"),
            "oauth-client update",
        ),
        (
            request::<AccountCommand>("account update $A"),
            "account update",
        ),
        (request::<UserCommand>("user update $A 2"), "user update"),
    ] {
        assert!(
            refusal.starts_with("error: nothing to change\n"),
            "{refusal}"
        );
        assert!(refusal.ends_with(&format!("{command} --help")), "{refusal}");
    }
    let refusal = request::<DeliveryCommand>("delivery replay");
    assert!(refusal.contains("nothing to replay"), "{refusal}");
}

#[test]
fn verbs_of_relays_are_requests() {
    all_are::<RelayCommand>(&[
        ("relay list", "LIST admin/v1/relays"),
        ("relay get c", "GET admin/v1/relays/c"),
        ("relay pause c", "POST admin/v1/relays/c/pause {}"),
        ("relay resume c", "POST admin/v1/relays/c/resume {}"),
        (
            "relay hooks c --message $M",
            "GET admin/v1/relays/c/hooks?limit=50&message_id=$M",
        ),
        (
            "relay hooks c --from 1 --until 2",
            "GET admin/v1/relays/c/hooks?limit=50&from=1&until=2",
        ),
        (
            "relay replay c --message m",
            "POST admin/v1/relays/c/replay {\"message_id\":\"m\",\"target\":0}",
        ),
        (
            "relay replay c --from 1 --until 2 --target 1",
            "POST admin/v1/relays/c/replay {\"from\":1,\"target\":1,\"until\":2}",
        ),
    ]);
}
