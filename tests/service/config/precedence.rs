//! Flags, environment and file: who outranks whom, and how a variable names a key.

use std::time::Duration;

use switchboard::config::values::Durability;
use switchboard::config::{Overrides, SHIPPED};
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::installation::channels::kind::ChannelKind;
use switchboard_actors::domain::installation::channels::settings::AllowedAccounts;

use crate::config::{ACCOUNT, accepted, refused};

#[test]
fn a_flag_outranks_the_environment_and_the_environment_the_file() {
    let file = "[server]\nlisten = \"127.0.0.1:1\"\n[store]\npath = \"a\"";
    let variables = [
        ("SWITCHBOARD_SERVER__LISTEN", "127.0.0.1:2"),
        ("SWITCHBOARD_STORE__PATH", "b"),
    ];
    let of_file = accepted(file, &[], Overrides::default());
    let of_env = accepted(file, &variables, Overrides::default());
    let flags = Overrides {
        listen: Some("127.0.0.1:3".into()),
        data_dir: Some("c".into()),
    };
    let of_flags = accepted(file, &variables, flags);
    for (settings, port, path) in [(of_file, 1, "a"), (of_env, 2, "b"), (of_flags, 3, "c")] {
        assert_eq!(settings.server.listen.port, port);
        assert_eq!(settings.store.path.to_str(), Some(path));
    }
}

#[test]
fn a_variable_sets_any_key_in_any_letter_case() {
    let settings = accepted(
        SHIPPED,
        &[
            ("SWITCHBOARD_server__Workers", "3"),
            ("SWITCHBOARD_SERVER__SIGNATURE_HINTS", "false"),
            ("SWITCHBOARD_STORE__DURABILITY", "interval"),
            ("SWITCHBOARD_DISPATCH__ALLOW_CIDRS", "10.1.0.0/16, fd00::/8"),
            ("SWITCHBOARD_CHANNELS__0__SECRET", "another"),
            ("SWITCHBOARD_CHANNELS__0__ACCOUNTS", ACCOUNT),
            ("SWITCHBOARD_CHANNELS__0__GENERATION", "current"),
            ("SWITCHBOARD_CHANNELS__0__KIND", "telegram"),
            ("SWITCHBOARD_CHANNELS__0__PAGE", "https://e.com/bot"),
            ("SWITCHBOARD_CHANNELS__0__WEBHOOK_V1", "none"),
            ("SWITCHBOARD_CHANNELS__0__TIMEOUT_SECONDS", "7"),
            ("SWITCHBOARD_ACCOUNTS__0__USERS__0__IS_ADMIN", "false"),
            ("SWITCHBOARD_LOG", "not ours to judge"),
            ("OTHER__THING", "x"),
        ],
        Overrides::default(),
    );
    assert_eq!(settings.server.workers, 3);
    assert!(!settings.server.signature_hints);
    assert_eq!(settings.store.durability, Durability::Interval);
    assert_eq!(settings.dispatch.allow_cidrs.len(), 2);
    assert_eq!(settings.channels[0].secret.expose(), "another");
    let channel = &settings.channels[0].settings;
    let only = AllowedAccounts::Named([ACCOUNT.parse().unwrap()].into());
    assert_eq!(channel.accounts, only);
    assert_eq!(channel.generation, Some(Generation::Current));
    assert_eq!(channel.kind, ChannelKind::Telegram);
    assert_eq!(channel.page.as_ref().unwrap().as_str(), "https://e.com/bot");
    assert_eq!(channel.webhook_v1, None);
    let timeout = channel.timeout_seconds.unwrap();
    assert_eq!(timeout.duration(), Duration::from_secs(7));
    assert!(!settings.accounts[0].users[0].is_admin);
}

#[test]
fn two_variables_for_one_key_are_refused() {
    let both = [
        ("SWITCHBOARD_SERVER__LISTEN", "127.0.0.1:1"),
        ("SWITCHBOARD_SERVER__listen", "127.0.0.1:2"),
    ];
    let errors = refused("", &both, Overrides::default());
    assert!(
        errors.contains("SWITCHBOARD_SERVER__LISTEN sets the same key"),
        "{errors}"
    );
}
