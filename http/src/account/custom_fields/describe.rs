//! The operations on custom fields, for the document.

use serde_json::json;
use switchboard_actors::domain::crm::custom_fields::FIELDS_MAX;
use switchboard_actors::wire::account_body::custom_fields::{FieldChangeBody, NewFieldBody};

use super::FILTERS;
use super::view::{FieldMade, FieldView};
use crate::account::unkept;
use crate::openapi::{Operation, Schema};

fn list(operation: Operation) -> Operation {
    operation
        .says("In the order of `sort`.")
        .pages()
        .filtered(&FILTERS)
        .answers_collection::<FieldView<'_>>("custom_fields")
}

pub(crate) fn describe_list_of_leads() -> Operation {
    list(Operation::leads(
        "listLeadFields",
        "List the custom fields of leads.",
    ))
}

pub(crate) fn describe_list_of_contacts() -> Operation {
    list(Operation::leads(
        "listContactFields",
        "List the custom fields of contacts.",
    ))
    .says("Every account has two predefined ones: the phone number and the e-mail address.")
}

fn get(operation: Operation) -> Operation {
    operation
        .path("id", Schema::number())
        .gives_hal::<FieldView<'_>>(200, "The custom field.")
        .refuses(404, "There is no such custom field.")
}

pub(crate) fn describe_get_of_lead() -> Operation {
    get(Operation::leads(
        "getLeadField",
        "Get a custom field of leads.",
    ))
}

pub(crate) fn describe_get_of_contact() -> Operation {
    get(Operation::leads(
        "getContactField",
        "Get a custom field of contacts.",
    ))
}

fn create(operation: Operation) -> Operation {
    let example = json!([
        { "name": "Answer", "type": "textarea", "code": "ANSWER" },
        { "name": "Size", "type": "select", "enums": [{ "value": "S" }, { "value": "M" }] },
    ]);
    operation
        .says("The body may also be a single field, or an object of fields by number.")
        .takes_items::<NewFieldBody>(FIELDS_MAX, example)
        .answers_several::<FieldMade<'_>>(200, &unkept::FIELDS.answer("On disk."), "custom_fields")
        .refuses(
            403,
            "Only administrators may do this, and leads have at most 100 custom fields, as have contacts.",
        )
}

pub(crate) fn describe_post_of_leads() -> Operation {
    create(Operation::leads(
        "createLeadFields",
        "Create custom fields of leads (atomic).",
    ))
}

pub(crate) fn describe_post_of_contacts() -> Operation {
    create(Operation::leads(
        "createContactFields",
        "Create custom fields of contacts (atomic).",
    ))
}

fn update_several(operation: Operation) -> Operation {
    operation
        .says("The body may also be a single field, or an object of fields by number.")
        .takes_changes::<FieldChangeBody>(FIELDS_MAX, json!([{ "id": 3, "name": "Reply" }]))
        .answers_several::<FieldMade<'_>>(200, &unkept::FIELDS.answer("On disk."), "custom_fields")
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "A custom field no longer exists.")
}

pub(crate) fn describe_patch_several_of_leads() -> Operation {
    update_several(Operation::leads(
        "updateLeadFields",
        "Update custom fields of leads (atomic).",
    ))
}

pub(crate) fn describe_patch_several_of_contacts() -> Operation {
    update_several(Operation::leads(
        "updateContactFields",
        "Update custom fields of contacts (atomic).",
    ))
}

fn update(operation: Operation) -> Operation {
    operation
        .says("What the body does not name stays. An entry with a value that the field does not offer any more has no such value in answers.")
        .path("id", Schema::number())
        .takes::<FieldChangeBody>(json!({ "name": "Reply", "sort": 10 }))
        .gives_hal::<FieldView<'_>>(200, &unkept::FIELDS.answer("The field as it is now."))
        .refuses(403, "Only administrators may do this, and not with a predefined field.")
        .refuses(404, "There is no such custom field.")
}

pub(crate) fn describe_patch_of_lead() -> Operation {
    update(Operation::leads(
        "updateLeadField",
        "Update a custom field of leads.",
    ))
}

pub(crate) fn describe_patch_of_contact() -> Operation {
    update(Operation::leads(
        "updateContactField",
        "Update a custom field of contacts.",
    ))
}

fn delete(operation: Operation) -> Operation {
    operation
        .says("Its values are in no answer any more.")
        .path("id", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(
            403,
            "Only administrators may do this, and not with a predefined field.",
        )
        .refuses(404, "There is no such custom field.")
}

pub(crate) fn describe_delete_of_lead() -> Operation {
    delete(Operation::leads(
        "deleteLeadField",
        "Delete a custom field of leads.",
    ))
}

pub(crate) fn describe_delete_of_contact() -> Operation {
    delete(Operation::leads(
        "deleteContactField",
        "Delete a custom field of contacts.",
    ))
}
