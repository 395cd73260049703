//! The hints of a 404 of the chat interface.
//!
//! Before the signature is checked, a hint follows from the shape of the path alone, so it reveals nothing; behind a right
//! signature it may say how the account and the channel are related.

use actix_web::http::Method;
use switchboard_actors::domain::id::{ChannelId, ScopeId};
use switchboard_actors::domain::text::nearest::nearest;
use switchboard_actors::system::chat::ConnectRejection;

use crate::chat::{ADDRESSES, Operation, PREFIX};
use crate::state::AppState;
use switchboard_diagnosis::hint::{OtherHint, PathFault};

/// The most parts of a path that are compared with an address; the longest address has four.
const PARTS_MAX: usize = 8;
/// The longest part that is compared with a word.
const WORD_MAX: usize = 32;
/// Nothing is suggested that differs by more than this.
const DISTANCE_MAX: usize = 6;

/// The cost of a word that is missing, or of another one that is there.
const WORD: usize = 3;
/// The cost of an id that is missing, or of the id of something else in its place.
const ID: usize = 2;

/// The hint for a path that no operation is at.
pub(super) fn of_path(method: &Method, path: &str) -> OtherHint {
    let without_prefix = path.strip_prefix(PREFIX.trim_end_matches('/'));
    let rest = without_prefix.unwrap_or(path);
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let suggestion = (parts.len() <= PARTS_MAX).then(|| meant(method, &parts));
    OtherHint::NoSuchPath {
        wrong: wrong(path, &parts),
        meant: suggestion
            .flatten()
            .map(|(method, address)| format!("{method} {address}")),
    }
}

/// The hint for an operation of a channel that is not known.
pub(super) fn of_unknown_channel(operation: &Operation) -> OtherHint {
    let (Operation::Connect(channel) | Operation::Disconnect(channel)) = operation else {
        return OtherHint::UnknownChannelOfScope;
    };
    if channel.as_str().parse::<ScopeId>().is_ok() {
        OtherHint::ScopeForChannel
    } else {
        OtherHint::UnknownChannel
    }
}

/// The hint for a scope that is not connected. Only for who has the secret of its channel.
pub(super) fn of_unconnected(state: &AppState, scope: &ScopeId) -> OtherHint {
    let (channel, account) = (scope.channel(), scope.account());
    match state.system().connectable(channel, account) {
        Ok(_) => OtherHint::NotConnected {
            channel: channel.clone(),
        },
        Err(ConnectRejection::UnknownAccount) => OtherHint::UnknownAccount,
        Err(ConnectRejection::AccountNotAllowed) => OtherHint::AccountNotAllowed,
        Err(ConnectRejection::UnknownChannel) => OtherHint::ChannelRemoved,
    }
}

/// The obvious fault of a path.
fn wrong(path: &str, given: &[&str]) -> Option<PathFault> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/');
    if !path.bytes().all(plain) {
        return Some(PathFault::Signs);
    }
    if path.ends_with('/') {
        return Some(PathFault::SlashAtEnd);
    }
    if path.contains("//") {
        return Some(PathFault::EmptyPart);
    }
    let first = given.first()?;
    let of_channel = given.get(1).is_some_and(|word| is_of_channel(word));
    match (first.parse::<ScopeId>().is_ok(), of_channel) {
        (true, true) => return Some(PathFault::ScopeForChannel),
        (true, false) | (false, true) => return None,
        (false, false) => {}
    }
    Some(if first.contains('_') {
        PathFault::AccountId
    } else {
        PathFault::ScopeId
    })
}

fn is_of_channel(word: &str) -> bool {
    matches!(word, "connect" | "disconnect")
}

/// The operation whose address is nearest.
fn meant(method: &Method, given: &[&str]) -> Option<(&'static str, &'static str)> {
    let operations = ADDRESSES.iter().flat_map(|address| {
        let distance = distance(address.path, given);
        let operations = address.operations.iter();
        operations.map(move |(takes, _)| {
            let other = usize::from(*takes != method.as_str());
            // The method decides only between addresses that are equally near.
            (distance * 2 + other, *takes, address.path)
        })
    });
    let (distance, method, address) = operations.min_by_key(|(distance, ..)| *distance)?;
    (distance <= DISTANCE_MAX * 2).then_some((method, address))
}

/// The distance of the given parts from an address: the least cost of leaving out, adding and changing parts.
fn distance(address: &str, given: &[&str]) -> usize {
    let parts = address.strip_prefix(PREFIX).unwrap_or(address).split('/');
    let mut row: Vec<usize> = (0..=given.len()).map(|extra| extra * WORD).collect();
    for part in parts {
        let missing = if is_id(part) { ID } else { WORD };
        let mut above_left = 0;
        let mut cost_left = None;
        for (place, above) in row.iter_mut().enumerate() {
            let change = place
                .checked_sub(1)
                .and_then(|place| given.get(place))
                .map(|given| above_left + difference(part, given));
            let addition = cost_left.map(|left: usize| left + WORD);
            above_left = *above;
            let least = [change, addition].into_iter().flatten();
            *above = least.fold(*above + missing, usize::min);
            cost_left = Some(*above);
        }
    }
    row.last().copied().unwrap_or(usize::MAX / 4)
}

fn is_id(part: &str) -> bool {
    part.starts_with('{')
}

/// The cost of `given` in place of this part of an address.
fn difference(part: &str, given: &str) -> usize {
    let is_word = words().any(|word| word == given);
    match part {
        "{channel_id}" if given.parse::<ScopeId>().is_ok() => 1,
        "{channel_id}" => usize::from(given.parse::<ChannelId>().is_err() || is_word) * ID,
        "{scope_id}" => usize::from(given.parse::<ScopeId>().is_err()) * ID,
        id if is_id(id) => usize::from(is_word) * ID,
        word if word == given => 0,
        word if resembles(word, given) => 1,
        _ => WORD + 1,
    }
}

/// The words of all addresses.
fn words() -> impl Iterator<Item = &'static str> {
    let parts = ADDRESSES.iter().flat_map(|address| address.path.split('/'));
    parts.filter(|part| !is_id(part))
}

/// Returns whether this is the word, but for case, the sign between its parts, or a few letters.
fn resembles(word: &str, given: &str) -> bool {
    let plain = || given.to_ascii_lowercase().replace('-', "_");
    given.len() <= WORD_MAX && nearest(&plain(), [word]).is_some()
}

#[cfg(test)]
mod tests;
