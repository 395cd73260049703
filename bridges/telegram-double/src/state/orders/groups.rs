//! Groups: people come and go, the bot is kicked, and a group becomes a supergroup.

use serde_json::{Map, Value, json};

use super::registry::check_name;
use super::shown;
use crate::bounds::{MEMBERS_MAX, SECOND};
use crate::clock::Moment;
use crate::orders::{Done, Group, InChat, Opened, OrderError, Problems, WithPerson};
use crate::state::Machine;
use crate::state::chat::{Chat, ChatKind, Standing};
use crate::state::desk::Desk;
use crate::state::view::chat_json;

/// The ids of supergroups are below this.
const SUPERGROUPS: i64 = -1_000_000_000_000;
/// The ids of groups are above this.
const GROUPS: i64 = -1_000_000_000;

impl Desk<'_> {
    /// Finds a group in which the bot is.
    fn group(&self, id: i64) -> Result<&Chat, OrderError> {
        let chat = self.bot.chats.get(&id).filter(|chat| !chat.is_private());
        let Some(chat) = chat else {
            return Err(OrderError::one(
                "chat",
                format!("the bot has no group {id}"),
            ));
        };
        match chat.standing {
            Standing::Upgraded(new) => Err(OrderError::one(
                "chat",
                format!("it has become the supergroup {new}"),
            )),
            Standing::Member | Standing::Kicked => Ok(chat),
        }
    }

    /// Adds a service message, with its update.
    fn service(
        &mut self,
        chat: i64,
        person: i64,
        name: &str,
        value: Value,
    ) -> Result<Option<i64>, OrderError> {
        let mut body = Map::new();
        body.insert(name.to_owned(), value);
        Ok(self.write(person, chat, "service", body)?.update_id)
    }

    /// Adds the update about a member, which comes by name and to administrators.
    fn announce_member(
        &mut self,
        chat: i64,
        person: i64,
        before: &str,
        after: &str,
    ) -> Option<i64> {
        let place = self.bot.chats.get(&chat).filter(|it| it.is_admin)?;
        let user = self.people.user_json(person);
        let body = json!({
            "chat": chat_json(self.people, place),
            "from": user,
            "date": self.now / SECOND,
            "old_chat_member": {"user": user, "status": before},
            "new_chat_member": {"user": user, "status": after},
        });
        self.push("chat_member", chat, None, body)
    }

    fn free_group(&self, is_supergroup: bool) -> i64 {
        let (from, above) = if is_supergroup {
            (SUPERGROUPS, i64::MIN)
        } else {
            (-5_000, SUPERGROUPS)
        };
        let ids = self
            .bot
            .chats
            .keys()
            .filter(|id| (above..=from).contains(id));
        ids.min().map_or(from - 1, |lowest| lowest - 1)
    }
}

impl Machine {
    pub(super) fn open_group(&mut self, order: Group, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        let mut problems = Problems { errors: Vec::new() };
        check_name(&mut problems, "title", Some(&order.title));
        if order.members.is_empty() || order.members.len() > MEMBERS_MAX {
            problems.add("members", format!("1 to {MEMBERS_MAX} people are possible"));
        }
        for (at, member) in order.members.iter().enumerate() {
            if let Err(OrderError::Refused(wrong)) =
                desk.check_person(&format!("members/{at}"), *member)
            {
                problems.errors.extend(wrong.errors);
            }
        }
        let id = order
            .id
            .unwrap_or_else(|| desk.free_group(order.is_supergroup));
        let range = if order.is_supergroup {
            SUPERGROUPS * 4..=SUPERGROUPS - 1
        } else {
            GROUPS..=-1
        };
        if !range.contains(&id) {
            let (low, high) = range.into_inner();
            problems.add(
                "id",
                format!("{id} is no id of such a group: {low} to {high} are possible"),
            );
        } else if desk.bot.chats.contains_key(&id) {
            problems.add("id", format!("the bot has the chat {id} already"));
        }
        problems.none(())?;
        let kind = if order.is_supergroup {
            ChatKind::Supergroup
        } else {
            ChatKind::Group
        };
        let mut chat = Chat::new(id, kind, order.title);
        chat.members = order.members.iter().copied().collect();
        chat.is_admin = order.is_admin;
        let outcome = desk.add_chat(chat);
        outcome.map_err(|error| OrderError::one("", error.description))?;
        let founder = order.members.first().copied().unwrap_or_default();
        let update = desk.set_standing(id, founder, Standing::Member);
        shown(Opened {
            chat: id,
            update_ids: update.into_iter().collect(),
        })
    }

    pub(super) fn join(&mut self, order: WithPerson, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        desk.check_person("person", order.person)?;
        let chat = desk.group(order.chat)?;
        if chat.members.contains(&order.person) || chat.members.len() >= MEMBERS_MAX {
            let text = format!("the person is a member already, or the group has {MEMBERS_MAX}");
            return Err(OrderError::one("person", text));
        }
        if let Some(chat) = desk.bot.chats.get_mut(&order.chat) {
            chat.members.insert(order.person);
        }
        let user = desk.people.user_json(order.person);
        let service = desk.service(order.chat, order.person, "new_chat_members", json!([user]))?;
        let member = desk.announce_member(order.chat, order.person, "left", "member");
        shown(Done {
            update_ids: service.into_iter().chain(member).collect(),
        })
    }

    pub(super) fn leave(&mut self, order: WithPerson, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        let chat = desk.group(order.chat)?;
        if !chat.members.contains(&order.person) {
            return Err(OrderError::one("person", "the person is no member"));
        }
        if let Some(chat) = desk.bot.chats.get_mut(&order.chat) {
            chat.members.remove(&order.person);
        }
        let user = desk.people.user_json(order.person);
        let service = desk.service(order.chat, order.person, "left_chat_member", user)?;
        let member = desk.announce_member(order.chat, order.person, "member", "left");
        shown(Done {
            update_ids: service.into_iter().chain(member).collect(),
        })
    }

    pub(super) fn kick(&mut self, order: WithPerson, now: Moment) -> Result<Value, OrderError> {
        self.change_bot(order, Standing::Kicked, now)
    }

    pub(super) fn let_in(&mut self, order: WithPerson, now: Moment) -> Result<Value, OrderError> {
        self.change_bot(order, Standing::Member, now)
    }

    fn change_bot(
        &mut self,
        order: WithPerson,
        standing: Standing,
        now: Moment,
    ) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        let chat = desk.group(order.chat)?;
        if !chat.members.contains(&order.person) {
            return Err(OrderError::one("person", "the person is no member"));
        }
        if chat.standing == standing {
            return Err(OrderError::one("chat", "the bot stands so in it already"));
        }
        let update = desk.set_standing(order.chat, order.person, standing);
        shown(Done {
            update_ids: update.into_iter().collect(),
        })
    }

    pub(super) fn upgrade(&mut self, order: InChat, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        let chat = desk.group(order.chat)?;
        if chat.kind != ChatKind::Group {
            return Err(OrderError::one("chat", "it is a supergroup already"));
        }
        let Some(person) = chat.members.first().copied() else {
            return Err(OrderError::one("chat", "it has no member who could do it"));
        };
        let mut new = Chat::new(
            desk.free_group(true),
            ChatKind::Supergroup,
            chat.title.clone(),
        );
        new.members = chat.members.clone();
        new.is_admin = chat.is_admin;
        new.standing = chat.standing;
        let id = new.id;
        let outcome = desk.add_chat(new);
        outcome.map_err(|error| OrderError::one("", error.description))?;
        let to = desk.service(order.chat, person, "migrate_to_chat_id", id.into())?;
        let from = desk.service(id, person, "migrate_from_chat_id", order.chat.into())?;
        if let Some(chat) = desk.bot.chats.get_mut(&order.chat) {
            chat.standing = Standing::Upgraded(id);
        }
        shown(Opened {
            chat: id,
            update_ids: to.into_iter().chain(from).collect(),
        })
    }
}
