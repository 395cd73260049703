//! The tables of fields in the guide, against the service: each cell, with the signature of its form.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, scope};
use crate::support::server::{ACCOUNT, CHANNEL, Server};

const GUIDE: &str = include_str!("../../../docs/integration.md");
/// The words that the cell of a form may begin with.
const CELLS: [&str; 4] = ["required", "optional", "refused", "ignored"];
/// The forms, in the order of their columns.
const FORMS: [Form; 2] = [Form::V2019, Form::Current];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    V2019,
    Current,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Connect,
    Send,
    DeliveryStatus,
}

/// A field as a table has it, with the cells of both forms.
struct Row {
    operation: Operation,
    field: &'static str,
    cells: [&'static str; 2],
}

/// The rows of all tables below «Fields».
fn rows() -> Vec<Row> {
    let (_, section) = GUIDE.split_once("\n## Fields\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let mut rows = Vec::new();
    let mut operation = None;
    for line in section.lines() {
        if !line.starts_with('|') {
            operation = match line.split([':', ' ']).next() {
                Some("Connect") => Some(Operation::Connect),
                Some("Send") => Some(Operation::Send),
                Some("Delivery") => Some(Operation::DeliveryStatus),
                Some("") => operation,
                _ => None,
            };
            continue;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(field) = cells[1].strip_prefix('`') else {
            continue;
        };
        let word = |cell: &'static str| cell.split([',', ' ']).next().unwrap();
        rows.push(Row {
            operation: operation.expect(line),
            field: field.trim_end_matches('`'),
            cells: [word(cells[2]), word(cells[3])],
        });
    }
    rows
}

impl Row {
    /// The field in a body.
    fn pointer(&self) -> String {
        let path = self.field.replace('.', "/");
        match (self.operation, self.field) {
            (Operation::Send, "event_type") => format!("/{path}"),
            (Operation::Send, _) => format!("/payload/{path}"),
            (Operation::Connect | Operation::DeliveryStatus, _) => format!("/{path}"),
        }
    }

    /// A body of the operation without anything that one of the forms does not know.
    fn body(&self, message: &str) -> Value {
        let content = match self.field {
            "message.media" | "message.file_name" | "message.file_size" => {
                json!({ "type": "picture",
                "media": "https://example.com/a.png", "file_name": "a.png", "file_size": 0 })
            }
            _ => json!({ "type": "text", "text": "Hi" }),
        };
        match self.operation {
            Operation::Connect => {
                json!({ "account_id": ACCOUNT, "title": "T", "hook_api_version": "v2" })
            }
            Operation::Send => json!({ "event_type": "new_message", "payload": {
                "timestamp": 1_639_604_761, "msgid": new_msgid(), "conversation_id": "c",
                "sender": { "id": "u", "name": "U", "avatar": "https://example.com/u.png",
                    "profile": {}, "profile_link": "https://example.com/u" },
                "message": content, "silent": true } }),
            Operation::DeliveryStatus => json!({ "msgid": message, "delivery_status": -1,
                "error_code": 905, "error": "E" }),
        }
    }

    /// A value of the field that no body has from the beginning.
    fn value(&self) -> Value {
        match self.field {
            "is_time_window_disabled" => json!(true),
            "msec_timestamp" => json!(1_639_604_761_000_u64),
            "status_code" => json!(-1),
            "message.callback_data" => json!("slot-0900"),
            "source" => json!({ "external_id": "entrance" }),
            "reply_to" => json!({ "message": { "msgid": "none" } }),
            "forwards" => json!({ "conversation_id": "c", "messages": [{ "msgid": "none" }] }),
            other => panic!("{other} is in no body of the test"),
        }
    }
}

/// An id of a message that no body has had: the same id with other content would be refused for that.
fn new_msgid() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    format!("m-{}", MADE.fetch_add(1, Ordering::Relaxed))
}

/// The service, with what the bodies name.
struct Place<'s> {
    client: &'s Client,
    /// A reply of an account user.
    message: String,
    /// The service's ids of the conversation and of the customer.
    ids: [Value; 2],
}

impl Place<'_> {
    async fn post(&self, row: &Row, form: Form, body: &Value) -> Answer {
        let scope = scope(CHANNEL, ACCOUNT);
        let tail = match row.operation {
            Operation::Connect => format!("{CHANNEL}/connect"),
            Operation::Send => scope,
            Operation::DeliveryStatus => format!("{scope}/{}/delivery_status", self.message),
        };
        match form {
            Form::V2019 => self.client.post(&tail, body).await,
            Form::Current => self.client.post_today(&tail, body).await,
        }
    }

    /// A body with the field. An imported message, whose `receiver` that is, has another sender.
    fn with(&self, row: &Row) -> Value {
        let mut body = row.body(&self.message);
        let value = match row.field {
            "conversation_ref_id" => self.ids[0].clone(),
            "sender.ref_id" => self.ids[1].clone(),
            _ if body.pointer(&row.pointer()).is_some() => return body,
            _ => row.value(),
        };
        put(&mut body, &row.pointer(), value);
        body
    }

    async fn check(&self, row: &Row, form: Form, cell: &str) {
        let row_text = format!("{:?} {} {form:?} {cell}", row.operation, row.field);
        let mut without = row.body(&self.message);
        take(&mut without, &row.pointer());
        let path = row.pointer().trim_start_matches('/').replace('/', ".");
        match cell {
            "required" => {
                let answer = self.post(row, form, &without).await;
                assert_eq!(answer.status, 400, "{row_text}: {}", answer.body);
                let errors = answer.json["errors"].as_array().unwrap();
                let missing = errors.iter().find(|it| it["path"] == path.as_str());
                assert_eq!(
                    missing.expect(&row_text)["code"],
                    "FieldMissing",
                    "{row_text}"
                );
                let with = self.post(row, form, &self.with(row)).await;
                assert_eq!(with.status, 200, "{row_text}: {}", with.body);
            }
            "optional" => {
                for body in [without, self.with(row)] {
                    let answer = self.post(row, form, &body).await;
                    assert_eq!(answer.status, 200, "{row_text}: {}", answer.body);
                }
            }
            "refused" => {
                let answer = self.post(row, form, &self.with(row)).await;
                assert_eq!(answer.status, 400, "{row_text}: {}", answer.body);
                assert_eq!(
                    answer.json["errors"][0]["path"],
                    path.as_str(),
                    "{row_text}"
                );
            }
            // What is not read may be anything.
            "ignored" => {
                put(&mut without, &row.pointer(), json!("anything"));
                let answer = self.post(row, form, &without).await;
                assert_eq!(answer.status, 200, "{row_text}: {}", answer.body);
            }
            other => panic!("{other} is none of {CELLS:?}"),
        }
    }
}

fn put(body: &mut Value, pointer: &str, value: Value) {
    let (object, name) = pointer.rsplit_once('/').unwrap();
    body.pointer_mut(object).unwrap()[name] = value;
}

fn take(body: &mut Value, pointer: &str) {
    let (object, name) = pointer.rsplit_once('/').unwrap();
    let object = body.pointer_mut(object).unwrap();
    object.as_object_mut().unwrap().remove(name);
}

#[tokio::test]
async fn every_field_is_as_the_guide_says_in_either_form() {
    let rows = rows();
    assert_eq!(rows.len(), 34, "a field was added or taken away");
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let first = Row {
        operation: Operation::Send,
        field: "first",
        cells: ["", ""],
    };
    let new_message = client.sent(&first.body("")).await;
    let ids = ["conversation_id", "sender_id"].map(|name| new_message[name].clone());
    let message = client.replied(ids[0].as_str().unwrap(), "Yes?").await;
    let place = Place {
        client,
        message,
        ids,
    };
    for row in &rows {
        // An imported message has an account user as its sender: its own tests send it.
        let forms = FORMS.iter().zip(row.cells);
        for (form, cell) in
            forms.filter(|(form, _)| row.field != "receiver" || **form == Form::V2019)
        {
            place.check(row, *form, cell).await;
        }
    }
}
