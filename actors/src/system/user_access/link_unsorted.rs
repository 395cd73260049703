//! A user links an unsorted lead of a chat to another lead. They may do it if they may edit both leads, and the contact
//! that the chat is new to.

use std::collections::BTreeSet;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::audit::By;
use crate::domain::conversation::note_lead::NoteLead;
use crate::domain::crm::link_unsorted::LinkUnsorted;
use crate::domain::crm::submission::UnsortedCategory;
use crate::domain::crm::{Contact, Lead};
use crate::domain::id::{ConversationId, LeadId};
use crate::system::user_access::unsorted::unsorted;
use crate::system::user_access::{CrmRejection, TRIES, UserAccess};
use crate::wire::account_body::unsorted::UnsortedLink;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::conversation::MoveChat;

/// The rejection of the link of an unsorted lead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkUnsortedRejection {
    /// The unsorted lead is not there, or its rights do not suffice.
    #[error(transparent)]
    Crm(#[from] CrmRejection),
    /// The unsorted lead is not of a chat.
    #[error("only unsorted leads of the category chats can be linked; accept or decline this one")]
    NoChat,
    /// There is no such other lead, or the user may not see it.
    #[error("expected the id of another lead of this account that you may see")]
    UnknownLead,
    /// The other lead has the chat of another conversation.
    #[error("expected the id of a lead without another chat: a lead has one chat here")]
    OtherChat,
    /// There is no such contact, or the user may not see it.
    #[error("expected the id of a contact of this account that you may see")]
    UnknownContact,
    /// The chat is new to the contact, and the user may not edit it.
    #[error("you need the right to edit the contact")]
    ContactDenied,
}

impl UserAccess {
    /// Links an unsorted lead of a chat to another lead: the chat moves there with its contact, and the unsorted lead is
    /// gone. Returns the other lead.
    ///
    /// # Errors
    /// When something is not there that the user may see, they may not do it, or nothing can be stored now.
    pub async fn link_unsorted(
        &self,
        id: LeadId,
        wanted: UnsortedLink,
    ) -> Result<Lead, CommandError<LinkUnsortedRejection>> {
        for _ in 0..TRIES {
            let (conversation, link) = self.judge_link(id, wanted).await?;
            let note = NoteLead {
                conversation,
                open: link.target.is_active(),
                responsible: link.target.responsible,
                closes_talk: false,
                talk_closed: link.target.talk_closed,
            };
            let kernel = self.system.kernel();
            let _accepted = kernel.gate.enter()?;
            let joint = MoveChat { note, link };
            match execute_joint(kernel, &conversation, joint).await {
                Ok(lead) => return Ok(lead),
                Err(CommandError::Rejected(_seen_otherwise)) => {}
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(UnavailableError::Busy.into())
    }

    /// The command, as things are now, with the conversation that it is about.
    async fn judge_link(
        &self,
        id: LeadId,
        wanted: UnsortedLink,
    ) -> Result<(ConversationId, LinkUnsorted), CommandError<LinkUnsortedRejection>> {
        let crm = self.crm().await?;
        let unknown = || refused(CrmRejection::Unknown);
        let unsorted_lead = self.lead(id).await?.ok_or_else(unknown)?;
        unsorted(&unsorted_lead, &crm).map_err(refused)?;
        let is_of_chat = unsorted_lead.category() == Some(UnsortedCategory::Chats);
        let chat = unsorted_lead.conversation().filter(|_| is_of_chat);
        let conversation = chat.ok_or_else(|| refused(LinkUnsortedRejection::NoChat))?;
        let target = match self.lead(wanted.lead).await? {
            Some(target) if target.id != id => target,
            Some(_) | None => return Err(refused(LinkUnsortedRejection::UnknownLead)),
        };
        if target.conversation().is_some_and(|it| it != conversation) {
            return Err(refused(LinkUnsortedRejection::OtherChat));
        }
        // A user who follows a chat gets no right to change anything.
        let edit = Operation::Leads(EntityAction::Edit);
        let may_edit = |lead: &Lead| self.authorize(edit, &Self::of_lead(lead, false)).allowed;
        if !may_edit(&unsorted_lead) || !may_edit(&target) {
            return Err(refused(CrmRejection::Denied(EntityAction::Edit)));
        }
        let contact = self
            .contact_of_link(conversation, &unsorted_lead, &target, wanted)
            .await?;
        let link = LinkUnsorted {
            by: By::from(&self.caller),
            account: self.caller.account,
            unsorted: unsorted_lead,
            target,
            contact,
            followers: BTreeSet::new(),
        };
        Ok((conversation, link))
    }

    /// The contact that the chat belongs to afterwards: the wanted one, else that of the other lead, else its own.
    async fn contact_of_link(
        &self,
        conversation: ConversationId,
        unsorted_lead: &Lead,
        target: &Lead,
        wanted: UnsortedLink,
    ) -> Result<Contact, CommandError<LinkUnsortedRejection>> {
        let account = self.caller.account;
        let contact = match wanted.contact {
            Some(id) => self.contact(id).await?,
            None => match target.contact.or(unsorted_lead.contact) {
                Some(id) => self.system.contact(account, id).await?,
                None => None,
            },
        };
        let contact = contact.ok_or_else(|| refused(LinkUnsortedRejection::UnknownContact))?;
        let link = self.system.chat_link_of(account, conversation)?;
        let is_new = link.is_none_or(|link| link.contact != contact.id);
        if is_new && !self.may_with(&contact, EntityAction::Edit) {
            return Err(refused(LinkUnsortedRejection::ContactDenied));
        }
        Ok(contact)
    }
}

fn refused(rejection: impl Into<LinkUnsortedRejection>) -> CommandError<LinkUnsortedRejection> {
    CommandError::Rejected(rejection.into())
}
