//! The live events of a user: those about entities that they may see.

use crate::domain::crm::Lead;
use crate::domain::id::ScopeId;
use crate::system::live::{Audience, Live, LiveEvent, What};
use crate::system::user_access::UserAccess;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::UnavailableError;

impl UserAccess {
    /// Listens to the events of the account, from now on or behind the event of this number. The caller judges each
    /// event with [`Self::hears`] when it comes, since rights change while a listener is connected.
    ///
    /// # Errors
    /// When there are too many listeners already.
    pub async fn listen(&self, after: Option<u64>) -> Result<Live, UnavailableError> {
        let Caller { account, user, .. } = self.caller;
        let live = self.system.listen(account, Some(user), after).await?;
        Ok(live.on_device_of(self.person()))
    }

    /// Passes an event that is not stored to the listeners of the account.
    pub(super) fn publish(&self, what: What) {
        self.system.kernel().shared.feed.publish(LiveEvent {
            number: None,
            audience: Audience::Account(self.caller.account),
            what,
        });
    }

    /// Returns whether an event is for the user: it is of their account, and about what they may see now. If it is about a
    /// lead, they must also be allowed to see the lead as the event shows it.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn hears(&self, event: &LiveEvent) -> Result<bool, UnavailableError> {
        match &event.audience {
            Audience::Account(account) if *account == self.caller.account => {}
            Audience::Account(_) => return Ok(false),
            Audience::Channel(channel) => {
                let scope = ScopeId::new(channel.clone(), self.caller.account);
                return self.system.is_connected(&scope).await;
            }
        }
        match &event.what {
            What::Message(id, _)
            | What::Changed(id, _)
            | What::Delivery(id, ..)
            | What::Callback(id, ..)
            | What::Read(id, _)
            | What::Marked(id, _)
            | What::Snoozed(id, _)
            | What::Woken(id, _)
            | What::GroupAssigned(id, _)
            | What::Fetched(id, _)
            | What::Typing(id, _)
            | What::Viewing(id, _)
            | What::TeamNote(id, _)
            | What::ScheduledReply(id, ..)
            | What::CustomerTyping(id, _) => self.sees(*id).await,
            What::Mentioned(id, mentioned) => {
                Ok(mentioned.users.contains(&self.caller.user) && self.sees(*id).await?)
            }
            What::Draft { user, .. } => Ok(*user == self.caller.user),
            What::CannedReply { author, .. } | What::SavedView { author, .. } => {
                Ok(author.is_none_or(|author| author == self.caller.user))
            }
            What::Notification(notification) => Ok(notification.user == self.caller.user),
            What::Lead(_, changed) => self.hears_of(&changed.lead).await,
            What::Health(..) => Ok(true),
            What::Presence(user, _) => Ok(self.is_colleague(*user)),
            What::Webhook { .. } => Ok(self.is_administrator()),
        }
    }

    async fn hears_of(&self, told: &Lead) -> Result<bool, UnavailableError> {
        if !self.sees_lead(told)? {
            return Ok(false);
        }
        Ok(self.lead(told.id).await?.is_some())
    }
}
