//! The links of a page in Markdown. The build script uses this module as well, to find the pages.

/// Returns a page with each link as `target` says: to another target, or without a link, so that its text alone stays. Code
/// stays as it is.
pub(crate) fn with_links(page: &str, mut target: impl FnMut(&str) -> Option<String>) -> String {
    let mut output = String::with_capacity(page.len());
    let mut paragraph = String::new();
    let mut is_code = false;
    for line in page.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        if is_fence || line.trim().is_empty() {
            write_paragraph(&mut output, &paragraph, &mut target);
            paragraph.clear();
        }
        is_code ^= is_fence;
        if is_fence || is_code {
            output.push_str(line);
        } else {
            paragraph.push_str(line);
        }
    }
    write_paragraph(&mut output, &paragraph, &mut target);
    output
}

fn write_paragraph(
    output: &mut String,
    paragraph: &str,
    target: &mut impl FnMut(&str) -> Option<String>,
) {
    let start = output.len();
    let mut parts = paragraph.split("](");
    output.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let before = output.get(start..).unwrap_or_default();
        let is_code = before.matches('`').count() % 2 == 1;
        let link = part.split_once(')').filter(|_| !is_code);
        let Some((link, rest)) = link else {
            output.push_str("](");
            output.push_str(part);
            continue;
        };
        match target(link) {
            Some(link) => {
                output.push_str("](");
                output.push_str(&link);
                output.push(')');
            }
            None => remove_bracket(output, start),
        }
        output.push_str(rest);
    }
}

/// Removes the bracket that opens the text of a link, with the mark of a picture before it.
fn remove_bracket(output: &mut String, start: usize) {
    let mut depth = 0_u32;
    let text = output.get(start..).unwrap_or_default();
    let opening = text.char_indices().rev().find(|(_, letter)| {
        let is_opening = *letter == '[' && depth == 0;
        match letter {
            ']' => depth += 1,
            '[' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_opening
    });
    let Some((at, _)) = opening else {
        return;
    };
    let is_picture = text.get(..at).is_some_and(|before| before.ends_with('!'));
    output.remove(start + at);
    if is_picture {
        output.remove(start + at - 1);
    }
}

/// The file that a relative link of a page leads to, by its path from the root of the repository. Links to other sites, to
/// addresses of the service, within a page and out of the repository lead to none.
pub(crate) fn resolve(page: &str, link: &str) -> Option<String> {
    let path = link.split('#').next().unwrap_or_default();
    if path.is_empty() || path.starts_with('/') || path.contains(':') {
        return None;
    }
    let mut segments: Vec<&str> = page.split('/').collect();
    segments.pop();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubled(link: &str) -> Option<String> {
        (link != "gone").then(|| format!("{link}{link}"))
    }

    #[test]
    fn links_change_and_code_stays() {
        for (page, expected) in [
            (
                "See [a](x) and [b\nc](y).\n",
                "See [a](xx) and [b\nc](yy).\n",
            ),
            ("[`a`](x), `[b](x)`\n", "[`a`](xx), `[b](x)`\n"),
            ("```\n[a](x)\n```\n[a](x)", "```\n[a](x)\n```\n[a](xx)"),
            ("a [b [c] d](gone) e", "a b [c] d e"),
            ("![a](gone) [b](x)", "a [b](xx)"),
            ("`one\n\n[a](x)", "`one\n\n[a](xx)"),
            ("a](gone", "a](gone"),
            ("a](gone)", "a"),
            ("", ""),
        ] {
            assert_eq!(with_links(page, doubled), expected, "{page}");
        }
    }

    #[test]
    fn relative_links_are_resolved_within_the_repository() {
        for (page, link, expected) in [
            ("docs/exam.md", "exam/01.md", Some("docs/exam/01.md")),
            ("docs/exam/01.md", "../exam.md#rules", Some("docs/exam.md")),
            ("docs/worlds.md", "../kits", Some("kits")),
            ("README.md", "./docs//worlds.md", Some("docs/worlds.md")),
            ("README.md", "../other/README.md", None),
            ("README.md", "https://example.com/a.md", None),
            ("README.md", "crate::item", None),
            ("README.md", "/openapi.json", None),
            ("README.md", "#here", None),
        ] {
            assert_eq!(resolve(page, link).as_deref(), expected, "{page}: {link}");
        }
    }
}
