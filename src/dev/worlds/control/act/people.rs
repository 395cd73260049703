//! What an order asks of the people of a world.

use bytes::Bytes;
use hyper::{Method, Request, StatusCode};
use serde::Deserialize;
use switchboard_actors::testkit::world::Person;

use super::super::body::{Nothing, decoded, json_of};
use crate::dev::worlds::order::Act;
use crate::dev::worlds::refusal::Refusal;

/// What is asked, and the status of the answer.
pub(super) fn act(request: &Request<Bytes>, words: &[&str]) -> Result<(StatusCode, Act), Refusal> {
    let ok = |act| Ok((StatusCode::OK, act));
    let created = |act| Ok((StatusCode::CREATED, act));
    match (request.method(), words) {
        (&Method::POST, ["customers", customer, "say"]) => {
            let Said { text } = json_of(request)?;
            let customer = decoded(customer)?;
            created(Act::Say { customer, text })
        }
        (&Method::GET, ["customers", customer, "messages"]) => ok(Act::Messages {
            customer: decoded(customer)?,
        }),
        (&Method::POST, ["users", user, "reply"]) => {
            let Replied { text, customer } = json_of(request)?;
            created(Act::Reply {
                user: decoded(user)?,
                customer,
                text,
            })
        }
        (&Method::POST, ["users", user, "consent"]) => {
            let Nothing {} = json_of(request)?;
            let user = decoded(user)?;
            created(Act::Consent { user })
        }
        (&Method::GET, ["habits"]) => ok(Act::Habits),
        (&Method::DELETE, ["habits"]) => ok(Act::EndHabits(None)),
        (&Method::PUT, [role @ ("customers" | "users"), name, "habits"]) => {
            let (who, habit) = (person(role, name)?, json_of(request)?);
            ok(Act::Habit { who, habit })
        }
        (&Method::DELETE, [role @ ("customers" | "users"), name, "habits"]) => {
            ok(Act::EndHabits(Some(person(role, name)?)))
        }
        (_, words) => Err(super::otherwise(words)),
    }
}

fn person(role: &str, name: &str) -> Result<Person, Refusal> {
    let name = decoded(name)?;
    Ok(match role {
        "customers" => Person::Customer(name),
        _ => Person::User(name),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Replied {
    text: String,
    #[serde(default)]
    customer: Option<String>,
}
