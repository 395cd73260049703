//! What can be set of an OAuth client. A field is declared here and nowhere else: bodies, their schema, the options of
//! the command line, the keys of `config.toml` and the audit log follow from it.

use crate::field::{Shape, fields, text_fields};
use crate::id::ChannelId;
use crate::installation::channels::settings::AllowedAccounts;
use crate::oauth::redirect::RedirectUri;
use crate::text::Name;
use crate::webhook::WebhookAddress;

fields! {
    /// What can be set of an OAuth client.
    pub struct OauthClientSettings;
    /// What is to be different of an OAuth client; what is `None` stays.
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
    }
}

text_fields! {
    RedirectUri: Shape::Text;
    ChannelId: Shape::Text;
}
