//! Claims of the documents: what they say is there is there, what they say is missing is the same everywhere, and what was untrue once
//! does not come back.

#![expect(clippy::panic, reason = "tests fail by panicking")]

use super::documents::{pages, text};
use super::{crates, none};

/// The only list of what is missing, and the page that repeats its beginning for a release.
const NOT_OFFERED: &str = "docs/not-offered.md";
const CHANGELOG: &str = "CHANGELOG.md";

/// Pages that describe the project, besides those in the folders of documents and those of the libraries.
const PAGES: [&str; 6] = [
    "README.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "kits/README.md",
    "tests/README.md",
];

/// Words of sentences that were true once: of backups, nodes, deletions and lists of what is missing.
const UNTRUE: [&str; 16] = [
    "no backup while",
    "backup needs a stopped",
    "back up the stopped",
    "stop the service to copy",
    "only one node",
    "no second node",
    "no standby exists",
    "no replication",
    "not replicated",
    "no failover",
    "no deletion",
    "nothing is deleted",
    "nothing can be deleted",
    "cannot be deleted",
    "cannot be erased",
    "missing features",
];

fn all_pages() -> Vec<String> {
    let mut list: Vec<String> = PAGES.iter().map(|page| (*page).to_owned()).collect();
    list.extend(crates::folders().map(|folder| format!("{folder}/README.md")));
    list.extend(pages("docs"));
    list.extend(pages("docs/decisions"));
    list
}

/// The part of a page below a heading, up to the next one of the same level or a higher one.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let Some((_, below)) = page.split_once(&format!("\n{heading}\n")) else {
        panic!("there is no «{heading}»");
    };
    let level = heading.bytes().take_while(|byte| *byte == b'#').count();
    let ends = (1..=level).map(|level| format!("\n{} ", "#".repeat(level)));
    let end = ends.filter_map(|end| below.find(&end)).min();
    end.and_then(|end| below.get(..end)).unwrap_or(below)
}

/// The text without the targets of its links.
fn without_links(text: &str) -> String {
    let mut parts = text.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    let plain = parts.fold(first, |plain, part| {
        plain + part.split_once(')').map_or("", |(_, rest)| rest)
    });
    plain.replace('[', "")
}

/// The items of the first list of a text, each in one line.
fn first_list(text: &str) -> Vec<String> {
    let mut items = Vec::<String>::new();
    for line in text.lines() {
        match line.strip_prefix("* ") {
            Some(item) => items.push(item.to_owned()),
            None if items.is_empty() => {}
            None if line.starts_with("  ") => {
                if let Some(item) = items.last_mut() {
                    item.push(' ');
                    item.push_str(line.trim());
                }
            }
            None => break,
        }
    }
    items.iter().map(|item| without_links(item)).collect()
}

/// The names of what is not offered: the parts in the tables, and the first words of the list.
fn surfaces(page: &str) -> Vec<String> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let names = rows.filter_map(|row| row.split(" |").next());
    let parts = names.filter(|name| *name != "Part").map(str::to_owned);
    let beginnings = first_list(page).into_iter().map(|item| {
        let beginning = item.split([':', '.', '(']).next();
        beginning.unwrap_or_default().trim().to_owned()
    });
    parts.chain(beginnings).collect()
}

/// The addresses of what is not offered.
fn addresses(page: &str) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let quoted = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    quoted.filter(|name| name.contains('/')).collect()
}

/// Returns whether a text has these words one after the other, in any case.
fn has_words(text: &str, words: &str) -> bool {
    let plain = |text: &str| {
        let lower = text.to_lowercase();
        let parts = lower.split(|letter: char| !letter.is_alphanumeric());
        let words: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        format!(" {} ", words.join(" "))
    };
    plain(text).contains(&plain(words))
}

/// The claims of a changelog about what a page calls not offered.
fn false_claims(changelog: &str, not_offered: &str) -> Vec<String> {
    let claims = section(changelog, "### What there is");
    let plain = without_links(claims);
    let surfaces = surfaces(not_offered).into_iter();
    let names = surfaces.filter(|name| has_words(&plain, name));
    let addresses = addresses(not_offered).into_iter();
    let paths = addresses.filter(|path| claims.contains(&format!("{path}`")));
    names.chain(paths.map(str::to_owned)).collect()
}

#[test]
fn the_changelog_lists_what_is_not_offered() {
    let repeats = first_list(section(&text(CHANGELOG), "### Not in it"));
    let page = text(NOT_OFFERED);
    assert!(page.contains("the only list of what Switchboard lacks"));
    let lacks = first_list(&page);
    assert!(lacks.len() > 2, "{lacks:?}");
    assert_eq!(
        repeats, lacks,
        "«Not in it» of {CHANGELOG} is not the first list of {NOT_OFFERED}: write both in the same words"
    );
}

#[test]
fn the_changelog_claims_nothing_that_is_not_offered() {
    let page = text(NOT_OFFERED);
    assert!(surfaces(&page).len() > 20 && addresses(&page).len() > 35);
    none(
        &false_claims(&text(CHANGELOG), &page),
        "«What there is» of CHANGELOG.md claims what docs/not-offered.md calls not offered: correct one of them",
    );
}

#[test]
fn a_claim_of_what_is_not_offered_is_found() {
    let page = "\n* TLS: a proxy ends it ([security](x.md)).\n* Two nodes\n  at once.\n\n| Part | Addresses |\n|---|---|\n| files of entities | `/v1.0/files` |\n";
    let claims = |claim: &str| {
        let changelog = format!(
            "\n### What there is\n\n{claim}\n\n### Not in it\n\n* TLS, files of entities.\n"
        );
        false_claims(&changelog, page)
    };
    assert_eq!(
        first_list(page),
        ["TLS: a proxy ends it (security).", "Two nodes at once."]
    );
    assert_eq!(claims("* Leads and files."), Vec::<String>::new());
    assert_eq!(
        claims("* Leads, [files](y.md) of entities."),
        ["files of entities"]
    );
    assert_eq!(claims("* Callbacks with TLS."), ["TLS"]);
    assert_eq!(claims("* two nodes at once"), ["Two nodes at once"]);
    assert_eq!(claims("* `GET /v1.0/files`"), ["/v1.0/files"]);
}

/// The sentences that were untrue once stay away, also with a line end among their words.
#[test]
fn no_page_says_what_was_untrue_once() {
    let mut untrue = Vec::new();
    for page in all_pages() {
        let text = text(&page);
        let words = UNTRUE.into_iter().filter(|words| has_words(&text, words));
        untrue.extend(words.map(|words| format!("{page}: «{words}»")));
    }
    none(
        &untrue,
        "this was true once: say what is so now; docs/not-offered.md is the list of what is missing",
    );
}

/// The README says how long the first build takes, as it was measured.
#[test]
fn the_time_of_the_first_build_is_the_measured_one() {
    let readme = text("README.md");
    let comment = readme.split("# builds (on two cores: ").nth(1);
    let range = comment.and_then(|rest| rest.split(" minutes").next());
    let decision = text("docs/decisions/crates.md");
    let mut lines = decision.lines();
    let row = lines.find(|line| line.starts_with("| first `cargo run`"));
    let now = row.and_then(|row| row.split(" | ").nth(2));
    let minutes = now.and_then(|now| now.trim().split(" min").next());
    let numbers = |text: &str| -> Vec<u32> {
        text.split('–')
            .filter_map(|it| it.trim().parse().ok())
            .collect()
    };
    let range = numbers(range.unwrap_or_default());
    let times = numbers(minutes.unwrap_or_default());
    let ([from, to], [minutes]) = (range.as_slice(), times.as_slice()) else {
        panic!("README.md says {range:?}, docs/decisions/crates.md {times:?}");
    };
    assert!(
        from <= minutes && minutes < to,
        "README.md says {range:?} minutes, docs/decisions/crates.md has {minutes} and some seconds"
    );
}

/// The table of the library's front page has a row for each directory of owners, and one for the dispatcher.
#[test]
fn the_library_names_all_of_its_owners() {
    let code = text("runtime/src/shared/directories.rs");
    let invocation = code.split("\ndirectories! {").nth(1);
    let declarations = invocation.and_then(|rest| rest.split("\n}").next());
    let lines = declarations.unwrap_or_default().lines();
    let owners = lines.filter(|line| line.contains(": ")).count();
    let page = text("actors/README.md");
    let table = section(&page, "## Actors").lines();
    let rows = table.filter(|line| line.starts_with("| ")).count();
    assert!(owners > 10, "{owners} directories were found");
    assert_eq!(
        rows,
        owners + 2,
        "the table «Actors» of actors/README.md has a head, a row for each line of `directories!`, and the dispatcher"
    );
}
