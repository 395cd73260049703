//! Tasks about Mia's lead. The first one is hers: no user before her in the matrix may make one.

use super::{READ_OF_MIA, Row, SEVERAL_OF_MIA, of_mia};

const TASK: &str =
    r#"[{"text":"x","complete_till":1764086340,"entity_id":1,"entity_type":"leads"}]"#;
const EDITED: &str = r#"[{"id":1,"text":"y"}]"#;
/// A free user makes no task about anything.
const MAKES: [u16; 10] = [401, 401, 400, 401, 403, 400, 200, 200, 200, 200];

#[rustfmt::skip]
pub(super) const TABLE: [Row; 5] = [
    ("POST", "/api/v4/tasks", "", TASK, MAKES),
    ("GET", "/api/v4/tasks", "", "", READ_OF_MIA),
    ("GET", "/api/v4/tasks/{id}", "1", "", READ_OF_MIA),
    ("PATCH", "/api/v4/tasks", "", EDITED, SEVERAL_OF_MIA),
    ("PATCH", "/api/v4/tasks/{id}", "1", r#"{"text":"z"}"#, of_mia(200)),
];
