//! The walls: each crate sees those below it and no others, and its front page says what it promises.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeSet;

use super::documents::text;
use super::{none, sources};

/// A crate: its folder, and the crates that it may depend on.
struct Crate {
    folder: &'static str,
    below: &'static [&'static str],
}

/// From the bottom. `src` is the program: it sees all of them, and `worlds` and `exam` only as a feature.
const CRATES: [Crate; 24] = [
    // Bridges know the published interface, and nothing else of the service.
    Crate {
        folder: "bridges/core",
        below: &[],
    },
    Crate {
        folder: "bridges/telegram",
        below: &["bridge-core"],
    },
    // It stands alone: people use it who have never heard of the service.
    Crate {
        folder: "bridges/telegram-double",
        below: &[],
    },
    Crate {
        folder: "engine",
        below: &[],
    },
    Crate {
        folder: "replication",
        below: &["engine"],
    },
    Crate {
        folder: "values",
        below: &["engine"],
    },
    Crate {
        folder: "push",
        below: &[],
    },
    Crate {
        folder: "dispatch",
        below: &["engine", "values"],
    },
    Crate {
        folder: "domain",
        below: &["dispatch", "engine", "values"],
    },
    Crate {
        folder: "relay",
        below: &["domain", "engine"],
    },
    Crate {
        folder: "erasures",
        below: &["domain", "engine", "relay"],
    },
    Crate {
        folder: "diagnosis",
        below: &["domain"],
    },
    Crate {
        folder: "wire",
        below: &["domain", "engine", "erasures", "push"],
    },
    Crate {
        folder: "runtime",
        below: &["domain", "engine", "erasures", "relay", "wire"],
    },
    Crate {
        folder: "actors",
        below: &["domain", "engine", "erasures", "relay", "runtime", "wire"],
    },
    Crate {
        folder: "network",
        below: &["actors", "engine"],
    },
    Crate {
        folder: "media",
        below: &["actors", "engine", "network"],
    },
    Crate {
        folder: "gate",
        below: &["actors", "diagnosis", "engine", "network"],
    },
    Crate {
        folder: "connections",
        below: &["network"],
    },
    Crate {
        folder: "http",
        below: &[
            "actors",
            "connections",
            "diagnosis",
            "engine",
            "gate",
            "media",
            "network",
            "push",
        ],
    },
    Crate {
        folder: "relay/server",
        below: &["actors", "diagnosis", "http", "network"],
    },
    Crate {
        folder: "loopback",
        below: &["connections", "http"],
    },
    Crate {
        folder: "worlds",
        below: &[
            "actors",
            "connections",
            "engine",
            "http",
            "loopback",
            "media",
            "network",
        ],
    },
    Crate {
        folder: "exam",
        below: &["values", "worlds"],
    },
];

/// The folders of the libraries.
pub(super) fn folders() -> impl Iterator<Item = &'static str> {
    CRATES.iter().map(|it| it.folder)
}

/// The only crate that may use the virtual clock and the faulty disk outside of tests.
const KIT: &str = "worlds";

fn manifest(folder: &str) -> toml::Table {
    let path = format!("{folder}/Cargo.toml");
    text(path.trim_start_matches('/')).parse().unwrap()
}

/// The crates of this project among the dependencies of a package, each with its features.
fn own(manifest: &toml::Table) -> Vec<(String, BTreeSet<String>)> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(|targets| targets.values());
    let everywhere = std::iter::once(&manifest["dependencies"]);
    let tables = everywhere.chain(targets.filter_map(|target| target.get("dependencies")));
    let dependencies = tables.filter_map(toml::Value::as_table).flatten();
    let own = dependencies.filter_map(|(name, how)| {
        let features = how
            .get("features")
            .and_then(toml::Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|it| it.as_str());
        let folder = name.strip_prefix("switchboard-")?;
        Some((folder.to_owned(), features.map(str::to_owned).collect()))
    });
    own.collect()
}

#[test]
fn each_crate_depends_only_on_those_below_it() {
    let mut wrong = Vec::new();
    for Crate { folder, below } in &CRATES {
        for (other, features) in own(&manifest(folder)) {
            if !below.contains(&other.as_str()) {
                wrong.push(format!("{folder} depends on {other}"));
            }
            if features.contains("testkit") && *folder != KIT {
                wrong.push(format!("{folder} uses the test kit of {other}"));
            }
        }
    }
    let program = manifest("");
    for (other, features) in own(&program) {
        if features.contains("testkit") {
            wrong.push(format!("the program uses the test kit of {other}"));
        }
    }
    none(
        &wrong,
        "a dependency may not run back: hand in what is needed, as docs/decisions/crates.md says",
    );
    for tool in ["switchboard-worlds", "switchboard-exam", "rmcp"] {
        let dependency = &program["dependencies"][tool];
        let is_optional = dependency.get("optional");
        assert_eq!(is_optional, Some(&toml::Value::Boolean(true)), "{tool}");
    }
    assert_eq!(program["features"]["default"].to_string(), "[\"dev\"]");
}

#[test]
fn each_crate_has_a_front_page_with_its_promises() {
    let mut wrong = Vec::new();
    for Crate { folder, .. } in &CRATES {
        let front = text(&format!("{folder}/src/lib.rs"));
        if !front.starts_with("#![doc = include_str!(\"../README.md\")]\n") {
            wrong.push(format!("{folder}/src/lib.rs does not begin with its page"));
        }
        let page = text(&format!("{folder}/README.md"));
        let has_example = page.contains("\n```\nuse ");
        if !has_example {
            wrong.push(format!("{folder}/README.md has no example that is a test"));
        }
        for part in ["\n## Promises\n", "\nIt must not know "] {
            if !page.contains(part) {
                wrong.push(format!("{folder}/README.md lacks {part:?}"));
            }
        }
        if !manifest(folder)["lints"]["workspace"].as_bool().unwrap() {
            wrong.push(format!("{folder} has lints of its own"));
        }
    }
    none(&wrong, "complete the front page of the crate");
}

/// The most lines of code that a crate may have: what one person can know.
const LINES_MAX: usize = 25_000;

#[test]
fn each_crate_is_small_enough_to_know() {
    let is_code = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("//")
    };
    let sources = sources();
    let folders = CRATES.iter().map(|it| format!("{}/src/", it.folder));
    let mut large = Vec::new();
    for folder in folders.chain(["src/".to_owned()]) {
        let product = sources.iter().filter(|source| !source.is_test());
        let lines: usize = product
            .filter(|source| source.path.starts_with(&folder))
            .map(|source| source.production().lines().filter(is_code).count())
            .sum();
        assert!(lines > 0, "{folder} has no code");
        if lines > LINES_MAX {
            large.push(format!("{folder} has {lines} lines of code"));
        }
    }
    none(&large, "give a part that stands alone a crate of its own");
}
