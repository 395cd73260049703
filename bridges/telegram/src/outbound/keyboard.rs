//! Buttons and lists. Telegram has buttons only, so a list is a text with a button for each row.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use switchboard_bridge_core::forms::{items, text};
use url::Url;

/// The longest value of a button, in bytes.
const DATA_MAX: usize = 64;
/// The most buttons of a message.
const BUTTONS_MAX: usize = 100;
/// The longest address that a button opens, in bytes.
const ADDRESS_MAX: usize = 2_048;

/// The buttons below a message, and the words that go with them.
#[derive(Default)]
pub(super) struct Keyboard {
    /// The buttons, in rows, in the form of Telegram.
    pub(super) rows: Vec<Vec<Value>>,
    /// The long values of rows of a list, with their keys.
    pub(super) values: Vec<(String, String)>,
    /// The text of a list.
    list: Option<String>,
    /// The lines of buttons that Telegram does not take.
    lines: Vec<String>,
    count: usize,
}

/// Reads the markup of a message.
pub(super) fn read(markup: &Value) -> Keyboard {
    let mut keyboard = Keyboard::default();
    if let Some(list) = markup.get("list_message") {
        keyboard.add_list(list);
    }
    for row in items(markup, "buttons") {
        let buttons = row.as_array().into_iter().flatten();
        let row = buttons
            .filter_map(|button| keyboard.button(button))
            .collect();
        keyboard.add_row(row);
    }
    keyboard
}

impl Keyboard {
    /// The text of the message, that of its list, and the lines of what is no button.
    pub(super) fn body(&self, text: &str) -> String {
        let list = self.list.as_deref().unwrap_or_default();
        // The service may repeat the words of a list as the text of the message.
        let mut lines = vec![if list.contains(text) { "" } else { text }, list];
        lines.extend(self.lines.iter().map(String::as_str));
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }

    fn add_row(&mut self, row: Vec<Value>) {
        if !row.is_empty() {
            self.rows.push(row);
        }
    }

    /// A button in the form of Telegram. One that does not fit becomes a line of the text.
    fn button(&mut self, button: &Value) -> Option<Value> {
        let (label, url) = (text(button, "text"), text(button, "url"));
        if label.trim().is_empty() {
            return None;
        }
        let is_full = self.count >= BUTTONS_MAX;
        if !url.is_empty() {
            if is_full || !is_address(url) {
                self.lines.push(format!("{label}: {url}"));
                return None;
            }
            self.count += 1;
            return Some(json!({ "text": label, "url": url }));
        }
        if is_full {
            self.lines.push(format!("- {label}"));
            return None;
        }
        self.count += 1;
        Some(json!({ "text": label, "callback_data": self.label_data(label) }))
    }

    /// The value of a button whose press is its text: the text itself, if it fits.
    fn label_data(&self, label: &str) -> String {
        let data = format!("t:{label}");
        if data.len() <= DATA_MAX {
            data
        } else {
            format!("b:{}", self.count)
        }
    }

    fn add_list(&mut self, list: &Value) {
        let mut lines = vec![
            text(list, "header").to_owned(),
            text(list, "body").to_owned(),
        ];
        let mut number = 0_usize;
        for section in items(list, "sections") {
            lines.push(text(section, "title").to_owned());
            for row in items(section, "rows") {
                let (title, description) = (text(row, "title"), text(row, "description"));
                number += 1;
                lines.push(match description {
                    "" => format!("{number}. {title}"),
                    words => format!("{number}. {title}: {words}"),
                });
                let button = self.row(title, text(row, "callback_data"));
                self.add_row(button.into_iter().collect());
            }
        }
        lines.push(text(list, "footer").to_owned());
        lines.retain(|line| !line.is_empty());
        self.list = Some(lines.join("\n"));
    }

    /// The button of a row of a list.
    fn row(&mut self, title: &str, value: &str) -> Option<Value> {
        if title.trim().is_empty() || value.is_empty() || self.count >= BUTTONS_MAX {
            return None;
        }
        self.count += 1;
        let mut data = format!("r:{value}");
        if data.len() > DATA_MAX {
            let mut key = hex::encode(Sha256::digest(value));
            key.truncate(32);
            data = format!("k:{key}");
            self.values.push((key, value.to_owned()));
        }
        Some(json!({ "text": title, "callback_data": data }))
    }
}

fn is_address(url: &str) -> bool {
    let address = Url::parse(url).ok().filter(|_| url.len() <= ADDRESS_MAX);
    address.is_some_and(|it| matches!(it.scheme(), "http" | "https" | "tg") && it.has_host())
}
