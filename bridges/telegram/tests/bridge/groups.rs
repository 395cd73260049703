//! Groups: several senders, and the move to a supergroup.

use telegram_double::Person;
use telegram_double::orders::{Group, InChat, Say, WithPerson};

use crate::stage::Stage;

fn group(stage: &Stage) -> i64 {
    let group = Group {
        title: "Team".to_owned(),
        members: vec![7, 8],
        is_admin: true,
        ..Group::default()
    };
    stage.order(stage.orders().open_group(&group)).chat
}

#[test]
fn two_senders_of_a_group_are_two_names() {
    let stage = Stage::start();
    let chat = group(&stage);
    stage.order(
        stage
            .orders()
            .say(&Say::text(7, "I am first").in_chat(chat)),
    );
    stage.order(
        stage
            .orders()
            .say(&Say::text(8, "I am second").in_chat(chat)),
    );
    let first = stage.until_posted(chat, "I am first");
    let second = stage.until_posted(chat, "I am second");
    assert_eq!(
        [&first["sender"]["name"], &second["sender"]["name"]],
        ["Ann", "Bob"]
    );
}

#[test]
fn a_service_message_of_a_group_is_skipped_and_counted() {
    let stage = Stage::start();
    let chat = group(&stage);
    let carol = Person::named("Carol").with_id(9);
    stage.order(stage.orders().add_person(&carol));
    stage.order(stage.orders().join(&WithPerson {
        bot: None,
        chat,
        person: 9,
    }));
    stage
        .until_metric(r#"switchboard_telegram_skipped_updates_total{reason="new_chat_members"} 1"#);
    stage.order(stage.orders().say(&Say::text(9, "Hello").in_chat(chat)));
    stage.until_posted(chat, "Hello");
    assert_eq!(stage.texts(chat), ["Hello"]);
}

#[test]
fn a_supergroup_goes_on_in_the_same_conversation() {
    let stage = Stage::start();
    let chat = group(&stage);
    stage.order(stage.orders().say(&Say::text(7, "Before").in_chat(chat)));
    stage.until_posted(chat, "Before");
    let supergroup = stage
        .order(stage.orders().upgrade(&InChat { bot: None, chat }))
        .chat;
    assert_ne!(supergroup, chat);
    stage.order(
        stage
            .orders()
            .say(&Say::text(8, "After").in_chat(supergroup)),
    );
    stage.until_posted(chat, "After");
    stage.replies(chat, "Still here");
    stage.until_shown(supergroup, "Still here");
    assert!(
        stage.inbox(supergroup).is_none(),
        "there is a second conversation"
    );
}

#[test]
fn a_move_that_a_send_finds_out_is_followed() {
    let mut stage = Stage::start();
    let chat = group(&stage);
    stage.order(stage.orders().say(&Say::text(7, "Before").in_chat(chat)));
    stage.until_posted(chat, "Before");
    // The updates about the move do not come, as after a day without the bridge.
    stage.kill();
    let supergroup = stage
        .order(stage.orders().upgrade(&InChat { bot: None, chat }))
        .chat;
    let outage = telegram_double::Fault::next("getUpdates", telegram_double::FaultKind::Closed);
    stage.fault(&outage.times(1_000));
    stage.run();
    stage.replies(chat, "Where are you?");
    stage.until_shown(supergroup, "Where are you?");
}
