use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;

use super::*;
use crate::chat::outgoing::OutgoingContent;
use crate::conversation::reply::{Reply, ReplyRejection};
use crate::conversation::send_message::{ImportAuthor, SendMessage};
use crate::conversation::{Author, Customer};
use crate::generation::Generation;
use crate::hook_version::HookVersion;
use crate::id::{AccountId, ConversationId, IdempotencyKey, PersonId, ScopeId, TemplateId, UserId};
use crate::installation::channels::settings::WindowHours;
use crate::list_message::{ListMessage, SentList};
use crate::templates::sent::SentTemplate;
use crate::templates::template::Button;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Command, Recorded, State as _};

const HOUR: Duration = Duration::from_secs(3_600);

/// A list with one row.
fn list() -> ListMessage {
    let json = r#"{"body":"We are open on Friday","footer":"UTC+3","button":"Show times","sections":[
        {"title":"Morning","rows":[{"callback_data":"slot-0900","title":"09:00"}]},
        {"title":"Evening","rows":[{"callback_data":"slot-1800","title":"18:00"}]}]}"#;
    serde_json::from_str(json).unwrap()
}

/// A conversation with the records that commands ask for.
struct World {
    state: Conversation,
    records: BTreeMap<Key, Recorded<ConversationEvent>>,
    now: UnixMillis,
    ids: u8,
}

impl World {
    fn new() -> Self {
        Self {
            state: Conversation::initial(&ConversationId::from_random([1; 16])),
            records: BTreeMap::new(),
            now: UnixMillis::new(1_000_000),
            ids: 0,
        }
    }

    fn run<C: Command<Of = Conversation>>(&mut self, command: C) -> Result<C::Reply, C::Rejection> {
        let keys = command.required_keys(&self.state);
        let earlier: Vec<_> = keys
            .iter()
            .map(|key| self.records.get(key).cloned())
            .collect();
        let ids = &mut self.ids;
        let mut moment = Moment {
            now: self.now,
            random: &mut || {
                *ids += 1;
                [*ids; 16]
            },
            earlier: &earlier,
        };
        let decision = command.decide(&self.state, &mut moment)?;
        for record in decision.events {
            let mut entries = IndexEntries::default();
            self.state.index(&record.event, &mut entries);
            self.state.apply(&record.event);
            for key in entries.keys {
                self.records.insert(key, record.clone());
            }
        }
        Ok(decision.reply)
    }

    /// A message of the customer; the text of the button that it presses.
    fn says(&mut self, msgid: &str, text: &str) -> Option<String> {
        self.receives(message(msgid, text, None))
    }

    fn receives(&mut self, message: SendMessage) -> Option<String> {
        let id = self.run(message).unwrap().message;
        let record = self.records.get(&keys::message(id)).unwrap();
        let press = record.event.as_received().unwrap().pressed.as_deref();
        if let Some(press) = press {
            let newest = self.records.get(&keys::pressed(press.message)).unwrap();
            assert_eq!(newest.event.message_id(), Some(id));
        }
        press.map(|press| press.text.to_string())
    }

    fn sends(&mut self, reply: Reply) {
        self.run(reply).unwrap();
    }
}

fn scope() -> ScopeId {
    ScopeId::new("a".parse().unwrap(), AccountId::from_random([1; 16]))
}

fn message(msgid: &str, text: &str, row: Option<&str>) -> SendMessage {
    SendMessage {
        scope: scope(),
        conversation: ConversationId::from_random([1; 16]),
        client_conversation: Some("c".parse().unwrap()),
        msgid: msgid.parse().unwrap(),
        customer: Customer {
            person: PersonId::from_random([2; 16]),
            client_id: Some("p".parse().unwrap()),
            name: "Grace".parse().unwrap(),
            avatar: None,
            phone: None,
            email: None,
            profile_link: None,
        },
        imported: None,
        nameless: false,
        source: None,
        post: None,
        generation: Generation::default(),
        written_at: UnixMillis::new(1),
        loud: true,
        media_from: None,
        look_at_avatar: false,
        clue: Some(Box::new(PressClue {
            text: text.parse().ok(),
            row: row.map(|value| value.parse().unwrap()),
        })),
        raw: Bytes::from(text.to_owned()),
    }
}

fn reply() -> Reply {
    Reply {
        conversation: ConversationId::from_random([1; 16]),
        by: Author {
            user: UserId(1),
            person: PersonId::from_random([3; 16]),
            name: "Ada".parse().unwrap(),
            client: None,
            is_bot: false,
        },
        content: OutgoingContent::Text {
            text: "Hello".parse().unwrap(),
        },
        reply_to: None,
        version: Some(HookVersion::V2),
        request: None,
        lead: None,
        resends: None,
        template: None,
        list: None,
        window: None,
    }
}

fn with_buttons(texts: &[&str], url: Option<&str>) -> Reply {
    let buttons = texts.iter().map(|text| Button {
        text: text.parse().unwrap(),
        url: url.map(|url| url.parse().unwrap()),
    });
    let template = SentTemplate {
        id: TemplateId(1),
        external_id: None,
        content: "Hello".parse().unwrap(),
        parameters: Vec::new(),
        buttons: buttons.collect(),
        buttons_in_text: false,
    };
    Reply {
        template: Some(Box::new(template)),
        ..reply()
    }
}

fn with_list(shows_lists: bool) -> Reply {
    let part = SentList::new(list(), shows_lists);
    Reply {
        content: OutgoingContent::Text {
            text: part.text().unwrap(),
        },
        list: Some(Box::new(part)),
        ..reply()
    }
}

#[test]
fn only_the_newest_buttons_are_pressed() {
    let mut world = World::new();
    assert_eq!(world.says("m-1", "Yes"), None);
    world.sends(with_buttons(&["Yes", "No"], None));
    world.sends(reply());
    assert_eq!(world.says("m-2", "yes"), None);
    assert_eq!(world.says("m-3", "Yes").as_deref(), Some("Yes"));
    // Posted twice, it is one press.
    let count = world.state.messages;
    assert_eq!(world.says("m-3", "Yes").as_deref(), Some("Yes"));
    assert_eq!(world.state.messages, count);
    world.sends(with_buttons(&["Maybe"], None));
    assert_eq!(world.says("m-4", "Yes"), None);
    assert_eq!(world.says("m-5", "Maybe").as_deref(), Some("Maybe"));
    // A link is opened, and its text is no press; nor does the older message count again.
    world.sends(with_buttons(&["Shop"], Some("https://shop.example")));
    assert_eq!(world.says("m-6", "Shop"), None);
    assert_eq!(world.says("m-7", "Maybe"), None);
}

#[test]
fn buttons_in_the_text_are_no_markup() {
    let mut world = World::new();
    world.says("m-1", "Hello");
    world.sends(with_buttons(&["Yes"], None));
    let mut plain = with_buttons(&["No"], None);
    plain.template.as_mut().unwrap().buttons_in_text = true;
    world.sends(plain);
    assert_eq!(world.says("m-2", "No"), None);
    assert_eq!(world.says("m-3", "Yes").as_deref(), Some("Yes"));
}

#[test]
fn a_row_is_chosen_by_its_value() {
    let mut world = World::new();
    world.says("m-1", "Hello");
    world.sends(with_list(true));
    assert_eq!(world.says("m-2", "09:00"), None);
    let row = |msgid: &str, value: &str| message(msgid, "whatever", Some(value));
    assert_eq!(world.receives(row("m-3", "slot-0800")), None);
    assert_eq!(
        world.receives(row("m-4", "slot-1800")).as_deref(),
        Some("18:00")
    );
    world.sends(with_list(false));
    assert_eq!(
        world.receives(row("m-5", "slot-0900")).as_deref(),
        Some("09:00")
    );
    world.sends(with_buttons(&["Yes"], None));
    assert_eq!(world.receives(row("m-6", "slot-0900")), None);
}

/// The beginning of a conversation is condensed: its records are gone, and the state that stands for them stays.
#[test]
fn a_press_of_what_is_gone_is_a_text() {
    let mut world = World::new();
    world.says("m-1", "Hello");
    world.sends(with_buttons(&["Yes"], None));
    world.records.clear();
    assert_eq!(world.says("m-2", "Yes"), None);
}

#[test]
fn the_same_list_is_a_repeat_whatever_the_channel_shows() {
    let mut world = World::new();
    world.says("m-1", "Hello");
    let key: IdempotencyKey = "k".parse().unwrap();
    let keyed = |reply: Reply| Reply {
        request: Some(key.clone()),
        ..reply
    };
    assert!(!world.run(keyed(with_list(true))).unwrap().repeated);
    assert!(world.run(keyed(with_list(false))).unwrap().repeated);
    let mut other = with_list(true);
    other.list.as_mut().unwrap().list.footer = None;
    for wrong in [other, reply(), with_buttons(&["Yes"], None)] {
        assert_eq!(world.run(keyed(wrong)), Err(ReplyRejection::OtherRequest));
    }
}

fn windowed(hours: i64) -> Reply {
    Reply {
        window: Some(WindowHours::try_from(hours).unwrap()),
        ..reply()
    }
}

#[test]
fn a_window_begins_with_the_customers_loud_message() {
    let mut world = World::new();
    let silent = SendMessage {
        loud: false,
        ..message("m-1", "Old", None)
    };
    world.receives(silent);
    let imported = SendMessage {
        imported: Some(ImportAuthor {
            person: PersonId::from_random([4; 16]),
            name: "Bot".parse().unwrap(),
        }),
        ..message("m-2", "Old", None)
    };
    world.receives(imported);
    let never = world.run(windowed(24)).unwrap_err();
    assert_eq!(
        never.to_string(),
        "the customer has not written yet: only a template can be sent until the customer writes"
    );
    let heard_at = world.now;
    world.says("m-3", "Hello");
    let end = heard_at.plus(24 * HOUR);
    world.now = UnixMillis::new(end.get() - 1);
    world.sends(windowed(24));
    world.now = end;
    assert_eq!(
        world.run(windowed(24)).unwrap_err(),
        ReplyRejection::WindowClosed { closed_at: end }
    );
    world.sends(windowed(25));
    world.sends(reply());
    let refusal = world.run(windowed(1)).unwrap_err().to_string();
    assert!(
        refusal.contains("closed at 1970-01-01T01:16:40Z"),
        "{refusal}"
    );
}

#[test]
fn templates_programs_and_repeats_need_no_window() {
    let mut world = World::new();
    world.says("m-1", "Hello");
    let keyed = || Reply {
        request: Some("k".parse().unwrap()),
        ..windowed(1)
    };
    world.sends(keyed());
    world.now = world.now.plus(2 * HOUR);
    assert!(world.run(windowed(1)).is_err());
    assert!(world.run(keyed()).unwrap().repeated);
    let mut bot = windowed(1);
    bot.by.is_bot = true;
    world.sends(bot);
    world.sends(Reply {
        window: windowed(1).window,
        ..with_buttons(&["Yes"], None)
    });
}
