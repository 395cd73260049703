//! The body of a list message.

use crate::body::value::{List, OrEmpty};
use crate::domain::list_message::{ListMessage, ListRow, ListSection, ROWS_MAX, SECTIONS_MAX};
use crate::domain::text::{CallbackData, ListBody, ListLabel, ListLine, RowDescription};
use crate::domain::violation::ViolationCode;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

body!(
    /// A list, of which the customer chooses a row.
    #[body(open, lenient, check(check_sections(sections)))]
    pub struct ListMessageBody {
        /// The line above the text, of at most 60 characters.
        header: Option<OrEmpty<ListLine>>,
        /// The text: 1 to 1,024 characters.
        body: ListBody,
        /// The line below the text, of at most 60 characters.
        footer: Option<OrEmpty<ListLine>>,
        /// The label of the button that opens the list: 1 to 24 characters.
        button: ListLabel,
        /// 1 to 10 sections.
        sections: List<SectionBody, SECTIONS_MAX>,
    }

    /// A section of a list.
    #[body(open, lenient, check(check_rows(rows)))]
    pub struct SectionBody {
        /// 1 to 24 characters.
        title: ListLabel,
        /// 1 to 10 rows.
        rows: List<RowBody, ROWS_MAX>,
    }

    /// A row of a list.
    #[body(open, lenient)]
    pub struct RowBody {
        /// The value that the integration posts with the customer's choice: 1 to 256 bytes, another for each row of the list.
        callback_data: CallbackData,
        /// 1 to 24 characters.
        title: ListLabel,
        /// At most 72 characters.
        description: Option<OrEmpty<RowDescription>>,
    }
);

body_values! {
    ListLine: Schema::text(), |found| found.parsed();
    ListBody: Schema::text(), |found| found.parsed();
    ListLabel: Schema::line(24), |found| found.parsed();
    RowDescription: Schema::text(), |found| found.parsed();
    CallbackData: Schema::text(), |found| found.parsed();
}

fn check_sections(list: &ObjectReader<'_, '_>, sections: &Option<List<SectionBody, SECTIONS_MAX>>) {
    let Some(sections) = sections else { return };
    check_count(list, "sections", sections.0.len(), SECTIONS_MAX);
}

fn check_rows(section: &ObjectReader<'_, '_>, rows: &Option<List<RowBody, ROWS_MAX>>) {
    let Some(rows) = rows else { return };
    check_count(section, "rows", rows.0.len(), ROWS_MAX);
}

fn check_count(object: &ObjectReader<'_, '_>, field: &str, count: usize, most: usize) {
    if !(1..=most).contains(&count) {
        let detail = format!("expected 1 to {most} {field}, found {count}");
        object.reject(field, ViolationCode::InvalidValue, detail);
    }
}

impl ListMessageBody {
    /// The list; two rows of one value are reported.
    pub(super) fn list(self, object: &ObjectReader<'_, '_>) -> ListMessage {
        let sections = self.sections.0.into_iter().flatten();
        let list = ListMessage {
            header: self.header.and_then(|line| line.0),
            body: self.body,
            footer: self.footer.and_then(|line| line.0),
            button: self.button,
            sections: sections.map(SectionBody::section).collect(),
        };
        if let Some(value) = list.repeated_value() {
            let detail = format!("two rows have the callback_data «{value}»");
            object.reject("list_message", ViolationCode::InvalidValue, detail);
        }
        list
    }
}

impl SectionBody {
    fn section(self) -> ListSection {
        let rows = self.rows.0.into_iter().flatten();
        let rows = rows.map(|row| ListRow {
            callback_data: row.callback_data,
            title: row.title,
            description: row.description.and_then(|text| text.0),
        });
        ListSection {
            title: self.title,
            rows: rows.collect(),
        }
    }
}
