//! The state of an account that a service shows, read back through its public interface.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::answer::Answer;
use super::client::Client;
use super::rounds::Rounds;
use super::server::TOKEN;

/// Everything, or everything about some conversations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// By the integration's id.
    pub conversations: BTreeMap<String, Conversation>,
    /// The leads, by number.
    pub leads: Vec<Value>,
    /// The contacts, by number.
    pub contacts: Vec<Value>,
}

/// A conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    /// The service's id.
    pub id: String,
    /// The number of messages, as the conversation gives it.
    pub count: usize,
    /// The number of its lead.
    pub lead: Option<u64>,
    /// Its messages, oldest first; `None` when they were not read.
    pub messages: Option<Vec<Value>>,
}

/// An answer that is no 200; `None` when there was no answer, since the service ended or restarted itself.
#[derive(Clone, Debug)]
pub struct ShownError(pub Option<Answer>);

impl Shown {
    /// Reads all lists, and the messages of these conversations; `None`: of all of them.
    ///
    /// # Errors
    /// With the first answer that is not 200.
    pub async fn read(
        client: &Client,
        only: Option<&BTreeSet<String>>,
    ) -> Result<Self, ShownError> {
        let mut view = Self::default();
        for entry in pages(client, "/inbox/v1/conversations", "cursor", "conversations").await? {
            let name = text(&entry["client_id"]).to_owned();
            let id = text(&entry["id"]).to_owned();
            if entry["damaged"] == true {
                // Opening it returns the reason, which the list does not reveal.
                get(client, &format!("/inbox/v1/conversations/{id}")).await?;
                panic!("{id} is called damaged and can be read");
            }
            let mut messages = None;
            if only.is_none_or(|only| only.contains(&name)) {
                let path = format!("/inbox/v1/conversations/{id}/messages");
                let mut newest_first = pages(client, &path, "before", "messages").await?;
                newest_first.reverse();
                messages = Some(newest_first);
            }
            let conversation = Conversation {
                id,
                count: usize::try_from(entry["messages"].as_u64().unwrap()).unwrap(),
                lead: entry["lead"]["id"].as_u64(),
                messages,
            };
            let twice = view.conversations.insert(name, conversation);
            assert!(twice.is_none(), "the list names {twice:?} twice");
        }
        view.leads = collection(client, "leads").await?;
        view.contacts = collection(client, "contacts").await?;
        Ok(view)
    }

    /// The same without what attempts at callbacks change, and without the hosts of links, which name the port.
    pub fn without_callbacks(&self) -> Self {
        let mut view = self.clone();
        for conversation in view.conversations.values_mut() {
            for message in conversation.messages.iter_mut().flatten() {
                if let Some(message) = message.as_object_mut() {
                    message.remove("callback");
                    for key in ["media", "thumbnail"] {
                        let link = message.get(key).and_then(Value::as_str);
                        let path =
                            link.and_then(|link| Some(link[link.find("/media/")?..].to_owned()));
                        if let Some(path) = path {
                            message.insert(key.to_owned(), path.into());
                        }
                    }
                }
            }
        }
        for entry in view.leads.iter_mut().chain(&mut view.contacts) {
            entry.as_object_mut().unwrap().remove("_links");
            entry.as_object_mut().unwrap().remove("_embedded");
        }
        view
    }

    /// As one JSON document.
    pub fn document(&self) -> Value {
        let conversations: Map<String, Value> = self.conversations.iter().map(|(name, it)| {
            let entry =
                json!({ "id": it.id, "count": it.count, "lead": it.lead, "messages": it.messages });
            (name.clone(), entry)
        }).collect();
        json!({ "conversations": conversations, "leads": self.leads, "contacts": self.contacts })
    }

    /// Returns the number of the answers that were read and that the integration does not have yet.
    pub fn callbacks_open(&self) -> usize {
        let conversations = self.conversations.values();
        let messages = conversations.flat_map(|it| it.messages.iter().flatten());
        messages
            .filter(|it| it["direction"] == "out" && it["callback"]["state"] != "delivered")
            .count()
    }

    /// Leads and contacts are numbered without gaps, every lead has its contact and its conversation, every customer
    /// who has a lead has one contact.
    pub fn check_book(&self, faults: &mut Vec<String>) {
        for (kind, entries) in [("leads", &self.leads), ("contacts", &self.contacts)] {
            let numbers: Vec<_> = entries
                .iter()
                .map(|it| it["id"].as_u64().unwrap())
                .collect();
            let gapless: Vec<_> = (1..).take(numbers.len()).collect();
            if numbers != gapless {
                faults.push(format!("the {kind} are numbered {numbers:?}"));
            }
        }
        let claimed: BTreeMap<_, _> = self
            .conversations
            .values()
            .filter_map(|conversation| Some((conversation.lead?, conversation.id.as_str())))
            .collect();
        let mut contacts = BTreeSet::new();
        let mut leads = BTreeMap::new();
        for lead in &self.leads {
            let number = lead["id"].as_u64().unwrap();
            let contact = lead["_embedded"]["contacts"][0]["id"].as_u64().unwrap();
            contacts.insert(contact);
            if !self.contacts.iter().any(|known| known["id"] == contact) {
                faults.push(format!("lead {number} has no contact {contact}"));
            }
            leads.insert(number, text(&lead["_embedded"]["chats"][0]["chat_id"]));
        }
        if claimed != leads {
            faults.push(format!("conversations have {claimed:?}, leads {leads:?}"));
        }
        // Each conversation has a customer of its own here.
        if contacts.len() != self.contacts.len() || contacts.len() != leads.len() {
            faults.push("there is a contact without a lead, or one for several".to_owned());
        }
    }
}

/// A JSON text, empty when it is none.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

async fn pages(
    client: &Client,
    path: &str,
    parameter: &str,
    name: &str,
) -> Result<Vec<Value>, ShownError> {
    let mut all = Vec::new();
    let mut target = format!("{path}?limit=250");
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let page = get(client, &target).await?;
        all.extend(page[name].as_array().unwrap().iter().cloned());
        let Some(next) = page["next"].as_str() else {
            return Ok(all);
        };
        target = format!("{path}?limit=250&{parameter}={next}");
    }
}

async fn collection(client: &Client, name: &str) -> Result<Vec<Value>, ShownError> {
    let mut all = Vec::new();
    for page in 1.. {
        let page = get(client, &format!("/api/v4/{name}?limit=250&page={page}")).await?;
        let entries = page["_embedded"][name].as_array();
        all.extend(entries.into_iter().flatten().cloned());
        if page["_links"]["next"].is_null() {
            break;
        }
    }
    Ok(all)
}

async fn get(client: &Client, target: &str) -> Result<Value, ShownError> {
    let request = client.request("GET", target).bearer(TOKEN);
    let Some(answer) = request.attempt().await else {
        return Err(ShownError(None));
    };
    // A list without entries is 204 without a body.
    if answer.status == 200 || answer.status == 204 {
        Ok(answer.json)
    } else {
        Err(ShownError(Some(answer)))
    }
}
