//! People who start, block and end their accounts.

use serde_json::{Value, json};

use super::shown;
use crate::bounds::SECOND;
use crate::clock::Moment;
use crate::orders::{Done, OrderError, Start};
use crate::state::Machine;
use crate::state::chat::{Chat, ChatKind, Standing};
use crate::state::desk::Desk;
use crate::state::view::chat_json;

impl Desk<'_> {
    /// Changes the standing of the bot in a chat. Returns the number of the update.
    pub(super) fn set_standing(
        &mut self,
        chat: i64,
        person: i64,
        standing: Standing,
    ) -> Option<i64> {
        let bot = self.bot.user_json();
        let status = |standing: Standing, is_admin: bool| match standing {
            Standing::Member | Standing::Upgraded(_) if is_admin => "administrator",
            Standing::Member | Standing::Upgraded(_) => "member",
            Standing::Kicked => "kicked",
        };
        let place = self.bot.chats.get_mut(&chat)?;
        let member = |standing: Standing, is_admin: bool| {
            let mut member = json!({"user": bot, "status": status(standing, is_admin)});
            if let (Standing::Kicked, Some(fields)) = (standing, member.as_object_mut()) {
                fields.insert("until_date".to_owned(), 0.into());
            }
            member
        };
        let before = member(place.standing, place.is_admin);
        place.standing = standing;
        if standing == Standing::Kicked {
            place.is_admin = false;
        }
        let after = member(standing, place.is_admin);
        let body = json!({
            "chat": chat_json(self.people, place),
            "from": self.people.user_json(person),
            "date": self.now / SECOND,
            "old_chat_member": before,
            "new_chat_member": after,
        });
        self.push("my_chat_member", chat, None, body)
    }
}

impl Machine {
    pub(super) fn start(&mut self, order: Start, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        desk.check_person("from", order.from)?;
        let standing = desk.bot.chats.get(&order.from).map(|it| it.standing);
        let update = match standing {
            None => {
                let chat = Chat::new(order.from, ChatKind::Private, String::new());
                let outcome = desk.add_chat(chat);
                outcome.map_err(|error| OrderError::one("from", error.description))?;
                None
            }
            Some(Standing::Kicked) => desk.set_standing(order.from, order.from, Standing::Member),
            Some(Standing::Member | Standing::Upgraded(_)) => None,
        };
        shown(Done {
            update_ids: update.into_iter().collect(),
        })
    }

    pub(super) fn block(&mut self, order: Start, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        let chat = desk.place_of(order.from, None)?;
        let update = desk.set_standing(chat, order.from, Standing::Kicked);
        shown(Done {
            update_ids: update.into_iter().collect(),
        })
    }

    pub(super) fn deactivate(&mut self, order: &Start) -> Result<Value, OrderError> {
        let person = self.people.list.get_mut(&order.from);
        let missing = || OrderError::one("from", format!("there is no person {}", order.from));
        person.ok_or_else(missing)?.is_deactivated = true;
        shown(Done::default())
    }
}
