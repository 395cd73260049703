//! The title of a page, and the first sentence of its text.

use super::links::with_links;

/// The title of a page: its first line.
pub(crate) fn title(page: &str) -> Option<&str> {
    let line = page.lines().next()?;
    line.strip_prefix("# ").map(str::trim)
}

/// The first sentence of the paragraph below the title, without links and emphasis. `None` where no paragraph begins there.
pub(crate) fn first_sentence(page: &str) -> Option<String> {
    let (_, below) = page.split_once('\n')?;
    let paragraph = below.trim_start().split("\n\n").next()?;
    let is_prose = paragraph
        .starts_with(|first: char| first.is_alphanumeric() || "`*[".contains(first))
        && !paragraph.starts_with("* ")
        && !paragraph.starts_with("```");
    let plain = with_links(paragraph, |_| None).replace('*', "");
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    is_prose.then(|| sentence(&line).to_owned())
}

/// The beginning of a line up to the first end of a sentence, which is none within code.
fn sentence(line: &str) -> &str {
    let mut is_code = false;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        is_code ^= letter == '`';
        let ends = ['.', '!', '?'].contains(&letter) && !is_code;
        if ends && letters.peek().is_none_or(|(_, next)| *next == ' ') {
            return line.get(..=at).unwrap_or(line);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_first_sentences_are_read_from_a_page() {
        for (page, expected) in [
            (
                "# A: b\n\nA *world* is\n[here](x.md). More.\n\nNext.\n",
                (Some("A: b"), Some("A world is here.")),
            ),
            (
                "# A\n\nSee `a. b` of 1.5. More",
                (Some("A"), Some("See `a. b` of 1.5.")),
            ),
            ("# A\n\nNo end", (Some("A"), Some("No end"))),
            ("# A\n\n## B\n\nText.", (Some("A"), None)),
            ("# A\n\n```\ncode.\n```\n", (Some("A"), None)),
            ("# A\n\n* item.\n", (Some("A"), None)),
            ("# A\n\n| a. |\n", (Some("A"), None)),
            ("Text.\nMore.", (None, Some("More."))),
            ("", (None, None)),
        ] {
            let (title, sentence) = (title(page), first_sentence(page));
            assert_eq!((title, sentence.as_deref()), expected, "{page}");
        }
    }
}
