//! The names that the rules of the product may use. Everything else would let them wait, look at a clock, draw a number
//! or touch a file, so this is a list of what is allowed and not of what is forbidden.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;

use super::{Source, none, sources};

/// The crates that the rules may use: none of them has a clock, a file, a socket or randomness of its own.
const CRATES: [&str; 28] = [
    "base64",
    "bytes",
    "email_address",
    "encoding_rs",
    "flate2",
    "hex",
    "hmac",
    "httpdate",
    "jiff",
    "md-5",
    "schemars",
    "serde",
    "serde_json",
    "sha1",
    "sha2",
    "siphasher",
    "smallvec",
    "strsim",
    "subtle",
    "switchboard-dispatch",
    "switchboard-domain",
    "switchboard-engine",
    "switchboard-relay",
    "switchboard-values",
    "thiserror",
    "unicode-normalization",
    "url",
    "uuid",
];

/// The permitted names in crates that have more than data: a path, and all below it.
const PATHS: [&str; 46] = [
    "std::borrow",
    "std::cell::Cell",
    "std::cell::OnceCell",
    "std::cmp",
    "std::collections::BTreeMap",
    "std::collections::BTreeSet",
    "std::collections::VecDeque",
    "std::collections::btree_map",
    "std::convert",
    "std::error::Error",
    "std::fmt",
    "std::hash",
    // Compressed bodies in memory.
    "std::io::Read",
    "std::iter",
    "std::marker::PhantomData",
    "std::mem",
    "std::net::IpAddr",
    "std::net::Ipv4Addr",
    "std::net::Ipv6Addr",
    "std::net::SocketAddr",
    "std::num",
    "std::ops",
    "std::result",
    "std::slice",
    "std::str",
    "std::string",
    "std::sync::Arc",
    "std::time::Duration",
    // A date of a header becomes a number.
    "std::time::UNIX_EPOCH",
    "std::vec",
    "jiff::Timestamp",
    "jiff::fmt",
    "switchboard_engine::collections",
    "switchboard_engine::entries",
    "switchboard_engine::kinds",
    "switchboard_engine::state",
    // What the judges of erasures get and give: records as data, and verdicts about them.
    "switchboard_engine::store::Record",
    "switchboard_engine::store::Seq",
    "switchboard_engine::store::erasure::Fate",
    "switchboard_engine::store::erasure::ListHead",
    "switchboard_engine::store::erasure::Verdict",
    "switchboard_engine::store::erasure::list::RecordRanges",
    "switchboard_engine::stream",
    "switchboard_engine::table",
    "switchboard_engine::tables",
    "switchboard_engine::time",
];

/// The crates of [`PATHS`], and two more names for parts of the first.
const ROOTS: [&str; 5] = ["std", "core", "alloc", "jiff", "switchboard_engine"];

/// A path that begins here, and where it ends. A tree of imports gives a path for each of its leaves.
fn leaves(code: &str) -> Vec<String> {
    let is_name = |letter: char| letter == '_' || letter.is_alphanumeric();
    let end = code.find(|letter| !is_name(letter)).unwrap_or(code.len());
    let (name, rest) = code.split_at(end);
    let Some(rest) = rest.strip_prefix("::") else {
        return vec![name.to_owned()];
    };
    let below = match rest.strip_prefix('{') {
        Some(tree) => branches(tree).iter().flat_map(|it| leaves(it)).collect(),
        None => leaves(rest),
    };
    let full = |leaf: String| match leaf.as_str() {
        "" | "self" => name.to_owned(),
        leaf => format!("{name}::{leaf}"),
    };
    below.into_iter().map(full).collect()
}

/// The parts of a tree up to the brace that closes it.
fn branches(tree: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in tree.chars().filter(|letter| !letter.is_whitespace()) {
        match letter {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().unwrap().push(letter);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The paths of a text that begin with a root, outside of comments.
fn paths(text: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code = text.lines().filter(is_code).collect::<Vec<_>>().join("\n");
    let is_name = |letter: char| letter == '_' || letter.is_alphanumeric();
    let mut names = Vec::new();
    for root in ROOTS {
        for (at, _) in code.match_indices(root) {
            let (before, here) = code.split_at(at);
            let after = here.strip_prefix(root).unwrap_or_default();
            // A part of a longer name, a field, or a module of another path.
            if !before.ends_with(|letter| is_name(letter) || letter == '.')
                && !before
                    .strip_suffix("::")
                    .is_some_and(|it| it.ends_with(is_name))
                && !after.starts_with(is_name)
                && (after.starts_with("::") || before.trim_end().ends_with("use"))
            {
                names.extend(leaves(here));
            }
        }
    }
    names
}

/// Returns the names in a text that are not allowed.
fn forbidden(text: &str) -> Vec<String> {
    let is_allowed = |path: &str| {
        let below = |allowed: &&str| {
            path.strip_prefix(*allowed)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        PATHS.iter().any(below)
    };
    let mut names = paths(text);
    names.retain(|path| !is_allowed(path));
    names
}

#[test]
fn the_core_is_pure() {
    let folders = [
        "dispatch/src/",
        "domain/src/",
        "erasures/src/",
        "relay/src/",
        "values/src/",
    ];
    let is_rule = |source: &Source| {
        folders.iter().any(|folder| source.path.starts_with(folder)) && !source.is_test()
    };
    let sources: Vec<Source> = sources().into_iter().filter(is_rule).collect();
    assert!(sources.len() > 150, "{} files were found", sources.len());
    let faults: Vec<String> = sources
        .iter()
        .flat_map(|source| {
            let names = forbidden(source.production()).into_iter();
            names.map(|name| format!("{}: {name}", source.path))
        })
        .collect();
    none(
        &faults,
        "these do not belong into the rules: hand in what they give as data, or extend the list in tests/project/purity.rs",
    );
}

#[test]
fn the_rules_depend_on_nothing_that_acts() {
    let mut wrong = Vec::new();
    for folder in ["dispatch", "domain", "erasures", "relay", "values"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(folder)
            .join("Cargo.toml");
        let manifest: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
        let dependencies = manifest["dependencies"].as_table().unwrap();
        let others = dependencies
            .keys()
            .filter(|name| !CRATES.contains(&name.as_str()));
        wrong.extend(others.map(|name| format!("{folder}/Cargo.toml: {name}")));
    }
    none(&wrong, "the rules are pure code over plain data");
}

#[test]
fn what_acts_is_found_in_every_form_of_path() {
    for text in [
        "use std::fs;",
        "use std::{fmt, time::{Duration, Instant}};",
        "let now = std::time::SystemTime::now();",
        "use std as s;",
        "use ::std::process::Command;",
        "use core::sync::atomic::AtomicU64;",
        "use jiff::Zoned;",
        "use switchboard_engine::{state::State, runtime::kernel::Kernel};",
        "use std::collections::HashMap;",
        "macro_rules! now { () => { std::time::Instant::now() } }",
    ] {
        assert_eq!(forbidden(text).len(), 1, "{text}");
    }
    for text in [
        "use std::{fmt::{self, Display}, sync::Arc};",
        "// std::fs is not for rules.",
        "let std = 1; self.core::<u8>();",
        "use switchboard_engine::state::{Command, State};",
    ] {
        assert_eq!(forbidden(text), [""; 0], "{text}");
    }
}
