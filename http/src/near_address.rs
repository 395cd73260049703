//! The address of the service that was probably meant by one that does not exist.

use actix_web::http::Method;
use switchboard_actors::domain::text::nearest::nearest;

use crate::address::Address;
use crate::chat;
use crate::not_offered::SURFACES;

/// The most parts of a path that are compared; the longest address has as many.
const PARTS_MAX: usize = 8;
/// The longest part that is compared with a word.
const WORD_MAX: usize = 32;
/// Nothing is suggested that differs by more than this.
const DISTANCE_MAX: usize = 6;
/// The cost of a part that is missing, and of another one in its place.
const PART: usize = 3;
/// The cost of an id that is missing, and of a word in its place.
const ID: usize = 2;

/// The method and the address that are nearest to these, for people, among all addresses of the service.
pub(crate) fn meant(
    method: &Method,
    path: &str,
    all: impl Iterator<Item = &'static Address>,
) -> Option<String> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if parts.len() > PARTS_MAX || parts.iter().any(|part| part.len() > WORD_MAX * 4) {
        return None;
    }
    if let Some(chat) = chat_address(&parts) {
        return Some(format!("{method} {chat}"));
    }
    let offered = all.map(|address| {
        let mut operations = address.operations.iter();
        let takes = operations.any(|(takes, _)| *takes == method.as_str());
        (address.path, takes, true)
    });
    let paths = SURFACES.iter().flat_map(|surface| surface.paths);
    let others = paths.map(|path| (*path, true, false));
    let near = offered
        .chain(others)
        .filter_map(|(address, takes, is_offered)| {
            let distance = distance(address, &parts)?;
            // The method decides only between addresses that are equally near, and what is offered comes first.
            let order = (distance * 2 + usize::from(!takes), !is_offered);
            Some((order, address, takes, is_offered))
        });
    let ((distance, _), address, takes, is_offered) = near.min()?;
    if distance > DISTANCE_MAX * 2 + 1 {
        return None;
    }
    Some(match (takes, is_offered) {
        (_, false) => format!("{address}, which is not offered"),
        (true, true) => format!("{method} {address}"),
        (false, true) => address.to_owned(),
    })
}

/// A path of the chat interface without its whole beginning.
fn chat_address(parts: &[&str]) -> Option<String> {
    let (&["origin", "custom", ref rest @ ..]
    | &[
        "v1" | "v3" | "v4" | "api",
        "origin",
        "custom",
        ref rest @ ..,
    ]
    | &["custom", ref rest @ ..]
    | &["v2", "custom", ref rest @ ..]) = parts
    else {
        return None;
    };
    (!rest.is_empty()).then(|| format!("{}{}", chat::PREFIX, rest.join("/")))
}

/// The distance of the parts from an address: the least cost of leaving out, adding and changing parts.
/// `None` when the last word of the address is not among them.
fn distance(address: &str, parts: &[&str]) -> Option<usize> {
    let words: Vec<&str> = address.split('/').skip(1).collect();
    let last = words.iter().rev().find(|word| !is_id(word))?;
    parts.iter().find(|part| resembles(last, part))?;
    let mut row: Vec<usize> = (0..=parts.len()).map(|extra| extra * PART).collect();
    for word in words {
        let missing = if is_id(word) { ID } else { PART };
        let mut above_left = 0;
        let mut beside: Option<usize> = None;
        for (place, above) in row.iter_mut().enumerate() {
            let part = place.checked_sub(1).and_then(|place| parts.get(place));
            let change = part.map(|part| above_left + difference(word, part));
            let addition = beside.map(|cost| cost + PART);
            above_left = *above;
            let least = [change, addition].into_iter().flatten();
            *above = least.fold(*above + missing, usize::min);
            beside = Some(*above);
        }
    }
    row.last().copied()
}

fn is_id(word: &str) -> bool {
    word.starts_with('{')
}

/// The cost of `given` in place of this word of an address.
fn difference(word: &str, given: &str) -> usize {
    if is_id(word) {
        let looks_like_one = given
            .bytes()
            .any(|byte| byte.is_ascii_digit() || byte == b'{');
        return if looks_like_one { 0 } else { ID };
    }
    if word == given {
        0
    } else if resembles(word, given) {
        1
    } else {
        PART + 1
    }
}

/// Returns whether this is the word, but for case, the sign between its parts, or a few letters.
fn resembles(word: &str, given: &str) -> bool {
    let near = word.len().abs_diff(given.len()) <= 1 + word.len() / 4;
    if given.len() > WORD_MAX || !near {
        return false;
    }
    let plain = given.to_ascii_lowercase().replace('-', "_");
    word == given || nearest(&plain, [word]).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::all_addresses;

    #[test]
    fn the_nearest_address_is_named() {
        for (method, path, address) in [
            (Method::GET, "/api/v4/lead", "GET /api/v4/leads"),
            (Method::POST, "/api/v4/lead", "POST /api/v4/leads"),
            (
                Method::GET,
                "/api/v4/contact/5",
                "GET /api/v4/contacts/{id}",
            ),
            (
                Method::GET,
                "/api/v4/leads/5/note",
                "GET /api/v4/leads/{id}/notes",
            ),
            (Method::GET, "/api/v3/leads", "GET /api/v4/leads"),
            (Method::GET, "/api/leads/7", "GET /api/v4/leads/{id}"),
            (Method::GET, "/v4/leads", "GET /api/v4/leads"),
            (Method::GET, "/leads", "GET /api/v4/leads"),
            (Method::GET, "/API/V4/Leads", "GET /api/v4/leads"),
            (Method::GET, "/api/v4/leads/", "GET /api/v4/leads"),
            (Method::DELETE, "/api/v4/lead", "/api/v4/leads"),
            (
                Method::GET,
                "/api/v4/company",
                "/api/v4/companies, which is not offered",
            ),
            (
                Method::GET,
                "/inbox/v1/conversation",
                "GET /inbox/v1/conversations",
            ),
            (
                Method::POST,
                "/oauth2/access-token",
                "POST /oauth2/access_token",
            ),
            (Method::GET, "/metric", "GET /metrics"),
            (
                Method::POST,
                "/origin/custom/c_1",
                "POST /v2/origin/custom/c_1",
            ),
            (
                Method::POST,
                "/v1/origin/custom/c/connect",
                "POST /v2/origin/custom/c/connect",
            ),
            (Method::POST, "/v2/custom/c", "POST /v2/origin/custom/c"),
        ] {
            assert_eq!(
                meant(&method, path, all_addresses()).as_deref(),
                Some(address),
                "{path}"
            );
        }
        let long = format!("/api/v4/{}", "x".repeat(4_000));
        let deep = "/a".repeat(500);
        for path in [
            "/",
            "/nope",
            "/api/v4",
            "/api/v4/xyz",
            "/wp-login.php",
            &long,
            &deep,
        ] {
            assert_eq!(meant(&Method::GET, path, all_addresses()), None, "{path}");
        }
    }
}
