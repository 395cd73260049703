//! An order as a call of a test kit.

use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::dev::worlds::order::OrderRequest;

/// An order as a call of a test kit.
pub(super) struct Call<'o> {
    /// The request, for languages without a kit.
    pub(super) request: &'o OrderRequest,
    pub(super) does: Does,
}

/// On which side a person is.
#[derive(Clone, Copy)]
pub(super) enum Role {
    Customer,
    User,
}

impl Role {
    fn from_word(word: &str) -> Self {
        match word {
            "customers" => Self::Customer,
            _ => Self::User,
        }
    }

    /// The function of the kits that gives such a person.
    pub(super) fn function(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::User => "user",
        }
    }
}

/// The effect of a call.
pub(super) enum Does {
    Says {
        customer: String,
        text: String,
    },
    Replies {
        user: String,
        text: String,
        to: Option<String>,
    },
    Advance {
        seconds: f64,
    },
    SetClock {
        mode: String,
    },
    Restart,
    Fault {
        on: String,
        what: String,
        more: Map<String, Value>,
    },
    EndFaults,
    Habit {
        who: Role,
        name: String,
        what: String,
        after: f64,
        text: Option<String>,
        /// The time of a snooze.
        seconds: Option<f64>,
        times: Option<u64>,
    },
    /// Of one person, or of all.
    EndHabits {
        of: Option<(Role, String)>,
    },
    Consents {
        user: String,
    },
    SetWebhook {
        url: Option<String>,
    },
    Subscribes {
        url: Option<String>,
        settings: Option<Value>,
    },
    EndsHooks,
    Wait {
        until: String,
        more: Map<String, Value>,
    },
    /// The kits have no call that is alike in all languages.
    Other,
}

impl<'o> Call<'o> {
    pub(super) fn from_request(request: &'o OrderRequest) -> Self {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let words: Vec<&str> = path.split('/').skip(1).collect();
        let body = &request.body;
        let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
        let text_or_empty = |name: &str| text(name).unwrap_or_default();
        let does = match (request.method.as_str(), words.as_slice()) {
            ("POST", ["customers", customer, "say"]) => Does::Says {
                customer: decoded(customer),
                text: text_or_empty("text"),
            },
            ("POST", ["users", user, "reply"]) => Does::Replies {
                user: decoded(user),
                text: text_or_empty("text"),
                to: text("customer"),
            },
            ("POST", ["advance"]) => {
                let seconds = body
                    .get("seconds")
                    .and_then(Value::as_f64)
                    .unwrap_or_default();
                Does::Advance { seconds }
            }
            ("POST", ["clock"]) => Does::SetClock {
                mode: text_or_empty("mode"),
            },
            ("POST", ["restart"]) => Does::Restart,
            ("POST", ["faults"]) => {
                let more = body
                    .as_object()
                    .cloned()
                    .unwrap_or_default()
                    .into_iter()
                    .filter(|(name, value)| name != "on" && name != "do" && !value.is_null());
                Does::Fault {
                    on: text_or_empty("on"),
                    what: text_or_empty("do"),
                    more: more.collect(),
                }
            }
            ("DELETE", ["faults"]) => Does::EndFaults,
            ("PUT", [role @ ("customers" | "users"), name, "habits"]) => Does::Habit {
                who: Role::from_word(role),
                name: decoded(name),
                what: text_or_empty("do"),
                after: body
                    .get("after")
                    .and_then(Value::as_f64)
                    .unwrap_or_default(),
                text: text("text"),
                seconds: body.get("seconds").and_then(Value::as_f64),
                times: body.get("times").and_then(Value::as_u64),
            },
            ("DELETE", ["habits"]) => Does::EndHabits { of: None },
            ("DELETE", [role @ ("customers" | "users"), name, "habits"]) => Does::EndHabits {
                of: Some((Role::from_word(role), decoded(name))),
            },
            ("POST", ["users", user, "consent"]) => Does::Consents {
                user: decoded(user),
            },
            ("PUT", ["webhook"]) => Does::SetWebhook { url: text("url") },
            ("PUT", ["hooks"]) => Does::Subscribes {
                url: text("url"),
                settings: body.get("settings").filter(|it| !it.is_null()).cloned(),
            },
            ("DELETE", ["hooks"]) => Does::EndsHooks,
            ("GET", ["wait"]) => wait(query),
            _ => Does::Other,
        };
        Self { request, does }
    }
}

/// A wait counts from the beginning, since entries have other numbers when it is given again.
fn wait(query: &str) -> Does {
    let (mut until, mut more) = (String::new(), Map::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "until" => until = value.into_owned(),
            "after" => {}
            "count" | "timeout" | "stage" => {
                let number = serde_json::from_str(&value).unwrap_or_default();
                more.insert(name.into_owned(), number);
            }
            _ => {
                more.insert(name.into_owned(), value.into_owned().into());
            }
        }
    }
    Does::Wait { until, more }
}

fn decoded(word: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(word);
    decoded.decode_utf8_lossy().into_owned()
}
