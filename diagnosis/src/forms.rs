//! The same JSON in other bytes: what a signer signed that made the body twice.

mod compact;
mod layout;
mod style;

use serde_json::Value;

pub(super) use self::compact::{compact, member, tokens};
use self::layout::LAYOUTS;
use self::style::STYLES;

/// The same JSON in the forms that common libraries write: in its own order of keys and in the sorted one, the most frequent
/// ones first.
pub(super) fn forms(body: &[u8]) -> impl Iterator<Item = String> {
    let (value, text) = (
        serde_json::from_slice::<Value>(body).ok(),
        std::str::from_utf8(body).ok(),
    );
    let orders = value.zip(text).map(|(value, text)| {
        let (own, sorted) = (compact(text), value.to_string());
        let by_key = Some(sorted).filter(|by_key| *by_key != own);
        std::iter::once(own).chain(by_key)
    });
    let spellings: Vec<String> = orders
        .into_iter()
        .flatten()
        .flat_map(|it| spellings(&it))
        .collect();
    LAYOUTS.iter().flat_map(move |layout| {
        let laid_out: Vec<String> = spellings.iter().map(|it| layout.apply_to(it)).collect();
        laid_out.into_iter()
    })
}

/// The strings of a compact text in each spelling that differs.
fn spellings(compact: &str) -> Vec<String> {
    let mut spellings: Vec<String> = Vec::with_capacity(STYLES.len());
    for style in &STYLES {
        let spelling = style.apply_to(compact);
        if !spellings.contains(&spelling) {
            spellings.push(spelling);
        }
    }
    spellings
}

#[cfg(test)]
mod tests;
