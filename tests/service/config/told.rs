//! The report of problems: all at once, in order, with their place.

use switchboard::config::{Overrides, Settings};

use crate::config::env;

#[test]
fn every_problem_is_reported_at_once_in_the_order_of_the_file() {
    let text = "[server]\nlisen = 1\nworkers = 99\n[store]\ndurability = \"x\"\n";
    let variables = env(&[("SWITCHBOARD_DISPATCH__ATTEMPTS_MAX", "0")]);
    let errors = Settings::parse(text, "my.toml", &variables, Overrides::default()).unwrap_err();
    assert_eq!(errors.count(), 4);
    is_told(
        &errors.to_string(),
        "error[config/unknown-key]: unknown key `server.lisen`
  --> my.toml:2
  |
2 | lisen
  | ^^^^^ did you mean `listen`?
  help: keys here: body_limit_bytes, callback_url, drain_seconds, hosts, listen, public_url, signature_hints, trusted_proxies, workers

error[config/bad-value]: `server.workers` is out of range
  --> my.toml:3
  |
3 | workers = 99
  |           ^^
  help: write a whole number from 0 to 64

error[config/bad-value]: `store.durability` is not valid
  --> my.toml:5
  |
5 | durability = \"x\"
  |              ^^^
  help: write \"always\" or \"interval\"

error[config/bad-value]: SWITCHBOARD_DISPATCH__ATTEMPTS_MAX = \"0\" is out of range
  help: write a whole number from 1 to 100",
    );
}

#[track_caller]
fn is_told(told: &str, wanted: &str) {
    assert_eq!(told, wanted, "\n{told}");
}

#[test]
fn an_unreadable_file_is_named() {
    let missing = std::path::Path::new("no/such/config.toml");
    let errors = Settings::load(Some(missing), &env(&[]), Overrides::default())
        .unwrap_err()
        .to_string();
    assert!(
        errors.contains("cannot read no/such/config.toml") && errors.contains("--config FILE"),
        "{errors}"
    );
}
