//! Canned replies: each user has their own, and those that the account shares.

use std::fmt;

use crate::domain::audit::By;
use crate::domain::canned_replies::CannedReplies;
use crate::domain::canned_replies::canned_reply::{
    CannedReply, CannedReplyChange, CannedReplyEditor, CannedReplyRejection, CannedReplySettings,
};
use crate::domain::canned_replies::create::CreateCannedReply;
use crate::domain::canned_replies::delete::DeleteCannedReply;
use crate::domain::canned_replies::update::UpdateCannedReply;
use crate::domain::id::{CannedReplyId, ConversationId, IdempotencyKey, UserId};
use crate::domain::markers;
use crate::domain::text::MessageText;
use crate::domain::text::normal_form::folded;
use crate::system::live::What;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::{Command, State};
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The place of a canned reply in the list by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CannedReplyPosition {
    name: String,
    id: CannedReplyId,
}

/// A part of the list that is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CannedReplySearch {
    /// The words of the name or the text, in whatever case and with whatever accents; all of them if it is empty.
    pub words: String,
    /// The place behind which the part begins; `None` for the beginning.
    pub after: Option<CannedReplyPosition>,
    /// The most entries.
    pub limit: usize,
}

/// A part of the list, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannedReplyPage {
    /// The entries.
    pub entries: Vec<CannedReplyEntry>,
    /// The place behind which the next part begins; `None` at the end.
    pub next: Option<CannedReplyPosition>,
}

/// A canned reply in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannedReplyEntry {
    /// The canned reply.
    pub reply: CannedReply,
    /// Its text for a conversation; `None` in a list that is for none.
    pub filled: Option<FilledCannedReply>,
}

/// The text of a canned reply with the values that its markers have in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledCannedReply {
    /// The text, in which a marker without a value stays; `None` when it is too long for a message.
    pub text: Option<MessageText>,
    /// The markers without a value.
    pub empty: Vec<String>,
}

impl CannedReplyPosition {
    fn new(reply: &CannedReply) -> Self {
        Self {
            name: folded(reply.settings.name.as_str()),
            id: reply.id,
        }
    }

    /// Reads a place as [`fmt::Display`] writes it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (id, name) = text.split_once('.')?;
        Some(Self {
            name: name.to_owned(),
            id: id.parse().ok()?,
        })
    }
}

impl fmt::Display for CannedReplyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.id, self.name)
    }
}

impl CannedReplySearch {
    /// This part of the list of all that the user has.
    fn page(
        &self,
        replies: &CannedReplies,
        user: UserId,
        filled: impl Fn(&CannedReply) -> Option<FilledCannedReply>,
    ) -> CannedReplyPage {
        let words = folded(self.words.trim());
        let has_words = |reply: &&CannedReply| {
            let settings = &reply.settings;
            let mut texts = [settings.name.as_str(), settings.text.as_str()].into_iter();
            words.is_empty() || texts.any(|text| folded(text).contains(&words))
        };
        let places = replies
            .iter(user)
            .map(|reply| (CannedReplyPosition::new(reply), reply));
        let mut entries: Vec<_> = places
            .filter(|(place, reply)| self.after.as_ref() < Some(place) && has_words(reply))
            .collect();
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        let is_more = entries.len() > self.limit;
        entries.truncate(self.limit);
        let last = entries.last().map(|(place, _)| place.clone());
        CannedReplyPage {
            next: last.filter(|_| is_more),
            entries: entries
                .into_iter()
                .map(|(_, reply)| CannedReplyEntry {
                    reply: reply.clone(),
                    filled: filled(reply),
                })
                .collect(),
        }
    }
}

impl UserAccess {
    /// A part of the canned replies that the user has: their own and the shared ones.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn canned_replies(
        &self,
        search: &CannedReplySearch,
    ) -> Result<CannedReplyPage, UnavailableError> {
        let all = self.all_canned_replies().await?;
        Ok(search.page(&all, self.caller.user, |_| None))
    }

    /// The same with the values of their markers in a conversation; `None` when the user may not see it.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn filled_canned_replies(
        &self,
        id: ConversationId,
        search: &CannedReplySearch,
    ) -> Result<Option<CannedReplyPage>, UnavailableError> {
        let Some(values) = self.values(id).await? else {
            return Ok(None);
        };
        let all = self.all_canned_replies().await?;
        let filled = |reply: &CannedReply| {
            let text = reply.settings.text.as_str();
            let filled = markers::fill_to_edit(text, |name| values.value(name));
            let parameters = filled.parameters.into_iter();
            let empty = parameters.filter(|it| it.value.is_empty());
            Some(FilledCannedReply {
                text: filled.text.parse().ok(),
                empty: empty.map(|it| it.key).collect(),
            })
        };
        Ok(Some(search.page(&all, self.caller.user, filled)))
    }

    /// A canned reply that the user has.
    ///
    /// # Errors
    /// When there is no such one, or it cannot be read now.
    pub async fn canned_reply(
        &self,
        id: CannedReplyId,
    ) -> Result<CannedReply, CommandError<CannedReplyRejection>> {
        let all = self.all_canned_replies().await?;
        let reply = all.find(id, self.caller.user).cloned();
        reply.ok_or(CommandError::Rejected(CannedReplyRejection::Unknown))
    }

    /// Checks that the user may write a new canned reply, or change this one.
    ///
    /// # Errors
    /// When there is no such one that they may change, they may not reply, or it cannot be read now.
    pub async fn may_write_canned_reply(
        &self,
        id: Option<CannedReplyId>,
    ) -> Result<(), CommandError<CannedReplyRejection>> {
        if let Some(id) = id {
            let all = self.all_canned_replies().await?;
            let reply = all.changeable(id, &self.canned_reply_editor());
            reply.map_err(CommandError::Rejected)?;
        }
        let denied = CommandError::Rejected(CannedReplyRejection::Denied);
        self.may_write().then_some(()).ok_or(denied)
    }

    /// Creates a canned reply of the user; answers once it is on disk.
    ///
    /// # Errors
    /// When its name is taken, there is no room for it, the key was used for another one, or nothing can be stored now.
    pub async fn create_canned_reply(
        &self,
        settings: CannedReplySettings,
        request: Option<IdempotencyKey>,
    ) -> Result<CannedReply, CommandError<CannedReplyRejection>> {
        let create = CreateCannedReply {
            by: By::from(&self.caller),
            author: self.caller.user,
            settings,
            request,
        };
        let reply = self.change_canned_replies(create).await?;
        self.publish_canned_reply(&reply, false);
        Ok(reply)
    }

    /// Changes a canned reply; answers once that is on disk.
    ///
    /// # Errors
    /// When there is no such one that the user may change, its name is taken, there is no room for it, or nothing can be
    /// stored now.
    pub async fn update_canned_reply(
        &self,
        id: CannedReplyId,
        change: CannedReplyChange,
    ) -> Result<CannedReply, CommandError<CannedReplyRejection>> {
        let editor = self.canned_reply_editor();
        let update = UpdateCannedReply { editor, id, change };
        let outcome = self.change_canned_replies(update).await?;
        self.publish_canned_reply(&outcome.reply, outcome.was_shared);
        Ok(outcome.reply)
    }

    /// Deletes a canned reply; answers once that is on disk.
    ///
    /// # Errors
    /// When there is no such one that the user may delete, or nothing can be stored now.
    pub async fn delete_canned_reply(
        &self,
        id: CannedReplyId,
    ) -> Result<(), CommandError<CannedReplyRejection>> {
        let editor = self.canned_reply_editor();
        let delete = DeleteCannedReply { editor, id };
        let reply = self.change_canned_replies(delete).await?;
        self.publish_canned_reply(&reply, false);
        Ok(())
    }

    async fn all_canned_replies(&self) -> Result<CannedReplies, UnavailableError> {
        let account = self.caller.account;
        let state = self.system.look::<CannedReplies>(&account).await?;
        Ok(state.unwrap_or_else(|| CannedReplies::initial(&account)))
    }

    async fn change_canned_replies<C>(
        &self,
        command: C,
    ) -> Result<C::Reply, CommandError<CannedReplyRejection>>
    where
        C: Command<Of = CannedReplies, Rejection = CannedReplyRejection>,
    {
        execute(self.system.kernel(), &self.caller.account, command).await
    }

    fn canned_reply_editor(&self) -> CannedReplyEditor {
        CannedReplyEditor {
            by: By::from(&self.caller),
            user: self.caller.user,
            is_administrator: self.is_administrator(),
        }
    }

    fn publish_canned_reply(&self, reply: &CannedReply, was_shared: bool) {
        let concerns_all = was_shared || reply.settings.is_shared;
        self.publish(What::CannedReply {
            id: reply.id,
            author: (!concerns_all).then_some(reply.author),
        });
    }
}
