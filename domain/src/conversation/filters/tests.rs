use super::*;
use crate::conversation::customer::Origin;
use crate::crm::tag::Tag;
use crate::crm::tests::{OPEN, lead};
use crate::id::{AccountId, ConversationId, ScopeId};
use switchboard_engine::state::State as _;

const MIA: Looker = Looker {
    user: UserId(2),
    group: Some(GroupId(3)),
};

fn conversation(channel: &str) -> Conversation {
    let account = AccountId::from_random([1; 16]);
    Conversation {
        origin: Some(Origin {
            scope: ScopeId::new(channel.parse().unwrap(), account),
            client_id: None,
        }),
        spoken: 1,
        ..Conversation::initial(&ConversationId::from_random([1; 16]))
    }
}

fn filters(query: &[(&str, &str)]) -> Result<ConversationFilters, Vec<String>> {
    let value = |name| {
        let mut pairs = query.iter().filter(|(given, _)| *given == name);
        pairs.next().map(|(_, value)| *value)
    };
    ConversationFilters::parse(value).map_err(|wrong| paths(&wrong))
}

fn paths(wrong: &Violations) -> Vec<String> {
    wrong.kept().iter().map(|it| it.path.clone()).collect()
}

#[test]
fn filters_are_read_by_name_and_all_that_is_wrong_is_named() {
    let all = filters(&[("state", "all"), ("responsible", ""), ("tag", "")]).unwrap();
    assert!(all.is_empty());
    let some = filters(&[
        ("state", "unread"),
        ("responsible", "me"),
        ("group", "7"),
        ("status", "open"),
        ("channel", "telegram"),
        ("tag", "5"),
    ])
    .unwrap();
    let all = ConversationFilters {
        state: Some(Among::Unread),
        responsible: Some(OwnerFilter::Own),
        group: Some(OwnerFilter::One(GroupId(7))),
        status: Some(ConversationStatus::Open),
        channel: Some("telegram".parse().unwrap()),
        tag: Some(TagId(5)),
    };
    assert_eq!(some, all);
    let text = serde_json::to_string(&some).unwrap();
    let json = r#"{"state":"unread","responsible":"me","group":"7","status":"open","channel":"telegram","tag":5}"#;
    assert_eq!(text, json);
    let read: ConversationFilters = serde_json::from_str(&text).unwrap();
    assert_eq!(read, some);
    let wrong = ConversationFilters::NAMES.map(|name| (name, "*"));
    assert_eq!(
        filters(&wrong),
        Err(ConversationFilters::NAMES.map(str::to_owned).to_vec())
    );
    assert_eq!(filters(&[("tag", "0")]), Err(vec!["tag".to_owned()]));
}

#[test]
fn a_conversation_passes_all_filters_or_none() {
    let mut newest = lead(OPEN);
    newest.tags = vec![Tag {
        id: TagId(5),
        name: "vip".parse().unwrap(),
    }];
    let takes = |query: &[(&str, &str)]| {
        let group = Some(GroupId(3));
        filters(query)
            .unwrap()
            .takes(&conversation("a"), Some(&newest), group, MIA)
    };
    for right in [
        ("responsible", "me"),
        ("responsible", "2"),
        ("group", "mine"),
        ("group", "3"),
        ("status", "open"),
        ("channel", "a"),
        ("tag", "5"),
    ] {
        assert!(takes(&[right]), "{right:?}");
        for wrong in [
            ("responsible", "none"),
            ("responsible", "3"),
            ("group", "none"),
            ("group", "4"),
            ("status", "closed"),
            ("channel", "b"),
            ("tag", "6"),
        ] {
            assert!(!takes(&[wrong]), "{wrong:?}");
            if wrong.0 != right.0 {
                assert!(!takes(&[right, wrong]), "{right:?} {wrong:?}");
            }
        }
    }
}

#[test]
fn a_conversation_without_a_lead_has_neither_tag_nor_user() {
    for query in [("responsible", "me"), ("responsible", "none"), ("tag", "5")] {
        let filters = filters(&[query]).unwrap();
        assert!(
            !filters.takes(&conversation("a"), None, None, MIA),
            "{query:?}"
        );
    }
    let unassigned = filters(&[("group", "none")]).unwrap();
    assert!(unassigned.takes(&conversation("a"), None, None, MIA));
    let of_group = filters(&[("group", "mine")]).unwrap();
    let nobody = Looker { group: None, ..MIA };
    assert!(!of_group.takes(&conversation("a"), None, None, nobody));
}

#[test]
fn a_request_narrows_a_view_and_contradicts_it_nowhere() {
    let view = filters(&[("status", "open"), ("channel", "a")]).unwrap();
    let further = filters(&[("tag", "5"), ("status", "open")]).unwrap();
    let both = filters(&[("status", "open"), ("channel", "a"), ("tag", "5")]).unwrap();
    assert_eq!(further.within(&view), Ok(both));
    let other = filters(&[("status", "closed"), ("channel", "b"), ("tag", "5")]).unwrap();
    let wrong = other.within(&view).unwrap_err();
    assert_eq!(paths(&wrong), ["status", "channel"]);
}
