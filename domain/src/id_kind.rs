//! The kinds of things that ids and secrets name, for explanations.

use crate::words;

words! {
    /// The kind of the thing that an id names.
    pub enum IdKind {
        /// An account.
        Account = "account",
        /// A channel.
        Channel = "channel",
        /// A scope.
        Scope = "scope",
        /// A message.
        Message = "message",
        /// A conversation.
        Conversation = "conversation",
        /// A customer.
        Customer = "customer",
        /// An account user.
        User = "user",
        /// The bot of a channel.
        Bot = "bot",
        /// A lead.
        Lead = "lead",
        /// A talk.
        Talk = "talk",
        /// A contact.
        Contact = "contact",
        /// An OAuth client.
        OauthClient = "oauth_client",
        /// A bearer token of an account user.
        UserToken = "user_token",
        /// The session of a signed-in user.
        Session = "session",
        /// An access token of an OAuth client.
        AccessToken = "access_token",
        /// A refresh token of an OAuth client.
        RefreshToken = "refresh_token",
        /// An authorization code.
        Code = "code",
        /// The token of the operator.
        OperatorToken = "operator_token",
        /// The secret of a channel.
        ChannelSecret = "channel_secret",
        /// The secret of an OAuth client.
        ClientSecret = "client_secret",
    }
}
