//! What keeps the engine apart from the product: no word of chat in it, and no circle of modules.

use std::collections::{BTreeMap, BTreeSet};

use super::{Source, none, sources};

/// Words of the product. The engine's own words are not among them: a *message* is what an actor is sent, a *reply* is what
/// a command answers, and a key *leads* to a record.
const WORDS: [&str; 26] = [
    "account",
    "amojo",
    "audit",
    "avatar",
    "callback",
    "channel",
    "chat",
    "contact",
    "conversation",
    "customer",
    "deal",
    "dispatcher",
    "email",
    "endpoint",
    "inbox",
    "integration",
    "media",
    "messenger",
    "msgid",
    "password",
    "phone",
    "pipeline",
    "scope",
    "tenant",
    "unsorted",
    "webhook",
];

/// Uses of such words that mean something else: those of Rust's library and of tokio.
const OTHER_MEANINGS: [&str; 6] = [
    "mpsc::channel",
    "oneshot::channel",
    "sync_channel",
    "thread::scope",
    "|scope|",
    "scope.spawn",
];

/// Whether the line has the word, in any case and number; words that only begin so are others.
fn has(line: &str, word: &str) -> bool {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_lowercase);
    let bytes = line.as_bytes();
    line.match_indices(word).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let rest = line
            .get(at + word.len()..)
            .unwrap_or_default()
            .trim_start_matches('s');
        !is_letter(before) && !is_letter(rest.as_bytes().first())
    })
}

/// The line in small letters, with the words of names apart: `ScopeId` is `scope_id`.
fn words(line: &str) -> String {
    let mut line = line.to_owned();
    for other in OTHER_MEANINGS {
        line = line.replace(other, "");
    }
    let mut apart = String::new();
    let mut was_small = false;
    for letter in line.chars() {
        if letter.is_uppercase() && was_small {
            apart.push('_');
        }
        was_small = letter.is_lowercase() || letter.is_ascii_digit();
        apart.extend(letter.to_lowercase());
    }
    apart
}

#[test]
fn the_engine_knows_no_word_of_chat() {
    let mut found = Vec::new();
    for source in sources() {
        if !source.path.starts_with("engine/") {
            continue;
        }
        for (number, line) in (1..).zip(source.text.lines()) {
            let line = words(line);
            let said = WORDS.iter().filter(|word| has(&line, word));
            found.extend(said.map(|word| format!("{}:{number}: {word}", source.path)));
        }
    }
    none(
        &found,
        "the engine serves any product: name the general thing, or have the product register or listen",
    );
}

/// A word is found in names and in the plural, and not in longer words.
#[test]
fn words_are_found_in_names_and_plurals_but_not_inside_others() {
    for line in [
        "of Conversations",
        "ScopeId",
        "an `account_id`",
        "DEAL",
        "two chats",
    ] {
        let line = words(line);
        assert!(WORDS.iter().any(|word| has(&line, word)), "{line}");
    }
    for line in [
        "ideal",
        "misleading",
        "it leading",
        "mpsc::channel()",
        "thread::scope(|scope|",
        "hooked",
    ] {
        let line = words(line);
        assert!(!WORDS.iter().any(|word| has(&line, word)), "{line}");
    }
}

/// Two files that import each other, and why.
struct Circle {
    files: [&'static str; 2],
    why: &'static str,
}

/// All of them: no circle has more than two files.
const CIRCLES: [Circle; 8] = [
    Circle {
        files: [
            "engine/src/runtime/directory.rs",
            "engine/src/runtime/owner.rs",
        ],
        why: "a directory starts owners, and an owner that retires reports to its directory",
    },
    Circle {
        files: [
            "engine/src/store/index/check.rs",
            "engine/src/store/verify.rs",
        ],
        why: "the check of the index fills in the report of the whole verification",
    },
    Circle {
        files: [
            "engine/src/store/recovery.rs",
            "engine/src/store/recovery/walk.rs",
        ],
        why: "the walk over segments fills in what recovery knows",
    },
    Circle {
        files: [
            "actors/src/actor/dispatcher/send_worker.rs",
            "actors/src/actor/dispatcher/sending.rs",
        ],
        why: "a worker sends a job, which the workers define",
    },
    Circle {
        files: [
            "actors/src/domain/chat/message.rs",
            "actors/src/domain/chat/quote.rs",
        ],
        why: "a message quotes a message",
    },
    Circle {
        files: [
            "actors/src/domain/dispatch/delivery_queue.rs",
            "actors/src/domain/dispatch/schedule.rs",
        ],
        why: "a queue knows its place in the schedule, which is keyed by queues",
    },
    Circle {
        files: [
            "actors/src/domain/installation/channels.rs",
            "actors/src/domain/installation/channels/declare.rs",
        ],
        why: "a channel keeps its last declaration",
    },
    Circle {
        files: ["worlds/src/people.rs", "worlds/src/test_system.rs"],
        why: "people act in the system that returned them",
    },
];

/// The files that a file imports with `use crate::…`, of the same crate.
fn imports(source: &Source, root: &str, files: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let text = source.production();
    for rest in text.split("use crate::").skip(1) {
        let Some((path, _)) = rest.split_once(';') else {
            continue;
        };
        for path in flat(path) {
            let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
            while !parts.is_empty() {
                let file = format!("{root}/{}.rs", parts.join("/"));
                if files.contains(file.as_str()) {
                    if file != source.path {
                        found.insert(file);
                    }
                    break;
                }
                parts.pop();
            }
        }
    }
    found
}

/// The paths of a tree of imports, each in full.
fn flat(tree: &str) -> Vec<String> {
    let Some((before, rest)) = tree.split_once('{') else {
        return vec![
            tree.split(" as ")
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned(),
        ];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inside.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inside.get(from..).unwrap_or_default());
    let parts = parts
        .into_iter()
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts
        .flat_map(|part| {
            flat(part)
                .into_iter()
                .map(move |path| format!("{before}{path}"))
        })
        .map(|path| path.replace("::self", ""))
        .collect()
}

/// Everything that a file imports, directly or through others.
fn reach(graph: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut next = vec![from];
    while let Some(file) = next.pop() {
        for import in graph.get(file).into_iter().flatten() {
            if found.insert(import.clone()) {
                next.push(import);
            }
        }
    }
    found
}

/// The circles of a graph, each with the files in it.
fn circles(graph: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<BTreeSet<String>> {
    let reached: BTreeMap<&str, _> = graph
        .keys()
        .map(|file| (file.as_str(), reach(graph, file)))
        .collect();
    let of = |file: &&String| {
        let mine = reached.get(file.as_str())?;
        let back = |other: &&String| {
            reached
                .get(other.as_str())
                .is_some_and(|theirs| theirs.contains(*file))
        };
        let circle: BTreeSet<String> = mine.iter().filter(back).cloned().collect();
        (circle.len() > 1).then_some(circle)
    };
    graph.keys().filter_map(|file| of(&file)).collect()
}

#[test]
fn modules_import_each_other_in_one_direction() {
    let sources = sources();
    let mut found = Vec::new();
    for root in [
        "src",
        "actors/src",
        "engine/src",
        "http/src",
        "media/src",
        "network/src",
        "worlds/src",
    ] {
        let prefix = format!("{root}/");
        let within = |source: &&Source| source.path.starts_with(&prefix) && !source.is_test();
        let files: BTreeSet<&str> = sources
            .iter()
            .filter(within)
            .map(|source| source.path.as_str())
            .collect();
        assert!(files.len() > 15, "the sources of {root} were not found");
        let graph: BTreeMap<String, BTreeSet<String>> = sources
            .iter()
            .filter(within)
            .map(|source| (source.path.clone(), imports(source, root, &files)))
            .collect();
        found.extend(circles(&graph));
    }
    let is_known =
        |circle: &BTreeSet<String>| CIRCLES.iter().any(|known| circle.iter().eq(known.files));
    let new: Vec<String> = found
        .iter()
        .filter(|circle| !is_known(circle))
        .map(|circle| {
            circle
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join("\n    ")
        })
        .collect();
    none(
        &new,
        "these files import each other in a circle: move what they share below them",
    );
    let gone: Vec<String> = CIRCLES
        .iter()
        .filter(|known| !found.iter().any(|circle| circle.iter().eq(known.files)))
        .map(|known| known.why.to_owned())
        .collect();
    none(&gone, "this circle is gone: take it from the list");
}

#[test]
fn an_import_cycle_is_found_and_a_chain_is_none() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = BTreeMap::<String, BTreeSet<String>>::new();
        for (from, to) in edges {
            graph
                .entry((*from).to_owned())
                .or_default()
                .insert((*to).to_owned());
            graph.entry((*to).to_owned()).or_default();
        }
        graph
    };
    assert!(circles(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    let round = circles(&graph(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]));
    let abc = ["a", "b", "c"].map(str::to_owned);
    assert_eq!(round, BTreeSet::from([BTreeSet::from(abc)]));
    assert_eq!(
        flat("a::{b, c::{D, self}, e as f}"),
        ["a::b", "a::c::D", "a::c", "a::e"]
    );
}
