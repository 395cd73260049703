//! The events that a webhook may be subscribed to, in the counterpart's words.

use crate::words;

words! {
    /// An event that a webhook may be subscribed to.
    pub enum WebhookCode {
        /// A lead is new.
        AddLead = "add_lead",
        /// A lead has other values.
        UpdateLead = "update_lead",
        /// A lead is gone: its chat went to another one.
        DeleteLead = "delete_lead",
        /// A deleted lead is back.
        RestoreLead = "restore_lead",
        /// A lead is in another stage.
        StatusLead = "status_lead",
        /// A lead has another responsible user.
        ResponsibleLead = "responsible_lead",
        /// A note about a lead is new.
        NoteLead = "note_lead",
        /// A contact is new.
        AddContact = "add_contact",
        /// A contact has other values.
        UpdateContact = "update_contact",
        /// A contact was deleted.
        DeleteContact = "delete_contact",
        /// A deleted contact is back.
        RestoreContact = "restore_contact",
        /// A contact has another responsible user.
        ResponsibleContact = "responsible_contact",
        /// A note about a contact is new.
        NoteContact = "note_contact",
        /// A company is new.
        AddCompany = "add_company",
        /// A company has other values.
        UpdateCompany = "update_company",
        /// A company was deleted.
        DeleteCompany = "delete_company",
        /// A deleted company is back.
        RestoreCompany = "restore_company",
        /// A company has another responsible user.
        ResponsibleCompany = "responsible_company",
        /// A note about a company is new.
        NoteCompany = "note_company",
        /// A customer of the counterpart's sales is new.
        AddCustomer = "add_customer",
        /// A customer of the counterpart's sales has other values.
        UpdateCustomer = "update_customer",
        /// A customer of the counterpart's sales was deleted.
        DeleteCustomer = "delete_customer",
        /// A customer of the counterpart's sales has another responsible user.
        ResponsibleCustomer = "responsible_customer",
        /// A note about a customer of the counterpart's sales is new.
        NoteCustomer = "note_customer",
        /// A task is new.
        AddTask = "add_task",
        /// A task has other values.
        UpdateTask = "update_task",
        /// A task was deleted.
        DeleteTask = "delete_task",
        /// A task has another responsible user.
        ResponsibleTask = "responsible_task",
        /// A talk is new.
        AddTalk = "add_talk",
        /// A talk has other values, or was closed.
        UpdateTalk = "update_talk",
        /// A customer has written.
        AddMessage = "add_message",
        /// An account user or a bot has written.
        AddOutgoingMessage = "add_outgoing_message",
        /// An unsorted lead is new.
        AddUnsorted = "add_unsorted",
        /// An unsorted lead has other values.
        UpdateUnsorted = "update_unsorted",
        /// An unsorted lead was accepted or declined.
        DeleteUnsorted = "delete_unsorted",
        /// The review of a template is asked for.
        AddChatTemplateReview = "add_chat_template_review",
    }
}

impl WebhookCode {
    /// Returns whether the event can happen here. The others are about objects that the service does not have, or that nothing
    /// deletes and restores. A webhook may be subscribed to them as well: programs subscribe to everything at once.
    #[must_use]
    pub fn is_sent(self) -> bool {
        match self {
            Self::AddLead
            | Self::UpdateLead
            | Self::StatusLead
            | Self::ResponsibleLead
            | Self::DeleteLead
            | Self::NoteLead
            | Self::AddContact
            | Self::UpdateContact
            | Self::ResponsibleContact
            | Self::NoteContact
            | Self::AddTalk
            | Self::UpdateTalk
            | Self::AddMessage
            | Self::AddOutgoingMessage
            | Self::AddUnsorted
            | Self::UpdateUnsorted
            | Self::DeleteUnsorted
            | Self::AddTask
            | Self::UpdateTask
            | Self::ResponsibleTask
            | Self::AddChatTemplateReview => true,
            Self::RestoreLead
            | Self::DeleteContact
            | Self::RestoreContact
            | Self::DeleteTask
            | Self::AddCompany
            | Self::UpdateCompany
            | Self::DeleteCompany
            | Self::RestoreCompany
            | Self::ResponsibleCompany
            | Self::NoteCompany
            | Self::AddCustomer
            | Self::UpdateCustomer
            | Self::DeleteCustomer
            | Self::ResponsibleCustomer
            | Self::NoteCustomer => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_missing_objects_are_not_sent() {
        for code in WebhookCode::ALL {
            let missing = [
                "compan",
                "customer",
                "delete_contact",
                "delete_task",
                "restore",
            ];
            let is_missing = missing.iter().any(|word| code.as_str().contains(word));
            assert_eq!(code.is_sent(), !is_missing, "{code}");
        }
        let codes = WebhookCode::ALL.iter().filter(|code| code.is_sent());
        assert_eq!((codes.count(), WebhookCode::ALL.len()), (21, 36));
    }
}
