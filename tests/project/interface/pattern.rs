//! The two sides of a rule of `macro_rules!`: what it matches, and what it writes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A part of either side.
pub(super) enum Pattern {
    Token(TokenTree),
    Group(Delimiter, Vec<Pattern>),
    /// `$name:kind`, or `$name` where it is written.
    Variable {
        name: String,
        kind: String,
    },
    /// `$(inner) separator operator`.
    Repeat {
        inner: Vec<Pattern>,
        separator: Vec<TokenTree>,
        operator: char,
    },
}

/// A side of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Matches,
    Writes,
}

fn punctuation(token: Option<&TokenTree>) -> Option<char> {
    match token {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        Some(TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_)) | None => None,
    }
}

/// Reads one side of a rule.
pub(super) fn read(side: Side, tokens: TokenStream) -> Vec<Pattern> {
    let mut tokens = tokens.into_iter();
    let mut patterns = Vec::new();
    while let Some(token) = tokens.next() {
        let is_marked = punctuation(Some(&token)) == Some('$');
        match (token, is_marked) {
            (TokenTree::Group(group), _) => {
                patterns.push(Pattern::Group(
                    group.delimiter(),
                    read(side, group.stream()),
                ));
            }
            (_, true) => patterns.extend(marked(side, &mut tokens)),
            (token, false) => patterns.push(Pattern::Token(token)),
        }
    }
    patterns
}

/// Reads what stands behind a `$`.
fn marked(side: Side, tokens: &mut impl Iterator<Item = TokenTree>) -> Option<Pattern> {
    match tokens.next()? {
        TokenTree::Group(group) => {
            let mut separator = Vec::new();
            let operator = loop {
                let token = tokens.next()?;
                match punctuation(Some(&token)) {
                    Some(sign @ ('*' | '+' | '?')) => break sign,
                    Some(_) | None => separator.push(token),
                }
            };
            Some(Pattern::Repeat {
                inner: read(side, group.stream()),
                separator,
                operator,
            })
        }
        TokenTree::Ident(name) => {
            let kind = match side {
                Side::Matches => {
                    tokens.next();
                    tokens.next().map(|kind| kind.to_string())
                }
                Side::Writes => None,
            };
            Some(Pattern::Variable {
                name: name.to_string(),
                kind: kind.unwrap_or_default(),
            })
        }
        token @ (TokenTree::Punct(_) | TokenTree::Literal(_)) => Some(Pattern::Token(token)),
    }
}

/// The variables in these patterns, at any depth.
pub(super) fn variables(patterns: &[Pattern]) -> Vec<&str> {
    let mut names = Vec::new();
    for pattern in patterns {
        match pattern {
            Pattern::Token(_) => {}
            Pattern::Variable { name, .. } => names.push(name.as_str()),
            Pattern::Group(_, inner) | Pattern::Repeat { inner, .. } => {
                names.extend(variables(inner));
            }
        }
    }
    names
}
