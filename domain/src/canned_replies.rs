//! The canned replies of an account: texts with markers that account users write once and reply with often.
//!
//! One is its author's own, or shared with the account. Integrations have no way to this state: what is sent is an ordinary
//! reply.

pub mod canned_reply;
pub mod create;
pub mod delete;
pub mod update;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::audit::{AuditEntry, By};
use crate::canned_replies::canned_reply::{
    CannedRepliesFullError, CannedReply, CannedReplyEditor, CannedReplyRejection,
    CannedReplySettings,
};
use crate::id::{AccountId, CannedReplyId, UserId};
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// The most shared canned replies of an account.
pub const SHARED_MAX: usize = 500;
/// The most canned replies that an account user has alone.
pub const OWN_MAX: usize = 200;
/// The most bytes that the canned replies of an account take together.
pub const BYTES_MAX: usize = 16 << 20;
/// The most bytes that the shared ones take.
pub const SHARED_BYTES_MAX: usize = 4 << 20;
/// The most bytes that those of one account user alone take.
pub const OWN_BYTES_MAX: usize = 1 << 20;

/// The canned replies of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CannedReplies {
    account: AccountId,
    replies: BTreeMap<CannedReplyId, CannedReply>,
    /// The number of the last one: a number is never given again.
    last: u64,
}

/// A canned reply is new, is as follows now, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CannedRepliesEvent {
    /// The canned reply.
    pub id: CannedReplyId,
    /// The canned reply after the change; `None` after its deletion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Box<CannedReply>>,
    /// The audit entry of one that is shared, or was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Box<AuditEntry>>,
}

impl CannedReplies {
    /// The canned reply with this number, if the user may see it.
    #[must_use]
    pub fn find(&self, id: CannedReplyId, user: UserId) -> Option<&CannedReply> {
        self.replies.get(&id).filter(|it| it.is_seen_by(user))
    }

    /// Those that the user may see, by number.
    pub fn iter(&self, user: UserId) -> impl Iterator<Item = &CannedReply> {
        let all = self.replies.values();
        all.filter(move |it| it.is_seen_by(user))
    }

    /// The canned reply with this number, if the user may change it.
    ///
    /// # Errors
    /// When the user may not see it, or may not change it.
    pub fn changeable(
        &self,
        id: CannedReplyId,
        editor: &CannedReplyEditor,
    ) -> Result<&CannedReply, CannedReplyRejection> {
        let reply = self
            .find(id, editor.user)
            .ok_or(CannedReplyRejection::Unknown)?;
        if reply.author == editor.user || editor.is_administrator {
            return Ok(reply);
        }
        Err(CannedReplyRejection::OfAnother)
    }

    /// Checks that a canned reply finds its place among the others: its name is free there, and there is room.
    fn check(
        &self,
        id: CannedReplyId,
        author: UserId,
        settings: &CannedReplySettings,
    ) -> Result<(), CannedReplyRejection> {
        let is_shared = settings.is_shared;
        let others = || self.replies.values().filter(|it| it.id != id);
        let beside: Vec<&CannedReply> = others()
            .filter(|it| it.settings.is_shared == is_shared && (is_shared || it.author == author))
            .collect();
        let name = settings.name.as_str().to_lowercase();
        let has_name = |it: &&CannedReply| it.settings.name.as_str().to_lowercase() == name;
        if beside.iter().any(has_name) {
            return Err(CannedReplyRejection::NameTaken);
        }
        let (count_max, bytes_max, too_many, too_large) = if is_shared {
            let (too_many, too_large) = (
                CannedRepliesFullError::Shared,
                CannedRepliesFullError::SharedBytes,
            );
            (SHARED_MAX, SHARED_BYTES_MAX, too_many, too_large)
        } else {
            let (too_many, too_large) = (
                CannedRepliesFullError::Own,
                CannedRepliesFullError::OwnBytes,
            );
            (OWN_MAX, OWN_BYTES_MAX, too_many, too_large)
        };
        let bytes = |replies: &mut dyn Iterator<Item = &CannedReply>| {
            let sizes = replies.map(|it| it.settings.bytes());
            sizes.fold(settings.bytes(), usize::saturating_add)
        };
        let full = if beside.len() >= count_max {
            too_many
        } else if bytes(&mut beside.iter().copied()) > bytes_max {
            too_large
        } else if bytes(&mut others()) > BYTES_MAX {
            CannedRepliesFullError::Bytes
        } else {
            return Ok(());
        };
        Err(CannedReplyRejection::Full(full))
    }

    /// The event that a canned reply is new, or is as follows now.
    fn stored(
        &self,
        by: By,
        action: &str,
        now: &CannedReply,
        moment: &mut Moment<'_, CannedRepliesEvent>,
    ) -> CannedRepliesEvent {
        CannedRepliesEvent {
            id: now.id,
            now: Some(Box::new(now.clone())),
            audit: self.audit(by, action, self.replies.get(&now.id), Some(now), moment),
        }
    }

    /// The audit entry of a change of what the account shares; `None` when it shares nothing of it before and after.
    fn audit(
        &self,
        by: By,
        action: &str,
        before: Option<&CannedReply>,
        now: Option<&CannedReply>,
        moment: &mut Moment<'_, CannedRepliesEvent>,
    ) -> Option<Box<AuditEntry>> {
        let is_shared = |it: &&CannedReply| it.settings.is_shared;
        let [before, now] = [before.filter(is_shared), now.filter(is_shared)];
        let id = now.or(before)?.id;
        let entry = AuditEntry::new(by, action, id, moment).of_account(self.account);
        let fields: [(&str, fn(&CannedReply) -> Value); 3] = [
            ("name", |it| it.settings.name.as_str().into()),
            ("media_id", |it| {
                let file = it.settings.file.as_ref();
                file.map(|file| file.media.to_string()).into()
            }),
            ("is_shared", |it| it.settings.is_shared.into()),
        ];
        let entry = fields.into_iter().fold(entry, |entry, (name, value)| {
            let value_of = |it: Option<&CannedReply>| it.map_or(Value::Null, value);
            entry.change(name, value_of(before), value_of(now))
        });
        // The log says that the text is another one, and not which.
        let text_of = |it: Option<&CannedReply>| it.map(|it| it.settings.text.clone());
        let is_same = text_of(before) == text_of(now);
        let entry = if is_same { entry } else { entry.secret("text") };
        Some(Box::new(entry))
    }
}

impl State for CannedReplies {
    type Id = AccountId;
    type Event = CannedRepliesEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::CANNED_REPLIES;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            replies: BTreeMap::new(),
            last: 0,
        }
    }

    fn apply(&mut self, event: &CannedRepliesEvent) {
        self.last = self.last.max(event.id.0);
        match &event.now {
            Some(now) => self.replies.insert(event.id, (**now).clone()),
            None => self.replies.remove(&event.id),
        };
    }

    fn index(&self, event: &CannedRepliesEvent, entries: &mut IndexEntries) {
        let new = event.now.as_ref().filter(|it| it.id.0 > self.last);
        if let Some(reply) = new
            && let Some(request) = &reply.request
        {
            let key = keys::team::canned_reply_request(self.account, reply.author, request);
            entries.key(key);
        }
        if let Some(audit) = &event.audit {
            audit.index(entries);
        }
    }
}

#[cfg(test)]
mod tests;
