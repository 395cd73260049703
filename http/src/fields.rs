//! The fields of the domain in bodies, where more is asked than their form: whether there are the accounts that are named,
//! and whether callbacks may go to an address.

use actix_web::web;
use schemars::SchemaGenerator;
use switchboard_actors::domain::field::{HasFields, Shape};
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::domain::webhook::WebhookAddress;
use switchboard_actors::wire::body::{Body, given};
use switchboard_actors::wire::json;
use switchboard_actors::wire::json::node::Node;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::extract::access::Access;
use crate::extract::body::read_json;
use crate::reply::problem::Problem;
use crate::state::AppState;

/// Reads a body with the fields of `T`.
pub(crate) async fn read<B: Body, T: HasFields, W>(
    access: &Access<W>,
    payload: web::Payload,
) -> Result<B, Problem> {
    let state = &access.state;
    let bytes = read_json(&access.request, payload, state.body_limit()).await?;
    let read = json::read(&bytes, B::NULLS, |object| {
        let body = B::from_object(object);
        check::<T>(object, state);
        body
    });
    Ok(read?)
}

fn check<T: HasFields>(object: &ObjectReader<'_, '_>, state: &AppState) {
    for field in T::FIELDS {
        let wrong = |detail| object.reject(field.name, ViolationCode::InvalidValue, detail);
        match object.raw(field.name) {
            Some(Node::Text(text)) if field.shape == Shape::Address => {
                // Judged by its spelling. The addresses that a name resolves to are checked with each request, since they
                // may change.
                let address = text.parse::<WebhookAddress>();
                let verdict = address.map(|address| state.guard().check(address.url()));
                if let Ok(Err(refusal)) = verdict {
                    wrong(refusal.to_string());
                }
            }
            Some(Node::List(items)) if field.shape == Shape::Accounts => {
                let ids = items.iter().filter_map(account);
                for id in ids.filter(|id| state.system().account(*id).is_none()) {
                    wrong(format!("there is no account {id}"));
                }
            }
            Some(_) | None => {}
        }
    }
}

fn account(item: &Node<'_>) -> Option<AccountId> {
    if let Node::Text(text) = item {
        text.parse().ok()
    } else {
        None
    }
}

/// The fields of an answer.
pub(crate) fn of_answer<T: HasFields>(_: &mut SchemaGenerator) -> schemars::Schema {
    given::answered::<T>().plain()
}
