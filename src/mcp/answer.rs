//! Answers of tools: an agent reads all of them, so they are bounded, and say how to read on.

use serde_json::Value;
use switchboard_actors::domain::text::beginning;

/// The longest text of an answer, in bytes.
pub(super) const TEXT_MAX: usize = 64 << 10;
/// The room for the line that says how to read on, in bytes.
const LAST_LINE: usize = 200;

/// The answer of a tool: a text, or a refusal for people.
pub(super) type Answer = Result<String, String>;

/// A text of [`TEXT_MAX`] at most.
pub(super) fn bounded(text: String) -> String {
    if text.len() <= TEXT_MAX {
        return text;
    }
    let start = beginning(&text, TEXT_MAX.saturating_sub(LAST_LINE));
    let surplus = text.len().saturating_sub(start.len());
    format!("{start}\n… {surplus} more bytes, which are not shown")
}

/// The lines behind the first `skip` ones, as many as an answer has room for.
pub(super) fn page(text: &str, skip: usize) -> String {
    let mut page = String::new();
    let mut lines = text.lines().skip(skip);
    let mut count = skip;
    let room = TEXT_MAX.saturating_sub(LAST_LINE);
    for whole_line in lines.by_ref() {
        // One line alone is shown, cut.
        let line = beginning(whole_line, room.saturating_sub(1));
        if page.len().saturating_add(line.len()) >= room {
            let rest = lines.count().saturating_add(1);
            return format!("{page}… {rest} more lines: ask again with skip {count}\n");
        }
        page.push_str(line);
        page.push('\n');
        count = count.saturating_add(1);
    }
    page
}

/// A document as agents read it.
pub(super) fn document(document: &Value) -> String {
    format!("{document:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_between_lines_and_says_how_to_read_on() {
        let text: String = (0..3_000)
            .map(|number| format!("{number:0>50}\n"))
            .collect();
        let mut lines = Vec::new();
        let mut skip = 0;
        loop {
            let page = page(&text, skip);
            assert!(page.len() <= TEXT_MAX, "{} bytes", page.len());
            let (rest, next): (Vec<&str>, Vec<&str>) =
                page.lines().partition(|line| !line.starts_with('…'));
            lines.extend(rest.into_iter().map(str::to_owned));
            let Some(next) = next.first() else { break };
            skip = next.rsplit(' ').next().unwrap().parse().unwrap();
            assert_eq!(skip, lines.len(), "{next}");
        }
        assert_eq!(lines.len(), 3_000);
        assert_eq!(lines[2_999], format!("{:0>50}", 2_999));
    }

    #[test]
    fn a_line_longer_than_a_page_is_cut_and_the_next_one_follows() {
        let text = format!("{}\nlast\n", "я".repeat(TEXT_MAX));
        let first = page(&text, 0);
        assert!(first.len() <= TEXT_MAX, "{} bytes", first.len());
        assert!(first.ends_with("… 1 more lines: ask again with skip 1\n"));
        assert_eq!(page(&text, 1), "last\n");
        assert_eq!(page(&text, 9), "");
    }

    #[test]
    fn texts_are_cut_between_characters() {
        let text = "я".repeat(TEXT_MAX);
        assert!(bounded(text.clone()).len() <= TEXT_MAX);
        assert_eq!(bounded("short".to_owned()), "short");
    }
}
