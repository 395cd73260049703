//! One line of the file: a message to post, or everything that is wrong with it.

use bytes::Bytes;
use serde_json::Value;
use switchboard_actors::domain::chat::message::PostedMessage;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::domain::violation::Violation;
use switchboard_actors::wire::chat_body::{self, Rules};
use switchboard_actors::wire::json::BodyError;

use super::super::chat::As;
use super::reader::{LINE_BYTES_MAX, Line};

/// A message that is ready to be posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// The conversation that the line names. Messages of one conversation are posted in order.
    pub(super) conversation: String,
    /// The body, silent whatever the line says. The same line gives the same bytes at any time.
    pub(super) body: Bytes,
    /// By the rules of which generation it says what is meant.
    pub(super) signed: As,
}

/// The way out of a document that is one array.
const ONE_A_LINE: &str = "the file has one object a line, and is no array: `jq -c '.[]' FILE` writes the entries of an array so";

/// Reads a line; `None` when it is empty.
pub(super) fn read(line: &Line, now: UnixMillis) -> Result<Option<Message>, Vec<String>> {
    let Some(bytes) = &line.bytes else {
        return Err(vec![format!("longer than {LINE_BYTES_MAX} bytes")]);
    };
    let text = match bytes.strip_prefix("\u{feff}".as_bytes()) {
        Some(rest) if line.number == 1 => rest,
        Some(_) | None => bytes.as_slice(),
    };
    let bytes = text.trim_ascii();
    if bytes.is_empty() {
        return Ok(None);
    }
    let form = Form::detect(bytes);
    let whole = match form {
        Form::Body => bytes.to_vec(),
        Form::Payload => [br#"{"event_type":"new_message","payload":"#, bytes, b"}"].concat(),
    };
    let (message, signed) = parse(&whole, now).map_err(|error| {
        let mut messages = form.messages(&error);
        // A document that is one array, on one line or on several.
        if bytes.starts_with(b"[") {
            messages.push(ONE_A_LINE.to_owned());
        }
        messages
    })?;
    // Ours names it where the integration has no name of its own.
    let by_ours = message.conversation_ref_id.map(|id| id.to_string());
    let by_theirs = message.conversation_id.map(|id| id.to_string());
    Ok(Some(Message {
        conversation: by_theirs.or(by_ours).unwrap_or_default(),
        body: silent(whole),
        signed,
    }))
}

/// The message in a body. The rules of 2019 know neither a receiver nor account users as senders, and would take what was
/// written to a customer for something that the customer wrote.
fn parse(body: &[u8], now: UnixMillis) -> Result<(PostedMessage, As), BodyError> {
    let current = chat_body::send::parse(body, Rules::Current, now)?;
    let generations = match chat_body::send::parse(body, Rules::V2019, now) {
        Ok(_) if current.receiver.is_none() && current.sender.ref_id.is_none() => As::Either,
        Ok(_) | Err(_) => As::Current,
    };
    Ok((current, generations))
}

/// The form in which a line holds its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As the whole body of the send operation.
    Body,
    /// As the payload of one.
    Payload,
}

impl Form {
    fn detect(bytes: &[u8]) -> Self {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(object))
                if !object.contains_key("event_type") && !object.contains_key("payload") =>
            {
                Self::Payload
            }
            // The reader of bodies reports a line that is no object.
            Ok(_) | Err(_) => Self::Body,
        }
    }

    /// Everything that is wrong, with paths as they are in the line.
    fn messages(self, error: &BodyError) -> Vec<String> {
        match error {
            BodyError::NotJson(why) => vec![match why.place {
                Some((_, column)) => format!("column {column}: {}", why.reason),
                None => why.reason.to_string(),
            }],
            BodyError::Invalid(violations) => {
                let mut messages: Vec<_> =
                    violations.kept().iter().map(|it| self.wrong(it)).collect();
                if violations.dropped() > 0 {
                    messages.push(format!("and {} more", violations.dropped()));
                }
                messages
            }
        }
    }

    fn wrong(self, violation: &Violation) -> String {
        let Violation { path, code, detail } = violation;
        let path_in_line = match self {
            Self::Payload => path.strip_prefix("payload.").unwrap_or(path),
            Self::Body => path,
        };
        let place = match path_in_line {
            // What is wrong with the line as a whole has no path.
            "" => "the line",
            path => path,
        };
        format!("{place} ({code}): {detail}")
    }
}

/// The same message, silent. One that is silent already stays as it was written.
fn silent(body: Vec<u8>) -> Bytes {
    let Ok(mut event) = serde_json::from_slice::<Value>(&body) else {
        return body.into();
    };
    match event.get_mut("payload").and_then(Value::as_object_mut) {
        Some(payload) if payload.get("silent") != Some(&Value::Bool(true)) => {
            payload.insert("silent".to_owned(), Value::Bool(true));
            event.to_string().into()
        }
        Some(_) | None => body.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn payload() -> Value {
        json!({
            "timestamp": 1_639_604_761, "msgid": "m-1", "conversation_id": "c-1",
            "sender": { "id": "u-1", "name": "Ada", "avatar": "https://example.com/a.png" },
            "message": { "type": "text", "text": "hello" },
        })
    }

    fn line(text: &str) -> Result<Option<Message>, Vec<String>> {
        let line = Line {
            number: 1,
            end: 0,
            bytes: Some(text.as_bytes().to_vec()),
        };
        read(&line, UnixMillis::from_secs(1_700_000_000))
    }

    #[test]
    fn a_payload_and_a_body_are_the_same_message_and_always_silent() {
        let body = json!({ "event_type": "new_message", "payload": payload() });
        let from_body = line(&body.to_string()).unwrap().unwrap();
        let from_payload = line(&format!("\u{feff} {} \r", payload()))
            .unwrap()
            .unwrap();
        assert_eq!(from_body, from_payload);
        assert_eq!(from_body.conversation, "c-1");
        let body: Value = serde_json::from_slice(&from_body.body).unwrap();
        assert_eq!(body["payload"]["silent"], true);
        let mut loud = payload();
        loud["silent"] = json!(false);
        assert_eq!(line(&loud.to_string()).unwrap().unwrap(), from_body);
    }

    #[test]
    fn a_silent_body_is_posted_byte_by_byte() {
        let mut silent = payload();
        silent["silent"] = json!(true);
        let text = format!("{{\"payload\" : {silent}, \"event_type\":\"new_message\"}}");
        assert_eq!(line(&text).unwrap().unwrap().body, text.as_bytes());
    }

    #[test]
    fn a_line_valid_in_both_generations_may_be_signed_as_either() {
        let signature = |change: &[(&str, Value)]| {
            let mut line_of = payload();
            for (key, value) in change {
                line_of[*key] = value.clone();
            }
            line(&line_of.to_string()).unwrap().unwrap().signed
        };
        let bot = json!({ "id": "b", "name": "Bot", "avatar": "https://example.com/b.png",
            "ref_id": "deadbeef-0000-4000-8000-000000000000" });
        assert_eq!(signature(&[]), As::Either);
        assert_eq!(
            signature(&[("receiver", json!({ "id": "u-1" }))]),
            As::Current
        );
        assert_eq!(signature(&[("sender", bot)]), As::Current);
        // The rules of 2019 want a name and a picture.
        assert_eq!(
            signature(&[("sender", json!({ "id": "u-1" }))]),
            As::Current
        );
    }

    #[test]
    fn every_error_is_reported_with_its_path_in_the_line() {
        let mut wrong = payload();
        wrong["timestamp"] = json!("1639604761");
        wrong["message"] = json!({ "type": "text" });
        let errors = line(&wrong.to_string()).unwrap_err();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(
            errors[0].starts_with("timestamp (InvalidType): "),
            "{errors:?}"
        );
        assert!(
            errors[1].starts_with("message.text (FieldMissing): "),
            "{errors:?}"
        );
        let body = json!({ "event_type": "new_message", "payload": wrong });
        let errors = line(&body.to_string()).unwrap_err();
        assert!(
            errors[0].starts_with("payload.timestamp (InvalidType): "),
            "{errors:?}"
        );
    }

    #[test]
    fn a_line_without_a_message_is_an_error_unless_empty() {
        assert_eq!(line("  \r"), Ok(None));
        for text in ["[]", "null", "7", "{\"a\":1", "\u{1}", "{}{}"] {
            assert!(!line(text).unwrap_err().is_empty(), "{text}");
        }
        let array = format!("[{}]", payload());
        for text in ["[]", "[", "[{", &array] {
            let errors = line(text).unwrap_err();
            assert!(!errors[0].starts_with([' ', '(']), "{text}: {errors:?}");
            assert_eq!(errors.last().unwrap(), ONE_A_LINE, "{text}");
        }
        for text in ["null", "7"] {
            let errors = line(text).unwrap_err();
            assert!(
                errors[0].starts_with("the line (InvalidType): "),
                "{errors:?}"
            );
            assert_eq!(errors.len(), 1);
        }
        assert!(line("{\"a\" 1}").unwrap_err()[0].starts_with("column 6: "));
        let twice = payload().to_string().replacen('{', "{\"msgid\":\"x\",", 1);
        assert_eq!(
            line(&twice).unwrap_err().len(),
            1,
            "a key twice is an error"
        );
        let long = Line {
            number: 7,
            end: 0,
            bytes: None,
        };
        assert!(read(&long, UnixMillis::ZERO).unwrap_err()[0].contains("longer than"));
    }
}
