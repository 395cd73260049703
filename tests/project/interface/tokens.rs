//! Tokens as people write them: `&'a [u8]`, not `& 'a [ u8 ]`.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// Words with a space before a bracket: it is no list of arguments.
const KEYWORDS: [&str; 9] = [
    "as", "const", "dyn", "for", "impl", "in", "mut", "pub", "where",
];

/// Returns the tokens as a line.
pub(super) fn line(tokens: &impl ToTokens) -> String {
    let mut words = Vec::new();
    split(tokens.to_token_stream(), &mut words);
    let mut line = String::new();
    let mut last = "";
    for (place, word) in words.iter().enumerate() {
        let next = words.get(place + 1).map(String::as_str);
        let ends_list = word == "," && matches!(next, Some(">" | "]" | "}"));
        if ends_list {
            continue;
        }
        if !line.is_empty() && is_apart(last, word) {
            line.push(' ');
        }
        line.push_str(word);
        last = word;
    }
    line
}

/// Takes the tokens apart into words, with punctuation and lifetimes joined as they were written.
fn split(tokens: TokenStream, words: &mut Vec<String>) {
    let mut open = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                let sign = punct.as_char();
                let is_joined = punct.spacing() == Spacing::Joint && ":-='.".contains(sign);
                open.push(sign);
                if !is_joined {
                    words.push(std::mem::take(&mut open));
                }
            }
            TokenTree::Group(group) => {
                words.extend(take(&mut open));
                let (begin, end) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => {
                        split(group.stream(), words);
                        continue;
                    }
                };
                words.push(begin.to_owned());
                split(group.stream(), words);
                words.push(end.to_owned());
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) if open == "'" => {
                open.push_str(&token.to_string());
                words.push(std::mem::take(&mut open));
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                words.extend(take(&mut open));
                words.push(token.to_string());
            }
        }
    }
    words.extend(take(&mut open));
}

fn take(open: &mut String) -> Option<String> {
    (!open.is_empty()).then(|| std::mem::take(open))
}

fn is_word(word: &str) -> bool {
    let first = word.chars().next().unwrap_or_default();
    first.is_alphanumeric() || "_'\"".contains(first)
}

/// Returns whether a space stands between two words.
fn is_apart(last: &str, next: &str) -> bool {
    let is_close = matches!(next, "," | ";" | ":" | "::" | "." | ")" | "]" | ">");
    let is_open = matches!(
        last,
        "(" | "[" | "<" | "&" | "::" | "." | "#" | "$" | "*" | "?"
    );
    if matches!(last, "->" | "=" | "+" | "," | ":" | "=>" | ";" | "{")
        || matches!(next, "->" | "=" | "+" | "=>" | "{" | "}")
    {
        return !(is_close && next != "::") || last == "->";
    }
    if is_close || is_open {
        return false;
    }
    match next {
        "(" | "[" => KEYWORDS.contains(&last) || last.starts_with('\''),
        "<" | "!" => false,
        _ => is_word(last) || last.starts_with([')', ']', '>', '}']) && is_word(next),
    }
}
