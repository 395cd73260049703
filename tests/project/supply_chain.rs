//! The dependencies: their licences, their sources, and those that were ruled out. The rules are those of `.deny.toml`,
//! in the form of cargo-deny, which `.ci/run` runs and which takes minutes to build. Every run of the tests checks the
//! same rules against `Cargo.lock` and `cargo metadata`.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The packages of this project.
const OURS: [&str; 27] = [
    "switchboard",
    "switchboard-actors",
    "switchboard-bench",
    "switchboard-bridge",
    "switchboard-bridge-core",
    "switchboard-connections",
    "switchboard-diagnosis",
    "switchboard-dispatch",
    "switchboard-domain",
    "switchboard-engine",
    "switchboard-erasures",
    "switchboard-exam",
    "switchboard-gate",
    "switchboard-http",
    "switchboard-loopback",
    "switchboard-media",
    "switchboard-network",
    "switchboard-push",
    "switchboard-relay",
    "switchboard-relay-server",
    "switchboard-replication",
    "switchboard-runtime",
    "switchboard-telegram",
    "switchboard-values",
    "switchboard-wire",
    "switchboard-worlds",
    "telegram-double",
];

fn read(file: &str) -> toml::Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

fn texts(list: &toml::Value, key: &str) -> BTreeSet<String> {
    let entries = list.as_array().unwrap().iter();
    let text = |entry: &toml::Value| {
        let package = entry.get(key).unwrap_or(entry);
        package.as_str().unwrap().to_owned()
    };
    entries.map(text).collect()
}

/// Returns whether the allowed licences satisfy an expression: one side of each OR, both sides of each AND.
fn fits(expression: &str, allowed: &BTreeSet<String>) -> bool {
    // The older spelling of OR.
    let expression = expression.replace('/', " OR ");
    either(expression.trim(), " OR ", false, allowed)
}

fn either(text: &str, word: &str, all: bool, allowed: &BTreeSet<String>) -> bool {
    let mut parts = split(text, word).into_iter().map(str::trim);
    let part = |text: &str| match word {
        " OR " => either(text, " AND ", true, allowed),
        _ => match text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
            Some(inner) => either(inner, " OR ", false, allowed),
            None => allowed.contains(text),
        },
    };
    if all {
        parts.all(part)
    } else {
        parts.any(part)
    }
}

/// The parts between a word, outside of brackets.
fn split<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let (mut parts, mut begun, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        let rest = text.get(at..).unwrap();
        if depth == 0 && at >= begun && rest.starts_with(word) {
            parts.push(text.get(begun..at).unwrap());
            begun = at + word.len();
        }
    }
    parts.push(text.get(begun..).unwrap());
    parts
}

#[test]
fn a_licence_expression_needs_one_side_of_or_and_both_of_and() {
    let licences = BTreeSet::from(["MIT".to_owned(), "ISC".to_owned()]);
    for met in [
        "MIT",
        "MIT OR GPL-3.0",
        "GPL-3.0/MIT",
        "MIT AND ISC",
        "(GPL-3.0 OR MIT) AND ISC",
        "GPL-3.0 OR (MIT AND ISC)",
    ] {
        assert!(fits(met, &licences), "{met}");
    }
    for unmet in [
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "(MIT OR ISC) AND GPL-3.0",
        "MIT WITH x",
        "",
    ] {
        assert!(!fits(unmet, &licences), "{unmet}");
    }
}

#[test]
fn every_licence_is_an_allowed_one() {
    let licences = texts(&read(".deny.toml")["licenses"]["allow"], "");
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(["--filter-platform", &platform])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "{} packages", packages.len());
    let unfit: Vec<_> = packages
        .iter()
        .filter(|it| !fits(it["license"].as_str().unwrap_or_default(), &licences))
        .map(|it| format!("{} {}: {}", it["name"], it["version"], it["license"]))
        .collect();
    assert!(unfit.is_empty(), "licences that do not fit: {unfit:#?}");
}

/// Returns whether a rule such as `native-tls`, or `h2:<0.4`, rules out this version of a crate.
fn rules_out(rule: &str, name: &str, version: &str) -> bool {
    let Some((ruled, bound)) = rule.split_once(":<") else {
        return rule == name;
    };
    let numbers = |version: &str| -> Vec<u32> {
        let parts = version.split('.').take(2);
        parts.map(|part| part.parse().unwrap()).collect()
    };
    ruled == name && numbers(version) < numbers(bound)
}

#[test]
fn a_rule_may_be_about_older_versions_only() {
    assert!(rules_out("native-tls", "native-tls", "1.0.0"));
    assert!(rules_out("h2:<0.4", "h2", "0.3.26"));
    for (name, version) in [("h2", "0.4.20"), ("h2", "1.0.0"), ("other", "0.3.0")] {
        assert!(!rules_out("h2:<0.4", name, version), "{name} {version}");
    }
}

/// Requests and metrics name the version of the package that makes them.
#[test]
fn all_packages_have_the_version_of_the_program() {
    let lock = read("Cargo.lock");
    let version = |package: &toml::Value| package["version"].as_str().unwrap().to_owned();
    let packages = lock["package"].as_array().unwrap().iter();
    let ours = packages.filter(|it| OURS.contains(&it["name"].as_str().unwrap()));
    let versions: BTreeSet<String> = ours.map(version).collect();
    assert_eq!(versions.len(), 1, "{versions:?}");
}

#[test]
fn every_dependency_comes_from_the_registry_and_none_is_banned() {
    let rules = read(".deny.toml");
    let registries = texts(&rules["sources"]["allow-registry"], "");
    let denied = texts(&rules["bans"]["deny"], "crate");
    let several = texts(&rules["bans"]["skip"], "crate");
    let lock = read("Cargo.lock");
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut faults = Vec::new();
    for package in lock["package"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        versions
            .entry(name)
            .or_default()
            .push(package["version"].as_str().unwrap());
        let ours = OURS.contains(&name);
        let source = package.get("source").and_then(|it| it.as_str());
        let registry = source.and_then(|it| it.strip_prefix("registry+"));
        if !registry.map_or(ours, |it| registries.contains(it)) {
            faults.push(format!("{name} comes from {source:?}"));
        }
        let version = package["version"].as_str().unwrap();
        if denied.iter().any(|rule| rules_out(rule, name, version)) {
            faults.push(format!("{name} is ruled out"));
        }
    }
    for (name, versions) in &versions {
        if versions.len() > 1 && !several.contains(*name) {
            faults.push(format!("{name} is there as {versions:?}"));
        }
    }
    for name in &several {
        if versions.get(name.as_str()).is_none_or(|it| it.len() < 2) {
            faults.push(format!("{name} is there once now: take it from the list"));
        }
    }
    assert!(faults.is_empty(), "see .deny.toml: {faults:#?}");
}
