//! The shipped file: it works as it is, and shows every key with its default.

use std::collections::BTreeSet;
use std::time::Duration;

use switchboard::config::all_sections::sections;
use switchboard::config::declaration::SectionDeclaration;
use switchboard::config::effective::{Setting, ValueSource};
use switchboard::config::load::keys;
use switchboard::config::values::{Durability, MediaPolicy};
use switchboard::config::{Overrides, SHIPPED, Settings};
use switchboard_actors::domain::installation::accounts::{Lang, Plan};
use switchboard_actors::domain::installation::channels::settings::AllowedAccounts;

use crate::config::{ACCOUNT, accepted, env};

#[test]
fn the_shipped_configuration_works_unchanged() {
    let settings = accepted(SHIPPED, &[], Overrides::default());
    assert_eq!(settings.server.listen.to_string(), "127.0.0.1:8080");
    let url = settings.server.public_url_at(8080).unwrap();
    assert_eq!(url.as_str(), "http://127.0.0.1:8080/");
    assert_eq!(settings.store.path.to_str(), Some("data"));
    assert_eq!(settings.operator.token.unwrap().expose(), "change-me");
    assert!(settings.dispatch.allow_private_networks);
    assert_eq!(settings.media.policy, MediaPolicy::Mirror);
    let [account] = settings.accounts.as_slice() else {
        panic!("{:?}", settings.accounts)
    };
    assert_eq!(account.id.to_string(), ACCOUNT);
    let of_account = (account.settings.lang, account.settings.plan);
    assert_eq!(of_account, (Lang::En, Plan::Enterprise));
    let [user] = account.users.as_slice() else {
        panic!("{:?}", account.users)
    };
    assert_eq!(
        (user.name.as_str(), user.email.as_str()),
        ("Ada", "ada@example.com")
    );
    assert!(user.is_admin);
    let [channel] = settings.channels.as_slice() else {
        panic!("{:?}", settings.channels)
    };
    assert_eq!(channel.settings.accounts, AllowedAccounts::All);
    assert_eq!(
        channel.settings.webhook_v2.as_ref().unwrap().as_str(),
        "http://127.0.0.1:9001/v2/:scope_id"
    );
}

/// The console shows copies only; everything else of a customer is a link.
#[test]
fn every_shipped_configuration_copies_pictures() {
    for text in [
        SHIPPED,
        include_str!("../../../packaging/switchboard.toml"),
        include_str!("../../../packaging/compose/switchboard.toml"),
    ] {
        // The environment of the containers has the secrets.
        let secret_variables = [
            ("SWITCHBOARD_ACCOUNTS__0__USERS__0__PASSWORD", "Passw0rd"),
            ("SWITCHBOARD_CHANNELS__0__SECRET", "s3cret"),
        ];
        let secrets = if text.contains("[[channels]]") {
            &secret_variables[..]
        } else {
            &[]
        };
        let settings = accepted(text, secrets, Overrides::default());
        assert_eq!(settings.media.policy, MediaPolicy::Mirror, "{text}");
    }
}

#[test]
fn without_a_file_the_defaults_hold() {
    let settings = Settings::load(None, &env(&[]), Overrides::default()).unwrap();
    assert_eq!(settings.server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.server.body_limit_bytes, 262_144);
    assert!((1..=8).contains(&settings.server.workers));
    assert!(settings.server.signature_hints);
    assert_eq!(settings.store.segment_bytes, 64 << 20);
    assert_eq!(settings.store.durability, Durability::Always);
    assert_eq!(settings.actors.idle_after, Duration::from_secs(300));
    assert_eq!(settings.actors.conversations_max_hot, 100_000);
    assert_eq!(settings.actors.turn, Duration::from_secs(15));
    assert_eq!(settings.media.file_bytes, 20 << 20);
    assert_eq!(settings.media.uploads_max, 32);
    assert_eq!(settings.media.uploads_per_account_max, 8);
    assert_eq!(settings.media.uploads_per_user_max, 4);
    assert_eq!(settings.media.unsent_per_user_max, 200);
    assert_eq!(settings.limits.streams_per_user_max, 32);
    assert_eq!(settings.media.unsent_max, 1_000);
    assert_eq!(settings.media.unsent_age, Duration::from_secs(86_400));
    assert_eq!(settings.media.policy, MediaPolicy::Check);
    assert_eq!(settings.media.fetches_max, 8);
    assert_eq!(settings.media.fetch_timeout, Duration::from_secs(30));
    assert_eq!(settings.media.fetch_retry, Duration::from_secs(60));
    assert_eq!((settings.retention.days, settings.retention.hour), (0, 3));
    assert!(settings.retention.rules.is_empty());
    assert!(!settings.dispatch.allow_private_networks);
    assert_eq!(settings.dispatch.timeout, Duration::from_secs(10));
    assert_eq!(settings.dispatch.attempts_max, 8);
    assert_eq!(settings.dispatch.refused_attempts_max, 4);
    assert_eq!(settings.dispatch.age_max, Duration::from_secs(86_400));
    assert_eq!(settings.dispatch.in_flight_max, 256);
    assert!(settings.accounts.is_empty() && settings.channels.is_empty());
    assert_eq!(settings.operator.token, None);
}

/// The lines `# key = value` of the shipped file.
fn documented_default(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix("# ")?.split_once(" = ")?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    key.bytes().all(plain).then_some((key, value))
}

#[test]
fn every_documented_default_is_the_default() {
    let shipped = accepted(SHIPPED, &[], Overrides::default());
    let mut defaults = 0;
    let uncommented: Vec<String> = SHIPPED
        .lines()
        .map(|line| match documented_default(line) {
            Some((key, value)) => {
                defaults += 1;
                format!("{key} = {value}")
            }
            None => line.to_owned(),
        })
        .collect();
    assert!(defaults >= 15, "{defaults}");
    assert_eq!(
        accepted(&uncommented.join("\n"), &[], Overrides::default()),
        shipped
    );
}

/// All settings of a text with their origins.
fn origins(text: &str) -> Vec<Setting> {
    let read = Settings::parse_with_origins(text, "config.toml", &env(&[]), Overrides::default());
    read.unwrap().1
}

/// The lines that the shipped file has for a section: comments and defaults as they are declared, and the values that it sets.
fn lines_of(section: &SectionDeclaration, defaults: &[Setting], shipped: &[Setting]) -> String {
    let mut lines = vec![format!("[{}]", section.name)];
    let comment = |line: &&str| format!("#{line}");
    lines.extend(section.introduction.iter().map(comment));
    for setting in section.settings {
        lines.extend(setting.comment.iter().map(comment));
        let path = format!("{}.{}", section.name, setting.key);
        let at = |settings: &[Setting]| settings.iter().find(|it| it.path == path).cloned();
        let (default, shipped) = (at(defaults).expect(&path), at(shipped).expect(&path));
        lines.push(if let ValueSource::Line(number) = shipped.source {
            SHIPPED.lines().nth(number - 1).unwrap().to_owned()
        } else {
            let value = toml::Value::try_from(&default.value).expect(&path);
            format!("# {} = {value}", setting.key)
        });
    }
    lines.join("\n") + "\n"
}

/// Neither an old sentence nor a line too many: a section ends where the next one begins, or at an empty line.
fn is_in(text: &str, lines: &str) -> bool {
    let text = format!("{text}\n");
    text.contains(&format!("\n{lines}\n"))
}

#[test]
fn the_shipped_sections_are_those_of_the_declaration() {
    let (defaults, shipped) = (origins(""), origins(SHIPPED));
    let mut declared = BTreeSet::new();
    for section in sections() {
        let lines = lines_of(&section, &defaults, &shipped);
        assert!(
            is_in(SHIPPED, &lines),
            "[{}] of config.toml is not as src/config declares it; write it as follows\n\n{lines}",
            section.name
        );
        let old = lines.replacen("\n# ", "\n# Formerly: ", 1);
        assert!(!is_in(&SHIPPED.replace(&lines, &old), &lines), "{lines}");
        let keys = section.settings.iter();
        declared.extend(keys.map(|setting| format!("{}.{}", section.name, setting.key)));
    }
    let is_of_list = |path: &String| {
        let lists = ["accounts", "channels", "oauth_clients", "relay"];
        lists
            .iter()
            .any(|list| path.starts_with(&format!("{list}.")))
    };
    let paths: BTreeSet<String> = keys()
        .into_iter()
        .filter(|path| !is_of_list(path))
        .collect();
    assert_eq!(paths, declared);
}

#[test]
fn every_key_is_documented_in_the_shipped_file() {
    let mut documented = BTreeSet::new();
    let (mut section, mut example) = ("", "");
    for line in SHIPPED.lines() {
        // What has no default is shown by an example, perhaps of a section that has none either.
        if let Some(line) = line.strip_prefix("#   ") {
            if line.starts_with('[') {
                example = line.trim_matches(|letter| letter == '[' || letter == ']');
            } else if let Some((key, _)) = line.split_once(" = ") {
                let section = if example.is_empty() { section } else { example };
                documented.insert(format!("{section}.{key}"));
            }
            continue;
        }
        example = "";
        if line.starts_with('[') {
            section = line.trim_matches(|letter| letter == '[' || letter == ']');
            continue;
        }
        let set = line.split_once(" = ").filter(|_| !line.starts_with('#'));
        if let Some((key, _)) = set.or_else(|| documented_default(line)) {
            documented.insert(format!("{section}.{key}"));
        }
    }
    assert_eq!(documented, keys());
}
