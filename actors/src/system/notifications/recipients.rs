//! The users whom something concerns, as far as they are here or have a browser that is pushed notifications, want it, may see it
//! and do not look at it already.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::domain::account::holder::Holder;
use crate::domain::account::user::User;
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::crm::Lead;
use crate::domain::id::{AccountId, ConversationId, MessageId, UserId};
use crate::domain::keys;
use crate::domain::notifications::NotificationKind;
use crate::domain::text::beginning;
use crate::system::System;
use crate::system::notifications::News;
use crate::wire::chat_body::stored;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::live::occasions::{Cause, Occasion};

/// The most bytes of a customer's text that a push has.
const EXCERPT_MAX: usize = 500;
/// The number of silent messages that may stand between the close of a talk and the message that takes it up again.
const SILENT_MAX: u64 = 16;

impl System {
    /// The notifications about an occasion.
    pub(super) async fn news(&self, occasion: Occasion) -> Result<Vec<News>, UnavailableError> {
        let account = occasion.account;
        if self.reachable_users(account).is_empty() {
            return Ok(Vec::new());
        }
        let (kind, users) = match occasion.cause {
            Cause::Message(number) => self.about_message(occasion, number).await?,
            Cause::Personal { kind, user, by } => {
                let is_own = by == Some(user);
                let users = Vec::from_iter((!is_own).then_some(user));
                (kind, users)
            }
            Cause::Failure(message) => {
                let author = self.author(message)?;
                (NotificationKind::SendFailed, Vec::from_iter(author))
            }
        };
        let holders: Vec<_> = users
            .into_iter()
            .map(|user| Holder { account, user })
            .filter(|holder| self.is_reachable(*holder))
            .collect();
        if holders.is_empty() {
            return Ok(Vec::new());
        }
        let state = self
            .conversation_state(account, occasion.conversation)
            .await?;
        let Some(state) = state.filter(|state| !is_at_rest(state, occasion)) else {
            return Ok(Vec::new());
        };
        let now = self.now();
        let all_users = self.users(account).await?;
        let signs = &self.kernel().shared.read_cache.viewers;
        let viewers = signs.current(occasion.conversation, now);
        let channel = self.channel_title(&state).await?;
        // One record for all whose browsers show it.
        let excerpt = OnceCell::new();
        let mut news = Vec::new();
        for holder in holders {
            let is_viewer = viewers.iter().any(|viewer| viewer.user == holder.user);
            let Some(user) = all_users
                .get(holder.user)
                .filter(|user| !is_viewer && self.wants(kind, holder, user))
            else {
                continue;
            };
            let access = self.user_access(&Caller::new(account, user)).await?;
            if access.sees(occasion.conversation).await? {
                let settings = user.notifications.as_ref();
                let shows_text = settings.is_some_and(|settings| settings.show_text);
                news.push(News {
                    holder,
                    kind,
                    conversation: occasion.conversation,
                    channel: channel.clone(),
                    sound: settings.is_some_and(|settings| settings.sound),
                    text: shows_text
                        .then(|| excerpt.get_or_init(|| self.excerpt(occasion)).clone())
                        .flatten(),
                });
            }
        }
        Ok(news)
    }

    /// Returns whether a user is to have a notification of this kind now. What concerns no one user is for those who are there: a
    /// user who chose to be away, and has no page open, gets none of it.
    fn wants(&self, kind: NotificationKind, holder: Holder, user: &User) -> bool {
        let is_away = user.away.is_some() && !self.kernel().shared.feed.here.has(holder);
        let is_for_others = kind == NotificationKind::NewConversation && is_away;
        !is_for_others && user.wants(kind, self.now())
    }

    /// The users of an account who have a page open, or a browser that is pushed notifications.
    fn reachable_users(&self, account: AccountId) -> BTreeSet<UserId> {
        let feed = &self.kernel().shared.feed;
        let here = feed.here.of_account(account);
        let pushed = feed.pushed_users.of_account(account);
        here.into_iter().chain(pushed).collect()
    }

    fn is_reachable(&self, holder: Holder) -> bool {
        let feed = &self.kernel().shared.feed;
        feed.here.has(holder) || feed.pushed_users.has(holder)
    }

    /// The beginning of the text of a customer's message, if an occasion is one and can be read.
    fn excerpt(&self, occasion: Occasion) -> Option<String> {
        let Cause::Message(number) = occasion.cause else {
            return None;
        };
        let key = keys::numbered(occasion.conversation, number);
        let record = self.kernel().record(key).ok()??;
        let ConversationEvent::Received(received) = record.event else {
            return None;
        };
        let message = stored::message(&received, &record.blob)?;
        let text = beginning(message.content.text()?.as_str(), EXCERPT_MAX);
        Some(text.to_owned())
    }

    /// The users whom a customer's message concerns: the responsible one or, while there is none and the message begins
    /// something, all who are here or are pushed notifications.
    async fn about_message(
        &self,
        occasion: Occasion,
        number: u64,
    ) -> Result<(NotificationKind, Vec<UserId>), UnavailableError> {
        let lead = self.lead_of(occasion.conversation).await?;
        if let Some(user) = lead.as_ref().and_then(|lead| lead.responsible) {
            return Ok((NotificationKind::NewMessage, vec![user]));
        }
        let users = if self.begins(occasion.conversation, lead.as_ref(), number)? {
            Vec::from_iter(self.reachable_users(occasion.account))
        } else {
            Vec::new()
        };
        Ok((NotificationKind::NewConversation, users))
    }

    /// Returns whether a customer's message is the first one of a conversation, of a new lead, or after the close of the talk.
    fn begins(
        &self,
        id: ConversationId,
        lead: Option<&Lead>,
        number: u64,
    ) -> Result<bool, UnavailableError> {
        if number == 1
            || lead.is_some_and(|it| {
                it.chat
                    .as_ref()
                    .is_some_and(|chat| chat.opened_by == number)
            })
        {
            return Ok(true);
        }
        let Some(closed) = lead.and_then(|lead| lead.talk_closed) else {
            return Ok(false);
        };
        let between = closed.saturating_add(1)..number;
        if number <= closed || between.end.saturating_sub(between.start) > SILENT_MAX {
            return Ok(false);
        }
        for earlier in between {
            let record = self
                .kernel()
                .record::<ConversationEvent>(keys::numbered(id, earlier))?;
            let is_silent = record.is_none_or(|record| {
                matches!(&record.event, ConversationEvent::Received(received) if !received.loud)
            });
            if !is_silent {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The user who wrote a message in person.
    fn author(&self, message: MessageId) -> Result<Option<UserId>, UnavailableError> {
        let record = self
            .kernel()
            .record::<ConversationEvent>(keys::message(message))?;
        let Some(ConversationEvent::Replied(replied)) = record.map(|record| record.event) else {
            return Ok(None);
        };
        Ok(replied.by.person_user())
    }

    /// The title of the connection of a conversation; without one, the name of its channel.
    async fn channel_title(&self, state: &Conversation) -> Result<String, UnavailableError> {
        let Some(origin) = &state.origin else {
            return Ok(String::new());
        };
        let connection = self.connection(&origin.scope).await?;
        let title = connection.map(|connection| connection.title);
        let name = || {
            let channel = self.channel(origin.scope.channel());
            channel.map(|channel| channel.channel.settings.name.to_string())
        };
        Ok(title.or_else(name).unwrap_or_default())
    }
}

/// Returns whether a message does not end the snooze of its conversation: the user wanted to be left alone until a time.
fn is_at_rest(state: &Conversation, occasion: Occasion) -> bool {
    matches!(occasion.cause, Cause::Message(_)) && state.snooze.is_some()
}
