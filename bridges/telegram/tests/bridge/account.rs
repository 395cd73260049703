//! The account side: names of contacts, and the mark of who has blocked the bot.

use serde_json::Value;
use telegram_double::orders::{ShareContact, Start};

use crate::stage::Stage;

fn contact(stage: &Stage) -> Option<Value> {
    let (_, list) = stage.get("/api/v4/contacts?with=leads");
    list["_embedded"]["contacts"].get(0).cloned()
}

fn tags(stage: &Stage) -> Vec<String> {
    let (_, list) = stage.get("/api/v4/leads");
    let tags = list["_embedded"]["leads"][0]["_embedded"]["tags"]
        .as_array()
        .cloned();
    let names = tags.unwrap_or_default();
    names
        .iter()
        .filter_map(|it| it["name"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn a_shared_number_reaches_the_contact() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let share = ShareContact {
        from: 7,
        phone_number: "+34600000000".to_owned(),
        ..ShareContact::default()
    };
    stage.order(stage.orders().share_contact(&share));
    stage.until("the number of the contact", || {
        let contact = contact(&stage)?;
        let has_number = contact["custom_fields_values"]
            .to_string()
            .contains("34600000000");
        (contact["name"] == "Ann" && has_number).then_some(())
    });
}

#[test]
fn who_blocks_the_bot_is_marked_until_they_come_back() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    stage.order(stage.orders().block(&Start { bot: None, from: 7 }));
    stage.until("the tag", || (tags(&stage) == ["blocked"]).then_some(()));
    stage.order(stage.orders().start(&Start { bot: None, from: 7 }));
    stage.until("the end of the tag", || {
        tags(&stage).is_empty().then_some(())
    });
}

#[test]
fn without_an_installation_messages_go_both_ways() {
    let mut stage = Stage::prepare();
    stage.set("SWITCHBOARD_CODE", "");
    stage.run();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    stage.replies(7, "Good day");
    stage.until_shown(7, "Good day");
    stage.order(stage.orders().block(&Start { bot: None, from: 7 }));
    stage.until("the notice", || {
        stage
            .output()
            .contains("not installed in the account")
            .then_some(())
    });
    let (status, health) = stage.health();
    assert_eq!((status, &health["installed"]), (200, &Value::Bool(false)));
    assert!(
        health["notes"].to_string().contains("/oauth?client_id="),
        "{health}"
    );
    let (_, _, page) = stage.page("/");
    assert!(
        String::from_utf8(page)
            .unwrap()
            .contains("/oauth?client_id=")
    );
}
