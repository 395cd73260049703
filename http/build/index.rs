//! The list of the pages: its sections are the rows of the table «Documentation» in `README.md`, and each page says by itself what
//! stands beside its link.

use std::collections::BTreeMap;

use super::excerpt::{first_sentence, title};
use super::links::{resolve, with_links};

/// The page that has the table.
const README: &str = "README.md";
/// The heading above the table.
const HEADING: &str = "\n## Documentation\n";

/// The sentences below the summary.
const NOTE: &str = "Each link is a page in Markdown, and has links to more pages. A running service has them at the same \
addresses, and `/openapi.json`, which describes every operation. `switchboard docs PAGE` prints one.";

/// Writes the list, with links as `README.md` has them.
pub(crate) fn written(pages: &BTreeMap<String, String>) -> String {
    let text = |path: &str| pages.get(path).map(String::as_str);
    let readme = text(README).unwrap_or_default();
    let name = title(readme).unwrap_or_default();
    let summary = first_sentence(readme).unwrap_or_default();
    let mut list = format!("# {name}\n\n> {summary}\n\n{NOTE}\n");
    for row in rows(readme) {
        list.push_str(&format!("\n## For {}\n\n", row.readers));
        for link in row.links {
            let page = resolve(README, &link).and_then(|path| text(&path));
            let Some(name) = page.and_then(title) else {
                continue;
            };
            let sentence = page.and_then(first_sentence).unwrap_or_default();
            list.push_str(&format!("- [{name}]({link}): {sentence}\n"));
        }
    }
    list
}

/// A row of the table: pages for the same readers.
struct Row<'r> {
    readers: &'r str,
    links: Vec<String>,
}

fn rows(readme: &str) -> impl Iterator<Item = Row<'_>> {
    let section = readme.split_once(HEADING).map_or("", |(_, below)| below);
    let lines = section.lines().skip_while(|line| !line.starts_with('|'));
    // A head and the line below it.
    let table = lines.take_while(|line| line.starts_with('|')).skip(2);
    table.filter_map(|line| {
        let (readers, cell) = line.strip_prefix("| ")?.split_once(" | ")?;
        let mut links = Vec::new();
        with_links(cell, |link| {
            links.push(link.to_owned());
            None
        });
        Some(Row { readers, links })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_made_of_the_table_and_of_what_pages_say() {
        let readme = "# Name\n\nA summary. More.\n\n## Documentation\n\n| For | Read |\n|---|---|\n\
                      | users | [one](docs/a.md), [gone](docs/x.md), `GET /x` |\n| others | [two](b.md) |\n\nText.\n";
        let pages = [
            ("README.md", readme),
            ("b.md", "# B\n\nAbout *b*. More.\n"),
            ("docs/a.md", "# Of a\n\nAbout [b](../b.md).\n"),
        ];
        let pages = pages.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let expected = format!(
            "# Name\n\n> A summary.\n\n{NOTE}\n\n## For users\n\n- [Of a](docs/a.md): About b.\n\n\
             ## For others\n\n- [B](b.md): About b.\n"
        );
        assert_eq!(written(&BTreeMap::from(pages)), expected);
    }
}
