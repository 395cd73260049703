//! The settings of an OAuth client. Each field is declared only here. Bodies, their schema, the options of the command
//! line, the keys of `config.toml` and the audit log follow from it.

use crate::field::{Shape, fields, text_fields};
use crate::id::ChannelId;
use crate::installation::channels::settings::AllowedAccounts;
use crate::oauth::redirect::RedirectUri;
use crate::oauth::scope::{OauthScope, OauthScopes};
use crate::text::Name;
use crate::webhook::WebhookAddress;

fields! {
    /// The settings of an OAuth client.
    pub struct OauthClientSettings;
    /// The changes of an OAuth client; a field that is `None` stays.
    pub struct OauthClientChange;

    given {
        name: Name,
            "The name, which the consent page shows.",
            like "Demo bridge";
        redirect_uri: RedirectUri,
            "The address where the browser goes after the consent; requests must name exactly this one.",
            like "http://127.0.0.1:9001/oauth/callback";
    }
    optional {
        uninstall_hook: Option<WebhookAddress> = None,
            "The address of the signed GET request that reports that an account has uninstalled the client.",
            null "for no request";
        channel: Option<ChannelId> = None,
            "The channel from which an account is disconnected when it uninstalls the client.",
            null "for no channel";
        accounts: AllowedAccounts = AllowedAccounts::All,
            "The accounts that may install the client: their ids, or `*` alone for all.";
        list_external_messages: bool = true,
            "Whether to ask for the scope `list_external_messages`, which reading the messages of talks needs.";
        send_external_messages: bool = true,
            "Whether to ask for the scope `send_external_messages`, which writing to talks as a bot needs.";
    }
}

impl OauthClientSettings {
    /// The scopes that the client asks for.
    #[must_use]
    pub fn scopes(&self) -> OauthScopes {
        let flags = [
            (
                OauthScope::ListExternalMessages,
                self.list_external_messages,
            ),
            (
                OauthScope::SendExternalMessages,
                self.send_external_messages,
            ),
        ];
        let choices = flags.into_iter().filter(|(_, is_asked)| *is_asked);
        choices.map(|(scope, _)| scope).collect()
    }
}

text_fields! {
    RedirectUri: Shape::Text;
    ChannelId: Shape::Text;
}
