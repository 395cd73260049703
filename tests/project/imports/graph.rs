//! Circles in a graph of files.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The files that each file imports.
pub(super) type Graph = BTreeMap<String, BTreeSet<String>>;

/// The shortest way from one file to another, both included, that does not begin with the arrow between them.
fn way<'a>(graph: &'a Graph, from: &'a str, to: &'a str) -> Option<Vec<&'a str>> {
    let mut before = BTreeMap::<&str, &str>::new();
    let mut next = VecDeque::from([from]);
    while let Some(file) = next.pop_front() {
        for import in graph.get(file).into_iter().flatten() {
            let is_direct = file == from && import == to;
            if is_direct || import == from || before.contains_key(import.as_str()) {
                continue;
            }
            before.insert(import, file);
            if import == to {
                let mut way = vec![to];
                while let Some(file) = before.get(way.last()?) {
                    way.push(file);
                }
                way.reverse();
                return Some(way);
            }
            next.push_back(import);
        }
    }
    None
}

/// The circles of three files and more, each once, as a line of text: the shortest through each of their arrows.
pub(super) fn longer_circles(graph: &Graph) -> Vec<String> {
    let mut circles = BTreeSet::<BTreeSet<&str>>::new();
    let mut lines = Vec::new();
    for (file, imports) in graph {
        for import in imports {
            let Some(mut circle) = way(graph, import, file) else {
                continue;
            };
            if circles.insert(circle.iter().copied().collect()) {
                circle.rotate_right(1);
                circle.push(file);
                lines.push(circle.join(" → "));
            }
        }
    }
    lines
}

/// The pairs of files that import each other.
pub(super) fn pairs(graph: &Graph) -> BTreeSet<[String; 2]> {
    let mut pairs = BTreeSet::new();
    for (file, imports) in graph {
        for import in imports.iter().filter(|import| *import > file) {
            let back = graph.get(import);
            if back.is_some_and(|imports| imports.contains(file)) {
                pairs.insert([file.clone(), import.clone()]);
            }
        }
    }
    pairs
}
