//! The operator's interface, `/admin/v1`: every route of it, one line each.

pub(crate) mod accounts;
mod archive;
mod audit;
mod channels;
mod deliveries;
mod endpoints;
mod erasures;
mod explain_id;
mod oauth;
mod relays;
mod replays;
mod requests;
mod test_outcome;
mod verdict;

addresses! {
    ADDRESSES, routes:
    "/admin/v1/archive" { GET archive(get, describe_get) }
    "/admin/v1/archive/complete" { POST archive(complete, describe_complete) }
    "/admin/v1/archive/repair" { POST archive(repair, describe_repair) }
    "/admin/v1/audit" { GET audit(list, describe) }
    "/admin/v1/channels" { GET channels::list(list, describe), POST channels::create(create, describe) }
    "/admin/v1/channels/{id}" { GET channels::get(get, describe), PATCH channels::update(update, describe) }
    "/admin/v1/channels/{id}/rotate-secret" { POST channels::rotate_secret(rotate, describe) }
    "/admin/v1/channels/{id}/end-rotation" { POST channels::end_rotation(end, describe) }
    "/admin/v1/channels/{id}/pause" { POST channels::pause(pause, describe_pause) }
    "/admin/v1/channels/{id}/resume" { POST channels::pause(resume, describe_resume) }
    "/admin/v1/channels/{id}/test-send" { POST channels::test_send(send, describe) }
    "/admin/v1/channels/{id}/check-signature" { POST channels::check_signature(check, describe) }
    "/admin/v1/channels/{id}/connections" { GET channels::connections(list, describe_list) }
    "/admin/v1/channels/{id}/connections/{account}" { DELETE channels::disconnect(delete, describe) }
    "/admin/v1/oauth-clients" {
        GET oauth::clients::list(list, describe),
        POST oauth::clients::create(create, describe),
    }
    "/admin/v1/oauth-clients/{id}" {
        GET oauth::clients::get(get, describe),
        PATCH oauth::clients::update(update, describe),
    }
    "/admin/v1/oauth-clients/{id}/rotate-secret" { POST oauth::clients::rotate_client_secret(rotate, describe) }
    "/admin/v1/oauth-clients/{id}/grants" { GET oauth::clients::grants(list, describe_list) }
    "/admin/v1/oauth-clients/{id}/grants/{account}" { DELETE oauth::clients::grants(revoke, describe_revoke) }
    "/admin/v1/oauth-clients/{id}/grants/{account}/users" {
        GET oauth::clients::grants(admitted, describe_admitted),
    }
    "/admin/v1/oauth-clients/{id}/token-requests" { GET oauth::clients::token_requests(list, describe) }
    "/admin/v1/requests" { GET requests::list(list, describe) }
    "/admin/v1/requests/{id}" { GET requests::get(get, describe) }
    "/admin/v1/explain-id" { POST explain_id(explain, describe) }
    "/admin/v1/endpoints" { GET endpoints::list(list, describe) }
    "/admin/v1/endpoints/{channel}/{version}/enable" { POST endpoints::enable(enable, describe) }
    "/admin/v1/deliveries" { GET deliveries::list(list, describe) }
    "/admin/v1/deliveries/{id}" { GET deliveries::get(get, describe) }
    "/admin/v1/deliveries/{id}/request" { GET deliveries::request(get, describe) }
    "/admin/v1/deliveries/{id}/edited-replay" { POST deliveries::edited_replay(send, describe) }
    "/admin/v1/deliveries/{id}/replay" { POST deliveries::replay(replay, describe) }
    "/admin/v1/deliveries/{id}/discard" { POST deliveries::discard(discard, describe) }
    "/admin/v1/relays" { GET relays(list, describe_list) }
    "/admin/v1/relays/{id}" { GET relays(get, describe_get) }
    "/admin/v1/relays/{id}/pause" { POST relays(pause, describe_pause) }
    "/admin/v1/relays/{id}/resume" { POST relays(resume, describe_resume) }
    "/admin/v1/relays/{id}/hooks" { GET relays(hooks, describe_hooks) }
    "/admin/v1/relays/{id}/replay" { POST relays(replay, describe_replay) }
    "/admin/v1/relays/{id}/edited-replay" { POST relays::edited_hook(send, describe) }
    "/admin/v1/replays" { GET replays::list(list, describe), POST replays::create(create, describe) }
    "/admin/v1/replays/{id}" { GET replays::get(get, describe) }
    "/admin/v1/replays/{id}/cancel" { POST replays::cancel(cancel, describe) }
    "/admin/v1/erasures" { GET erasures::list(list, describe), POST erasures::create(create, describe) }
    "/admin/v1/erasures/preview" { POST erasures::preview(preview, describe) }
    "/admin/v1/erasures/{id}" { GET erasures::get(get, describe) }
    "/admin/v1/accounts" { GET accounts(list, describe_list), POST accounts(create, describe_create) }
    "/admin/v1/accounts/{id}" { GET accounts(get, describe_get), PATCH accounts(update, describe_update) }
    "/admin/v1/accounts/{id}/customer" { GET accounts::customer(export, describe) }
    "/admin/v1/accounts/{id}/groups" {
        GET accounts::groups(list, describe_list),
        POST accounts::groups(create, describe_create),
    }
    "/admin/v1/accounts/{id}/groups/{group}" {
        PATCH accounts::groups(update, describe_update),
        DELETE accounts::groups(delete, describe_delete),
    }
    "/admin/v1/accounts/{id}/webhooks" {
        GET accounts::webhooks(list, describe_list),
        POST accounts::webhooks(create, describe_create),
    }
    "/admin/v1/accounts/{id}/webhooks/{webhook}" { DELETE accounts::webhooks(delete, describe_delete) }
    "/admin/v1/accounts/{id}/webhooks/{webhook}/enable" { POST accounts::webhooks(enable, describe_enable) }
    "/admin/v1/accounts/{id}/webhooks/{webhook}/disable" { POST accounts::webhooks(disable, describe_disable) }
    "/admin/v1/accounts/{id}/webhooks/{webhook}/hooks" { GET accounts::webhooks::hooks(list, describe_list) }
    "/admin/v1/accounts/{id}/webhooks/{webhook}/hooks/{hook}" { GET accounts::webhooks::hooks(get, describe_get) }
    "/admin/v1/accounts/{id}/webhooks/{webhook}/hooks/{hook}/replay" {
        POST accounts::webhooks::hooks(replay, describe_replay),
    }
    "/admin/v1/accounts/{id}/users" {
        GET accounts::users(list, describe_list),
        POST accounts::users(create, describe_create),
    }
    "/admin/v1/accounts/{id}/users/{user}" {
        GET accounts::users(get, describe_get),
        PATCH accounts::users(update, describe_update),
    }
    "/admin/v1/accounts/{id}/users/{user}/password" { POST accounts::users(update_password, describe_update_password) }
    "/admin/v1/accounts/{id}/users/{user}/tokens" {
        GET accounts::tokens(list, describe_list),
        POST accounts::tokens(create, describe_create),
    }
    "/admin/v1/accounts/{id}/users/{user}/tokens/{token}" { DELETE accounts::tokens(revoke, describe_revoke) }
}
