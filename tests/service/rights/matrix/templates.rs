//! Templates, which a token of no OAuth client creates: those of each account are its own.

use super::{EVERYBODY, Row, administrators};

const TEMPLATE: &str = r#"[{"name":"Welcome","content":"Hello {{contact.name}}"}]"#;
const EDITED: &str = r#"[{"id":1,"content":"Hello"}]"#;
const ANSWER: &str = r#"{"status":"rejected"}"#;
const TEMPLATES: &str = "/api/v4/chats/templates";
const ONE: &str = "/api/v4/chats/templates/{id}";
const REVIEW: &str = "/api/v4/chats/templates/{id}/review/{review}";

#[rustfmt::skip]
pub(super) const TABLE: [Row; 10] = [
    ("POST", TEMPLATES, "", TEMPLATE, administrators(200, 200)),
    ("GET", TEMPLATES, "", "", administrators(200, 200)),
    ("PATCH", TEMPLATES, "", EDITED, administrators(200, 200)),
    ("GET", ONE, "1", "", EVERYBODY),
    ("PATCH", ONE, "1", r#"{"name":"x"}"#, administrators(200, 200)),
    ("POST", "/api/v4/chats/templates/{id}/review", "1", "", administrators(200, 200)),
    ("POST", REVIEW, "1", ANSWER, administrators(200, 200)),
    ("PATCH", REVIEW, "1", ANSWER, administrators(200, 200)),
    ("DELETE", ONE, "1", "", administrators(204, 204)),
    // There is none any more.
    ("DELETE", TEMPLATES, "", r#"[{"id":1}]"#, administrators(400, 400)),
];
