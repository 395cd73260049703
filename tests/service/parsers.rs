//! The parsers, against inputs that were kept because each of them reached something new, and against changed copies of
//! those: everywhere, in seconds, without a fuzzer. `tests/fuzz/run` looks for new ones, led by coverage.
//!
//! `INPUTS=100000` makes more copies of each target's corpus, `SEED=…` repeats a run.

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use self::fuzz::TARGETS;
use crate::support::random::{Random, times};

/// The largest size of a changed copy; the kept ones are far smaller.
const BYTES_MAX: usize = 4_096;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fuzz")
        .join(name)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let stem = |entry: fs::DirEntry| {
        entry
            .path()
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| stem(entry.unwrap())).collect()
}

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder("corpus").join(target))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// The words of the dictionary that libFuzzer gets too.
fn words() -> Vec<Vec<u8>> {
    let text = fs::read_to_string(folder("words.dict")).unwrap();
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    let plain = |line: &str| line.replace("\\\"", "\"").replace("\\\\", "\\");
    lines.map(|line| plain(line).into_bytes()).collect()
}

/// Returns a place at which bytes may be put in or taken out.
fn place(random: &mut Random, bytes: &[u8]) -> usize {
    let ends = u64::try_from(bytes.len()).unwrap() + 1;
    usize::try_from(random.below(ends)).unwrap()
}

/// One change of the kinds that parsers stumble over.
fn change(random: &mut Random, bytes: &mut Vec<u8>, all: &[Vec<u8>], words: &[Vec<u8>]) {
    let (one, other) = (place(random, bytes), place(random, bytes));
    let (from, to) = (one.min(other), one.max(other));
    match random.below(7) {
        0 => drop(bytes.drain(from..to)),
        1 => {
            let again = bytes[from..to].to_vec();
            bytes.splice(to..to, again);
        }
        2 => bytes.truncate(from),
        3 => {
            let word = random.one_of(words).iter().copied();
            bytes.splice(from..from, word);
        }
        4 => {
            let donor = random.one_of(all);
            let begin = place(random, donor);
            bytes.splice(from..to, donor[begin..].iter().copied());
        }
        _ => {
            let value = random.any().to_le_bytes()[0];
            if let Some(byte) = bytes.get_mut(from) {
                *byte = if random.percent(50) {
                    value
                } else {
                    *byte ^ (1 << (value % 8))
                };
            }
        }
    }
    bytes.truncate(BYTES_MAX);
}

/// Fails with the input, which is kept for another look.
fn check(target: &str, check: fn(&[u8]), input: &[u8]) {
    if catch_unwind(|| check(input)).is_err() {
        let corpus = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{target}"));
        fs::write(&corpus, input).unwrap();
        panic!(
            "{target} fails with {}: {}",
            corpus.display(),
            input.escape_ascii()
        );
    }
}

fn pass(name: &str) {
    let (_, target) = TARGETS
        .into_iter()
        .find(|(known, _)| *known == name)
        .unwrap();
    let (kept, words) = (corpus(name), words());
    assert!(kept.len() >= 10, "{name} has {} inputs", kept.len());
    for input in &kept {
        check(name, target, input);
    }
    let mut random = Random::of_this_run();
    for _ in 0..times("INPUTS", 1_000) {
        let mut input = random.one_of(&kept).clone();
        for _ in 0..=random.below(4) {
            change(&mut random, &mut input, &kept, &words);
        }
        check(name, target, &input);
    }
}

#[test]
fn every_check_has_a_driver_a_corpus_and_a_test() {
    let this = include_str!("parsers.rs");
    let checks: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&folder("targets")), checks);
    assert_eq!(names(&folder("corpus")), checks);
    for name in &checks {
        assert!(this.contains(&format!("pass(\"{name}\")")), "{name}");
    }
    let manifest = fs::read_to_string(folder("Cargo.toml")).unwrap();
    assert_eq!(manifest.matches("[[bin]]").count(), checks.len());
}

/// No chat body makes its parser panic, and every spelling of a body means the same.
#[test]
fn the_chat_body_parser_accepts_any_bytes_and_spelling() {
    pass("chat_body");
}

#[test]
fn every_parsed_set_of_rights_obeys_the_dependencies() {
    pass("rights");
}

/// No configuration makes its parser panic, and every problem names a key or a line.
#[test]
fn the_configuration_parser_names_a_key_or_line_for_any_bytes() {
    pass("config");
}

/// No bytes make the parser of records panic, and a record that is read is written alike.
#[test]
fn the_record_parser_accepts_any_bytes_and_round_trips() {
    pass("record");
}

/// A start recovers records from a journal of any bytes, which can be read and found again.
#[test]
fn records_recovered_from_any_bytes_can_be_read_and_found() {
    pass("journal");
}

#[test]
fn stored_events_and_snapshots_round_trip() {
    pass("event");
}

#[test]
fn every_requested_retry_after_is_kept_within_bounds() {
    pass("retry_after");
}

/// An address that the guard allows is globally routable in every spelling.
#[test]
fn the_guard_allows_only_globally_routable_spellings() {
    pass("url_guard");
}

/// Nothing but the secret proves a signature, whatever the headers are.
#[test]
fn only_the_secret_makes_a_signature_valid() {
    pass("signature");
}

#[test]
fn a_parsed_cursor_equals_the_issued_one() {
    pass("cursor");
}

#[test]
fn our_json_parser_agrees_with_serde() {
    pass("json");
}
