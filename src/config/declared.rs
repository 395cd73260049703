//! Reads the accounts, users, channels and OAuth clients that a configuration declares.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::str::FromStr;

use switchboard_actors::domain::account::emails::Emails;
use switchboard_actors::domain::account::users::fields::{ChosenUserId, UserFields};
use switchboard_actors::domain::id::{AccountId, ChannelId, OauthClientId};
use switchboard_actors::domain::installation::accounts::settings::{
    AccountChange, AccountSettings,
};
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::installation::channels::settings::ChannelChange;
use switchboard_actors::domain::oauth::clients::OauthClient;
use switchboard_actors::domain::oauth::clients::settings::OauthClientChange;

use super::exposure::Published;
use super::fields::Fields;
use super::kinds::{parsed, token};
use super::pipelines::pipelines;
use super::reader::Reader;
use super::section::Section;
use super::tree::Origin;
use super::values::Secret;
use super::{Account, User};

/// The declarations so far, each with its place: none may be repeated.
#[derive(Default)]
pub(super) struct Declarations {
    ids: BTreeMap<String, String>,
    tokens: BTreeMap<String, String>,
}

impl Declarations {
    /// Remembers a bearer token of this section, and reports a second holder.
    pub(super) fn token(
        &mut self,
        reader: &mut Reader,
        token: &Secret,
        holder: &str,
        origin: &Origin,
    ) {
        if let Some(other) = self
            .tokens
            .insert(token.expose().to_owned(), holder.to_owned())
        {
            let headline = format!("`{holder}` has the same token as `{other}`");
            let help = "give each its own: a token identifies its caller".into();
            reader.problem("duplicate", &headline, origin, help);
        }
    }

    /// Reports a subdomain that another account has, and fields of contacts with one number.
    fn settings(
        &mut self,
        reader: &mut Reader,
        settings: &AccountSettings,
        id: AccountId,
        section: &Section,
    ) {
        let path = section.path();
        if let Some(subdomain) = &settings.subdomain {
            let key = format!("subdomain {subdomain}");
            if let Some(other) = self.ids.insert(key, path.to_owned()) {
                let headline =
                    format!("`{path}.subdomain` is «{subdomain}», which `{other}` has already");
                let help = format!("give the account {id} a subdomain of its own");
                reader.problem("duplicate", &headline, &section.origin(), help);
            }
        }
        if settings.phone_field_id == settings.email_field_id {
            let headline = format!(
                "`{path}.phone_field_id` and `{path}.email_field_id` are both {}",
                settings.phone_field_id
            );
            let help = "give each field of contacts a number of its own".to_owned();
            reader.problem("duplicate", &headline, &section.origin(), help);
        }
    }

    /// Reads the id of a section, and reports one that another section has.
    fn id<T: FromStr<Err: Display> + Display>(
        &mut self,
        reader: &mut Reader,
        section: &mut Section,
        kind: &str,
        example: &str,
    ) -> Option<T> {
        let id: T = reader.required(section, "id", example, parsed)?;
        let path = section.path();
        if let Some(other) = self.ids.insert(format!("{kind} {id}"), path.to_owned()) {
            let headline = format!("`{path}` has the id {id}, which `{other}` has already");
            let help = format!("give each {kind} an id of its own, or make one of the two");
            reader.problem("duplicate", &headline, &section.origin(), help);
        }
        Some(id)
    }
}

pub(super) fn accounts(
    reader: &mut Reader,
    root: &mut Section,
    seen: &mut Declarations,
    published: &mut Published,
) -> Vec<Account> {
    let sections = reader.list(root, "accounts");
    let mut accounts = Vec::new();
    for mut section in sections {
        let id: Option<AccountId> = seen.id(reader, &mut section, "account", "\"<a UUID>\"");
        let settings = AccountChange::read(&mut Fields(reader, &mut section)).complete();
        if let (Some(settings), Some(id)) = (&settings, &id) {
            seen.settings(reader, settings, *id, &section);
        }
        let pipelines = pipelines(reader, &mut section);
        let users = users(reader, &mut section, seen, published);
        reader.close(section);
        if let (Some(id), Some(settings)) = (id, settings) {
            accounts.push(Account {
                id,
                settings,
                pipelines,
                users,
            });
        }
    }
    accounts
}

fn users(
    reader: &mut Reader,
    account: &mut Section,
    seen: &mut Declarations,
    published: &mut Published,
) -> Vec<User> {
    let sections = reader.list(account, "users");
    let (mut emails, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    let mut users = Vec::new();
    for mut section in sections {
        let fields = UserFields::read(&mut Fields(reader, &mut section));
        let id = fields.id.map(|ChosenUserId(id)| id);
        if let Some(id) = id.filter(|id| !numbers.insert(*id)) {
            let headline = format!(
                "`{}.id` is the number of another user of the account",
                section.path()
            );
            let help = format!("{id} is taken; give each user a number of their own");
            reader.problem("duplicate", &headline, &section.origin(), help);
        }
        if let Some(email) = &fields.email
            && !emails.insert(Emails::folded(email))
        {
            let headline = format!(
                "`{}` has the e-mail of another user of the account",
                section.path()
            );
            let help =
                "give each user an e-mail of their own; upper and lower case are the same".into();
            reader.problem("duplicate", &headline, &section.origin(), help);
        }
        published.note(&section, "password");
        let password = reader.required(&mut section, "password", "\"<a good one>\"", parsed);
        let origin = published.note(&section, "token");
        let token = reader.optional(&mut section, "token", token);
        if let (Some(token), Some(origin)) = (&token, origin) {
            let holder = format!("{}.token", section.path());
            seen.token(reader, token, &holder, &origin);
        }
        reader.close(section);
        let UserFields { name, email, .. } = fields;
        if let (Some(name), Some(email), Some(password)) = (name, email, password) {
            users.push(User {
                id,
                name,
                email,
                password,
                is_admin: fields.is_admin.unwrap_or_default(),
                token,
            });
        }
    }
    users
}

pub(super) fn channels(
    reader: &mut Reader,
    root: &mut Section,
    seen: &mut Declarations,
    published: &mut Published,
) -> Vec<Channel> {
    let sections = reader.list(root, "channels");
    let mut channels = Vec::new();
    for mut section in sections {
        let id: Option<ChannelId> = seen.id(reader, &mut section, "channel", "\"demo\"");
        published.note(&section, "secret");
        let secret = reader.required(&mut section, "secret", "\"<40 random hex digits>\"", parsed);
        let settings = ChannelChange::read(&mut Fields(reader, &mut section)).complete();
        reader.close(section);
        if let (Some(id), Some(secret), Some(settings)) = (id, secret, settings) {
            channels.push(Channel::new(id, secret, settings));
        }
    }
    channels
}

/// OAuth clients. One that names a channel needs that channel to be declared too.
pub(super) fn oauth_clients(
    reader: &mut Reader,
    root: &mut Section,
    channels: &[Channel],
    seen: &mut Declarations,
    published: &mut Published,
) -> Vec<OauthClient> {
    let sections = reader.list(root, "oauth_clients");
    let mut clients = Vec::new();
    for mut section in sections {
        let id: Option<OauthClientId> =
            seen.id(reader, &mut section, "OAuth client", "\"<a UUID>\"");
        published.note(&section, "secret");
        let secret = reader.required(&mut section, "secret", "\"<40 random hex digits>\"", parsed);
        let channel_origin = section.node("channel").map(|node| node.origin.clone());
        let settings = OauthClientChange::read(&mut Fields(reader, &mut section)).complete();
        let channel = settings.as_ref().and_then(|it| it.channel.as_ref());
        if let (Some(channel), Some(origin)) = (channel, channel_origin)
            && !channels.iter().any(|known| known.id == *channel)
        {
            let path = section.path();
            let headline =
                format!("`{path}.channel` names the channel {channel}, which no section declares");
            let help = "declare the channel in [[channels]], or leave the key out and set it with `switchboard oauth-client update`".to_owned();
            reader.problem("unknown-channel", &headline, &origin, help);
        }
        reader.close(section);
        if let (Some(id), Some(secret), Some(settings)) = (id, secret, settings) {
            clients.push(OauthClient {
                id,
                secret,
                settings,
            });
        }
    }
    clients
}
