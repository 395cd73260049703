//! List messages: the customer opens a list and chooses a row.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::text::{CallbackData, ListBody, ListLabel, ListLine, MessageText, RowDescription};

/// The most sections of a list.
pub const SECTIONS_MAX: usize = 10;
/// The most rows of a section.
pub const ROWS_MAX: usize = 10;

/// A message with a list of rows, of which the customer chooses one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListMessage {
    /// The line above the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<ListLine>,
    /// The text.
    pub body: ListBody,
    /// The line below the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<ListLine>,
    /// The label of the button that opens the list.
    pub button: ListLabel,
    /// The sections: 1 to [`SECTIONS_MAX`].
    pub sections: Vec<ListSection>,
}

/// A section of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListSection {
    /// Its title.
    pub title: ListLabel,
    /// Its rows: 1 to [`ROWS_MAX`].
    pub rows: Vec<ListRow>,
}

/// A row of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListRow {
    /// The value that comes back when the customer chooses the row.
    pub callback_data: CallbackData,
    /// Its title.
    pub title: ListLabel,
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<RowDescription>,
}

/// A list as part of a message that was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentList {
    /// The list.
    pub list: ListMessage,
    /// True when the channel shows no lists, so the text has the rows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_in_text: bool,
}

impl ListMessage {
    /// All rows, in their order.
    pub fn rows(&self) -> impl Iterator<Item = &ListRow> {
        self.sections.iter().flat_map(|section| &section.rows)
    }

    /// The value that two rows have; `None` when each row has its own.
    #[must_use]
    pub fn repeated_value(&self) -> Option<&CallbackData> {
        let mut values = BTreeSet::new();
        self.rows()
            .map(|row| &row.callback_data)
            .find(|value| !values.insert(*value))
    }

    /// The list as text: header, text, sections with their numbered rows, and footer.
    fn plain_text(&self) -> String {
        let header = self.header.iter().map(ToString::to_string);
        let body = self.body.as_str().to_owned();
        let mut lines: Vec<String> = header.chain([body]).collect();
        let mut numbers = 1_usize..;
        for section in &self.sections {
            lines.push(section.title.to_string());
            let rows = section.rows.iter().zip(numbers.by_ref());
            lines.extend(rows.map(|(row, number)| match &row.description {
                Some(description) => format!("{number}. {}: {description}", row.title),
                None => format!("{number}. {}", row.title),
            }));
        }
        lines.extend(self.footer.iter().map(ToString::to_string));
        lines.join("\n")
    }
}

impl SentList {
    /// A list for a channel that shows lists or not.
    #[must_use]
    pub fn new(list: ListMessage, shows_lists: bool) -> Self {
        Self {
            list,
            is_in_text: !shows_lists,
        }
    }

    /// The list that the channel gets.
    #[must_use]
    pub fn shown(&self) -> Option<&ListMessage> {
        (!self.is_in_text).then_some(&self.list)
    }

    /// The text of the message, with all of the list where the channel does not show it; `None` when that is too long.
    #[must_use]
    pub fn text(&self) -> Option<MessageText> {
        match self.shown() {
            Some(list) => list.body.as_str().parse().ok(),
            None => self.list.plain_text().parse().ok(),
        }
    }

    /// Returns its approximate size in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let values = self.list.rows().map(|row| row.callback_data.as_str().len());
        values.fold(self.list.plain_text().len(), usize::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> ListMessage {
        let row = |value: &str, title: &str, description: Option<&str>| ListRow {
            callback_data: value.parse().unwrap(),
            title: title.parse().unwrap(),
            description: description.map(|text| text.parse().unwrap()),
        };
        let section = |title: &str, rows| ListSection {
            title: title.parse().unwrap(),
            rows,
        };
        ListMessage {
            header: Some("Pick a time".parse().unwrap()),
            body: "We are open on Friday".parse().unwrap(),
            footer: Some("UTC+3".parse().unwrap()),
            button: "Show times".parse().unwrap(),
            sections: vec![
                section("Morning", vec![row("slot-0900", "09:00", Some("1 hour"))]),
                section("Evening", vec![row("slot-1800", "18:00", None)]),
            ],
        }
    }

    #[test]
    fn a_list_for_a_channel_without_lists_is_numbered_text() {
        let shown = SentList::new(list(), true);
        assert_eq!(shown.text().unwrap().as_str(), "We are open on Friday");
        assert_eq!(shown.shown(), Some(&list()));
        let plain = SentList::new(list(), false);
        assert_eq!(plain.shown(), None);
        assert_eq!(
            plain.text().unwrap().as_str(),
            "Pick a time\nWe are open on Friday\nMorning\n1. 09:00: 1 hour\nEvening\n2. 18:00\nUTC+3"
        );
        let bare = ListMessage {
            header: None,
            footer: None,
            sections: list().sections.split_off(1),
            ..list()
        };
        let text = "We are open on Friday\nEvening\n1. 18:00";
        let plain = SentList::new(bare, false).text();
        assert_eq!(plain.unwrap().as_str(), text);
    }

    #[test]
    fn the_largest_list_is_a_text_of_a_message() {
        let widest = |count: usize| "\u{1f337}".repeat(count);
        let row = ListRow {
            callback_data: "v".parse().unwrap(),
            title: widest(24).parse().unwrap(),
            description: Some(widest(72).parse().unwrap()),
        };
        let section = ListSection {
            title: widest(24).parse().unwrap(),
            rows: vec![row; ROWS_MAX],
        };
        let list = ListMessage {
            header: Some(widest(60).parse().unwrap()),
            body: widest(1_024).parse().unwrap(),
            footer: Some(widest(60).parse().unwrap()),
            button: widest(24).parse().unwrap(),
            sections: vec![section; SECTIONS_MAX],
        };
        assert!(list.repeated_value().is_some());
        assert!(SentList::new(list, false).text().is_some());
    }
}
