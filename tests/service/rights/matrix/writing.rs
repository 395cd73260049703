//! The operations by which integrations write: leads, contacts, notes, tags, sources, closed talks.

use super::{EMPTY, EVERYBODY, READ_OF_MIA, Row, administrators, of_mia, of_nobody};

/// The statuses of adding leads and contacts: an object that does not exist yet has no responsible user.
const ADDS: [u16; 10] = [401, 401, 200, 401, 403, 403, 403, 403, 200, 200];
const NOTE: &str = r#"[{"note_type":"common","params":{"text":"x"}}]"#;
const ABOUT: &str = r#"[{"entity_id":1,"note_type":"common","params":{"text":"x"}}]"#;
const TEXT: &str = r#"{"params":{"text":"y"}}"#;
const FORM: &str = r#"[{"source_name":"x","source_uid":"y","metadata":{},"_embedded":{}}]"#;
const NAMED: &str = r#"[{"name":"x"}]"#;
const NAME: &str = r#"{"name":"y"}"#;
const SNOOZE: &str = r#"{"until":1900000000}"#;
const EDITED: &str = r#"[{"id":1,"name":"y"}]"#;
const SOURCE: &str = r#"[{"name":"x","external_id":"x"}]"#;

pub(super) const TABLE: [Row; 44] = [
    ("POST", "/api/v4/leads/{id}/notes", "1", NOTE, of_mia(200)),
    (
        "POST",
        "/api/v4/contacts/{id}/notes",
        "1",
        NOTE,
        of_mia(200),
    ),
    (
        "POST",
        "/api/v4/leads/{id}/notes",
        "2",
        NOTE,
        of_nobody(200),
    ),
    ("GET", "/api/v4/leads/{id}/notes", "1", "", of_mia(200)),
    (
        "GET",
        "/api/v4/leads/{id}/notes/{note}",
        "1",
        "",
        READ_OF_MIA,
    ),
    (
        "PATCH",
        "/api/v4/leads/{id}/notes/{note}",
        "1",
        TEXT,
        of_mia(200),
    ),
    ("GET", "/api/v4/leads/notes/{note}", "1", "", READ_OF_MIA),
    ("PATCH", "/api/v4/leads/notes/{note}", "", TEXT, of_mia(200)),
    ("GET", "/api/v4/leads/notes", "", "", READ_OF_MIA),
    (
        "POST",
        "/api/v4/leads/notes",
        "",
        ABOUT,
        [401, 401, 400, 401, 400, 400, 200, 200, 200, 200],
    ),
    ("GET", "/api/v4/leads/tags", "", "", EMPTY),
    ("POST", "/api/v4/leads/tags", "", NAMED, ADDS),
    ("POST", "/api/v4/leads", "", NAMED, ADDS),
    ("POST", "/api/v4/leads/complex", "", NAMED, ADDS),
    ("POST", "/api/v4/leads/unsorted/forms", "", FORM, ADDS),
    ("POST", "/api/v4/leads/unsorted/sip", "", FORM, ADDS),
    // Its numbers are those of the leads that the caller may see.
    ("GET", "/api/v4/leads/unsorted/summary", "", "", EVERYBODY),
    ("GET", "/api/v4/contacts/{id}/notes", "1", "", of_mia(200)),
    (
        "GET",
        "/api/v4/contacts/{id}/notes/{note}",
        "1",
        "",
        READ_OF_MIA,
    ),
    (
        "PATCH",
        "/api/v4/contacts/{id}/notes/{note}",
        "1",
        TEXT,
        of_mia(200),
    ),
    ("GET", "/api/v4/contacts/notes/{note}", "2", "", READ_OF_MIA),
    (
        "PATCH",
        "/api/v4/contacts/notes/{note}",
        "",
        TEXT,
        of_mia(200),
    ),
    ("GET", "/api/v4/contacts/notes", "", "", READ_OF_MIA),
    (
        "POST",
        "/api/v4/contacts/notes",
        "",
        ABOUT,
        [401, 401, 400, 401, 400, 400, 200, 200, 200, 200],
    ),
    ("GET", "/api/v4/contacts/tags", "", "", EMPTY),
    ("POST", "/api/v4/contacts/tags", "", NAMED, ADDS),
    ("POST", "/api/v4/contacts", "", NAMED, ADDS),
    (
        "POST",
        "/api/v4/sources",
        "",
        SOURCE,
        administrators(200, 200),
    ),
    ("GET", "/api/v4/sources", "", "", EVERYBODY),
    (
        "PATCH",
        "/api/v4/sources",
        "",
        EDITED,
        administrators(200, 200),
    ),
    ("GET", "/api/v4/sources/{id}", "1", "", EVERYBODY),
    (
        "PATCH",
        "/api/v4/sources/{id}",
        "1",
        NAME,
        administrators(200, 200),
    ),
    (
        "DELETE",
        "/api/v4/sources/{id}",
        "1",
        "",
        administrators(204, 204),
    ),
    // There is none any more.
    (
        "DELETE",
        "/api/v4/sources",
        "",
        r#"[{"id":1}]"#,
        administrators(400, 400),
    ),
    (
        "POST",
        "/api/v4/talks/{id}/send_message",
        "1",
        r#"{"text":"x"}"#,
        of_mia(202),
    ),
    (
        "POST",
        "/api/v4/talks/{id}/send_message",
        "2",
        r#"{"text":"x"}"#,
        of_nobody(202),
    ),
    // Closed by the first who may.
    (
        "POST",
        "/api/v4/talks/{id}/close",
        "1",
        "",
        [401, 401, 404, 401, 404, 404, 202, 422, 422, 422],
    ),
    (
        "POST",
        "/api/v4/talks/{id}/close",
        "2",
        "",
        [401, 401, 404, 401, 404, 404, 404, 404, 202, 422],
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/close",
        "c1",
        "",
        of_mia(409),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/close",
        "c2",
        "",
        of_nobody(409),
    ),
    // Both talks are closed.
    (
        "POST",
        "/inbox/v1/conversations/{id}/snooze",
        "c1",
        SNOOZE,
        of_mia(409),
    ),
    (
        "POST",
        "/inbox/v1/conversations/{id}/snooze",
        "c2",
        SNOOZE,
        of_nobody(409),
    ),
    (
        "DELETE",
        "/inbox/v1/conversations/{id}/snooze",
        "c1",
        "",
        of_mia(204),
    ),
    (
        "DELETE",
        "/inbox/v1/conversations/{id}/snooze",
        "c2",
        "",
        of_nobody(204),
    ),
];
