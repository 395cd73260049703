//! A wrong relay is refused before the service starts, with all of its mistakes and their paths.

use std::collections::BTreeMap;

use switchboard::config::retention::relay_rules_at;
use switchboard::config::{Overrides, Settings};
use switchboard_actors::domain::time::UnixMillis;

fn problems(text: &str) -> String {
    let read = Settings::parse(text, "test.toml", &BTreeMap::new(), Overrides::default());
    read.unwrap_err().to_string()
}

const RIGHT: &str = "[[relay]]\nchannel = \"shop\"\nsecret = \"s3cret\"\nfrom = \"/relay/shop\"\nto = \"https://bridge.test/in/:scope_id\"\n";

#[test]
fn a_relay_has_defaults_for_all_but_four_keys() {
    let read = Settings::parse(RIGHT, "test.toml", &BTreeMap::new(), Overrides::default());
    let relay = read.unwrap().relays.remove(0).down;
    assert_eq!(relay.from.as_str(), "/relay/shop");
    assert_eq!(relay.bounds.body_bytes_max, 1 << 20);
    assert_eq!(
        (relay.bounds.waiting_max, relay.bounds.copies_waiting_max),
        (1_000_000, 100_000)
    );
    assert!(relay.copies.is_empty() && relay.previous_secret.is_none());
    assert_eq!((relay.bounds.keep_days, relay.bounds.keep_bytes), (30, 0));
    assert_eq!(relay.bounds.upward_per_second, 0);
}

#[test]
fn old_hooks_go_by_age_by_size_by_both_or_not() {
    let day = 86_400;
    let rules = |days: u64, mib: u64| {
        let text = format!("{RIGHT}keep_days = {days}\nkeep_mib = {mib}\n");
        let read = Settings::parse(&text, "test.toml", &BTreeMap::new(), Overrides::default());
        let relay = read.unwrap().relays.remove(0).down;
        let mut rules = relay_rules_at(&[relay], UnixMillis::from_secs(9 * day));
        let rule = rules.pop()?;
        Some((rule.before, rule.relayed_bytes_max))
    };
    let before = Some(UnixMillis::from_secs(7 * day));
    assert_eq!(rules(0, 0), None);
    assert_eq!(rules(2, 0), Some((before, None)));
    assert_eq!(rules(0, 3), Some((None, Some(3 << 20))));
    assert_eq!(rules(2, 3), Some((before, Some(3 << 20))));
}

#[test]
fn all_mistakes_of_a_relay_come_at_once() {
    let wrong = "[[relay]]\nsecret = \"has a blank\"\nfrom = \"/api/v4/leads\"\nto = \"bridge\"\ncopies = [\"ftp://x\"]\nbody_kib = 0\nwaitng_max = 1\n";
    let text = problems(wrong);
    for part in [
        "relay[0].channel",
        "relay[0].secret",
        "relay[0].from",
        "relay[0].to",
        "relay[0].copies",
        "relay[0].body_kib",
        "waitng_max",
        "/relay/shop",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn messages_are_stored_first_only_on_the_way_to_a_counterpart() {
    let later = format!("{RIGHT}accept = \"later\"\n");
    let text = problems(&later);
    assert!(
        text.contains("`relay[0].accept` needs `upstream`"),
        "{text}"
    );
    let text = problems(&format!("{RIGHT}accept = \"soon\"\n"));
    assert!(text.contains("relay[0].accept"), "{text}");
    let posts_to = |text: &str| {
        let read = Settings::parse(text, "test.toml", &BTreeMap::new(), Overrides::default());
        read.unwrap().relays.remove(0).down.posts_to
    };
    let upstream = "upstream = \"https://amojo.amocrm.ru\"\n";
    let origin = posts_to(&format!("{later}{upstream}")).unwrap();
    assert_eq!(
        origin.as_str().trim_end_matches('/'),
        "https://amojo.amocrm.ru"
    );
    assert_eq!(posts_to(&format!("{RIGHT}{upstream}")), None);
}

#[test]
fn two_relays_share_neither_channel_nor_path() {
    let within = RIGHT.replace("/relay/shop", "/relay/shop/more");
    let text = problems(&format!("{RIGHT}{within}"));
    assert!(text.contains("relay[1].channel"), "{text}");
    assert!(text.contains("relay[1].from"), "{text}");
    let account = "account_hooks_from = \"/relay/to/0123456789abcdef\"\naccount_hooks_to = \"https://bridge.test/account\"\naccounts = [\"1\"]\n";
    let text = problems(&format!("{RIGHT}{account}"));
    assert!(text.contains("relay[0].account_hooks_from"), "{text}");
    let own = "[[channels]]\nid = \"shop\"\nsecret = \"other\"\nname = \"Shop\"\n";
    let text = problems(&format!("{RIGHT}{own}"));
    assert!(text.contains("[[channels]]"), "{text}");
}
