//! Canned replies: those of each writer are their own, and the shared ones are everybody's of the account.

use super::{EVERYBODY, Row, of_mia};

const OWN: &str = r#"{"name":"Hours","text":"At nine"}"#;
const SHARED: &str = r#"{"name":"Hours","text":"At nine","is_shared":true}"#;
const EDITED: &str = r#"{"text":"At ten"}"#;
const ALL: &str = "/inbox/v1/canned-replies";
const ONE: &str = "/inbox/v1/canned-replies/{id}";

/// The statuses of an operation on the own one of Mia, which is the first of its account.
const fn of_the_author(status: u16) -> [u16; 10] {
    [401, 401, status, 401, 404, 404, status, 404, 404, 404]
}

#[rustfmt::skip]
pub(super) const TABLE: [Row; 10] = [
    ("POST", ALL, "", OWN, [401, 401, 201, 401, 403, 403, 201, 201, 201, 201]),
    // The first caller of the account has taken the name.
    ("POST", ALL, "", SHARED, [401, 401, 201, 401, 403, 403, 201, 409, 409, 409]),
    ("GET", ALL, "", "", EVERYBODY),
    ("GET", ONE, "1", "", of_the_author(200)),
    ("PATCH", ONE, "1", EDITED, of_the_author(200)),
    ("DELETE", ONE, "1", "", of_the_author(204)),
    // The shared one is the fifth of the account. Mia is its author.
    ("GET", ONE, "5", "", [401, 401, 404, 401, 200, 200, 200, 200, 200, 200]),
    ("PATCH", ONE, "5", EDITED, [401, 401, 404, 401, 403, 403, 200, 403, 403, 200]),
    ("DELETE", ONE, "5", "", [401, 401, 404, 401, 403, 403, 204, 404, 404, 404]),
    ("GET", "/inbox/v1/conversations/{id}/canned-replies", "c1", "", of_mia(200)),
];
