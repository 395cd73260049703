//! The kinds of states, each with a stream of its own for each id. The numbers are stored, so they never change.

switchboard_engine::kinds! { pub const;
    /// The channels of the installation: one stream.
    CHANNELS: 1, "Channels", Seldom;
    /// The accounts of the installation: one stream.
    ACCOUNTS: 2, "Accounts", Seldom;
    /// A scope.
    SCOPE: 3, "Scope", Seldom;
    /// A conversation.
    CONVERSATION: 4, "Conversation", Often;
    /// Pipelines, leads and contacts of one account.
    CRM: 5, "Crm", Seldom;
    /// Callbacks of one conversation.
    QUEUE: 6, "Queue", Often;
    /// Users of one account.
    USERS: 7, "Users", Often;
    /// Roles of one account.
    ROLES: 8, "Roles", Seldom;
    /// The operator: one stream.
    OPERATOR: 9, "Operator", Seldom;
    /// Bearer tokens and sessions of one user.
    CREDENTIALS: 10, "Credentials", Often;
    /// The OAuth clients of the installation: one stream.
    OAUTH_CLIENTS: 11, "OauthClients", Seldom;
    /// The grants of one account to OAuth clients.
    OAUTH_GRANTS: 12, "OauthGrants", Often;
    /// The endpoints of one channel.
    ENDPOINTS: 16, "Endpoints", Seldom;
    /// Callbacks that are sent again by a filter: one stream.
    REPLAYS: 17, "Replays", Seldom;
    /// The ordered erasures, and the certificates: one stream.
    ERASURES: 18, "Erasures", Seldom;
    /// The webhooks of one account.
    WEBHOOKS: 19, "Webhooks", Seldom;
    /// The hooks that were made, and the records that were read for them: one stream.
    HOOK_FEED: 20, "HookFeed", Often;
    /// Deliveries of the hooks of one account.
    HOOK_DELIVERIES: 21, "HookDeliveries", Often;
    /// The salesbots of one account, with their runs.
    SALESBOTS: 22, "Salesbots", Often;
    /// The drafts of account users in one conversation.
    DRAFTS: 23, "Drafts", Often;
    /// The notes of the team in one conversation.
    TEAM_NOTES: 24, "TeamNotes", Often;
    /// The templates of one account.
    TEMPLATES: 25, "Templates", Seldom;
    /// The canned replies of one account.
    CANNED_REPLIES: 26, "CannedReplies", Seldom;
    /// The scheduled replies in one conversation.
    SCHEDULED_REPLIES: 27, "ScheduledReplies", Often;
    /// The saved views of one account.
    SAVED_VIEWS: 28, "SavedViews", Seldom;
    /// The hooks of one conversation that a relay took.
    RELAYED_HOOKS: 29, "RelayedHooks", Often;
    /// Deliveries of the hooks of one conversation that a relay took.
    RELAY_DELIVERIES: 30, "RelayDeliveries", Often;
    /// The switch of one relay.
    RELAY_SWITCH: 31, "RelaySwitch", Seldom;
    /// The shapes that one relay saw for the first time.
    RELAY_NEWS: 32, "RelayNews", Seldom;
}
