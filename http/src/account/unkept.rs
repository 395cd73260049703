//! Fields that bodies may have because the counterpart keeps them, and that are not kept here. A refusal would stop
//! libraries that send a whole entity back. Others read the list of them.

/// Fields of leads.
pub(crate) const LEADS: Unkept = Unkept {
    entity: "leads",
    fields: &[
        "created_at",
        "updated_at",
        "closed_at",
        "created_by",
        "updated_by",
        "group_id",
        "loss_reason_id",
        "is_deleted",
        "visitor_uid",
        "_embedded.companies",
        "_embedded.source",
        "_embedded.catalog_elements",
    ],
};
/// Fields of contacts.
pub(crate) const CONTACTS: Unkept = Unkept {
    entity: "contacts",
    fields: &[
        "created_at",
        "updated_at",
        "created_by",
        "updated_by",
        "group_id",
        "is_deleted",
        "_embedded.companies",
        "_embedded.catalog_elements",
    ],
};
/// Fields of notes.
pub(crate) const NOTES: Unkept = Unkept {
    entity: "notes",
    fields: &[
        "created_at",
        "updated_at",
        "created_by",
        "updated_by",
        "responsible_user_id",
        "group_id",
        "is_need_to_trigger_digital_pipeline",
    ],
};
/// Fields of tasks.
pub(crate) const TASKS: Unkept = Unkept {
    entity: "tasks",
    fields: &[
        "created_at",
        "updated_at",
        "created_by",
        "updated_by",
        "group_id",
    ],
};
/// Fields of tags.
pub(crate) const TAGS: Unkept = Unkept {
    entity: "tags",
    fields: &["id", "color"],
};
/// Fields of sources.
pub(crate) const SOURCES: Unkept = Unkept {
    entity: "sources",
    fields: &["origin_code", "services"],
};
/// Fields of pipelines: each has its unsorted stage.
pub(crate) const PIPELINES: Unkept = Unkept {
    entity: "pipelines",
    fields: &["is_unsorted_on", "is_archive"],
};

/// Fields of definitions of custom fields.
pub(crate) const FIELDS: Unkept = Unkept {
    entity: "custom fields",
    fields: &[
        "group_id",
        "required_statuses",
        "remind",
        "is_required",
        "is_visible",
    ],
};

/// Fields of unsorted leads.
pub(crate) const UNSORTED: Unkept = Unkept {
    entity: "unsorted leads",
    fields: &["created_at", "_embedded.companies"],
};

/// Fields that bodies about these entities may have in vain.
#[derive(Debug)]
pub(crate) struct Unkept {
    entity: &'static str,
    fields: &'static [&'static str],
}

impl Unkept {
    /// The description of an answer, with the fields that the request had in vain.
    pub(crate) fn answer(&self, says: &str) -> String {
        let fields = self.fields.iter();
        let words: Vec<_> = fields.map(|field| format!("`{field}`")).collect();
        let entity = self.entity;
        format!(
            "{says} Fields of {entity} that the service takes and does not keep: {}.",
            words.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::not_offered::PAGE;

    #[test]
    fn the_page_lists_the_fields_that_are_not_kept() {
        let path = format!("{}/..{PAGE}", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(path).unwrap();
        let rows: Vec<_> = page
            .lines()
            .skip_while(|line| !line.starts_with("* leads: "))
            .take_while(|line| line.starts_with("* "))
            .collect();
        let all = [
            LEADS, CONTACTS, NOTES, TASKS, TAGS, SOURCES, FIELDS, PIPELINES, UNSORTED,
        ]
        .map(|unkept| {
            let fields = unkept.fields.iter();
            let words: Vec<_> = fields.map(|field| format!("`{field}`")).collect();
            format!("* {}: {}", unkept.entity, words.join(", "))
        });
        assert_eq!(rows, all);
    }
}
