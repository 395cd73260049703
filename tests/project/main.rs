//! The project itself: the conventions that a machine can check, what is built in, and the list of what a run skipped. A
//! failure says what to do.

mod claims;
mod crates;
mod documents;
mod engine;
mod error_names;
mod grammar;
mod guide;
mod imports;
mod interface;
mod operations;
mod purity;
mod skips;
mod steps;
mod supply_chain;
mod test_names;
mod texts;
mod variables;
mod waits;

use std::fs;
use std::path::{Path, PathBuf};

/// A source file: its path from the root of the project, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The part before the tests.
    fn production(&self) -> &str {
        self.text
            .split("#[cfg(test)]\nmod ")
            .next()
            .unwrap_or_default()
    }

    fn is_test(&self) -> bool {
        let path = &self.path;
        path.contains("/tests/")
            || path.starts_with("tests/")
            || path.ends_with("/tests.rs")
            || path.contains("simulation")
    }
}

/// The folders of the crates.
const CRATES: [&str; 22] = [
    "actors",
    "bridges",
    "connections",
    "diagnosis",
    "dispatch",
    "domain",
    "engine",
    "erasures",
    "exam",
    "gate",
    "http",
    "loopback",
    "media",
    "network",
    "push",
    "relay",
    "replication",
    "runtime",
    "src",
    "values",
    "wire",
    "worlds",
];

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list = Vec::new();
    let mut folders: Vec<PathBuf> = [
        "src",
        "actors/src",
        "actors/tests",
        "bridges/core/src",
        "bridges/telegram/src",
        "bridges/telegram/tests",
        "bridges/telegram-double/src",
        "bridges/telegram-double/tests",
        "connections/src",
        "diagnosis/src",
        "dispatch/src",
        "domain/src",
        "domain/tests",
        "engine/src",
        "engine/tests",
        "erasures/src",
        "exam/src",
        "exam/tests",
        "gate/src",
        "http/src",
        "loopback/src",
        "media/src",
        "network/src",
        "push/src",
        "relay/src",
        "relay/server/src",
        "runtime/src",
        "values/src",
        "wire/src",
        "worlds/src",
        "replication/src",
        "replication/tests",
        "tests",
        "benches",
    ]
    .map(|name| root.join(name))
    .into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap_or_default();
                let path = path
                    .strip_prefix(root)
                    .unwrap_or(&path)
                    .display()
                    .to_string();
                list.push(Source { path, text });
            }
        }
    }
    assert!(list.len() > 100, "the sources were not found");
    list
}

/// Files whose path begins with one of `within`, but with none of `except`, and whose production part has `needle`.
fn offenders(needle: &str, within: &[&str], except: &[&str]) -> Vec<String> {
    let begins =
        |path: &str, prefixes: &[&str]| prefixes.iter().any(|prefix| path.starts_with(prefix));
    sources()
        .into_iter()
        .filter(|source| {
            begins(&source.path, within) && !begins(&source.path, except) && !source.is_test()
        })
        .filter(|source| source.production().contains(needle))
        .map(|source| source.path)
        .collect()
}

#[track_caller]
fn none(offenders: &[String], what_to_do: &str) {
    assert!(
        offenders.is_empty(),
        "{what_to_do}:\n  {}",
        offenders.join("\n  ")
    );
}

#[test]
fn each_engine_has_its_place() {
    none(
        &offenders("use sled", &CRATES, &["engine/src/store/tables/sled"]),
        "only store/tables/sled.rs names sled",
    );
    none(
        &offenders(
            "crossbeam_epoch",
            &CRATES,
            &["engine/src/store/tables/sled/garbage.rs"],
        ),
        "only store/tables/sled/garbage.rs frees what sled leaves",
    );
    none(
        &offenders(
            "actix::",
            &[
                "actors", "dispatch", "domain", "erasures", "relay", "runtime", "values", "wire",
            ],
            &[
                "engine/src/runtime",
                "actors/src/dispatcher",
                "actors/src/hooks",
                "actors/src/relays",
                "relay/server",
                "actors/src/salesbots",
                "actors/src/system",
                "runtime/src/shared",
            ],
        ),
        "actix stays in runtime, actor and system/start",
    );
    none(
        &offenders(
            "actix::prelude",
            &["actors", "gate", "http", "runtime", "src", "worlds"],
            &[],
        ),
        "name what you use of actix: our own words collide with its prelude",
    );
    none(
        &offenders(
            "use actix_web",
            &[
                "src", "actors", "engine", "loopback", "media", "network", "push", "runtime",
                "values", "wire", "worlds",
            ],
            &["worlds/src/http_world"],
        ),
        "HTTP stays in connections, gate and http",
    );
}

#[test]
fn libraries_have_errors_of_their_own() {
    none(
        &offenders(
            "anyhow",
            &[
                "actors/src",
                "dispatch",
                "domain",
                "erasures",
                "gate",
                "http",
                "media",
                "network",
                "push",
                "runtime",
                "src/config",
                "values",
                "wire",
            ],
            &[],
        ),
        "anyhow is for main, cli, serve and worlds",
    );
}

#[test]
fn no_code_is_marked_as_unfinished() {
    for needle in ["TODO", "FIXME", "todo!", "unimplemented!"] {
        none(
            &offenders(needle, &CRATES, &[]),
            &format!("`{needle}`: finish it, or leave the part out"),
        );
    }
}

#[test]
fn every_route_is_declared_in_a_table() {
    for needle in ["web::resource(", "web::scope(", "ServiceConfig"] {
        none(
            &offenders(
                needle,
                &CRATES,
                &[
                    "http/src/lib.rs",
                    "http/src/address.rs",
                    "http/src/in_memory.rs",
                ],
            ),
            &format!("`{needle}`: declare it with addresses!, beside its description"),
        );
    }
}

#[test]
fn account_addresses_go_through_user_access() {
    none(
        &offenders(".connected(", &["http/src/account", "http/src/inbox"], &[]),
        "what is written through a connected scope knows no rights: use System::user_access",
    );
}

/// Functions that read all stored data are for test kits: they know no rights.
#[test]
fn the_service_looks_at_nothing_without_rights() {
    for needle in [".kernel()", "system::whole", "Whole::new("] {
        none(
            &offenders(needle, &["gate", "http", "media", "network", "src"], &[]),
            &format!(
                "`{needle}` is for tests: use System::user_access or the operator's functions"
            ),
        );
    }
}

#[test]
fn files_are_small() {
    let long: Vec<String> = sources()
        .into_iter()
        .filter(|source| !source.is_test() && !source.path.ends_with("disk/faulty.rs"))
        .filter(|source| source.production().lines().count() > 420)
        .map(|source| source.path)
        .collect();
    none(
        &long,
        "more than 420 lines before the tests: several ideas may live in one room",
    );
}

#[test]
fn every_test_named_in_the_documents_exists() {
    let sources = sources();
    let text = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        fs::read_to_string(path).unwrap_or_default()
    };
    let is_name = |word: &&str| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        word.bytes().all(plain) && word.matches('_').count() >= 4
    };
    let catalogue = text("tests/data/catalogue.txt");
    let rows = catalogue.lines();
    let tests: Vec<&str> = rows.filter_map(|line| line.strip_prefix("test ")).collect();
    let mut lists = vec![("tests/data/catalogue.txt", tests)];
    let pages = ["docs/compatibility.md", "docs/promises.md"].map(|file| (file, text(file)));
    for (file, page) in &pages {
        lists.push((file, page.split('`').filter(is_name).collect()));
    }
    for (file, names) in lists {
        assert!(
            names.len() > 50,
            "{} names were found in {file}",
            names.len()
        );
        let missing: Vec<String> = names
            .into_iter()
            .filter(|name| {
                let function = format!("fn {name}(");
                !sources.iter().any(|source| source.text.contains(&function))
            })
            .map(str::to_owned)
            .collect();
        none(&missing, &format!("{file} names tests that are not there"));
    }
}

#[test]
fn modules_are_files_beside_their_folder() {
    let paths: Vec<String> = sources()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.ends_with("/mod.rs"))
        .collect();
    none(&paths, "use foo.rs + foo/ in place of foo/mod.rs");
}

#[test]
fn no_source_names_a_path_of_the_build_machine() {
    let words = [["/wo", "rk/"].concat(), ["sha", "red/spec"].concat()];
    let paths: Vec<String> = sources()
        .into_iter()
        .filter(|source| words.iter().any(|word| source.text.contains(word.as_str())))
        .map(|source| source.path)
        .collect();
    none(&paths, "the project stands alone");
}
