//! The five measures of one file, read from its tokens: so the bodies of macros count as well.
#![expect(clippy::indexing_slicing, reason = "tests fail by panicking")]

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::participles::PARTICIPLES;

/// The counts of a room, with the places of what should not be there.
#[derive(Debug, Default)]
pub(super) struct Measures {
    pub(super) lines: usize,
    pub(super) doc_comments: usize,
    pub(super) relative_clauses: Vec<String>,
    pub(super) bindings: usize,
    pub(super) participles: Vec<String>,
    pub(super) bound_again: Vec<String>,
    pub(super) called_of: Vec<String>,
    pub(super) tuples: Vec<String>,
}

/// The words that begin a relative clause or an indirect question.
const RELATIVES: [&str; 12] = [
    "How", "What", "Whatever", "When", "Where", "Whether", "Which", "Who", "Whoever", "Whom",
    "Whose", "Why",
];

/// Adds the measures of the file at `path` to those of its room.
pub(super) fn count(path: &str, text: &str, measures: &mut Measures) {
    measures.lines += text.lines().count();
    let Ok(tokens) = TokenStream::from_str(text) else {
        return;
    };
    Reader { path, measures }.group(tokens);
}

struct Reader<'r> {
    path: &'r str,
    measures: &'r mut Measures,
}

impl Reader<'_> {
    fn place(&self, token: &TokenTree, text: &str) -> String {
        format!("{}:{}: {text}", self.path, token.span().start().line)
    }

    fn group(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        self.doc_comments(&tokens);
        for start in 0..tokens.len() {
            let rest = &tokens[start..];
            match word(rest.first()).as_deref() {
                Some("let") => self.binding(rest),
                Some("fn") => self.function(rest),
                _ => {}
            }
        }
        for token in tokens {
            if let TokenTree::Group(group) = token {
                self.group(group.stream());
            }
        }
    }

    /// A doc comment of several lines is several attributes: its first line counts.
    fn doc_comments(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        let mut follows = false;
        while at < tokens.len() {
            let inner = usize::from(is(tokens.get(at + 1), '!'));
            let line = is(tokens.get(at), '#')
                .then(|| doc(tokens.get(at + 1 + inner)))
                .flatten();
            let Some(line) = line else {
                follows = false;
                at += 1;
                continue;
            };
            if !follows {
                self.measures.doc_comments += 1;
                let first = line.split_whitespace().next().unwrap_or_default();
                if RELATIVES.contains(&first.trim_end_matches([',', '.'])) {
                    let place = self.place(&tokens[at], line.trim());
                    self.measures.relative_clauses.push(place);
                }
            }
            follows = true;
            at += 2 + inner;
        }
    }

    fn binding(&mut self, tokens: &[TokenTree]) {
        self.measures.bindings += 1;
        let Some(name) = bound_name(tokens) else {
            return;
        };
        if PARTICIPLES.contains(&name.as_str()) {
            let place = self.place(&tokens[0], &format!("let {name}"));
            self.measures.participles.push(place);
        }
        let end = tokens.iter().position(|token| is(Some(token), ';'));
        let Some(next) = end.map(|end| &tokens[end + 1..]) else {
            return;
        };
        let rebinds = word(next.first()).as_deref() == Some("let")
            && plain_name(tokens).is_some()
            && plain_name(tokens) == plain_name(next);
        if rebinds {
            let place = self.place(&next[0], &format!("let {name}"));
            self.measures.bound_again.push(place);
        }
    }

    fn function(&mut self, tokens: &[TokenTree]) {
        let Some(name) = word(tokens.get(1)) else {
            return;
        };
        if name == "of" {
            let place = self.place(&tokens[0], "fn of");
            self.measures.called_of.push(place);
        }
        let parameters: Vec<TokenTree> = tokens
            .iter()
            .find_map(parenthesis)
            .map(|group| group.stream().into_iter().collect())
            .unwrap_or_default();
        for (at, pair) in parameters.windows(2).enumerate() {
            let is_first = at == 0 || is(parameters.get(at - 1), ',');
            if is_first && parenthesis(&pair[0]).is_some() && is(pair.get(1), ':') {
                let place = self.place(&pair[0], &format!("fn {name}"));
                self.measures.tuples.push(place);
            }
        }
    }
}

fn word(token: Option<&TokenTree>) -> Option<String> {
    let TokenTree::Ident(word) = token? else {
        return None;
    };
    Some(word.to_string())
}

fn parenthesis(token: &TokenTree) -> Option<&Group> {
    let TokenTree::Group(group) = token else {
        return None;
    };
    (group.delimiter() == Delimiter::Parenthesis).then_some(group)
}

fn is(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// The text of `[doc = "…"]`.
fn doc(token: Option<&TokenTree>) -> Option<String> {
    let TokenTree::Group(group) = token? else {
        return None;
    };
    let mut tokens = group.stream().into_iter();
    let is_doc = word(tokens.next().as_ref()).as_deref() == Some("doc");
    let text = tokens.nth(1)?.to_string();
    let line = text.trim_start_matches('r').trim_matches(['#', '"']);
    is_doc.then(|| line.to_owned())
}

/// The name in `let name`, `let mut name` and `let Some(name)`.
fn bound_name(tokens: &[TokenTree]) -> Option<String> {
    let in_variant = || {
        let variant = word(tokens.get(1))?;
        let stream = parenthesis(tokens.get(2)?)?.stream();
        let content: Vec<TokenTree> = stream.into_iter().collect();
        let is_simple = ["Some", "Ok", "Err"].contains(&variant.as_str()) && content.len() == 1;
        is_simple.then(|| word(content.first()))?
    };
    plain_name(tokens).or_else(in_variant)
}

/// The name in `let name` and `let mut name`.
fn plain_name(tokens: &[TokenTree]) -> Option<String> {
    let mutable = usize::from(word(tokens.get(1)).as_deref() == Some("mut"));
    let after = tokens.get(2 + mutable);
    (is(after, '=') || is(after, ':')).then(|| word(tokens.get(1 + mutable)))?
}
