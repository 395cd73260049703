//! The links of Mia's lead and its contact. What unlinks them comes last.

use super::{READ_OF_MIA, Row, SEVERAL_OF_MIA, of_mia};

const TO_CONTACT: &str = r#"[{"to_entity_id":1,"to_entity_type":"contacts"}]"#;
const TO_LEAD: &str = r#"[{"to_entity_id":1,"to_entity_type":"leads"}]"#;
const OF_LEAD: &str = r#"[{"entity_id":1,"to_entity_id":1,"to_entity_type":"contacts"}]"#;
const OF_CONTACT: &str = r#"[{"entity_id":1,"to_entity_id":1,"to_entity_type":"leads"}]"#;
const OF_ONE: &str = "?filter[entity_id]=1";

/// As [`SEVERAL_OF_MIA`], for what answers nothing.
const DELETES_OF_MIA: [u16; 10] = [401, 401, 400, 401, 400, 400, 204, 204, 204, 204];

#[rustfmt::skip]
pub(super) const TABLE: [Row; 12] = [
    ("GET", "/api/v4/leads/links", OF_ONE, "", READ_OF_MIA),
    ("GET", "/api/v4/contacts/links", OF_ONE, "", READ_OF_MIA),
    ("GET", "/api/v4/leads/{id}/links", "1", "", of_mia(200)),
    ("GET", "/api/v4/contacts/{id}/links", "1", "", of_mia(200)),
    ("POST", "/api/v4/leads/link", "", OF_LEAD, SEVERAL_OF_MIA),
    ("POST", "/api/v4/contacts/link", "", OF_CONTACT, SEVERAL_OF_MIA),
    ("POST", "/api/v4/leads/{id}/link", "1", TO_CONTACT, of_mia(200)),
    ("POST", "/api/v4/contacts/{id}/link", "1", TO_LEAD, of_mia(200)),
    ("POST", "/api/v4/leads/unlink", "", OF_LEAD, DELETES_OF_MIA),
    ("POST", "/api/v4/contacts/unlink", "", OF_CONTACT, DELETES_OF_MIA),
    ("POST", "/api/v4/leads/{id}/unlink", "1", TO_CONTACT, of_mia(204)),
    ("POST", "/api/v4/contacts/{id}/unlink", "1", TO_LEAD, of_mia(204)),
];
