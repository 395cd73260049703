//! The masking of a CRM when a customer is erased: leads, notes, tags and contacts of others stay, without her names, phone
//! numbers and addresses.

use std::fmt::Display;
use std::iter::once;
use std::str::FromStr;

use crate::judges::customer::subject::Subject;
use crate::judges::masks::{MASK, Masks};
use crate::judges::survey::OwnNames;
use switchboard_domain::crm::contact_addresses::Addresses;
use switchboard_domain::crm::custom_fields::value::FieldValues;
use switchboard_domain::crm::note::NoteChanged;
use switchboard_domain::crm::notes::NoteChange;
use switchboard_domain::crm::tag::{Tag, TagAdded};
use switchboard_domain::crm::task::TaskChanged;
use switchboard_domain::crm::{ContactChanged, CrmEvent, LeadChanged};
use switchboard_domain::id::ContactId;

/// Masks the names, phone numbers and addresses of a customer.
pub(super) struct Masker<'m> {
    pub(super) masks: &'m Masks,
    pub(super) subject: &'m Subject,
    pub(super) own_names: &'m OwnNames,
}

impl Masker<'_> {
    /// Masks an event that is not about her; `None`: nothing of her stands in it.
    pub(super) fn masked(&self, event: &CrmEvent) -> Option<CrmEvent> {
        match event {
            CrmEvent::Lead(changed) => Some(CrmEvent::Lead(Box::new(self.lead(changed)?))),
            CrmEvent::Contact(changed) => Some(CrmEvent::Contact(Box::new(self.contact(changed)?))),
            CrmEvent::Tag(added) => Some(CrmEvent::Tag(TagAdded {
                of: added.of,
                tag: self.tag(&added.tag)?,
            })),
            CrmEvent::Note(changed) => {
                let content = &changed.note.content;
                let text = self.masks.text(content.text.as_str()).and_then(fitting);
                let name = content.kind.service();
                let service = name.and_then(|it| self.masks.text(it.as_str()).and_then(fitting));
                let change = NoteChange { text, service };
                if change == NoteChange::default() {
                    return None;
                }
                let mut masked = NoteChanged::clone(changed);
                masked.note.content = change.applied(content);
                Some(CrmEvent::Note(Box::new(masked)))
            }
            CrmEvent::Task(changed) => Some(CrmEvent::Task(Box::new(self.task(changed)?))),
            CrmEvent::Begun(_)
            | CrmEvent::Chat(_)
            | CrmEvent::Source(_)
            | CrmEvent::CustomField(_)
            | CrmEvent::Pipeline(_)
            | CrmEvent::Audited(_)
            | CrmEvent::Erased(_) => None,
        }
    }

    fn lead(&self, changed: &LeadChanged) -> Option<LeadChanged> {
        let is_hers = |contact: &ContactId| self.subject.contacts.contains(contact);
        let mut masked = changed.clone();
        masked.lead.contact = changed.lead.contact.filter(|contact| !is_hers(contact));
        masked.contact_before = changed.contact_before.filter(|contact| !is_hers(contact));
        if let Some(name) = self.masks.text(&changed.lead.name) {
            masked.lead.name = name;
        }
        if let Some(submission) = &mut masked.lead.submission {
            submission.mask(|text| self.masks.text(text.as_str()).and_then(fitting));
        }
        self.mask_tags(&mut masked.lead.tags);
        if changed.lead.contact == masked.lead.contact {
            masked.lead.values.mask(|text| self.masks.text(text));
        } else {
            // What users wrote of a lead about her is about her, whatever it is.
            masked.lead.values = FieldValues::default();
        }
        (masked != *changed).then_some(masked)
    }

    /// Masks the contact of another person. The name that this person gave stays, and so does what they are reached by. Of a
    /// contact that a user added, nothing of hers stays.
    fn contact(&self, changed: &ContactChanged) -> Option<ContactChanged> {
        let mut masked = changed.clone();
        let contact = &mut masked.contact;
        let is_own_name = |person| self.own_names.has(person, &contact.name);
        if !contact.person.is_some_and(is_own_name)
            && let Some(name) = self.masks.text(contact.name.as_str()).and_then(fitting)
        {
            contact.name = name;
        }
        if contact.person.is_none() {
            self.drop_hers(&mut contact.phones);
            self.drop_hers(&mut contact.emails);
            if let Some(before) = &mut masked.before {
                self.drop_hers(&mut before.phones);
                self.drop_hers(&mut before.emails);
            }
        }
        self.mask_tags(&mut masked.contact.tags);
        masked.contact.values.mask(|text| self.masks.text(text));
        (masked != *changed).then_some(masked)
    }

    /// Masks the texts of a task about something else.
    fn task(&self, changed: &TaskChanged) -> Option<TaskChanged> {
        let mut masked = changed.clone();
        let contents = once(&mut masked.task.content).chain(&mut masked.before);
        for text in contents.flat_map(|it| once(&mut it.text).chain(&mut it.result)) {
            if let Some(masked_text) = self.masks.text(text.as_str()).and_then(fitting) {
                *text = masked_text;
            }
        }
        (masked != *changed).then_some(masked)
    }

    /// Drops the phone numbers or the addresses that are hers.
    fn drop_hers<T: Display>(&self, addresses: &mut Addresses<T>) {
        addresses.retain(|address| self.masks.text(&address.to_string()).is_none());
    }

    fn mask_tags(&self, tags: &mut [Tag]) {
        for tag in tags {
            if let Some(masked) = self.tag(tag) {
                *tag = masked;
            }
        }
    }

    /// Masks a tag that names her. Its number in the name keeps it apart from others that name an erased customer.
    fn tag(&self, tag: &Tag) -> Option<Tag> {
        let masked = self.masks.text(tag.name.as_str())?;
        let is_numbered = tag.name.as_str().contains(MASK);
        let (short, long) = match is_numbered {
            true => (MASK.to_owned(), masked),
            false => (
                format!("{MASK} {}", tag.id.0),
                format!("{masked} {}", tag.id.0),
            ),
        };
        let name = long.parse().or_else(|_too_long| short.parse()).ok()?;
        Some(Tag { id: tag.id, name })
    }
}

/// Parses the text as one of this kind; the mask alone when it is too long.
fn fitting<T: FromStr>(text: String) -> Option<T> {
    text.parse().or_else(|_too_long| MASK.parse()).ok()
}
