//! The configuration as its user meets it: what is accepted, what is refused and in which words.

mod address;
mod bad_files;
mod bad_variables;
mod precedence;
mod secrets;
mod shipped;
mod told;

use std::collections::BTreeMap;

use switchboard::config::{Overrides, SHIPPED, Settings};

const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";

fn env(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(own).collect()
}

fn listen(address: &str) -> Overrides {
    Overrides {
        listen: Some(address.to_owned()),
        data_dir: None,
    }
}

#[track_caller]
fn accepted(text: &str, pairs: &[(&str, &str)], flags: Overrides) -> Settings {
    match Settings::parse(text, "config.toml", &env(pairs), flags) {
        Ok(settings) => settings,
        Err(errors) => panic!("{errors}"),
    }
}

#[track_caller]
fn refused(text: &str, pairs: &[(&str, &str)], flags: Overrides) -> String {
    match Settings::parse(text, "config.toml", &env(pairs), flags) {
        Ok(settings) => panic!("accepted: {text:?} {pairs:?} as {settings:?}"),
        Err(errors) => errors.to_string(),
    }
}

/// The shipped file with one text replaced by another.
#[track_caller]
fn shipped_with(old: &str, new: &str) -> String {
    assert!(SHIPPED.contains(old), "{old}");
    SHIPPED.replace(old, new)
}
