//! A user closes the talk of a lead.
//!
//! A talk is the part of a chat that belongs to one lead. To close it is no decision about the lead: an active lead stays
//! active, and the rule that a chat has one active lead at most stays true. So the mark is on the lead, with the number of
//! the newest message that the user could have seen; what is said after that takes the talk up again.

use crate::domain::account::rights::EntityAction;
use crate::domain::crm::Lead;
use crate::domain::crm::update_lead::LeadChange;
use crate::domain::id::LeadId;
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_runtime::error::CommandError;

impl UserAccess {
    /// Closes the talk of a lead.
    ///
    /// # Errors
    /// When there is none that the user may see, they may not change its lead, it is closed already, or nothing can be
    /// stored now.
    pub async fn close_talk(&self, id: LeadId) -> Result<Lead, CommandError<CrmRejection>> {
        let unknown = || CommandError::Rejected(CrmRejection::Unknown);
        let lead = self.lead(id).await?.ok_or_else(unknown)?;
        let chat = lead.chat.as_ref().ok_or_else(unknown)?;
        let account = self.caller.account;
        let is_newest = self.is_newest(&lead, chat).await?;
        let state = self
            .system
            .conversation_state(account, chat.conversation)
            .await?
            .ok_or_else(unknown)?;
        let spoken_message = is_newest.then_some(state.spoken);
        self.do_with_lead(id, |lead, _| {
            self.require_right(EntityAction::Edit, lead)?;
            if !lead.talk_is_in_work(spoken_message) {
                return Err(CrmRejection::TalkClosed);
            }
            let change = LeadChange {
                talk_closed: Some(Some(state.messages)),
                ..LeadChange::default()
            };
            Ok((EntityAction::Edit, change, false))
        })
        .await
    }

    /// Undoes the close of the talk of a lead: the mark of the close that was there before comes back.
    ///
    /// # Errors
    /// When there is no such lead that the user may see, they may not change it, its talk has another mark by now, or nothing
    /// can be stored now.
    pub(super) async fn reopen_talk(
        &self,
        id: LeadId,
        closed: Option<u64>,
        before: Option<u64>,
    ) -> Result<Lead, CommandError<CrmRejection>> {
        self.do_with_lead(id, |lead, _| {
            self.require_right(EntityAction::Edit, lead)?;
            if lead.talk_closed != closed {
                return Err(CrmRejection::ChangedMeanwhile);
            }
            let change = LeadChange {
                talk_closed: Some(before),
                ..LeadChange::default()
            };
            Ok((EntityAction::Edit, change, false))
        })
        .await
    }
}
