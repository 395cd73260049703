//! The difference between two interfaces, for people.

use std::collections::{BTreeMap, BTreeSet};

/// The part of a line that names what it is about.
fn subject(line: &str) -> &str {
    line.split_once(": ").map_or(line, |(subject, _)| subject)
}

fn by_subject<'l>(lines: &BTreeSet<&'l str>) -> BTreeMap<&'l str, Vec<&'l str>> {
    let mut map = BTreeMap::<&str, Vec<&str>>::new();
    for line in lines {
        map.entry(subject(line)).or_default().push(line);
    }
    map
}

/// Returns the differences: a line for what is removed or added, three for what is changed.
pub(super) fn difference(before: &[String], now: &[String]) -> Vec<String> {
    let before: BTreeSet<&str> = before.iter().map(String::as_str).collect();
    let now: BTreeSet<&str> = now.iter().map(String::as_str).collect();
    let removals = by_subject(&before.difference(&now).copied().collect());
    let new = by_subject(&now.difference(&before).copied().collect());
    let subjects: BTreeSet<&str> = removals.keys().chain(new.keys()).copied().collect();
    let mut list = Vec::new();
    for subject in subjects {
        let (removals, new) = (removals.get(subject), new.get(subject));
        let is_change = removals.is_some() && new.is_some();
        let words = if is_change {
            list.push(format!("changed  {subject}"));
            ["  before ", "  now    "]
        } else {
            ["removed  ", "added    "]
        };
        for (word, lines) in words.into_iter().zip([removals, new]) {
            for line in lines.into_iter().flatten() {
                list.push(format!("{word}{line}"));
            }
        }
    }
    list
}
