//! Users, roles, and changes of objects.

use super::{
    EVERYBODY, NO_FIELD, Row, SEVERAL_OF_MIA, SEVERAL_OF_NOBODY, UNSORTED, administrators, of_mia,
    of_nobody,
};

const FIELDS: &str = r#"[{"name":"Size","type":"text"}]"#;
const SEVERAL: &str = r#"[{"id":1,"name":"x"}]"#;
const ADA: &str = r#"{"email":"Ada@example.com","password":"Secr3tive","account_id":"0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3"}"#;
const USER: &str = r#"[{"name":"New","email":"new@example.com","password":"aBcde1@345"}]"#;
const WEBHOOK: &str = r#"{"destination":"https://hooks.example.org/in","settings":["add_lead"]}"#;
const BOT: &str = r#"{"name":"Ask","kind":"ask_program","url":"https://program.example.org/in"}"#;
const RUN: &str = r#"{"entity_id":1,"entity_type":"leads"}"#;
const RUNS: &str = r#"[{"bot_id":1,"entity_id":2,"entity_type":2}]"#;
const REPLY: &str = r#"{"type":"text","text":"Yes"}"#;

const PUSH: &str = r#"{"endpoint":"https://push.example.org/x","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#;
/// The answers to what every user does with a session, and no program with a token.
const OF_A_SESSION: [u16; 10] = [401, 401, 400, 401, 200, 200, 200, 200, 200, 400];

pub(super) const TABLE: [Row; 56] = [
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
    (
        "POST",
        "/api/v4/leads/custom_fields",
        "",
        FIELDS,
        administrators(200, 200),
    ),
    (
        "POST",
        "/api/v4/contacts/custom_fields",
        "",
        FIELDS,
        administrators(200, 200),
    ),
    (
        "PATCH",
        "/api/v4/leads/custom_fields",
        "",
        r#"[{"id":3,"name":"x"}]"#,
        administrators(200, 200),
    ),
    (
        "PATCH",
        "/api/v4/contacts/custom_fields",
        "",
        r#"[{"id":4,"name":"x"}]"#,
        administrators(200, 200),
    ),
    (
        "PATCH",
        "/api/v4/leads/custom_fields/{id}",
        "3",
        r#"{"name":"x"}"#,
        administrators(200, 200),
    ),
    (
        "PATCH",
        "/api/v4/contacts/custom_fields/{id}",
        "4",
        r#"{"name":"x"}"#,
        administrators(200, 200),
    ),
    (
        "DELETE",
        "/api/v4/leads/custom_fields/{id}",
        "3",
        "",
        administrators(204, 204),
    ),
    (
        "DELETE",
        "/api/v4/contacts/custom_fields/{id}",
        "4",
        "",
        administrators(204, 204),
    ),
    (
        "POST",
        "/api/v4/leads/pipelines",
        "",
        r#"{"name":"Second"}"#,
        administrators(200, 200),
    ),
    (
        "PATCH",
        "/api/v4/leads/pipelines/{id}",
        "2",
        r#"{"name":"x"}"#,
        administrators(200, 200),
    ),
    (
        "DELETE",
        "/api/v4/leads/pipelines/{id}",
        "2",
        "",
        administrators(204, 204),
    ),
    (
        "POST",
        "/api/v4/leads/pipelines/{id}/statuses",
        "1",
        r#"{"name":"Contract"}"#,
        administrators(200, 200),
    ),
    (
        "PATCH",
        "/api/v4/leads/pipelines/{id}/statuses/{status}",
        "1",
        r#"{"name":"Incoming"}"#,
        administrators(200, 200),
    ),
    // A system stage, which always stays.
    (
        "DELETE",
        "/api/v4/leads/pipelines/{id}/statuses/{status}",
        "1",
        "",
        administrators(403, 403),
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
    // Who sees the unsorted lead hears that there is no such other lead.
    (
        "POST",
        "/api/v4/leads/unsorted/{uid}/link",
        "3",
        r#"{"link":{"entity_id":99,"entity_type":"leads"}}"#,
        [401, 401, 404, 401, 404, 404, 404, 404, 404, 400],
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
        OF_A_SESSION,
    ),
    (
        "POST",
        "/inbox/v1/me/password",
        "",
        r#"{"current_password":"wrong","password":"aBcde1@345"}"#,
        [401, 401, 400, 401, 400, 400, 400, 400, 400, 400],
    ),
    ("GET", "/inbox/v1/me/pushes", "", "", OF_A_SESSION),
    (
        "POST",
        "/inbox/v1/me/pushes",
        "",
        PUSH,
        [401, 401, 400, 401, 201, 201, 201, 201, 201, 400],
    ),
    (
        "DELETE",
        "/inbox/v1/me/pushes/{id}",
        "99",
        "",
        [401, 401, 400, 401, 404, 404, 404, 404, 404, 400],
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
    ("POST", "/api/v4/bots", "", BOT, administrators(201, 201)),
    ("GET", "/api/v4/bots", "", "", EVERYBODY),
    ("GET", "/api/v4/bots/{id}", "1", "", EVERYBODY),
    ("POST", "/api/v4/bots/{id}/run", "1", RUN, of_mia(202)),
    ("POST", "/api/v4/bots/{id}/stop", "1", RUN, of_mia(202)),
    ("POST", "/api/v4/bots/run", "", RUNS, SEVERAL_OF_NOBODY),
    ("POST", "/api/v2/salesbot/run", "", RUNS, SEVERAL_OF_NOBODY),
    // It is the address of no question.
    (
        "POST",
        "/api/v4/salesbot/{bot}/continue/{continue_id}",
        "1",
        "{}",
        NO_FIELD,
    ),
    (
        "DELETE",
        "/api/v4/bots/{id}",
        "1",
        "",
        administrators(204, 204),
    ),
    (
        "POST",
        "/api/v4/webhooks",
        "",
        WEBHOOK,
        administrators(201, 201),
    ),
    ("GET", "/api/v4/webhooks", "", "", administrators(200, 200)),
    (
        "DELETE",
        "/api/v4/webhooks",
        "",
        WEBHOOK,
        administrators(204, 204),
    ),
    (
        "GET",
        "/inbox/v1/webhooks",
        "",
        "",
        administrators(200, 200),
    ),
    (
        "POST",
        "/inbox/v1/webhooks/{id}/enable",
        "99",
        "",
        administrators(404, 404),
    ),
    ("POST", "/inbox/v1/session", "", ADA, [201; 10]),
    ("GET", "/inbox/v1/setup", "", "", [200; 10]),
];
