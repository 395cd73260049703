#![doc = include_str!("../README.md")]

#[macro_use]
mod address;
#[macro_use]
mod view;

mod account;
mod admin;
pub mod archiver;
mod asset;
mod base;
pub mod chat;
pub mod console;
pub mod documentation;
pub mod extract;
mod fields;
mod front;
mod health;
pub mod in_memory;
mod inbox;
mod media;
mod metrics;
mod near_address;
pub mod node;
mod not_offered;
mod not_owner;
pub(crate) mod oauth;
pub mod openapi;
mod outgoing;
mod precheck;
pub mod relays;
pub mod reply;
mod request_line;
pub mod requests;
mod roles;
pub mod server;
pub mod standby;
pub mod starting;
pub mod state;
mod users;
pub mod vendor;
pub mod worlds;

use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};

use crate::account::entries::EntryResource as _;
use crate::address::Address;
use crate::extract::numbered::nothing_at;
use crate::reply::problem::Problem;
use crate::worlds::order;

addresses! {
    ACCOUNT_ADDRESSES, account_routes:
    "/api/v4/account" { GET account::account_info(get, describe) }
    "/api/v4/leads" {
        GET account::leads::Lead(list, describe_list),
        POST account::leads::Lead(post, describe_post),
        PATCH account::leads::Lead(patch_several, describe_patch_several),
    }
    "/api/v4/tasks" {
        GET account::tasks(list, describe_list),
        POST account::tasks(post, describe_post),
        PATCH account::tasks(patch_several, describe_patch_several),
    }
    "/api/v4/tasks/{id}" {
        GET account::tasks(get, describe_get),
        PATCH account::tasks(patch, describe_patch),
    }
    "/api/v4/leads/complex" { POST account::complex_leads(post, describe) }
    "/api/v4/leads/tags" {
        GET account::tags(list, describe_list_of_leads),
        POST account::tags(post, describe_post_of_leads),
    }
    "/api/v4/leads/notes" {
        GET account::notes(list_all, describe_list_all_of_leads),
        POST account::notes(post, describe_post_to_leads),
    }
    "/api/v4/leads/notes/{note}" {
        GET account::notes(get_any, describe_get_any_of_leads),
        PATCH account::notes(patch_any, describe_patch_any_of_leads),
    }
    "/api/v4/leads/links" { GET account::links(list_all, describe_list_all_of_leads) }
    "/api/v4/leads/link" { POST account::links(post, describe_post_of_leads) }
    "/api/v4/leads/unlink" { POST account::links(delete, describe_delete_of_leads) }
    "/api/v4/leads/{id}/links" { GET account::links(list_of_one, describe_list_of_lead) }
    "/api/v4/leads/{id}/link" { POST account::links(post_to_one, describe_post_to_lead) }
    "/api/v4/leads/{id}/unlink" { POST account::links(delete_of_one, describe_delete_of_lead) }
    "/api/v4/events" { GET account::events(list, describe_list) }
    "/api/v4/events/types" { GET account::events(types, describe_types) }
    "/api/v4/events/{id}" { GET account::events(get, describe) }
    "/api/v4/leads/{id}/notes" {
        GET account::notes(list_of_one, describe_list_of_lead),
        POST account::notes(post_to_one, describe_post_to_lead),
    }
    "/api/v4/leads/{id}/notes/{note}" {
        GET account::notes(get, describe_get_of_lead),
        PATCH account::notes(patch, describe_patch_of_lead),
    }
    "/api/v4/leads/custom_fields" {
        GET account::custom_fields(list, describe_list_of_leads),
        POST account::custom_fields(post, describe_post_of_leads),
        PATCH account::custom_fields(patch_several, describe_patch_several_of_leads),
    }
    "/api/v4/leads/custom_fields/{id}" {
        GET account::custom_fields(get, describe_get_of_lead),
        PATCH account::custom_fields(patch, describe_patch_of_lead),
        DELETE account::custom_fields(delete, describe_delete_of_lead),
    }
    "/api/v4/leads/pipelines" {
        GET account::pipelines(list, describe),
        POST account::pipelines::create(post, describe),
    }
    "/api/v4/leads/pipelines/{id}" {
        GET account::pipelines(get, describe_get),
        PATCH account::pipelines::update(patch, describe),
        DELETE account::pipelines::delete(delete, describe),
    }
    "/api/v4/leads/pipelines/{id}/statuses" {
        GET account::pipelines(list_statuses, describe_statuses),
        POST account::pipelines::statuses(post, describe_post),
    }
    "/api/v4/leads/pipelines/{id}/statuses/{status}" {
        GET account::pipelines(status, describe_status),
        PATCH account::pipelines::statuses(patch, describe_patch),
        DELETE account::pipelines::statuses(delete, describe_delete),
    }
    "/api/v4/leads/unsorted" { GET account::unsorted(list, describe_list) }
    "/api/v4/leads/unsorted/forms" { POST account::unsorted::create(forms, describe_forms) }
    "/api/v4/leads/unsorted/sip" { POST account::unsorted::create(calls, describe_calls) }
    "/api/v4/leads/unsorted/summary" { GET account::unsorted_summary(get, describe) }
    "/api/v4/leads/unsorted/{uid}" { GET account::unsorted(get, describe_get) }
    "/api/v4/leads/unsorted/{uid}/accept" { POST account::unsorted(accept, describe_accept) }
    "/api/v4/leads/unsorted/{uid}/link" { POST account::unsorted::link(post, describe) }
    "/api/v4/leads/unsorted/{uid}/decline" { DELETE account::unsorted(decline, describe_decline) }
    "/api/v4/leads/{id}" { GET account::leads::Lead(get, describe_get), PATCH account::leads::Lead(patch, describe_patch) }
    "/api/v4/contacts" {
        GET account::contacts::Contact(list, describe_list),
        POST account::contacts::Contact(post, describe_post),
        PATCH account::contacts::Contact(patch_several, describe_patch_several),
    }
    "/api/v4/contacts/tags" {
        GET account::tags(list, describe_list_of_contacts),
        POST account::tags(post, describe_post_of_contacts),
    }
    "/api/v4/contacts/notes" {
        GET account::notes(list_all, describe_list_all_of_contacts),
        POST account::notes(post, describe_post_to_contacts),
    }
    "/api/v4/contacts/notes/{note}" {
        GET account::notes(get_any, describe_get_any_of_contacts),
        PATCH account::notes(patch_any, describe_patch_any_of_contacts),
    }
    "/api/v4/contacts/links" { GET account::links(list_all, describe_list_all_of_contacts) }
    "/api/v4/contacts/link" { POST account::links(post, describe_post_of_contacts) }
    "/api/v4/contacts/unlink" { POST account::links(delete, describe_delete_of_contacts) }
    "/api/v4/contacts/{id}/links" { GET account::links(list_of_one, describe_list_of_contact) }
    "/api/v4/contacts/{id}/link" { POST account::links(post_to_one, describe_post_to_contact) }
    "/api/v4/contacts/{id}/unlink" { POST account::links(delete_of_one, describe_delete_of_contact) }
    "/api/v4/contacts/{id}/notes" {
        GET account::notes(list_of_one, describe_list_of_contact),
        POST account::notes(post_to_one, describe_post_to_contact),
    }
    "/api/v4/contacts/{id}/notes/{note}" {
        GET account::notes(get, describe_get_of_contact),
        PATCH account::notes(patch, describe_patch_of_contact),
    }
    "/api/v4/contacts/custom_fields" {
        GET account::custom_fields(list, describe_list_of_contacts),
        POST account::custom_fields(post, describe_post_of_contacts),
        PATCH account::custom_fields(patch_several, describe_patch_several_of_contacts),
    }
    "/api/v4/contacts/custom_fields/{id}" {
        GET account::custom_fields(get, describe_get_of_contact),
        PATCH account::custom_fields(patch, describe_patch_of_contact),
        DELETE account::custom_fields(delete, describe_delete_of_contact),
    }
    "/api/v4/contacts/chats" {
        GET account::chats(list, describe_list),
        POST account::chats(post, describe_post),
    }
    "/api/v4/contacts/{id}" {
        GET account::contacts::Contact(get, describe_get),
        PATCH account::contacts::Contact(patch, describe_patch),
    }
    "/api/v4/sources" {
        GET account::sources(list, describe_list),
        POST account::sources(post, describe_post),
        PATCH account::sources(patch_several, describe_patch_several),
        DELETE account::sources(delete_several, describe_delete_several),
    }
    "/api/v4/sources/{id}" {
        GET account::sources(get, describe_get),
        PATCH account::sources(patch, describe_patch),
        DELETE account::sources(delete, describe_delete),
    }
    "/api/v4/talks" { GET account::talks(list, describe_list) }
    "/api/v4/talks/{id}" { GET account::talks(get, describe) }
    "/api/v4/talks/{id}/messages" { GET account::talk_messages(list, describe) }
    "/api/v4/talks/{id}/send_message" { POST account::send_talk_message(post, describe) }
    "/api/v4/talks/{id}/close" { POST account::close_talk(post, describe) }
    "/api/v4/bots" {
        GET account::salesbots(list, describe_list),
        POST account::salesbots(post, describe_post),
    }
    "/api/v4/bots/run" { POST account::salesbots::run(several, describe_several) }
    "/api/v4/bots/{id}" {
        GET account::salesbots(get, describe_get),
        DELETE account::salesbots(delete, describe_delete),
    }
    "/api/v4/bots/{id}/run" { POST account::salesbots::run(one, describe_one) }
    "/api/v4/bots/{id}/stop" { POST account::salesbots(stop, describe_stop) }
    "/api/v4/salesbot/{bot}/continue/{continue_id}" { POST account::salesbots(answer, describe_answer) }
    "/api/v2/salesbot/run" { POST account::salesbots::run(several, describe_by_number) }
    "/api/v4/chats/templates" {
        GET account::templates(list, describe_list),
        POST account::templates(post, describe_post),
        PATCH account::templates(patch_several, describe_patch_several),
        DELETE account::templates(delete_several, describe_delete_several),
    }
    "/api/v4/chats/templates/{id}" {
        GET account::templates(get, describe_get),
        PATCH account::templates(patch, describe_patch),
        DELETE account::templates(delete, describe_delete),
    }
    "/api/v4/chats/templates/{id}/review" {
        POST account::templates::create_template_reviews(post, describe),
    }
    "/api/v4/chats/templates/{id}/review/{review}" {
        POST account::templates::update_template_review(update, describe),
        PATCH account::templates::update_template_review(update, describe_by_patch),
    }
    "/api/v4/webhooks" {
        GET account::webhooks(list, describe_list),
        POST account::webhooks(post, describe_post),
        DELETE account::webhooks(delete, describe_delete),
    }
    "/api/v4/users" { GET users::list(list, describe), POST users::create(post, describe) }
    "/api/v4/users/activate" { POST users::activate(activate, describe_activate) }
    "/api/v4/users/deactivate" { POST users::activate(deactivate, describe_deactivate) }
    "/api/v4/users/{id}" { GET users::get(get, describe), PATCH users::update(patch, describe) }
    "/api/v4/roles" { GET roles::list(list, describe), POST roles::create(post, describe) }
    "/api/v4/roles/{id}" {
        GET roles::get(get, describe),
        PATCH roles::update(patch, describe),
        DELETE roles::delete(delete, describe),
    }
    "/inbox/v1/session" {
        POST inbox::sign_in(post, describe),
        DELETE inbox::sign_out(delete, describe),
    }
    "/inbox/v1/setup" { GET console::setup(get, describe) }
    "/inbox/v1/me" { GET inbox::me(get, describe), PATCH inbox::update_me(patch, describe) }
    "/inbox/v1/me/password" { POST inbox::update_my_password(post, describe) }
    "/inbox/v1/me/pushes" { GET inbox::pushes(list, describe_list), POST inbox::pushes(create, describe_create) }
    "/inbox/v1/me/pushes/{id}" { DELETE inbox::pushes(delete, describe_delete) }
    "/inbox/v1/users" { GET inbox::users(get, describe) }
    "/inbox/v1/counts" { GET inbox::counts(get, describe) }
    "/inbox/v1/rights/explain" { GET inbox::explain(get, describe) }
    "/inbox/v1/conversations" {
        GET inbox::conversations(list, describe_list),
        POST inbox::start_conversation(post, describe),
        PATCH inbox::update_conversations(patch, describe),
    }
    "/inbox/v1/conversations/{id}" { GET inbox::conversations(get, describe_get) }
    "/inbox/v1/conversations/{id}/templates" { GET inbox::templates(list, describe) }
    "/inbox/v1/conversations/{id}/canned-replies" { GET inbox::canned_replies(list_filled, describe_filled) }
    "/inbox/v1/conversations/{id}/messages" {
        GET inbox::messages(list, describe),
        POST inbox::reply(post, describe),
    }
    "/inbox/v1/conversations/{id}/messages/{message}/reactions" { POST inbox::react(post, describe) }
    "/inbox/v1/conversations/{id}/messages/{message}/withdraw" { POST inbox::withdraw_message(post, describe) }
    "/inbox/v1/conversations/{id}/unread" { POST inbox::mark_unread(post, describe) }
    "/inbox/v1/conversations/{id}/responsible" { PATCH inbox::update_responsible(patch, describe) }
    "/inbox/v1/conversations/{id}/close" { POST inbox::close_conversation(post, describe) }
    "/inbox/v1/conversations/{id}/snooze" {
        POST inbox::snooze_conversation(post, describe),
        DELETE inbox::wake_conversation(delete, describe),
    }
    "/inbox/v1/conversations/{id}/dismiss-failures" { POST inbox::dismiss_failures(post, describe) }
    "/inbox/v1/conversations/{id}/read" { POST inbox::mark_read(post, describe) }
    "/inbox/v1/conversations/{id}/typing" { POST inbox::typing(post, describe) }
    "/inbox/v1/conversations/{id}/drafts/{kind}" {
        GET inbox::drafts(get, describe_get),
        PATCH inbox::drafts(update, describe_update),
    }
    "/inbox/v1/conversations/{id}/mentionable-users" {
        GET inbox::mentionable_users(get, describe),
    }
    "/inbox/v1/conversations/{id}/notes" {
        GET inbox::team_notes(list, describe_list),
        POST inbox::team_notes(create, describe_create),
    }
    "/inbox/v1/conversations/{id}/notes/{number}" {
        PATCH inbox::team_notes(update, describe_update),
        DELETE inbox::team_notes(delete, describe_delete),
    }
    "/inbox/v1/conversations/{id}/scheduled-replies" {
        GET inbox::scheduled_replies(list, describe_list),
        POST inbox::scheduled_replies(create, describe_create),
    }
    "/inbox/v1/conversations/{id}/scheduled-replies/{number}" {
        PATCH inbox::scheduled_replies(update, describe_update),
        DELETE inbox::scheduled_replies(delete, describe_delete),
    }
    "/inbox/v1/conversations/{id}/viewing" { POST inbox::viewing(post, describe) }
    "/inbox/v1/canned-replies" {
        GET inbox::canned_replies(list, describe_list),
        POST inbox::canned_replies(create, describe_create),
    }
    "/inbox/v1/canned-replies/{id}" {
        GET inbox::canned_replies(get, describe_get),
        PATCH inbox::canned_replies(update, describe_update),
        DELETE inbox::canned_replies(delete, describe_delete),
    }
    "/inbox/v1/views" {
        GET inbox::saved_views(list, describe_list),
        POST inbox::saved_views(create, describe_create),
    }
    "/inbox/v1/views/{id}" {
        GET inbox::saved_views(get, describe_get),
        PATCH inbox::saved_views(update, describe_update),
        DELETE inbox::saved_views(delete, describe_delete),
    }
    "/inbox/v1/channels" { GET inbox::channels(list, describe) }
    "/inbox/v1/events" { GET inbox::listen(get, describe) }
    "/inbox/v1/media" { POST inbox::upload(post, describe) }
    "/inbox/v1/webhooks" { GET inbox::webhooks(list, describe_list) }
    "/inbox/v1/webhooks/{id}/enable" { POST inbox::webhooks(enable, describe_enable) }
    "/inbox/v1/oauth-clients" { GET oauth::clients(list, describe_list) }
    "/inbox/v1/oauth-clients/{id}" { GET oauth::clients(get, describe_get) }
    "/inbox/v1/oauth-clients/{id}/consent" { POST oauth::consent(post, describe) }
    "/inbox/v1/oauth-clients/{id}/grant" { DELETE oauth::grants(revoke, describe) }
    "/inbox/v1/oauth-clients/{id}/users" { GET oauth::admitted(list, describe) }
    "/inbox/v1/oauth-clients/{id}/tokens" { POST oauth::long_lived(create, describe_create) }
    "/inbox/v1/oauth-clients/{id}/tokens/{token}" { DELETE oauth::long_lived(revoke, describe_revoke) }
}

addresses! {
    SERVICE_ADDRESSES, service_routes:
    "/media/{id}/{name}" { GET media(file, describe_file) }
    "/media/{id}/{name}/thumbnail" { GET media(thumbnail, describe_thumbnail) }
    "/oauth2/access_token" { POST oauth::issue_tokens(post, describe) }
    "/oauth2/account/subdomain" { GET oauth::account_domain(get, describe) }
    "/oauth2/account/current/subdomain" { GET oauth::account_domain(get_current, describe_current) }
    "/healthz" { GET health(healthz, describe_healthz) }
    "/readyz" { GET health(readyz, describe_readyz) }
    "/metrics" { GET metrics(metrics, describe) }
    "/openapi.json" { GET openapi(get, describe) }
    "/llms.txt" { GET documentation(index, describe_index) }
    "/docs/{page}" { GET documentation(page, describe_page) }
    "/docs/{folder}/{page}" { GET documentation(page, describe_page_of_folder) }
    "/docs/{folder}/{subfolder}/{page}" { GET documentation(page, describe_page_of_subfolder) }
    "/ui/{name}" { GET console(file, describe_file) }
}

/// All addresses of the service.
pub(crate) fn all_addresses() -> impl Iterator<Item = &'static Address> {
    let tables = [
        chat::ADDRESSES,
        ACCOUNT_ADDRESSES,
        admin::ADDRESSES,
        SERVICE_ADDRESSES,
    ];
    tables.into_iter().flatten()
}

/// The addresses of the account side, each method with its path, for tests that must leave none of them out.
pub fn account_addresses() -> impl Iterator<Item = (&'static str, &'static str)> {
    ACCOUNT_ADDRESSES.iter().flat_map(|address| {
        let methods = address.operations.iter().map(|(method, _)| *method);
        methods.map(|method| (method, address.path))
    })
}

/// The route table.
pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .configure(not_offered_routes)
        .configure(account_routes)
        .configure(admin::routes)
        .configure(service_routes)
        .service(web::resource(order::PATH).default_service(web::to(order::take)))
        .default_service(web::to(unknown));
}

/// The parts that are not offered go before addresses with variable parts, which would take them for the number of an
/// entity.
fn not_offered_routes(config: &mut ServiceConfig) {
    for surface in &not_offered::SURFACES {
        for path in surface.paths {
            for path in [(*path).to_owned(), format!("{path}/{{below:.*}}")] {
                let refuse = move |request: HttpRequest| async move {
                    Err::<String, Problem>(not_offered::refused(&request, surface.name))
                };
                config.service(web::resource(path).default_service(web::to(refuse)));
            }
        }
    }
}

/// An address that nothing is registered at: one of the console's pages, or nothing. A browser that opens it gets the
/// console with its navigation in either case; programs get a problem document, which names the address that was probably
/// meant.
async fn unknown(request: HttpRequest) -> Result<HttpResponse, Problem> {
    if console::is_page(request.uri().path()) {
        return console::page(&request).await;
    }
    if console::is_opened_in_browser(&request) {
        return console::missing(&request).await;
    }
    let (method, path) = (request.method(), request.uri().path());
    let Some(meant) = near_address::meant(method, path, all_addresses()) else {
        return Err(nothing_at(&request));
    };
    let detail = format!("there is nothing at {method} {path}; did you mean {meant}?");
    Err(Problem::NotFound(detail))
}
