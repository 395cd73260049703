//! The trace of an erased entry: its number, which no other entry gets.

use crate::crm::Crm;
use crate::crm::entity::ErasedEntity;

impl Crm {
    /// Counts something that was erased among all that there ever were.
    pub(super) fn count_erased(&mut self, erased: ErasedEntity) {
        match erased {
            ErasedEntity::Lead(id) => self.leads = self.leads.max(id.0),
            ErasedEntity::Contact(id) => self.contacts = self.contacts.max(id.0),
            ErasedEntity::Chat(id) => self.chats = self.chats.max(id.0),
            ErasedEntity::Note(id) => self.notes = self.notes.max(id.0),
            ErasedEntity::Task(id) => self.tasks = self.tasks.max(id.0),
        }
    }
}
