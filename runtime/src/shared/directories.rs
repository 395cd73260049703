//! The directories of all owners.

use switchboard_engine::runtime::directory::{Directory, Sweep};

use crate::shared::Shared;
use switchboard_domain::account::credentials::Credentials;
use switchboard_domain::account::roles::Roles;
use switchboard_domain::account::users::Users;
use switchboard_domain::canned_replies::CannedReplies;
use switchboard_domain::conversation::Conversation;
use switchboard_domain::crm::Crm;
use switchboard_domain::drafts::Drafts;
use switchboard_domain::installation::accounts::Accounts;
use switchboard_domain::installation::channels::Channels;
use switchboard_domain::oauth::clients::OauthClients;
use switchboard_domain::oauth::grants::Grants;
use switchboard_domain::operator::Operator;
use switchboard_domain::replays::Replays;
use switchboard_domain::salesbots::Salesbots;
use switchboard_domain::saved_views::SavedViews;
use switchboard_domain::scheduled_replies::ScheduledReplies;
use switchboard_domain::scope::Scope;
use switchboard_domain::team_notes::TeamNotes;
use switchboard_domain::templates::Templates;
use switchboard_domain::webhooks::Webhooks;
use switchboard_erasures::Erasures;
use switchboard_relay::hooks::RelayedHooks;
use switchboard_relay::news::RelayNews;
use switchboard_relay::switch::RelaySwitch;

/// Declares the directories: for each its state, the factor by which the mailbox of its owners exceeds the usual one,
/// and whether unused owners leave memory.
macro_rules! directories {
    ($($name:ident: $state:ty, mailbox $times:literal, $stays:ident;)+) => {
        /// The directories of all actors.
        pub struct Directories {
            $(#[doc = concat!("The owners of `", stringify!($state), "`.")] pub $name: Directory<$state, Shared>,)+
        }

        impl Directories {
            /// Empty directories.
            pub fn new(mailbox: usize) -> Self {
                Self {
                    $($name: Directory::new(mailbox.saturating_mul($times)),)+
                }
            }

            /// Makes unused actors leave memory, or release what they do not need.
            pub fn sweep(&self, sweep: &Sweep) {
                $(directories!(@$stays self.$name, sweep);)+
            }

            /// Forgets all actors.
            pub fn clear(&self) {
                $(self.$name.clear();)+
            }

            /// The number of actors in memory.
            pub fn live(&self) -> usize {
                0 $(+ self.$name.live())+
            }

            /// The number of actors that leave memory when they are not used.
            pub fn leaving(&self) -> usize {
                0 $(+ directories!(#$stays self.$name))+
            }

            /// The number of actors that died by a panic.
            pub fn deaths(&self) -> u64 {
                0 $(+ self.$name.deaths())+
            }
        }
    };
    (@leaves $directory:expr, $sweep:expr) => {
        $directory.sweep($sweep)
    };
    (@stays $directory:expr, $sweep:expr) => {};
    (#leaves $directory:expr) => {
        $directory.live()
    };
    (#stays $directory:expr) => {
        0
    };
}

// Conversations are many and each has few callers; the others are few with many callers.
directories! {
    channels: Channels, mailbox 1, stays;
    accounts: Accounts, mailbox 1, stays;
    users: Users, mailbox 1, leaves;
    roles: Roles, mailbox 1, leaves;
    credentials: Credentials, mailbox 1, leaves;
    oauth_clients: OauthClients, mailbox 1, stays;
    grants: Grants, mailbox 1, leaves;
    scopes: Scope, mailbox 1, leaves;
    conversations: Conversation, mailbox 1, leaves;
    drafts: Drafts, mailbox 1, leaves;
    team_notes: TeamNotes, mailbox 1, leaves;
    scheduled_replies: ScheduledReplies, mailbox 1, leaves;
    crms: Crm, mailbox 4, leaves;
    operator: Operator, mailbox 1, stays;
    replays: Replays, mailbox 1, stays;
    erasures: Erasures, mailbox 1, stays;
    webhooks: Webhooks, mailbox 1, leaves;
    salesbots: Salesbots, mailbox 1, leaves;
    templates: Templates, mailbox 1, leaves;
    canned_replies: CannedReplies, mailbox 1, leaves;
    saved_views: SavedViews, mailbox 1, leaves;
    relayed_hooks: RelayedHooks, mailbox 1, leaves;
    relay_switches: RelaySwitch, mailbox 1, leaves;
    relay_news: RelayNews, mailbox 1, leaves;
}
