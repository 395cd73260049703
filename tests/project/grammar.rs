//! Plain English by syntax: five measures of the sources, by crate, and the level of each that a reader of good Rust expects.

mod count;
mod participles;

use std::collections::BTreeMap;

use count::{Measures, count};

use super::{Source, none, sources};

/// The limits of a crate, in tenths of a percent of its doc comments and bindings.
const RELATIVE_CLAUSES: usize = 40;
const PARTICIPLES: usize = 10;
/// Names that are bound again in the next line, in 10,000 lines: where the type changes and the name should not.
const BOUND_AGAIN: usize = 2;

/// The crate that a file belongs to: its tests are measured apart.
fn room(source: &Source) -> String {
    let mut folders = source.path.split('/');
    let first = folders.next().unwrap_or_default();
    match folders.next() {
        Some(kind @ ("tests" | "examples")) if first != "tests" => format!("{first}/{kind}"),
        _ => first.to_owned(),
    }
}

/// Returns what a room may have at most of each measure, in the order of [`kinds`].
fn allowed(measures: &Measures) -> [usize; 5] {
    [
        measures.doc_comments * RELATIVE_CLAUSES / 1000,
        measures.bindings * PARTICIPLES / 1000,
        measures.lines.max(10_000) * BOUND_AGAIN / 10_000,
        0,
        0,
    ]
}

/// Returns the places of each measure, with the words of a failure.
fn kinds(measures: &Measures) -> [(&'static str, &[String]); 5] {
    [
        (
            "doc comments that begin with a relative clause; begin with a noun phrase, or with a verb as in «Returns …»",
            &measures.relative_clauses,
        ),
        (
            "variables called by a participle; name the thing",
            &measures.participles,
        ),
        (
            "names that the next line binds again; name both, or make one of it",
            &measures.bound_again,
        ),
        (
            "functions called `of`; say what they do",
            &measures.called_of,
        ),
        (
            "parameters that are tuples; give each its name",
            &measures.tuples,
        ),
    ]
}

fn excesses(room: &str, measures: &Measures) -> Vec<String> {
    const SHOWN: usize = 12;
    let kinds = kinds(measures).into_iter().zip(allowed(measures));
    kinds
        .filter(|((_, places), allowed)| places.len() > *allowed)
        .map(|((kind, places), allowed)| {
            let some: Vec<&str> = places.iter().take(SHOWN).map(String::as_str).collect();
            let count = places.len();
            format!(
                "{room}: {count} of at most {allowed} {kind}; some of them:\n    {}",
                some.join("\n    ")
            )
        })
        .collect()
}

fn measured() -> BTreeMap<String, Measures> {
    let mut rooms: BTreeMap<String, Measures> = BTreeMap::new();
    for source in sources()
        .iter()
        .filter(|source| source.path.ends_with(".rs"))
    {
        count(
            &source.path,
            &source.text,
            rooms.entry(room(source)).or_default(),
        );
    }
    rooms
}

#[test]
fn names_and_comments_are_plain_english() {
    let rooms = measured();
    println!(
        "per room: doc comments that begin with a relative clause, bindings to a participle, `of`, bound again, tuples"
    );
    for (room, measures) in &rooms {
        println!(
            "{room:18} {:4} of {:5} {:4} of {:5} {:3} {:4} {:3}",
            measures.relative_clauses.len(),
            measures.doc_comments,
            measures.participles.len(),
            measures.bindings,
            measures.called_of.len(),
            measures.bound_again.len(),
            measures.tuples.len(),
        );
    }
    let excesses: Vec<String> = rooms
        .iter()
        .flat_map(|(room, measures)| excesses(room, measures))
        .collect();
    none(&excesses, "STYLE.md has the rules, with good and bad pairs");
}

#[test]
fn each_measure_is_seen() {
    let mut measures = Measures::default();
    let planted = "
        /// What a message has.
        /// When it came is in the second line, which is no beginning.
        struct Message;
        view! { /// How it is called.
            name: String }
        impl Message {
            /// Returns the message.
            fn of(text: &str, (a, b): (u8, u8)) -> Self {
                let found = find(text);
                let Some(told) = found else { return };
                let name = told.name();
                let name = name.trim();
                let size = { let size = 3; size };
            }
        }
        fn plain(pairs: &[(u8, u8)]) { pairs.iter().map(|(a, b): &(u8, u8)| a + b); let given_name = 1; }
    ";
    count("planted.rs", planted, &mut measures);
    assert_eq!(measures.doc_comments, 3);
    assert_eq!(measures.relative_clauses.len(), 2, "{measures:?}");
    assert_eq!(measures.participles.len(), 2, "{measures:?}");
    assert_eq!(measures.called_of.len(), 1, "{measures:?}");
    assert_eq!(measures.bound_again.len(), 1, "{measures:?}");
    assert_eq!(measures.tuples.len(), 1, "{measures:?}");
    assert_eq!(
        measures.relative_clauses[0],
        "planted.rs:2: What a message has."
    );
}
