//! Users, roles, and changes of objects.

use super::{Row, SEVERAL_OF_MIA, UNSORTED, administrators, of_mia, of_nobody};

const SEVERAL: &str = r#"[{"id":1,"name":"x"}]"#;
const ADA: &str = r#"{"email":"Ada@example.com","password":"Secr3tive","account_id":"0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3"}"#;
const USER: &str = r#"[{"name":"New","email":"new@example.com","password":"aBcde1@345"}]"#;
const REPLY: &str = r#"{"type":"text","text":"Yes"}"#;

pub(super) const TABLE: [Row; 24] = [
    ("GET", "/api/v4/users", "", "", administrators(200, 200)),
    (
        "GET",
        "/api/v4/users/{id}",
        "2",
        "",
        administrators(404, 200),
    ),
    ("GET", "/api/v4/roles", "", "", administrators(200, 200)),
    (
        "GET",
        "/api/v4/roles/{id}",
        "1",
        "",
        administrators(404, 200),
    ),
    ("PATCH", "/api/v4/leads", "", SEVERAL, SEVERAL_OF_MIA),
    ("PATCH", "/api/v4/contacts", "", SEVERAL, SEVERAL_OF_MIA),
    (
        "PATCH",
        "/api/v4/leads/{id}",
        "1",
        r#"{"name":"x"}"#,
        of_mia(200),
    ),
    (
        "PATCH",
        "/api/v4/leads/{id}",
        "2",
        r#"{"name":"x"}"#,
        of_nobody(200),
    ),
    (
        "PATCH",
        "/api/v4/contacts/{id}",
        "1",
        r#"{"name":"x"}"#,
        of_mia(200),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/messages",
        "c1",
        REPLY,
        of_mia(201),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/messages",
        "c2",
        REPLY,
        of_nobody(201),
    ),
    (
        "POST",
        "/api/v4/leads/unsorted/{uid}/accept",
        "3",
        "{}",
        UNSORTED,
    ),
    (
        "DELETE",
        "/api/v4/leads/unsorted/{uid}/decline",
        "4",
        "",
        UNSORTED,
    ),
    (
        "PATCH",
        "/api/v4/users/{id}",
        "7",
        r#"{"name":"Off"}"#,
        administrators(404, 202),
    ),
    // What users do with themselves they do with a session.
    (
        "PATCH",
        "/inbox/v1/me",
        "",
        r#"{"lang":"es"}"#,
        [401, 401, 400, 401, 200, 200, 200, 200, 200, 400],
    ),
    (
        "POST",
        "/inbox/v1/me/password",
        "",
        r#"{"current_password":"wrong","password":"aBcde1@345"}"#,
        [401, 401, 400, 401, 400, 400, 400, 400, 400, 400],
    ),
    ("POST", "/api/v4/users", "", USER, administrators(201, 201)),
    (
        "POST",
        "/api/v4/users/deactivate",
        "",
        r#"[{"id":7}]"#,
        administrators(400, 204),
    ),
    (
        "POST",
        "/api/v4/users/activate",
        "",
        r#"[{"id":7}]"#,
        administrators(400, 202),
    ),
    (
        "POST",
        "/api/v4/roles",
        "",
        r#"{"name":"Another"}"#,
        administrators(201, 201),
    ),
    (
        "PATCH",
        "/api/v4/roles/{id}",
        "2",
        r#"{"name":"x"}"#,
        administrators(404, 202),
    ),
    (
        "DELETE",
        "/api/v4/roles/{id}",
        "2",
        "",
        administrators(404, 204),
    ),
    ("POST", "/inbox/v1/session", "", ADA, [201; 10]),
    ("GET", "/inbox/v1/setup", "", "", [200; 10]),
];
