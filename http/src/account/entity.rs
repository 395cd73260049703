//! Leads or contacts, as the address says: their notes and tags are alike.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use switchboard_actors::domain::crm::entity::EntityKind;

use crate::reply::problem::Problem;

/// The kind of entities of an address: `/api/v4/leads/…` or `/api/v4/contacts/…`.
pub(crate) struct Entity(pub(crate) EntityKind);

impl FromRequest for Entity {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let word = request.path().split('/').nth(3);
        let mut kinds = [EntityKind::Leads, EntityKind::Contacts].into_iter();
        let kind = kinds.find(|kind| word == Some(kind.word()));
        let unknown = || Problem::NotFound("there are no such entities".to_owned());
        ready(kind.map(Self).ok_or_else(unknown))
    }
}

/// The refusal of an entity that there is not, or not for the caller.
pub(crate) fn unknown(kind: EntityKind) -> Problem {
    Problem::NotFound(format!("there is no such {}", kind.singular()))
}
