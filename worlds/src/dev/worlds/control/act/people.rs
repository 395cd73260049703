//! Orders to the people of a world, read from their requests.

use bytes::Bytes;
use hyper::{Method, Request, StatusCode};
use switchboard_actors::wire::json::object::Nulls;

use super::super::body::{decoded, nothing, object_of, read_of};
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::habit::HabitOrder;
use crate::dev::worlds::order::Act;
use crate::world::Person;

/// Returns the act that a request orders, and the status of its answer.
pub(super) fn act(request: &Request<Bytes>, words: &[&str]) -> Result<(StatusCode, Act), DevError> {
    let ok = |act| Ok((StatusCode::OK, act));
    let creation = |act| Ok((StatusCode::CREATED, act));
    match (request.method(), words) {
        (&Method::POST, ["customers", customer, "say"]) => {
            let text = object_of(request, &["text"], |body| {
                body.required_string("text").map(str::to_owned)
            })?;
            let customer = decoded(customer)?;
            creation(Act::Say { customer, text })
        }
        (&Method::GET, ["customers", customer, "messages"]) => ok(Act::Messages {
            customer: decoded(customer)?,
        }),
        (&Method::POST, ["users", user, "reply"]) => {
            let (text, customer) = object_of(request, &["text", "customer"], |body| {
                let text = body.required_string("text").map(str::to_owned);
                let body = body.with_nulls(Nulls::Absent);
                let customer = body.optional_string("customer").map(str::to_owned);
                Some((text?, customer))
            })?;
            creation(Act::Reply {
                user: decoded(user)?,
                customer,
                text,
            })
        }
        (&Method::POST, ["users", user, "consent"]) => {
            nothing(request)?;
            let user = decoded(user)?;
            creation(Act::Consent { user })
        }
        (&Method::GET, ["habits"]) => ok(Act::Habits),
        (&Method::DELETE, ["habits"]) => ok(Act::EndHabits(None)),
        (&Method::PUT, [role @ ("customers" | "users"), name, "habits"]) => {
            let who = person(role, name)?;
            let habit = read_of(request, |body| HabitOrder::read(role, body))?;
            ok(Act::Habit { who, habit })
        }
        (&Method::DELETE, [role @ ("customers" | "users"), name, "habits"]) => {
            ok(Act::EndHabits(Some(person(role, name)?)))
        }
        (_, words) => Err(super::otherwise(words)),
    }
}

fn person(role: &str, name: &str) -> Result<Person, DevError> {
    let name = decoded(name)?;
    Ok(match role {
        "customers" => Person::Customer(name),
        _ => Person::User(name),
    })
}
