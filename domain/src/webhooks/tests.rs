use switchboard_engine::state::Command;

use super::create::CreateWebhook;
use super::delete::{DeleteWebhook, WebhookKey};
use super::delete_of_client::DeleteWebhooksOfClient;
use super::disable::DisableWebhook;
use super::enable::EnableWebhook;
use super::subscription::{DisableReason, Disabled};
use super::*;
use crate::id::{OauthClientId, UserId};
use crate::oauth::acting_client::ActingClient;
use crate::time::UnixMillis;

/// The webhooks of an account, with the time of a test and the audit entries of its last command.
struct Test {
    webhooks: Webhooks,
    now: UnixMillis,
    audit: Vec<Value>,
    /// True if the last command began what the webhook gets anew.
    begins: bool,
}

impl Test {
    fn new() -> Self {
        Self {
            webhooks: Webhooks::initial(&account()),
            now: UnixMillis::from_secs(100),
            audit: Vec::new(),
            begins: false,
        }
    }

    /// Decides a second later, and applies what is stored; a rejection changes nothing.
    fn run<C: Command<Of = Webhooks>>(&mut self, command: C) -> Result<C::Reply, C::Rejection> {
        self.now = UnixMillis::new(self.now.get() + 1_000);
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: self.now,
            random: &mut random,
            earlier: &[],
        };
        let decision = command.decide(&self.webhooks, &mut moment)?;
        self.audit.clear();
        self.begins = false;
        for recorded in &decision.events {
            let text = serde_json::to_string(&recorded.event).unwrap();
            let event: WebhooksEvent = serde_json::from_str(&text).unwrap();
            let mut entries = IndexEntries::default();
            self.webhooks.index(&event, &mut entries);
            self.begins |= !entries.keys.is_empty();
            self.webhooks.apply(&event);
            self.audit.push(serde_json::to_value(&event.audit).unwrap());
        }
        let json = serde_json::to_string(&self.webhooks).unwrap();
        let snapshot: Webhooks = serde_json::from_str(&json).unwrap();
        assert_eq!(snapshot, self.webhooks);
        Ok(decision.reply)
    }

    fn create(&mut self, address: &str) -> Result<Subscription, WebhookRejection> {
        self.run(create(1, None, address))
    }

    fn delete(&mut self, address: &str) -> Result<(), WebhookRejection> {
        let webhook = WebhookKey::Destination(address.parse().unwrap());
        let by = By::Operator;
        self.run(DeleteWebhook { by, webhook })
    }

    fn numbers(&self) -> Vec<u64> {
        self.webhooks.iter().map(|it| it.id.0).collect()
    }
}

fn account() -> AccountId {
    AccountId::from_random([1; 16])
}

fn client(number: u8) -> OauthClientId {
    OauthClientId::from_random([number; 16])
}

fn create(user: u64, client_number: Option<u8>, address: &str) -> CreateWebhook {
    let user = UserId(user);
    CreateWebhook {
        by: By::User {
            account: account(),
            user,
            name: "Ada".parse().unwrap(),
            client: client_number.map(|number| ActingClient {
                id: client(number),
                name: "Bot".parse().unwrap(),
            }),
        },
        user,
        destination: address.parse().unwrap(),
        codes: vec![WebhookCode::UpdateTalk, WebhookCode::AddMessage],
        sort: 10,
    }
}

#[test]
fn the_same_address_again_replaces_the_rest_and_switches_it_on() {
    let mut test = Test::new();
    let first = test.run(create(1, Some(5), "https://h.example")).unwrap();
    assert_eq!(first.id, SubscriptionId(1));
    assert_eq!(first.client, Some(client(5)));
    assert_eq!(first.created_at, first.updated_at);
    let (by, id, why) = (By::Service, first.id, DisableReason::Failures);
    let off = test.run(DisableWebhook { by, id, why }).unwrap();
    assert_eq!(off.disabled, Some(Disabled { at: test.now, why }));
    let again = CreateWebhook {
        codes: vec![
            WebhookCode::AddLead,
            WebhookCode::AddCompany,
            WebhookCode::AddLead,
        ],
        sort: -3,
        ..create(2, None, "https://h.example/")
    };
    let second = test.run(again.clone()).unwrap();
    let subscription = Subscription {
        codes: vec![WebhookCode::AddLead, WebhookCode::AddCompany],
        sort: -3,
        client: None,
        updated_at: test.now,
        ..first
    };
    assert_eq!(second, subscription);
    assert!(second.has(WebhookCode::AddLead) && !second.has(WebhookCode::AddMessage));
    assert_eq!(
        second.never_sent().collect::<Vec<_>>(),
        [WebhookCode::AddCompany]
    );
    // The very same once more: nothing is stored.
    assert_eq!(test.run(again), Ok(second));
    assert_eq!(test.audit, Vec::<Value>::new());
    assert_eq!(test.numbers(), [1]);
}

#[test]
fn addresses_with_and_without_a_slash_behind_their_path_are_two() {
    let mut test = Test::new();
    test.create("https://h.example/in").unwrap();
    test.create("https://h.example/in/").unwrap();
    assert_eq!(test.numbers(), [1, 2]);
    test.delete("https://h.example/in").unwrap();
    assert_eq!(test.numbers(), [2]);
    let again = test.delete("https://h.example/in");
    assert_eq!(again, Err(WebhookRejection::Unknown));
}

#[test]
fn an_account_has_at_most_100_and_a_number_is_not_given_again() {
    let mut test = Test::new();
    let address = |number: usize| format!("https://h.example/{number}");
    for number in 1..=WEBHOOKS_MAX {
        test.create(&address(number)).unwrap();
    }
    let rejection = test.create(&address(101)).unwrap_err();
    assert_eq!(rejection, WebhookRejection::TooMany);
    // A webhook that is there can still be changed.
    test.run(create(1, Some(5), &address(100))).unwrap();
    test.delete(&address(100)).unwrap();
    assert_eq!(test.create(&address(101)).unwrap().id, SubscriptionId(101));
}

#[test]
fn webhooks_of_a_client_end_with_its_grant() {
    let mut test = Test::new();
    for (client_number, address) in [
        (Some(5), "https://h.example/1"),
        (None, "https://h.example/2"),
        (Some(6), "https://h.example/3"),
        (Some(5), "https://h.example/4"),
        (Some(5), "https://h.example/5"),
        // Another one has taken it over.
        (Some(6), "https://h.example/1"),
    ] {
        test.run(create(1, client_number, address)).unwrap();
    }
    let end = |number| DeleteWebhooksOfClient {
        by: By::Operator,
        client: client(number),
    };
    test.run(end(5)).unwrap();
    assert_eq!(test.numbers(), [1, 2, 3]);
    let actions: Vec<_> = test
        .audit
        .iter()
        .map(|it| (&it["action"], &it["object"]))
        .collect();
    let action = Value::from("webhook.delete");
    assert_eq!(actions, [(&action, &"4".into()), (&action, &"5".into())]);
    test.run(end(7)).unwrap();
    assert_eq!(test.audit, Vec::<Value>::new());
}

#[test]
fn a_webhook_is_switched_off_and_on_once() {
    let mut test = Test::new();
    let id = test.create("https://h.example").unwrap().id;
    assert!(test.begins);
    test.create("https://h.example").unwrap();
    assert!(!test.begins, "it is on already");
    let off = |id| DisableWebhook {
        by: By::Operator,
        id,
        why: DisableReason::Operator,
    };
    let on = |id| EnableWebhook {
        by: By::Operator,
        id,
    };
    assert_eq!(test.run(on(id)), Err(WebhookRejection::NotDisabled));
    test.run(off(id)).unwrap();
    assert!(!test.begins);
    assert_eq!(test.run(off(id)), Err(WebhookRejection::Disabled));
    let subscription = test.run(on(id)).unwrap();
    assert!(test.begins, "it gets nothing of the time while it was off");
    assert_eq!(
        (subscription.disabled, subscription.updated_at),
        (None, test.now)
    );
    for unknown in [
        test.run(on(SubscriptionId(9))),
        test.run(off(SubscriptionId(9))),
    ] {
        assert_eq!(unknown, Err(WebhookRejection::Unknown));
    }
}

#[test]
fn the_audit_log_has_the_host_and_no_more_of_the_address() {
    let mut test = Test::new();
    let address = "https://h.example:8443/s3cret?k=s3cret";
    let id = test.create(address).unwrap().id;
    let entry = test.audit[0].clone();
    assert_eq!(entry["action"], "webhook.create");
    assert_eq!(entry["account"], serde_json::json!(account()));
    let changes = serde_json::json!([
        { "field": "host", "after": "h.example:8443" },
        { "field": "settings", "after": ["update_talk", "add_message"] },
        { "field": "sort", "after": 10 },
    ]);
    assert_eq!(entry["changes"], changes);
    let (by, why) = (By::Operator, DisableReason::Operator);
    test.run(DisableWebhook { by, id, why }).unwrap();
    let changes = serde_json::json!([{ "field": "disabled", "after": "operator" }]);
    assert_eq!(test.audit[0]["changes"], changes);
    test.delete(address).unwrap();
    let deletion = test.audit[0].clone();
    assert_eq!(deletion["changes"][0]["before"], "h.example:8443");
    for entry in [entry, deletion] {
        assert!(!entry.to_string().contains("s3cret"), "{entry}");
    }
}
