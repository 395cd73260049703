//! The operations of administrators on the OAuth clients of their account. Consents, long-lived tokens and the end of
//! both need a session, which neither administrator of the table has.

use super::{Row, administrators};
use crate::support::oauth::OAUTH_CLIENT;

const TOKEN: &str = r#"{"name":"x","expires_in_seconds":86400}"#;

pub(super) const TABLE: [Row; 7] = [
    (
        "GET",
        "/inbox/v1/oauth-clients",
        "",
        "",
        administrators(200, 200),
    ),
    (
        "GET",
        "/inbox/v1/oauth-clients/{id}",
        OAUTH_CLIENT,
        "",
        administrators(200, 200),
    ),
    (
        "POST",
        "/inbox/v1/oauth-clients/{id}/consent",
        OAUTH_CLIENT,
        r#"{"grant":true}"#,
        administrators(400, 400),
    ),
    (
        "POST",
        "/inbox/v1/oauth-clients/{id}/tokens",
        OAUTH_CLIENT,
        TOKEN,
        administrators(400, 400),
    ),
    (
        "DELETE",
        "/inbox/v1/oauth-clients/{id}/tokens/{token}",
        OAUTH_CLIENT,
        "",
        administrators(400, 400),
    ),
    (
        "DELETE",
        "/inbox/v1/oauth-clients/{id}/grant",
        OAUTH_CLIENT,
        "",
        administrators(400, 400),
    ),
    (
        "GET",
        "/inbox/v1/oauth-clients/{id}/users",
        OAUTH_CLIENT,
        "",
        administrators(200, 200),
    ),
];
