//! The documents of the project: their paths exist, their links lead somewhere, and they are as short as they should be.

#![expect(clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use super::none;

/// Documents with a greatest number of lines.
const LINES_MAX: [(&str, usize); 2] = [("README.md", 100), ("docs/architecture.md", 300)];

/// The folder of the decisions, and the greatest number of lines of each page.
const DECISIONS: (&str, usize) = ("docs/decisions", 80);

/// The headings of each page of a decision, in this order.
const HEADINGS: [&str; 4] = [
    "\n## Context\n",
    "\n## Decision\n",
    "\n## Figures\n",
    "\n## Consequences\n",
];

/// The short forms of paths in the glossary, each with the path that it stands for.
const SHORT: [(&str, &str); 8] = [
    ("dispatch", "dispatch/src"),
    ("domain", "domain/src"),
    ("engine", "engine/src"),
    ("erasures", "erasures/src"),
    ("replication", "replication/src"),
    ("system", "actors/src/system"),
    ("values", "values/src"),
    ("wire", "wire/src"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a document.
pub(super) fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages in a folder, by their paths from the root of the project.
pub(super) fn pages(folder: &str) -> Vec<String> {
    let entries =
        fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names = entries.flatten().map(|entry| entry.file_name());
    let mut pages: Vec<String> = names
        .map(|name| format!("{folder}/{}", name.to_string_lossy()))
        .filter(|path| Path::new(path).extension().is_some_and(|it| it == "md"))
        .collect();
    pages.sort();
    pages
}

/// The path that the glossary writes in a short form.
fn full(path: &str) -> PathBuf {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let folder = SHORT.iter().find(|(short, _)| *short == first);
    folder.map_or_else(
        || root().join(path),
        |(_, folder)| root().join(folder).join(rest),
    )
}

/// The paths of the third column of a row.
fn paths(row: &str) -> Vec<&str> {
    let third = row.split('|').nth(3).unwrap_or_default();
    third.split('`').skip(1).step_by(2).collect()
}

#[test]
fn paths_of_the_glossary_exist() {
    let glossary = text("docs/glossary.md");
    let rows = glossary.lines().filter(|line| line.starts_with("| "));
    let paths: Vec<&str> = rows.flat_map(paths).collect();
    assert!(paths.len() > 60, "{} paths were found", paths.len());
    let missing: Vec<String> = paths
        .into_iter()
        .filter(|path| !full(path).exists())
        .map(str::to_owned)
        .collect();
    none(
        &missing,
        "docs/glossary.md names files that do not exist: update its third column",
    );
}

#[test]
fn documents_have_their_length() {
    let decision_pages = pages(DECISIONS.0);
    let decisions = decision_pages
        .iter()
        .map(|page| (page.as_str(), DECISIONS.1));
    let long: Vec<String> = LINES_MAX
        .into_iter()
        .chain(decisions)
        .map(|(page, max)| (page, max, text(page).lines().count()))
        .filter(|(_, max, lines)| lines > max)
        .map(|(page, max, lines)| format!("{page}: {lines} lines, at most {max}"))
        .collect();
    none(&long, "move details to another page, as in docs/decisions");
}

#[test]
fn each_decision_has_its_parts_and_its_line_in_the_index() {
    let index = text(&format!("{}/README.md", DECISIONS.0));
    let decisions: Vec<String> = pages(DECISIONS.0)
        .into_iter()
        .filter(|page| !page.ends_with("/README.md"))
        .collect();
    assert!(decisions.len() > 20, "{} were found", decisions.len());
    let mut wrong = Vec::new();
    for page in decisions {
        let name = page.rsplit('/').next().unwrap_or_default();
        if !index.contains(&format!("]({name})")) {
            wrong.push(format!("{page} is not in the index"));
        }
        let text = text(&page);
        let places: Vec<Option<usize>> = HEADINGS.iter().map(|part| text.find(part)).collect();
        if places.contains(&None) || !places.is_sorted() {
            wrong.push(format!("{page} lacks one of {HEADINGS:?}, or their order"));
        }
    }
    none(&wrong, "complete the page or docs/decisions/README.md");
}

#[test]
fn paths_of_the_architecture_exist() {
    let folders = [
        ".",
        "engine/src",
        "engine/src/store",
        "replication/src",
        "actors/src",
        "runtime/src",
        "dispatch/src",
        "domain/src",
        "erasures/src",
        "diagnosis/src",
        "actors/src/system",
        "bridges/core/src",
        "bridges/telegram/src",
        "bridges/telegram-double/src",
        "src",
        "connections/src",
        "gate/src",
        "http/src",
        "loopback/src",
        "media/src",
        "network/src",
        "push/src",
        "values/src",
        "wire/src",
        "exam/src",
        "worlds/src",
    ];
    let mut documents = pages(DECISIONS.0);
    documents.extend(["docs/architecture.md", "docs/recipes.md"].map(str::to_owned));
    let mut missing = Vec::new();
    let mut count = 0;
    for document in documents {
        let text = text(&document);
        let prose = text.split("```").step_by(2);
        for name in prose.flat_map(|part| part.split('`').skip(1).step_by(2)) {
            let is_path = name.trim_end_matches('/').contains('/');
            let is_other = name.starts_with('/') || name.contains([' ', '<', '&']);
            if !is_path || is_other {
                continue;
            }
            count += 1;
            let exists = |folder: &&str| root().join(folder).join(name).exists();
            if !folders.iter().any(exists) {
                missing.push(format!("{document}: {name}"));
            }
        }
    }
    assert!(count > 100, "{count} paths were found");
    none(&missing, "these documents name files that do not exist");
}

#[test]
fn links_between_documents_resolve() {
    let folders = ["docs", DECISIONS.0];
    let mut documents: Vec<String> = folders.into_iter().flat_map(pages).collect();
    documents.extend(
        [
            "README.md",
            "actors/README.md",
            "bridges/core/README.md",
            "bridges/telegram/README.md",
            "bridges/telegram-double/README.md",
            "connections/README.md",
            "diagnosis/README.md",
            "dispatch/README.md",
            "domain/README.md",
            "engine/README.md",
            "erasures/README.md",
            "gate/README.md",
            "http/README.md",
            "loopback/README.md",
            "media/README.md",
            "network/README.md",
            "push/README.md",
            "runtime/README.md",
            "values/README.md",
            "wire/README.md",
            "worlds/README.md",
            "docs/architecture.md",
            "tests/README.md",
            "ui/README.md",
        ]
        .map(str::to_owned),
    );
    let mut dead = Vec::new();
    for document in documents {
        let text = text(&document);
        let folder = Path::new(&document).parent().unwrap_or(Path::new(""));
        for link in text.split("](").skip(1) {
            let link = link.split([')', '#']).next().unwrap_or_default();
            // Links of the crates' documentation name items of Rust.
            let is_file = !link.is_empty() && !link.contains(':');
            if is_file && link.contains('.') && !root().join(folder).join(link).exists() {
                dead.push(format!("{document}: {link}"));
            }
        }
    }
    none(&dead, "these links lead to no file");
}
