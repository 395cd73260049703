//! Reads the accounts, users and channels that a configuration declares.

use std::collections::{BTreeMap, BTreeSet};

use email_address::{EmailAddress, Options};
use serde_json::json;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::{AccountId, ChannelId};

use super::exposure::Published;
use super::kinds::{Wrong, parsed, switch, text, words};
use super::reader::{Reader, Section};
use super::tree::{Node, Origin};
use super::values::{Lang, Plan, Secret};
use super::{Account, Audience, Channel, User};

/// What has been declared once and must not be declared again, and where it was.
#[derive(Default)]
pub(super) struct Seen {
    ids: BTreeMap<String, String>,
    tokens: BTreeMap<String, String>,
}

impl Seen {
    /// Remembers a bearer token of this section; tells of a second holder.
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
            let help = "give each its own; a token says who is calling".into();
            reader.problem("duplicate", &headline, origin, help);
        }
    }

    fn id(&mut self, reader: &mut Reader, id: &str, kind: &str, section: &Section) {
        let path = section.path().to_owned();
        if let Some(other) = self.ids.insert(format!("{kind} {id}"), path.clone()) {
            let headline = format!("`{path}` has the id {id}, which `{other}` has already");
            let help = format!("give each {kind} an id of its own, or make one of the two");
            reader.problem("duplicate", &headline, &section.origin(), help);
        }
    }
}

pub(super) fn accounts(
    reader: &mut Reader,
    root: &mut Section,
    seen: &mut Seen,
    published: &mut Published,
) -> Vec<Account> {
    let sections = reader.list(root, "accounts");
    let mut accounts = Vec::new();
    for mut section in sections {
        let id = reader.required(&mut section, "id", "\"<a UUID>\"", parsed::<AccountId>);
        if let Some(id) = &id {
            seen.id(reader, &id.to_string(), "account", &section);
        }
        let name = reader.required(&mut section, "name", "\"Demo\"", name);
        let lang = reader.or(&mut section, "lang", Lang::En, parsed);
        let plan = reader.or(&mut section, "plan", Plan::Base, parsed);
        let users = users(reader, &mut section, seen, published);
        reader.close(section);
        if let (Some(id), Some(name)) = (id, name) {
            accounts.push(Account {
                id,
                name,
                lang,
                plan,
                users,
            });
        }
    }
    accounts
}

fn users(
    reader: &mut Reader,
    account: &mut Section,
    seen: &mut Seen,
    published: &mut Published,
) -> Vec<User> {
    let sections = reader.list(account, "users");
    let mut emails = BTreeSet::new();
    let mut users = Vec::new();
    for mut section in sections {
        let name = reader.required(&mut section, "name", "\"Ada\"", user_name);
        let email = reader.required(&mut section, "email", "\"ada@example.com\"", email);
        if let Some(email) = &email
            && !emails.insert(email.as_str().to_lowercase())
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
        let password = reader.required(&mut section, "password", "\"<a good one>\"", password);
        let is_admin = reader.or(&mut section, "is_admin", false, switch);
        let origin = published.note(&section, "token");
        let token = reader.optional(&mut section, "token", token);
        if let (Some(token), Some(origin)) = (&token, origin) {
            let holder = format!("{}.token", section.path());
            seen.token(reader, token, &holder, &origin);
        }
        reader.close(section);
        if let (Some(name), Some(email), Some(password)) = (name, email, password) {
            users.push(User {
                name,
                email,
                password,
                is_admin,
                token,
            });
        }
    }
    users
}

pub(super) fn channels(
    reader: &mut Reader,
    root: &mut Section,
    seen: &mut Seen,
    published: &mut Published,
) -> Vec<Channel> {
    let sections = reader.list(root, "channels");
    let mut channels = Vec::new();
    for mut section in sections {
        let id = reader.required(&mut section, "id", "\"demo\"", parsed::<ChannelId>);
        if let Some(id) = &id {
            seen.id(reader, id.as_str(), "channel", &section);
        }
        let name = reader.required(&mut section, "name", "\"Demo messenger\"", name);
        published.note(&section, "secret");
        let secret = reader.required(&mut section, "secret", "\"<40 random hex digits>\"", key);
        let webhook_v1 = reader.optional(&mut section, "webhook_v1", parsed);
        let webhook_v2 = reader.optional(&mut section, "webhook_v2", parsed);
        let accounts = reader.usually(&mut section, "accounts", json!(["*"]), audience);
        let generation = reader.usually(&mut section, "generation", json!("any"), generation);
        let typing_callbacks = reader.or(&mut section, "typing_callbacks", false, switch);
        let reaction_callbacks = reader.or(&mut section, "reaction_callbacks", false, switch);
        reader.close(section);
        if let (Some(id), Some(name), Some(secret)) = (id, name, secret) {
            channels.push(Channel {
                id,
                name,
                secret,
                webhook_v1,
                webhook_v2,
                accounts: accounts.unwrap_or(Audience::Everyone),
                generation: generation.flatten(),
                typing_callbacks,
                reaction_callbacks,
            });
        }
    }
    channels
}

/// A bearer token: what may stand after `Bearer` in a header.
pub(super) fn token(node: &Node) -> Result<Secret, Wrong> {
    let text = text(node)?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    if (1..=255).contains(&text.len()) && text.bytes().all(fits) {
        Ok(Secret::new(text))
    } else {
        Err(Wrong::new(
            "cannot be a bearer token",
            "write 1 to 255 letters, digits and - . _ ~ + / =",
        ))
    }
}

/// The key of signatures.
fn key(node: &Node) -> Result<Secret, Wrong> {
    let text = text(node)?;
    if (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(Secret::new(text))
    } else {
        Err(Wrong::new(
            "cannot be a channel's secret",
            "write 1 to 255 ASCII characters without spaces",
        ))
    }
}

/// Interface B, add users: at least 6 characters, with at least one digit, one lower-case and one
/// upper-case letter.
fn password(node: &Node) -> Result<Secret, Wrong> {
    let text = text(node)?;
    let length = text.chars().count();
    let lacks = [
        (length < 6, "at least 6 characters"),
        (length > 255, "at most 255 characters"),
        (!text.bytes().any(|byte| byte.is_ascii_digit()), "a digit"),
        (!text.chars().any(char::is_lowercase), "a lower-case letter"),
        (
            !text.chars().any(char::is_uppercase),
            "an upper-case letter",
        ),
    ];
    let lacks: Vec<&str> = lacks
        .iter()
        .filter(|(lacks, _)| *lacks)
        .map(|(_, what)| *what)
        .collect();
    if lacks.is_empty() {
        Ok(Secret::new(text))
    } else {
        Err(Wrong::new(
            "is not a good password",
            format!("it needs {}", lacks.join(", ")),
        ))
    }
}

fn email(node: &Node) -> Result<EmailAddress, Wrong> {
    let plain = Options::default().without_display_text();
    EmailAddress::parse_with_options(text(node)?, plain).map_err(|error| {
        Wrong::new(
            "is not an e-mail address",
            format!("write it as in ada@example.com ({error})"),
        )
    })
}

fn name(node: &Node) -> Result<String, Wrong> {
    let text = text(node)?;
    let fits = (1..=255).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits && !text.trim().is_empty() {
        Ok(text.to_owned())
    } else {
        Err(Wrong::new("is not a name", "write 1 to 255 characters"))
    }
}

/// Interface B, add users: at most 50 characters; of the special ones only `.`, `@`, `-`, `_`.
fn user_name(node: &Node) -> Result<String, Wrong> {
    let name = name(node)?;
    let fits = |letter: char| letter.is_alphanumeric() || " .@-_".contains(letter);
    if name.chars().count() <= 50 && name.chars().all(fits) {
        Ok(name)
    } else {
        Err(Wrong::new(
            "is not a user's name",
            "write at most 50 letters, digits, spaces and . @ - _",
        ))
    }
}

/// One generation of the chat interface, or any.
fn generation(node: &Node) -> Result<Option<Generation>, Wrong> {
    match text(node)? {
        "any" => Ok(None),
        name => match name.parse() {
            Ok(generation) => Ok(Some(generation)),
            Err(error) => Err(Wrong::new(
                "is not a generation of the chat interface",
                format!("{error}, or \"any\""),
            )),
        },
    }
}

fn audience(node: &Node) -> Result<Audience, Wrong> {
    let words = words(node)?;
    if words == ["*"] {
        return Ok(Audience::Everyone);
    }
    let ids: Result<BTreeSet<AccountId>, _> = words.iter().map(|word| word.parse()).collect();
    match ids {
        Ok(ids) => Ok(Audience::Only(ids)),
        Err(_) => Err(Wrong::new(
            "is not a list of accounts",
            "write [\"*\"] for all, or the ids of accounts",
        )),
    }
}
