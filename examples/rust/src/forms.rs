//! The form of messages, as customers read them: nothing has to be there, and anything may be of another type.

use serde_json::Value;
use switchboard_bridge_core::forms::{items, part, text};

/// The plain text that a customer reads: nothing in it is a command, a page or a path.
pub(crate) fn plain_text(content: &Value) -> String {
    let template = text(part(content, "template"), "content");
    let first = match text(content, "text") {
        "" => template,
        words => words,
    };
    let mut lines = vec![first.to_owned(), text(content, "file_name").to_owned()];
    let values = |name| part(content, name).as_object().into_iter().flatten();
    let contact = values("contact").filter_map(|(_, value)| value.as_str());
    lines.extend(contact.map(str::to_owned));
    let location = values("location").filter(|(_, value)| value.is_number());
    lines.extend(location.map(|(_, value)| value.to_string()));
    add_choices(&mut lines, part(content, "markup"));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// Adds a line for each button and each row of a list: the customer answers with the text of one.
fn add_choices(lines: &mut Vec<String>, markup: &Value) {
    let list = part(markup, "list_message");
    lines.extend(["header", "body", "footer"].map(|name| text(list, name).to_owned()));
    for section in items(list, "sections") {
        lines.push(text(section, "title").to_owned());
        let titles = items(section, "rows").map(|row| text(row, "title"));
        lines.extend(titles.map(|title| format!("- {title}")));
    }
    let rows = items(markup, "buttons").filter_map(Value::as_array);
    for button in rows.flatten() {
        let words = [text(button, "text"), text(button, "url")];
        let words = words.into_iter().filter(|word| !word.is_empty());
        lines.push(words.collect::<Vec<_>>().join(": "));
    }
}
