//! The places of pages in a running service, and links that fit them.

use std::collections::BTreeMap;

use super::links::{resolve, with_links};

/// The folder of the pages, and the beginning of their addresses.
const FOLDER: &str = "docs/";

/// The path under which a file of the repository is served, if it is a page.
pub(crate) fn served_path(source: &str) -> String {
    let name = source.strip_prefix(FOLDER).unwrap_or(source);
    format!("{FOLDER}{name}")
}

/// A text of the repository with links that fit the place where it is served.
pub(crate) fn with_served_links(
    pages: &BTreeMap<String, String>,
    source: &str,
    served: &str,
    text: &str,
) -> String {
    with_links(text, |link| {
        let Some(target) = resolve(source, link) else {
            return Some(link.to_owned());
        };
        pages.get(&target)?;
        let fragment = link.find('#').and_then(|at| link.get(at..));
        let path = relative(served, &served_path(&target));
        Some(path + fragment.unwrap_or_default())
    })
}

/// The relative link from one page to another.
fn relative(from: &str, to: &str) -> String {
    let folders = |path: &'_ str| path.matches('/').count();
    let common = from
        .split_inclusive('/')
        .zip(to.split_inclusive('/'))
        .take_while(|(ours, theirs)| ours == theirs && ours.ends_with('/'))
        .count();
    let up = "../".repeat(folders(from) - common);
    let down: String = to.split_inclusive('/').skip(common).collect();
    up + &down
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_other_files_are_texts() {
        let sources = ["docs/worlds.md", "kits/README.md"];
        let pages = sources.map(|source| (source.to_owned(), String::new()));
        let pages = BTreeMap::from(pages);
        for (text, expected) in [
            ("[one](worlds.md#x)", "[one](worlds.md#x)"),
            ("[one](../kits/README.md#x)", "[one](kits/README.md#x)"),
            ("[one](../config.toml), ![two](a.svg)", "one, two"),
            ("[one](/openapi.json)", "[one](/openapi.json)"),
            ("[one](https://example.com)", "[one](https://example.com)"),
            ("[one](#x)", "[one](#x)"),
        ] {
            let served = with_served_links(&pages, "docs/a.md", "docs/a.md", text);
            assert_eq!(served, expected);
        }
    }

    #[test]
    fn relative_paths_go_up_and_down() {
        for (from, to, expected) in [
            ("docs/a.md", "docs/b.md", "b.md"),
            ("docs/exam/01.md", "docs/exam.md", "../exam.md"),
            ("docs/exam.md", "docs/exam/01.md", "exam/01.md"),
            ("docs/x/y/a.md", "docs/x/a.md", "../a.md"),
            ("llms.txt", "docs/a.md", "docs/a.md"),
        ] {
            assert_eq!(relative(from, to), expected, "{from} {to}");
        }
    }
}
