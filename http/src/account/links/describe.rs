//! The descriptions of the operations on links.

use serde_json::{Value, json};
use switchboard_actors::wire::account_body::batch::Called;
use switchboard_actors::wire::account_body::items::{self, ENTRIES_MAX};
use switchboard_actors::wire::account_body::links::{LinkFrom, LinkTo};
use switchboard_actors::wire::body::Body;

use super::{FILTERS, FILTERS_OF_ALL, LinkEnd, LinkView};
use crate::account::filters::Filter;
use crate::openapi::{Operation, Schema};

fn list(operation: Operation, filters: &[Filter]) -> Operation {
    operation
        .says("Those that the caller may see both ends of; of a contact at most the 250 newest leads.")
        .pages()
        .filtered(filters)
}

fn of_one(operation: Operation) -> Operation {
    operation
        .path("id", Schema::number())
        .refuses(404, "There is none that the caller may see.")
}

fn change(operation: Operation, names_entity: bool, example: Value) -> Operation {
    let entity = names_entity.then(LinkFrom::fields).into_iter().flatten();
    let fields = entity.chain(LinkTo::fields()).chain(Called::fields());
    operation
        .says("The body may also be a single link, or an object of links by number. A lead has one contact, which is its main contact.")
        .body(items::schema(fields, ENTRIES_MAX), example)
        .refuses(403, "The caller may not edit the lead or the contact.")
}

fn link(operation: Operation) -> Operation {
    operation.answers_several::<LinkView>(200, "On disk, also when it was so already.", "links")
}

fn unlink(operation: Operation) -> Operation {
    operation.answers_nothing(204, "On disk, also when there was no such link.")
}

pub(crate) fn describe_list_of_lead() -> Operation {
    of_one(
        list(
            Operation::leads("listLinksOfLead", "List the links of a lead."),
            &FILTERS,
        )
        .answers_collection::<LinkEnd>("links")
        .or_nothing(),
    )
}

pub(crate) fn describe_list_all_of_leads() -> Operation {
    list(
        Operation::leads("listLeadLinks", "List the links of several leads."),
        &FILTERS_OF_ALL,
    )
    .answers_collection::<LinkView>("links")
    .or_nothing()
}

pub(crate) fn describe_post_to_lead() -> Operation {
    of_one(link(change(
        Operation::leads("createLinksOfLead", "Link a lead with contacts (atomic)."),
        false,
        json!([{ "to_entity_id": 1, "to_entity_type": "contacts" }]),
    )))
}

pub(crate) fn describe_delete_of_lead() -> Operation {
    of_one(unlink(change(
        Operation::leads("deleteLinksOfLead", "Delete links of a lead (atomic)."),
        false,
        json!([{ "to_entity_id": 1, "to_entity_type": "contacts" }]),
    )))
}

pub(crate) fn describe_post_of_leads() -> Operation {
    link(change(
        Operation::leads("createLeadLinks", "Link leads with contacts (atomic)."),
        true,
        json!([{ "entity_id": 1, "to_entity_id": 1, "to_entity_type": "contacts" }]),
    ))
}

pub(crate) fn describe_delete_of_leads() -> Operation {
    unlink(change(
        Operation::leads("deleteLeadLinks", "Delete links of leads (atomic)."),
        true,
        json!([{ "entity_id": 1, "to_entity_id": 1, "to_entity_type": "contacts" }]),
    ))
}

pub(crate) fn describe_list_of_contact() -> Operation {
    of_one(
        list(
            Operation::leads("listLinksOfContact", "List the links of a contact."),
            &FILTERS,
        )
        .answers_collection::<LinkEnd>("links")
        .or_nothing(),
    )
}

pub(crate) fn describe_list_all_of_contacts() -> Operation {
    list(
        Operation::leads("listContactLinks", "List the links of several contacts."),
        &FILTERS_OF_ALL,
    )
    .answers_collection::<LinkView>("links")
    .or_nothing()
}

pub(crate) fn describe_post_to_contact() -> Operation {
    of_one(link(change(
        Operation::leads(
            "createLinksOfContact",
            "Link a contact with leads (atomic).",
        ),
        false,
        json!([{ "to_entity_id": 1, "to_entity_type": "leads" }]),
    )))
}

pub(crate) fn describe_delete_of_contact() -> Operation {
    of_one(unlink(change(
        Operation::leads(
            "deleteLinksOfContact",
            "Delete links of a contact (atomic).",
        ),
        false,
        json!([{ "to_entity_id": 1, "to_entity_type": "leads" }]),
    )))
}

pub(crate) fn describe_post_of_contacts() -> Operation {
    link(change(
        Operation::leads("createContactLinks", "Link contacts with leads (atomic)."),
        true,
        json!([{ "entity_id": 1, "to_entity_id": 1, "to_entity_type": "leads" }]),
    ))
}

pub(crate) fn describe_delete_of_contacts() -> Operation {
    unlink(change(
        Operation::leads("deleteContactLinks", "Delete links of contacts (atomic)."),
        true,
        json!([{ "entity_id": 1, "to_entity_id": 1, "to_entity_type": "leads" }]),
    ))
}
