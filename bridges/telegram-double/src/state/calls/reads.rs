//! Reading what is known: the bot, chats, files, and the webhook.

use serde_json::{Value, json};

use crate::params::Params;
use crate::reply::{ApiError, Reply};
use crate::state::desk::Desk;
use crate::state::view::chat_json;
use crate::state::webhook::{Settings, Webhook};

/// The ports on which Telegram calls webhooks. On loopback, and by `http`, the double calls any, as a server of one's own does.
const PORTS: [u16; 4] = [443, 80, 88, 8443];
const SECRET_MAX: usize = 256;
const URL_MAX: usize = 2_048;
const CONNECTIONS: i64 = 40;

/// Reads the kinds that a call allows. Text that is no list counts as none, as with Telegram.
pub(crate) fn allowed(params: &Params) -> Option<Vec<String>> {
    let Some(Value::Array(kinds)) = params.structure("allowed_updates").ok().flatten() else {
        return None;
    };
    let kind = |it: Value| it.as_str().map(str::to_owned);
    Some(kinds.into_iter().filter_map(kind).collect())
}

fn check_address(address: &str) -> Result<(), ApiError> {
    let bad = |why: &str| ApiError::bad(format!("bad webhook: {why}"));
    if address.len() > URL_MAX {
        return Err(bad("the URL is too long"));
    }
    let Ok(url) = url::Url::parse(address) else {
        return Err(ApiError::bad("invalid webhook URL specified"));
    };
    match url.scheme() {
        "http" => Ok(()),
        "https" => {
            let is_near = match url.host() {
                Some(url::Host::Domain(name)) => name == "localhost",
                Some(url::Host::Ipv4(address)) => address.is_loopback(),
                Some(url::Host::Ipv6(address)) => address.is_loopback(),
                None => false,
            };
            let port = url.port_or_known_default().unwrap_or_default();
            if is_near || PORTS.contains(&port) {
                Ok(())
            } else {
                Err(bad(
                    "Webhook can be set up only on ports 80, 88, 443 or 8443",
                ))
            }
        }
        _ => Err(bad("An HTTPS URL must be provided for webhook")),
    }
}

impl Desk<'_> {
    pub(crate) fn get_me(&self) -> Value {
        let mut me = self.bot.user_json();
        if let Some(fields) = me.as_object_mut() {
            let flags = [
                ("can_join_groups", true),
                ("can_read_all_group_messages", self.bot.reads_all),
                ("supports_inline_queries", false),
                ("can_connect_to_business", false),
                ("has_main_web_app", false),
            ];
            for (name, flag) in flags {
                fields.insert(name.to_owned(), flag.into());
            }
        }
        me
    }

    pub(crate) fn get_chat(&self, params: &Params) -> Reply {
        let chat = self.chat(params)?;
        Ok(chat_json(self.people, chat))
    }

    pub(crate) fn get_file(&mut self, params: &Params) -> Reply {
        let id = params.text("file_id").unwrap_or_default();
        if id.is_empty() {
            return Err(ApiError::bad("file_id not specified"));
        }
        let now = self.now;
        self.bot.files.link(&id, now)
    }

    pub(crate) fn get_user_profile_photos(&mut self, params: &Params) -> Reply {
        let id = params.integer("user_id")?.unwrap_or_default();
        let Some(person) = self.people.get(id).map(|it| &it.person) else {
            return Err(ApiError::bad("user not found"));
        };
        let Some(content) = person.photo() else {
            return Ok(json!({"total_count": 0, "photos": []}));
        };
        let name = Some(format!("avatar-{id}.jpg"));
        let file = self.bot.files.add("photo", name, None, content)?;
        let mut body = self.media_body("photo", &file, super::media::Facts::default())?;
        let sizes = body.remove("photo").unwrap_or_default();
        Ok(json!({"total_count": 1, "photos": [sizes]}))
    }

    pub(crate) fn set_webhook(&mut self, params: &Params) -> Reply {
        let url = params.text("url").unwrap_or_default();
        if url.is_empty() {
            return Ok(self.delete_webhook(params));
        }
        check_address(&url)?;
        let secret = params.text("secret_token").filter(|it| !it.is_empty());
        if let Some(secret) = &secret {
            if secret.len() > SECRET_MAX {
                return Err(ApiError::bad("secret token is too long"));
            }
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
            if !secret.bytes().all(is_plain) {
                return Err(ApiError::bad("secret token contains unallowed characters"));
            }
        }
        let connections = params.integer("max_connections")?.unwrap_or(CONNECTIONS);
        if let Some(kinds) = allowed(params) {
            self.bot.queue.allow(&kinds);
        }
        if params.flag("drop_pending_updates") {
            self.bot.queue.clear();
        }
        let settings = Settings {
            url,
            secret,
            max_connections: usize::try_from(connections.clamp(1, 100)).unwrap_or(1),
        };
        let is_same = |it: &Webhook| it.settings == settings;
        if !self.bot.webhook.as_ref().is_some_and(is_same) {
            // A poll that waits finds itself ended by it.
            self.bot.poll = None;
            self.bot.webhook = Some(Webhook::new(settings, self.number));
        }
        Ok(Value::Bool(true))
    }

    pub(crate) fn delete_webhook(&mut self, params: &Params) -> Value {
        if params.flag("drop_pending_updates") {
            self.bot.queue.clear();
        }
        self.bot.webhook = None;
        Value::Bool(true)
    }

    pub(crate) fn get_webhook_info(&self) -> Value {
        let queue = &self.bot.queue;
        let mut info = match &self.bot.webhook {
            Some(webhook) => webhook.info(queue),
            None => json!({
                "url": "",
                "has_custom_certificate": false,
                "pending_update_count": queue.len(),
            }),
        };
        if let (Some(kinds), Some(fields)) = (queue.allowed(), info.as_object_mut()) {
            fields.insert("allowed_updates".to_owned(), kinds.into());
        }
        info
    }
}
