//! The arrows between the files of a crate: what a file imports and which paths it names, read with a parser of Rust.

mod graph;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use graph::{Graph, longer_circles, pairs};
use names::Crate;

use super::{Source, none, sources};

/// Two files that import each other, and why.
struct Circle {
    files: [&'static str; 2],
    why: &'static str,
}

const CIRCLES: [Circle; 10] = [
    Circle {
        files: ["http/src/relays.rs", "http/src/state.rs"],
        why: "relays are handed the state that they are a part of",
    },
    Circle {
        files: [
            "actors/src/dispatcher/send_worker.rs",
            "actors/src/dispatcher/sending.rs",
        ],
        why: "a worker sends a job, which the workers define",
    },
    Circle {
        files: [
            "engine/src/runtime/directory.rs",
            "engine/src/runtime/owner.rs",
        ],
        why: "a directory starts owners, and an owner that retires reports to its directory",
    },
    Circle {
        files: ["domain/src/chat/message.rs", "domain/src/chat/quote.rs"],
        why: "a message quotes a message",
    },
    Circle {
        files: [
            "domain/src/conversation/condensed.rs",
            "domain/src/conversation/event.rs",
        ],
        why: "an event may hold the events that it condenses",
    },
    Circle {
        files: [
            "domain/src/conversation/event.rs",
            "domain/src/conversation/fetch.rs",
        ],
        why: "the command that notes a fetch makes an event, which holds its result",
    },
    Circle {
        files: ["media/src/picture/decode.rs", "media/src/picture/jpeg.rs"],
        why: "the decoder selects a format, which fills in its picture",
    },
    Circle {
        files: ["media/src/picture/decode.rs", "media/src/picture/png.rs"],
        why: "the decoder selects a format, which fills in its picture",
    },
    Circle {
        files: [
            "replication/src/shared_log/owner.rs",
            "replication/src/shared_log/takeover.rs",
        ],
        why: "a takeover makes an owner, which keeps the clocks of its takeover",
    },
    Circle {
        files: ["worlds/src/people.rs", "worlds/src/test_system.rs"],
        why: "people act in the system that returned them",
    },
];

/// Rooms of a crate from the lowest to the highest: a room imports nothing from a higher one. Rooms of one line are
/// independent of each other.
struct Layers {
    root: &'static str,
    lines: &'static [&'static [&'static str]],
}

const LAYERS: [Layers; 2] = [
    Layers {
        root: "runtime/src",
        lines: &[
            &["error", "typing", "undo", "viewing"],
            &["port"],
            &["config"],
            &["caches"],
            &["views"],
            &["live"],
            &["shared"],
            &["owners"],
        ],
    },
    Layers {
        root: "actors/src",
        lines: &[
            &["stored_queues"],
            &["dispatcher", "hooks", "relays", "salesbots"],
            &["system"],
        ],
    },
];

/// The folders with the sources of each crate of the product.
fn roots(sources: &[Source]) -> BTreeSet<&str> {
    let is_root = |source: &&Source| {
        source.path.ends_with("src/lib.rs") && !source.path.starts_with("benches/")
    };
    let folder = |source: &'_ Source| source.path.len() - "/lib.rs".len();
    sources
        .iter()
        .filter(is_root)
        .filter_map(|source| source.path.get(..folder(source)))
        .collect()
}

/// The arrows between the files below `root`.
fn graph(sources: &[Source], root: &str) -> Graph {
    let prefix = format!("{root}/");
    let files: BTreeMap<&str, &str> = sources
        .iter()
        .filter(|source| source.path.starts_with(&prefix) && !source.is_test())
        .map(|source| (source.path.as_str(), source.text.as_str()))
        .collect();
    Crate::read(root, &files).graph()
}

/// The arrows that lead from a room to a higher one, or to another of the same line.
fn back_arrows(graph: &Graph, layers: &Layers) -> Vec<String> {
    let room = |file: &str| {
        let rest = file.strip_prefix(layers.root)?.strip_prefix('/')?;
        let name = rest.split(['/', '.']).next()?.to_owned();
        let line = layers
            .lines
            .iter()
            .position(|line| line.contains(&name.as_str()))?;
        Some((line, name))
    };
    let mut climbs_up = Vec::new();
    for (file, imports) in graph {
        let Some((from, name)) = room(file) else {
            continue;
        };
        let climbs = |import: &&String| {
            room(import).is_some_and(|(to, other)| to > from || (to == from && other != name))
        };
        climbs_up.extend(
            imports
                .iter()
                .filter(climbs)
                .map(|import| format!("{file} → {import}")),
        );
    }
    climbs_up
}

#[test]
fn modules_import_each_other_in_one_direction() {
    let sources = sources();
    let roots = roots(&sources);
    assert!(roots.len() > 2, "the crates were not found: {roots:?}");
    let (mut long, mut short) = (Vec::new(), BTreeSet::new());
    for root in roots {
        let graph = graph(&sources, root);
        long.extend(longer_circles(&graph));
        short.extend(pairs(&graph));
    }
    let is_known = |pair: &&[String; 2]| CIRCLES.iter().any(|known| pair.each_ref() == known.files);
    let new = short.iter().filter(|pair| !is_known(pair));
    long.extend(new.map(|pair| pair.join(" ↔ ")));
    none(
        &long,
        "these files import each other: move what they share below them; list a pair that must be, with the reason",
    );
    let obsolete: Vec<String> = CIRCLES
        .iter()
        .filter(|known| !short.iter().any(|pair| pair.each_ref() == known.files))
        .map(|known| known.why.to_owned())
        .collect();
    none(&obsolete, "this circle is gone: take it from the list");
}

#[test]
fn rooms_import_only_what_lies_below_them() {
    let sources = sources();
    let mut faults = Vec::new();
    for layers in &LAYERS {
        let graph = graph(&sources, layers.root);
        assert!(!graph.is_empty(), "{} has no sources", layers.root);
        let names: BTreeSet<&str> = layers
            .lines
            .iter()
            .flat_map(|line| line.iter().copied())
            .collect();
        for file in graph.keys() {
            let rest = file.strip_prefix(layers.root).unwrap_or_default();
            let name = rest
                .trim_start_matches('/')
                .split(['/', '.'])
                .next()
                .unwrap_or_default();
            if !names.contains(name) && !["lib", "main"].contains(&name) {
                faults.push(format!("{file}: its room is in no line"));
            }
        }
        faults.extend(back_arrows(&graph, layers));
    }
    none(
        &faults,
        "these arrows run back: move what both need below them, or hand it in",
    );
}

/// A crate of these files, each a path below `src` and a text.
fn planted(files: &[(&str, &str)]) -> Graph {
    let file_texts: BTreeMap<String, &str> = files
        .iter()
        .map(|(path, text)| (format!("src/{path}"), *text))
        .collect();
    let files = file_texts.iter().map(|(path, text)| (path.as_str(), *text));
    Crate::read("src", &files.collect()).graph()
}

/// Circles through `crate::`, `super::`, a child's path, a re-export and a macro are found, each as what closes it.
#[test]
fn a_planted_circle_is_found_in_each_spelling() {
    let closing = [
        "use crate::a::A;",
        "use super::a::A;",
        "fn f() { super::a::f(); }",
        "type T = crate::a::A;",
        "use super::{d, a::{self, A as B}};",
        "fn f() { println!(\"{}\", crate::a::A); }",
        "use super::Again;",
    ];
    for line in closing {
        let graph = planted(&[
            (
                "lib.rs",
                "mod a; mod b; mod c; mod d; pub use a::A as Again;",
            ),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use crate::c::C; pub struct B;"),
            ("c.rs", &format!("{line} pub struct C;")),
            ("d.rs", ""),
        ]);
        let circles = longer_circles(&graph);
        assert_eq!(
            circles,
            ["src/a.rs → src/b.rs → src/c.rs → src/a.rs"],
            "{line}"
        );
    }
}

/// A chain, a file with its room, and tests are no circles.
#[test]
fn a_chain_and_a_room_are_no_circles() {
    let graph = planted(&[
        ("lib.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
        (
            "a.rs",
            "mod x; mod y; pub use x::X; use y::Y; pub struct A;",
        ),
        ("a/x.rs", "use super::A; use crate::B; pub struct X;"),
        ("a/y.rs", "use super::X; use super::A; pub struct Y;"),
        (
            "b.rs",
            "pub(super) struct B; #[cfg(test)] mod tests { use crate::a::A; }",
        ),
    ]);
    assert_eq!(longer_circles(&graph), Vec::<String>::new());
    assert_eq!(pairs(&graph), BTreeSet::new());
    let imports: Vec<&str> = graph["src/a/y.rs"].iter().map(String::as_str).collect();
    assert_eq!(imports, ["src/a.rs", "src/a/x.rs"]);
    assert!(graph["src/a.rs"].is_empty(), "a file composes its room");
}

#[test]
fn a_planted_back_arrow_is_found() {
    let layers = Layers {
        root: "src",
        lines: &[&["low"], &["left", "right"], &["high"]],
    };
    let files = |low: &'static str, left: &'static str| {
        planted(&[
            ("lib.rs", "mod low; mod left; mod right; mod high;"),
            ("low.rs", low),
            ("left.rs", left),
            ("right.rs", "use crate::low::L;"),
            ("high.rs", "use crate::{low::L, right::R}; pub struct H;"),
        ])
    };
    assert_eq!(back_arrows(&files("", ""), &layers), Vec::<String>::new());
    assert_eq!(
        back_arrows(
            &files("use crate::high::H;", "use super::right::R;"),
            &layers
        ),
        ["src/left.rs → src/right.rs", "src/low.rs → src/high.rs"]
    );
}
