//! The schema of the store.

use crate::domain::account::credentials::Credentials;
use crate::domain::account::roles::Roles;
use crate::domain::account::users::Users;
use crate::domain::canned_replies::CannedReplies;
use crate::domain::conversation::Conversation;
use crate::domain::crm::Crm;
use crate::domain::delivery_queue::StoredQueue;
use crate::domain::drafts::Drafts;
use crate::domain::endpoint::StoredEndpoints;
use crate::domain::hooks::feed::HookFeed;
use crate::domain::hooks::queue::HookDeliveries;
use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::oauth::clients::OauthClients;
use crate::domain::oauth::grants::Grants;
use crate::domain::operator::Operator;
use crate::domain::replays::Replays;
use crate::domain::salesbots::Salesbots;
use crate::domain::saved_views::SavedViews;
use crate::domain::scheduled_replies::ScheduledReplies;
use crate::domain::scope::Scope;
use crate::domain::tables;
use crate::domain::team_notes::TeamNotes;
use crate::domain::templates::Templates;
use crate::domain::webhooks::Webhooks;
use switchboard_engine::store::schema::Schema;
use switchboard_erasures::Erasures;
use switchboard_relay::deliveries::RelayDeliveries;
use switchboard_relay::hooks::RelayedHooks;
use switchboard_relay::news::RelayNews;
use switchboard_relay::switch::RelaySwitch;

/// Returns the schema of the store: the states whose streams are in the journal, and the lists.
pub(in crate::system) fn schema() -> Schema {
    Schema::new(tables::ALL)
        .with::<Channels>()
        .with::<Accounts>()
        .with::<Users>()
        .with::<Roles>()
        .with::<Credentials>()
        .with::<Scope>()
        .with::<Conversation>()
        .with::<Drafts>()
        .with::<TeamNotes>()
        .with::<ScheduledReplies>()
        .with::<HookFeed>()
        .with::<HookDeliveries>()
        .with::<Webhooks>()
        .with::<Salesbots>()
        .with::<Templates>()
        .with::<CannedReplies>()
        .with::<SavedViews>()
        .with::<Crm>()
        .with::<StoredQueue>()
        .with::<Operator>()
        .with::<StoredEndpoints>()
        .with::<Replays>()
        .with::<Erasures>()
        .with::<OauthClients>()
        .with::<Grants>()
        .with::<RelayedHooks>()
        .with::<RelayDeliveries>()
        .with::<RelaySwitch>()
        .with::<RelayNews>()
}
