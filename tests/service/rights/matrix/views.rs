//! Saved views: those of each user are their own, and administrators write those of the team.

use super::{EVERYBODY, Row};

const OWN: &str = r#"{"name":"Mine","filters":{"responsible":"me"}}"#;
const OF_TEAM: &str = r#"{"name":"Ours","is_shared":true,"filters":{"responsible":"me"}}"#;
const RENAMED: &str = r#"{"name":"Renamed"}"#;
const ALL: &str = "/inbox/v1/views";
const ONE: &str = "/inbox/v1/views/{id}";

/// The statuses of an operation on the own view of Mia, which is the third of its account.
const fn of_the_author(status: u16) -> [u16; 10] {
    [401, 401, 404, 401, 404, 404, status, 404, 404, 404]
}

#[rustfmt::skip]
pub(super) const TABLE: [Row; 11] = [
    ("POST", ALL, "", OWN, [401, 401, 201, 401, 201, 201, 201, 201, 201, 201]),
    ("POST", ALL, "", OF_TEAM, [401, 401, 201, 401, 403, 403, 403, 403, 403, 201]),
    ("GET", ALL, "", "", EVERYBODY),
    ("GET", "/inbox/v1/channels", "", "", EVERYBODY),
    ("GET", ONE, "3", "", of_the_author(200)),
    ("PATCH", ONE, "3", RENAMED, of_the_author(200)),
    ("DELETE", ONE, "3", "", of_the_author(204)),
    // That of the team is the seventh of the account.
    ("GET", ONE, "7", "", [401, 401, 404, 401, 200, 200, 200, 200, 200, 200]),
    ("PATCH", ONE, "7", RENAMED, [401, 401, 404, 401, 403, 403, 403, 403, 403, 200]),
    ("GET", "/inbox/v1/conversations", "?view=7", "", [401, 401, 400, 401, 200, 200, 200, 200, 200, 200]),
    ("DELETE", ONE, "7", "", [401, 401, 404, 401, 403, 403, 403, 403, 403, 204]),
];
