//! Macros that declare items: their rules, applied as the compiler applies them.
//!
//! A repetition ends where its next round does not match. The compiler refuses rules for which that is not clear.

use std::collections::BTreeMap;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};

use super::pattern::{Pattern, Side, read, variables};

/// The value of a variable: tokens, or those of each round of a repetition.
#[derive(Clone)]
enum Binding {
    One(TokenStream),
    Rounds(Vec<Binding>),
}

type Bindings = BTreeMap<String, Binding>;

/// A rule of a macro.
pub(super) struct Rule {
    /// The pattern that it matches, as it is written.
    pub(super) form: TokenStream,
    matches: Vec<Pattern>,
    writes: Vec<Pattern>,
}

/// Reads the rules of a macro, `(…) => {…};` each.
pub(super) fn rules(tokens: TokenStream) -> Vec<Rule> {
    let groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    });
    let sides: Vec<TokenStream> = groups.collect();
    let rule = |sides: &[TokenStream]| {
        let [form, output] = sides else {
            return None;
        };
        Some(Rule {
            matches: read(Side::Matches, form.clone()),
            writes: read(Side::Writes, output.clone()),
            form: form.clone(),
        })
    };
    sides.chunks(2).filter_map(rule).collect()
}

/// Returns what the first rule that matches writes; `krate` is the path of the crate of the macro.
pub(super) fn expand(
    rules: &[Rule],
    input: &TokenStream,
    krate: &TokenStream,
) -> Option<TokenStream> {
    rules.iter().find_map(|rule| {
        let capture_all = |input: ParseStream<'_>| {
            let mut bindings = Bindings::new();
            capture(&rule.matches, input, &mut bindings)?;
            Ok(bindings)
        };
        let mut bindings = capture_all.parse2(input.clone()).ok()?;
        bindings.insert("crate".to_owned(), Binding::One(krate.clone()));
        Some(write(&rule.writes, &bindings))
    })
}

fn capture(
    patterns: &[Pattern],
    input: ParseStream<'_>,
    bindings: &mut Bindings,
) -> syn::Result<()> {
    for pattern in patterns {
        match pattern {
            Pattern::Token(token) => same(token, input)?,
            Pattern::Group(delimiter, inner) => {
                let group: Group = input.parse()?;
                if group.delimiter() != *delimiter {
                    return Err(input.error("another bracket"));
                }
                let capture_inner = |input: ParseStream<'_>| capture(inner, input, bindings);
                capture_inner.parse2(group.stream())?;
            }
            Pattern::Variable { name, kind } => {
                let tokens = fragment(kind, input)?;
                bindings.insert(name.clone(), Binding::One(tokens));
            }
            Pattern::Repeat {
                inner,
                separator,
                operator,
            } => {
                let rounds = rounds(inner, separator, *operator, input);
                if *operator == '+' && rounds.is_empty() {
                    return Err(input.error("a repetition without a round"));
                }
                for name in variables(inner) {
                    let bound = rounds.iter().filter_map(|round| round.get(name).cloned());
                    bindings.insert(name.to_owned(), Binding::Rounds(bound.collect()));
                }
            }
        }
    }
    Ok(())
}

fn rounds(
    inner: &[Pattern],
    separator: &[TokenTree],
    operator: char,
    input: ParseStream<'_>,
) -> Vec<Bindings> {
    let mut rounds = Vec::new();
    while !input.is_empty() && (operator != '?' || rounds.is_empty()) {
        let ahead = input.fork();
        let is_separated =
            rounds.is_empty() || separator.iter().all(|token| same(token, &ahead).is_ok());
        let mut round = Bindings::new();
        let is_round = is_separated && capture(inner, &ahead, &mut round).is_ok();
        if !is_round || ahead.cursor() == input.cursor() {
            break;
        }
        input.advance_to(&ahead);
        rounds.push(round);
    }
    rounds
}

fn same(token: &TokenTree, input: ParseStream<'_>) -> syn::Result<()> {
    let other: TokenTree = input.parse()?;
    if other.to_string() == token.to_string() {
        Ok(())
    } else {
        Err(input.error("another token"))
    }
}

fn fragment(kind: &str, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let tokens = match kind {
        "expr" => input.parse::<syn::Expr>()?.to_token_stream(),
        "ident" => input.call(Ident::parse_any)?.to_token_stream(),
        "lifetime" => input.parse::<syn::Lifetime>()?.to_token_stream(),
        "literal" => input.parse::<syn::Lit>()?.to_token_stream(),
        "meta" => input.parse::<syn::Meta>()?.to_token_stream(),
        "path" => input.parse::<syn::Path>()?.to_token_stream(),
        "tt" => input.parse::<TokenTree>()?.to_token_stream(),
        "ty" => input.parse::<syn::Type>()?.to_token_stream(),
        "vis" => input.parse::<syn::Visibility>()?.to_token_stream(),
        other => return Err(input.error(format!("{other} is no fragment of these macros"))),
    };
    Ok(tokens)
}

fn write(patterns: &[Pattern], bindings: &Bindings) -> TokenStream {
    let mut output = TokenStream::new();
    for pattern in patterns {
        match pattern {
            Pattern::Token(token) => output.extend([token.clone()]),
            Pattern::Group(delimiter, inner) => {
                let group = Group::new(*delimiter, write(inner, bindings));
                output.extend([TokenTree::from(group)]);
            }
            Pattern::Variable { name, .. } => {
                if let Some(Binding::One(tokens)) = bindings.get(name) {
                    output.extend(tokens.clone());
                }
            }
            Pattern::Repeat {
                inner, separator, ..
            } => {
                for (place, bindings) in for_rounds(inner, bindings).iter().enumerate() {
                    if place > 0 {
                        output.extend(separator.iter().cloned());
                    }
                    output.extend(write(inner, bindings));
                }
            }
        }
    }
    output
}

/// The bindings in each round of a repetition of these patterns.
fn for_rounds(inner: &[Pattern], bindings: &Bindings) -> Vec<Bindings> {
    let rounds_of = |name: &str| match bindings.get(name) {
        Some(Binding::Rounds(rounds)) => Some((name.to_owned(), rounds)),
        Some(Binding::One(_)) | None => None,
    };
    let repetitions: Vec<_> = variables(inner).into_iter().filter_map(rounds_of).collect();
    let count = repetitions.iter().map(|(_, rounds)| rounds.len()).max();
    let round = |place: usize| {
        let mut bindings = bindings.clone();
        for (name, rounds) in &repetitions {
            if let Some(binding) = rounds.get(place) {
                bindings.insert(name.clone(), binding.clone());
            }
        }
        bindings
    };
    (0..count.unwrap_or_default()).map(round).collect()
}
