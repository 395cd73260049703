//! The directories of all owners.

use switchboard_engine::runtime::directory::{Directory, Sweep};

use crate::domain::account::credentials::Credentials;
use crate::domain::account::roles::Roles;
use crate::domain::account::users::Users;
use crate::domain::canned_replies::CannedReplies;
use crate::domain::conversation::Conversation;
use crate::domain::crm::Crm;
use crate::domain::drafts::Drafts;
use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::oauth::clients::OauthClients;
use crate::domain::oauth::grants::Grants;
use crate::domain::operator::Operator;
use crate::domain::replays::Replays;
use crate::domain::salesbots::Salesbots;
use crate::domain::scheduled_replies::ScheduledReplies;
use crate::domain::scope::Scope;
use crate::domain::team_notes::TeamNotes;
use crate::domain::templates::Templates;
use crate::domain::webhooks::Webhooks;
use crate::shared::Shared;
use switchboard_erasures::Erasures;

/// Declares the directories: for each its state, the factor by which the mailbox of its owners exceeds the usual one,
/// and whether unused owners leave memory.
macro_rules! directories {
    ($($name:ident: $state:ty, mailbox $times:literal, $stays:ident;)+) => {
        /// The directories of all actors.
        pub(crate) struct Directories {
            $(pub(crate) $name: Directory<$state, Shared>,)+
        }

        impl Directories {
            /// Empty directories.
            pub(crate) fn new(mailbox: usize) -> Self {
                Self {
                    $($name: Directory::new(mailbox.saturating_mul($times)),)+
                }
            }

            /// Makes unused actors leave memory, or release what they do not need.
            pub(crate) fn sweep(&self, sweep: &Sweep) {
                $(directories!(@$stays self.$name, sweep);)+
            }

            /// Forgets all actors.
            pub(crate) fn clear(&self) {
                $(self.$name.clear();)+
            }

            /// The number of actors in memory.
            pub(crate) fn live(&self) -> usize {
                0 $(+ self.$name.live())+
            }

            /// The number of actors that leave memory when they are not used.
            pub(crate) fn leaving(&self) -> usize {
                0 $(+ directories!(#$stays self.$name))+
            }

            /// The number of actors that died by a panic.
            pub(crate) fn deaths(&self) -> u64 {
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
}
