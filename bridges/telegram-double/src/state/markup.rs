//! Keyboards: what `reply_markup` may have.

use serde_json::Value;

use crate::bounds::{BUTTONS_MAX, CALLBACK_DATA_MAX, KEYBOARD_BYTES_MAX};
use crate::params::Params;
use crate::reply::ApiError;

/// Reads `reply_markup`. An empty inline keyboard counts as none.
pub(crate) fn markup(params: &Params) -> Result<Option<Value>, ApiError> {
    let Some(markup) = params.structure("reply_markup")? else {
        return Ok(None);
    };
    if markup.to_string().len() > KEYBOARD_BYTES_MAX {
        return Err(ApiError::bad("reply markup is too long"));
    }
    let Some(fields) = markup.as_object() else {
        return Err(ApiError::bad("object expected as reply markup"));
    };
    if let Some(keyboard) = fields.get("inline_keyboard") {
        let count = check_rows(keyboard, "inline keyboard", check_inline)?;
        return Ok((count > 0).then_some(markup));
    }
    if let Some(keyboard) = fields.get("keyboard") {
        check_rows(keyboard, "keyboard", |button| {
            let text = button.as_str().or_else(|| button.get("text")?.as_str());
            match text {
                Some(text) if !text.is_empty() => Ok(()),
                _ => Err("Field \"text\" must be of type String".to_owned()),
            }
        })?;
    }
    // Also `remove_keyboard` and `force_reply`.
    Ok((!fields.is_empty()).then_some(markup))
}

fn check_rows(
    keyboard: &Value,
    what: &str,
    check: impl Fn(&Value) -> Result<(), String>,
) -> Result<usize, ApiError> {
    let Some(rows) = keyboard.as_array() else {
        return Err(ApiError::bad(format!(
            "can't parse {what}: it must be an Array of Arrays"
        )));
    };
    let mut count = 0;
    for row in rows {
        let Some(buttons) = row.as_array() else {
            return Err(ApiError::bad(format!(
                "can't parse {what}: a row must be an Array"
            )));
        };
        for button in buttons {
            count += 1;
            check(button).map_err(|why| {
                if why == "BUTTON_DATA_INVALID" {
                    ApiError::bad(why)
                } else {
                    ApiError::bad(format!("can't parse {what} button: {why}"))
                }
            })?;
        }
    }
    if count > BUTTONS_MAX {
        return Err(ApiError::bad("reply markup is too long"));
    }
    Ok(count)
}

/// The fields of which an inline button needs one.
const KINDS: [&str; 7] = [
    "login_url",
    "web_app",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "copy_text",
    "pay",
    "callback_game",
];

fn check_inline(button: &Value) -> Result<(), String> {
    let text = button.get("text").and_then(Value::as_str);
    if text.is_none_or(str::is_empty) {
        return Err("Field \"text\" must be of type String".to_owned());
    }
    if let Some(url) = button.get("url") {
        let address = url.as_str().and_then(|url| url::Url::parse(url).ok());
        let is_good = address.is_some_and(|it| matches!(it.scheme(), "http" | "https" | "tg"));
        return if is_good {
            Ok(())
        } else {
            Err(format!("inline keyboard button URL {url} is invalid"))
        };
    }
    if let Some(data) = button.get("callback_data") {
        let length = data.as_str().map(str::len).unwrap_or_default();
        return if (1..=CALLBACK_DATA_MAX).contains(&length) {
            Ok(())
        } else {
            Err("BUTTON_DATA_INVALID".to_owned())
        };
    }
    if KINDS.iter().any(|kind| button.get(kind).is_some()) {
        return Ok(());
    }
    Err("Text buttons are unallowed in the inline keyboard".to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::markup;
    use crate::params::Params;

    fn outcome(value: Value) -> Result<bool, String> {
        let mut params = Params::default();
        params.values.insert("reply_markup".to_owned(), value);
        markup(&params)
            .map(|it| it.is_some())
            .map_err(|error| error.description)
    }

    fn data(bytes: usize) -> Value {
        json!({"inline_keyboard": [[{"text": "Yes", "callback_data": "x".repeat(bytes)}]]})
    }

    #[test]
    fn callback_data_has_1_to_64_bytes() {
        assert_eq!(outcome(data(64)), Ok(true));
        assert_eq!(outcome(Value::String(data(1).to_string())), Ok(true));
        for bytes in [0, 65] {
            assert_eq!(
                outcome(data(bytes)),
                Err("Bad Request: BUTTON_DATA_INVALID".to_owned())
            );
        }
        // Bytes count, not letters.
        let wide = json!({"inline_keyboard": [[{"text": "Yes", "callback_data": "я".repeat(33)}]]});
        assert!(outcome(wide).is_err());
    }

    #[test]
    fn odd_keyboards_are_refused() {
        let row = |button: Value| json!({"inline_keyboard": [[button]]});
        for bad in [
            json!(3),
            json!("{"),
            json!({"inline_keyboard": {}}),
            json!({"inline_keyboard": [1]}),
            row(json!({"text": "Yes"})),
            row(json!({"callback_data": "x"})),
            row(json!({"text": "Yes", "url": "nonsense"})),
            json!({"inline_keyboard": [vec![json!({"text": "a", "callback_data": "b"}); 101]]}),
            json!({"keyboard": [[{}]]}),
        ] {
            assert!(outcome(bad.clone()).is_err(), "{bad}");
        }
        assert_eq!(outcome(json!({"inline_keyboard": []})), Ok(false));
        assert_eq!(outcome(json!({"keyboard": [["Yes"]]})), Ok(true));
        assert_eq!(
            outcome(row(json!({"text": "Yes", "url": "https://a.example"}))),
            Ok(true)
        );
    }
}
