//! The chapters of operations, and the callers who may ask for them.

use serde_json::{Value, json};

/// The subject of an operation: the chapter of the document that it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// The chat interface, of integrations.
    Chat,
    /// Users and roles of an account.
    Users,
    /// Leads and contacts of an account.
    Leads,
    /// The inbox of account users.
    Inbox,
    /// OAuth clients, consents and tokens.
    Oauth,
    /// The operator's tasks.
    Operator,
    /// The service itself.
    Service,
}

impl Tag {
    /// All of them, with what they are about.
    pub(crate) const ALL: [(Self, &'static str); 7] = [
        (
            Self::Chat,
            "What integrations call, both generations: signed with the channel's secret.",
        ),
        (
            Self::Users,
            "Users and roles of an account, for its administrators.",
        ),
        (
            Self::Leads,
            "The account, its leads and its contacts, for each user within their rights.",
        ),
        (
            Self::Inbox,
            "Conversations, messages and files, for each user within their rights.",
        ),
        (
            Self::Oauth,
            "OAuth 2: tokens for clients, and what administrators of an account grant to clients.",
        ),
        (
            Self::Operator,
            "Channels, accounts, OAuth clients, deliveries and the audit log, for the operator.",
        ),
        (Self::Service, "Whether the service is well, and files."),
    ];

    /// The word in the document.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Users => "users",
            Self::Leads => "leads",
            Self::Inbox => "inbox",
            Self::Oauth => "oauth",
            Self::Operator => "operator",
            Self::Service => "service",
        }
    }
}

/// The caller who may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// Any client that can reach the service.
    Anyone,
    /// An active account user: by token, or by session.
    User,
    /// An administrator of the account.
    Administrator,
    /// A user with a session.
    Session,
    /// An administrator of the account with a session.
    SignedInAdministrator,
    /// An administrator of the account with a session, or an OAuth client about itself.
    GrantEnder,
    /// The operator.
    Operator,
    /// An integration that signs in either generation.
    Integration,
    /// An integration that signs in the current generation.
    CurrentIntegration,
}

impl Asker {
    /// Returns whether an integration asks, through the chat interface.
    pub(crate) fn signs(self) -> bool {
        matches!(self, Self::Integration | Self::CurrentIntegration)
    }

    /// Returns whether a user of an account asks.
    pub(super) fn is_of_an_account(self) -> bool {
        matches!(
            self,
            Self::User
                | Self::Administrator
                | Self::Session
                | Self::SignedInAdministrator
                | Self::GrantEnder
        )
    }

    /// Returns the ways in which a request says who asks.
    pub(super) fn schemes(self, is_safe: bool) -> Value {
        let session = if is_safe {
            json!({ "session": [] })
        } else {
            json!({ "session": [], "csrf": [] })
        };
        match self {
            Self::Anyone => json!([]),
            Self::User | Self::Administrator | Self::GrantEnder => {
                json!([{ "token": [] }, session])
            }
            Self::Session | Self::SignedInAdministrator => json!([session]),
            Self::Operator => json!([{ "operator": [] }]),
            Self::Integration => json!([{ "bodySignature": [] }, { "requestSignature": [] }]),
            Self::CurrentIntegration => json!([{ "requestSignature": [] }]),
        }
    }
}
