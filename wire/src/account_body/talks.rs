//! The bodies of `POST /api/v4/talks/{id}/close` and `…/send_message`.

use crate::account_body::list_message::ListMessageBody;
use crate::body;
use crate::body::Body;
use crate::domain::list_message::ListMessage;
use crate::domain::text::MessageText;
use crate::domain::violation::ViolationCode;
use crate::json::BodyError;
use crate::json::object::ObjectReader;

body!(
    /// The end of a talk: `force_close` is checked and makes no difference. No body at all is fine.
    #[body(open, lenient)]
    pub struct CloseTalk {
        /// A flag to close without a rating. There are no ratings: it changes nothing.
        force_close: Option<bool>,
    }

    /// A message of a program to a talk: a text, or a list.
    #[body(open, lenient, check(check_content()))]
    pub struct TalkText {
        /// 1 to 65,536 bytes.
        text: Option<MessageText>,
        /// Instead of a text. A channel whose setting `lists` is off, or whose callbacks are of version 1, gets it as text.
        list_message: Option<ListMessageBody>,
    }
);

/// The message of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TalkMessage {
    /// A text.
    Text(MessageText),
    /// A list.
    List(Box<ListMessage>),
}

/// Reads a message of a program.
///
/// # Errors
/// With everything that is wrong with it.
pub fn parse_talk_message(body: &[u8]) -> Result<TalkMessage, BodyError> {
    TalkText::read_as(body, |object, message| {
        let list = message.list_message.map(|list| list.list(object));
        let list = list.map(|list| TalkMessage::List(Box::new(list)));
        list.or(message.text.map(TalkMessage::Text))
    })
}

fn check_content(message: &ObjectReader<'_, '_>) {
    match (message.has("text"), message.has("list_message")) {
        (false, false) => {
            message.required("text");
        }
        (true, true) => {
            let detail = "a list has its own text; leave this out".to_owned();
            message.reject("text", ViolationCode::InvalidValue, detail);
        }
        (true, false) | (false, true) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn list() -> Value {
        json!({
            "header": "Pick a time", "body": "We are open on Friday", "footer": "", "button": "Show times",
            "sections": [{ "title": "Morning", "rows": [
                { "callback_data": "slot-0900", "title": "09:00", "description": "1 hour" },
                { "callback_data": "slot-1000", "title": "10:00" },
            ] }],
        })
    }

    fn wrong(body: &Value) -> Vec<String> {
        let Err(BodyError::Invalid(wrong)) = parse_talk_message(body.to_string().as_bytes()) else {
            panic!("{body} is no wrong message")
        };
        let paths = wrong.kept().iter().map(|it| it.path.as_str().to_owned());
        paths.collect()
    }

    #[test]
    fn a_message_is_a_text_or_a_list() {
        let text = parse_talk_message(br#"{"text":"Hi","list_message":null}"#).unwrap();
        assert_eq!(text, TalkMessage::Text("Hi".parse().unwrap()));
        let body = json!({ "list_message": list() }).to_string();
        let TalkMessage::List(read) = parse_talk_message(body.as_bytes()).unwrap() else {
            panic!("it is a list")
        };
        assert_eq!(read.footer, None);
        let values: Vec<_> = read.rows().map(|row| row.callback_data.as_str()).collect();
        assert_eq!(values, ["slot-0900", "slot-1000"]);
        assert_eq!(wrong(&json!({})), ["text"]);
        assert_eq!(
            wrong(&json!({ "text": "Hi", "list_message": list() })),
            ["text"]
        );
    }

    #[test]
    fn the_limits_of_a_list_are_reported_together() {
        let mut body = list();
        body["header"] = "h".repeat(61).into();
        body["body"] = "b".repeat(1_025).into();
        body["footer"] = "f".repeat(61).into();
        body["button"] = "b".repeat(25).into();
        let row = &mut body["sections"][0]["rows"][0];
        row["callback_data"] = "d".repeat(257).into();
        row["title"] = "t".repeat(25).into();
        row["description"] = "d".repeat(73).into();
        let mut eleven = body["sections"][0].clone();
        eleven["title"] = "t".repeat(25).into();
        eleven["rows"] = vec![json!({ "callback_data": "v", "title": "T" }); 11].into();
        let sections = body["sections"].as_array_mut().unwrap();
        sections.extend([eleven, json!({ "title": "T", "rows": [] })]);
        let limits = [
            "header",
            "body",
            "footer",
            "button",
            "sections.0.rows.0.callback_data",
            "sections.0.rows.0.title",
            "sections.0.rows.0.description",
            "sections.1.title",
            "sections.1.rows",
            "sections.2.rows",
        ];
        let paths = wrong(&json!({ "list_message": body }));
        assert_eq!(paths, limits.map(|path| format!("list_message.{path}")));
        for count in [0, 11] {
            let mut body = list();
            let rows = |at: usize| json!([{ "callback_data": at.to_string(), "title": "T" }]);
            let sections: Vec<_> = (0..count)
                .map(|at| json!({ "title": "T", "rows": rows(at) }))
                .collect();
            body["sections"] = sections.into();
            let paths = wrong(&json!({ "list_message": body }));
            assert_eq!(paths, ["list_message.sections"]);
        }
        let mut body = list();
        body["sections"][0]["rows"][1]["callback_data"] = "slot-0900".into();
        assert_eq!(wrong(&json!({ "list_message": body })), ["list_message"]);
    }
}
