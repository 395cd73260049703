//! The string literals of product code that are texts: those with a blank. Others are keys, names and paths, as the keys
//! of JSON bodies. Literals of tests, of documentation and of attributes that name something are left out.

use syn::ext::IdentExt;
use syn::parse::{ParseBuffer, ParseStream, Parser, Result};
use syn::{Ident, LitStr, Token, braced, bracketed, parenthesized, token};

/// Attributes that have names or documentation in their literals.
const NAMES: [&str; 4] = ["cfg", "cfg_attr", "doc", "serde"];

/// A run of so many blanks inside a sentence is a mistake.
const STRAY: &str = "    ";

/// The texts of a source file, each without the names in its placeholders.
///
/// # Errors
/// When the file is not Rust.
pub(super) fn texts(source: &str) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    let read = |input: ParseStream<'_>| read(input, &mut texts);
    read.parse_str(source)?;
    Ok(texts)
}

/// Reads tokens, since the literals of macros count like those of functions.
fn read(input: ParseStream<'_>, texts: &mut Vec<String>) -> Result<()> {
    while !input.is_empty() {
        if input.peek(Token![#]) {
            if attribute(input, texts)? {
                skip_item(input)?;
            }
        } else if input.peek(LitStr) {
            let text = input.parse::<LitStr>()?.value();
            if text.contains(' ') {
                texts.push(without_names(&text));
            }
        } else if let Some(content) = group(input)? {
            read(&content, texts)?;
        } else {
            skip(input)?;
        }
    }
    Ok(())
}

/// Reads an attribute, and returns whether it marks an item of a test.
fn attribute(input: ParseStream<'_>, texts: &mut Vec<String>) -> Result<bool> {
    input.parse::<Token![#]>()?;
    input.parse::<Option<Token![!]>>()?;
    if !input.peek(token::Bracket) {
        return Ok(false);
    }
    let content;
    bracketed!(content in input);
    let text = content.to_string();
    let ident = content.fork().call(Ident::parse_any);
    let name = ident.map_or_else(|_| String::new(), |name| name.to_string());
    if NAMES.contains(&name.as_str()) {
        while !content.is_empty() {
            skip(&content)?;
        }
    } else {
        read(&content, texts)?;
    }
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '"');
    let names_test = words.any(|word| word == "test") && !text.contains("not");
    Ok(name == "test" || name == "cfg" && names_test)
}

/// The content of the group that comes next, if one does.
fn group<'i>(input: ParseStream<'i>) -> Result<Option<ParseBuffer<'i>>> {
    let content;
    if input.peek(token::Brace) {
        braced!(content in input);
    } else if input.peek(token::Bracket) {
        bracketed!(content in input);
    } else if input.peek(token::Paren) {
        parenthesized!(content in input);
    } else {
        return Ok(None);
    }
    Ok(Some(content))
}

/// Skips to the end of an item: its body, or a semicolon.
fn skip_item(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() {
        let is_last = input.peek(token::Brace) || input.peek(Token![;]);
        skip(input)?;
        if is_last {
            break;
        }
    }
    Ok(())
}

fn skip(input: ParseStream<'_>) -> Result<()> {
    input.step(|cursor| match cursor.token_tree() {
        Some((_, rest)) => Ok(((), rest)),
        None => Err(cursor.error("a token is missing")),
    })
}

/// The text without the names in its placeholders: the name in `{name}` is no word of it.
fn without_names(text: &str) -> String {
    let mut rest = text.replace("{{", "").replace("}}", "");
    let mut words = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        words.push_str(before);
        words.push_str("{}");
        rest = after
            .split_once('}')
            .map_or("", |(_, after)| after)
            .to_owned();
    }
    words + &rest
}

/// The lines with a run of blanks inside a sentence, as of a literal that goes on in the next line of the source. Rows and
/// examples begin with two blanks; the head of a table has columns.
pub(super) fn stray_blanks(text: &str) -> Vec<&str> {
    text.lines().filter(|line| has_stray_blanks(line)).collect()
}

fn has_stray_blanks(line: &str) -> bool {
    let words = line.trim_start_matches(' ');
    let indentation = line.len().saturating_sub(words.len());
    if indentation >= 2 * STRAY.len() {
        return words.starts_with(char::is_lowercase);
    }
    let runs = words.split(|letter| letter != ' ');
    let is_sentence = indentation < 2 && runs.filter(|run| run.len() > 1).count() < 3;
    // A template of code goes on after a placeholder.
    let run = words.split_once(STRAY);
    is_sentence
        && run.is_some_and(|(before, after)| !before.ends_with('}') && !after.trim().is_empty())
}

#[test]
fn literals_are_read_over_lines_and_in_macros() {
    let source = r#"
        #[derive(Error)]
        #[error(
            "the request is told"
        )]
        #[serde(rename = "not a text")]
        struct Told;
        /// no text
        fn shown() {
            let told = json!({ "told": 1 });
            format!(
                "over \
                 two lines of {told}"
            );
        }
        #[cfg(not(test))]
        fn product() { "one more"; }
        #[cfg(test)]
        mod tests { fn planted() { "of a test"; } }
    "#;
    assert_eq!(
        texts(source).unwrap(),
        ["the request is told", "over two lines of {}", "one more"]
    );
}

#[test]
fn stray_blanks_in_a_sentence_are_found() {
    let sentence = "the disk is     full\nas in  switchboard init";
    assert_eq!(stray_blanks(sentence), ["the disk is     full"]);
    assert_eq!(stray_blanks("its disk\n            is lost").len(), 1);
    let table = "messages    req/s  of noop  of floor\n  switchboard dev      ends with its lease";
    assert!(stray_blanks(table).is_empty());
}
