//! The order that makes a world: all that is wrong with it at once.

mod own_fields;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use bytes::Bytes;
use hyper::Request;
use switchboard_actors::domain::account::users::fields::ChosenUserId;
use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::crm::pipelines::{
    ChosenPipeline, ChosenStage, PipelineFields, PipelineStageFields, pipelines,
};
use switchboard_actors::domain::field::When;
use switchboard_actors::domain::id::UserId;
use switchboard_actors::domain::installation::accounts::settings::AccountChange;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::wire::json;
use switchboard_actors::wire::json::fields::BodyFields;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};

use super::body::{check_webhook, json_bytes, refusal_of};
use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::kept::NewWorld;
use crate::fixtures;
use crate::world::OwnIds;

/// The longest name of a world, in bytes.
const NAME_MAX: usize = 200;
/// The largest seed: the largest whole number that all languages of the kits can write.
const SEED_MAX: i64 = (1 << 53) - 1;
/// The longest life of a world, in seconds.
const TTL_MAX: i64 = 86_400;
/// The life of a world that names none, in seconds.
const TTL: u64 = 600;
/// A world begins with so many users at most.
const USERS_MAX: usize = 100;
/// The numbers that can be chosen: every client takes them for whole numbers of 32 bits.
const NUMBERS: RangeInclusive<i64> = 1..=ChosenUserId::MOST;
/// The keys of the body.
const KEYS: [&str; 15] = [
    "name",
    "seed",
    "clock",
    "webhook",
    "redirect_uri",
    "ttl",
    "subdomain",
    "channel_id",
    "phone_field_id",
    "email_field_id",
    "pipelines",
    "users",
    "lead_fields",
    "contact_fields",
    "salesbots",
];

/// The world that a request orders.
///
/// # Errors
/// With everything that is wrong.
pub(super) fn new_world(request: &Request<Bytes>) -> Result<NewWorld, DevError> {
    let read = json::read(json_bytes(request)?, Nulls::Absent, |body| {
        body.refuse_unknown(&KEYS);
        let seed = body.optional_integer("seed", 0..=SEED_MAX);
        let ttl = body.optional_integer("ttl", 1..=TTL_MAX);
        Some(NewWorld {
            name: name(body),
            seed: seed.and_then(|seed| seed.try_into().ok()).unwrap_or(1),
            clock: body
                .optional_choice("clock", &ClockMode::WORDS)
                .unwrap_or_default(),
            webhook: webhook(body),
            redirect_uri: body
                .optional_parsed("redirect_uri")
                .unwrap_or_else(fixtures::redirect_uri),
            ttl: ttl.and_then(|ttl| ttl.try_into().ok()).unwrap_or(TTL),
            ids: ids(body),
        })
    });
    read.map_err(refusal_of)
}

fn reject(body: &ObjectReader<'_, '_>, key: &str, why: impl Into<String>) {
    body.reject(key, ViolationCode::InvalidValue, why.into());
}

fn name(body: &ObjectReader<'_, '_>) -> Option<String> {
    let name = body.optional_string("name")?;
    if name.len() > NAME_MAX {
        reject(body, "name", format!("has {NAME_MAX} bytes at most"));
    }
    Some(name.to_owned())
}

fn webhook(body: &ObjectReader<'_, '_>) -> Option<String> {
    let webhook = body.optional_string("webhook")?;
    if let Err(refusal) = check_webhook(Some(webhook)) {
        reject(body, "webhook", refusal.detail);
    }
    Some(webhook.to_owned())
}

fn ids(body: &ObjectReader<'_, '_>) -> OwnIds {
    let mut fields = BodyFields::new(body, When::Update).only(&[
        "subdomain",
        "phone_field_id",
        "email_field_id",
    ]);
    let account = AccountChange::read(&mut fields);
    let mut ids = OwnIds {
        subdomain: account.subdomain.flatten(),
        channel: body.optional_parsed("channel_id"),
        pipelines: chosen_pipelines(body),
        users: users(body),
        ..OwnIds::default()
    };
    ids.fields.phone = account.phone_field_id.unwrap_or(ids.fields.phone);
    ids.fields.email = account.email_field_id.unwrap_or(ids.fields.email);
    if ids.fields.phone == ids.fields.email {
        let why = "is the number of the other field of contacts, too; give each field its own";
        reject(body, "email_field_id", why);
    }
    own_fields::take(body, &mut ids);
    if ids
        .subdomain
        .as_ref()
        .is_some_and(|it| it.usual_of().is_some_and(|it| it.0 != 1))
    {
        let why =
            "«account» with a number belongs to the account with that number; choose another one";
        reject(body, "subdomain", why);
    }
    ids
}

fn chosen_pipelines(body: &ObjectReader<'_, '_>) -> Vec<Pipeline> {
    let Some(list) = body.optional_list("pipelines") else {
        return Vec::new();
    };
    let all = list.objects();
    let candidates: Vec<_> = all.map(|item| pipeline(&item)).collect();
    // Numbers are compared once each is there.
    let Some(chosen_pipelines) = candidates.into_iter().collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    pipelines(&chosen_pipelines).unwrap_or_else(|wrong| {
        for wrong in wrong {
            let path = format!("pipelines.{}", wrong.path);
            reject(body, path.trim_end_matches('.'), wrong.why);
        }
        Vec::new()
    })
}

fn pipeline(item: &ObjectReader<'_, '_>) -> Option<ChosenPipeline> {
    let fields = PipelineFields::read(
        &mut BodyFields::new(item, When::New).refuse_unknown_but::<PipelineFields>(&["stages"]),
    );
    let stages: Vec<_> = item
        .required_list("stages")
        .iter()
        .flat_map(|stages| stages.objects())
        .map(|stage| {
            let fields = PipelineStageFields::read(
                &mut BodyFields::new(&stage, When::New)
                    .refuse_unknown_but::<PipelineStageFields>(&[]),
            );
            Some(ChosenStage {
                id: fields.id?,
                name: fields.name?,
            })
        })
        .collect();
    Some(ChosenPipeline {
        id: fields.id?,
        name: fields.name?,
        unsorted: fields.unsorted_id?,
        stages: stages.into_iter().collect::<Option<_>>()?,
    })
}

fn users(body: &ObjectReader<'_, '_>) -> BTreeMap<String, UserId> {
    let mut users = BTreeMap::new();
    let (mut mailboxes, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    let list = body.optional_list("users");
    if list.as_ref().is_some_and(|list| list.len() > USERS_MAX) {
        reject(
            body,
            "users",
            format!("a world begins with {USERS_MAX} users at most"),
        );
    }
    for item in list.iter().flat_map(|list| list.objects()).take(USERS_MAX) {
        item.refuse_unknown(&["name", "id"]);
        let name = item.required_string("name");
        let id = number(&item, item.required_integer("id", NUMBERS), &mut numbers);
        if let Some(name) = name {
            match fixtures::administrator(name, "a token") {
                Ok(user) if mailboxes.insert(user.email.to_string()) => {}
                Ok(_) => reject(
                    &item,
                    "name",
                    "another user of the list has this name already",
                ),
                Err(why) => reject(&item, "name", format!("is no name of a user: {why}")),
            }
        }
        if let (Some(name), Some(id)) = (name, id) {
            users.insert(name.to_owned(), UserId(id));
        }
    }
    users
}

/// The number `id` of an item, which is that of no other one.
fn number(
    item: &ObjectReader<'_, '_>,
    id: Option<i64>,
    numbers: &mut BTreeSet<u64>,
) -> Option<u64> {
    let id = u64::try_from(id?).ok()?;
    if !numbers.insert(id) {
        reject(
            item,
            "id",
            format!("another one has the number {id} already"),
        );
    }
    Some(id)
}

#[cfg(test)]
mod tests {
    use hyper::header::CONTENT_TYPE;
    use serde_json::{Value, json};

    use switchboard_actors::domain::id::{FieldEnumId, FieldId, SalesbotId};

    use super::*;
    use crate::dev::worlds::own_ids::written;

    pub(super) fn read_order(body: &Value) -> Result<NewWorld, String> {
        let request = Request::builder()
            .header(CONTENT_TYPE, "application/json")
            .body(Bytes::from(body.to_string()))
            .unwrap();
        new_world(&request).map_err(|refusal| refusal.detail)
    }

    #[test]
    fn a_world_has_the_ids_that_were_chosen() {
        let body = json!({
            "subdomain": "Shop", "channel_id": "f90ba33d", "phone_field_id": 264911, "email_field_id": 264913,
            "pipelines": [{ "id": 3177727, "name": "Sales", "unsorted_id": 50, "stages": [{ "id": 60, "name": "First" }] }],
            "users": [{ "name": "ada", "id": 8238142 }],
            "lead_fields": [
                { "id": 700, "name": "Answer", "type": "textarea", "code": "ANSWER" },
                { "id": 600, "name": "Size", "type": "select", "enums": [{ "id": 40, "value": "S" }, { "value": "M", "code": "M" }] },
            ],
            "contact_fields": [{ "id": 701, "name": "Answer", "type": "text", "code": "ANSWER" }],
            "salesbots": [
                { "id": 70001, "name": "Answer", "kind": "send_field", "field_id": 700 },
                { "id": 4, "name": "Ask in memory", "kind": "ask_program" },
                { "id": 3, "name": "Ask", "kind": "ask_program", "url": "http://127.0.0.1:9/ask" },
            ],
        });
        let ids = read_order(&body).unwrap().ids;
        let again: serde_json::Map<_, _> = written(&ids)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        assert_eq!(read_order(&json!(again)).unwrap().ids, ids);
        assert_eq!(written(&OwnIds::default()), []);
        assert_eq!(ids.subdomain.unwrap().as_str(), "shop");
        assert_eq!(ids.channel.unwrap().as_str(), "f90ba33d");
        assert_eq!((ids.fields.phone.0, ids.fields.email.0), (264_911, 264_913));
        assert_eq!(ids.pipelines[0].id.0, 3_177_727);
        assert_eq!(ids.users["ada"], UserId(8_238_142));
        assert_eq!(ids.lead_fields[1].enums[0].id, Some(FieldEnumId(40)));
        assert_eq!(ids.contact_fields[0].id, Some(FieldId(701)));
        assert_eq!(ids.salesbots[0].id, SalesbotId(70_001));
        assert_eq!(read_order(&json!({})).unwrap().ids, OwnIds::default());
    }

    #[test]
    fn everything_wrong_is_named_at_once() {
        let stage = json!({ "id": 60, "name": "First" });
        let problems = read_order(&json!({
            "seed": -1, "ttl": 0, "clock": "fast", "color": "red", "subdomain": "www", "channel_id": "a b",
            "email_field_id": 1,
            "pipelines": [{ "id": 1, "name": "Sales", "unsorted_id": 142, "stages": [stage, stage] }],
            "users": [{ "name": "ada", "id": 3 }, { "name": "Ada", "id": 3 }, { "name": "", "id": 0, "x": 1 }],
        }))
        .unwrap_err();
        for path in [
            "seed: ",
            "ttl: ",
            "clock: ",
            "color: ",
            "subdomain: ",
            "channel_id: ",
            "email_field_id: ",
            "pipelines.0.unsorted_id: ",
            "pipelines.0.stages.1.id: ",
            "users.1.name: ",
            "users.1.id: ",
            "users.2.name: ",
            "users.2.id: ",
            "users.2.x: ",
        ] {
            assert!(problems.contains(path), "{path}: {problems}");
        }
        let missing =
            read_order(&json!({ "pipelines": [{ "stages": [{}] }], "users": [{}] })).unwrap_err();
        for path in [
            "pipelines.0.id: ",
            "pipelines.0.name: ",
            "pipelines.0.unsorted_id: ",
            "pipelines.0.stages.0.id: ",
            "pipelines.0.stages.0.name: ",
            "users.0.name: ",
            "users.0.id: ",
        ] {
            assert!(missing.contains(path), "{path}: {missing}");
        }
    }
}
