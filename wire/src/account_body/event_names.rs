//! The names of the types of events in the languages of the list.

use std::str::FromStr;

use crate::domain::crm::account_events::EventType;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
    /// Russian.
    Russian,
    /// Portuguese.
    Portuguese,
}

impl Language {
    /// The codes of all languages.
    pub const CODES: [&'static str; 4] = ["en", "es", "ru", "pt"];
}

impl FromStr for Language {
    type Err = &'static str;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        match code {
            "en" => Ok(Self::English),
            "es" => Ok(Self::Spanish),
            "ru" => Ok(Self::Russian),
            "pt" => Ok(Self::Portuguese),
            _ => Err("expected en, es, ru or pt"),
        }
    }
}

/// The name of a type.
#[must_use]
pub fn name(event_type: EventType, language: Language) -> &'static str {
    let [english, spanish, russian, portuguese] = names(event_type);
    match language {
        Language::English => english,
        Language::Spanish => spanish,
        Language::Russian => russian,
        Language::Portuguese => portuguese,
    }
}

/// In the order of [`Language::CODES`].
fn names(event_type: EventType) -> [&'static str; 4] {
    match event_type {
        EventType::LeadAdded => ["New lead", "Lead nuevo", "Новая сделка", "Novo lead"],
        EventType::ContactAdded => [
            "New contact",
            "Contacto nuevo",
            "Новый контакт",
            "Novo contato",
        ],
        EventType::LeadStatusChanged => [
            "Lead moved to another stage",
            "El lead cambió de etapa",
            "Изменение этапа",
            "O lead mudou de etapa",
        ],
        EventType::ResponsibleChanged => [
            "Responsible user changed",
            "Cambió el responsable",
            "Изменение ответственного",
            "O responsável mudou",
        ],
        EventType::NoteAdded => ["New note", "Nota nueva", "Новое примечание", "Nova nota"],
        EventType::ServiceNoteAdded => [
            "New note of a service",
            "Nota nueva de un servicio",
            "Новое системное примечание",
            "Nova nota de um serviço",
        ],
        EventType::TagAdded => [
            "Tags added",
            "Etiquetas añadidas",
            "Теги добавлены",
            "Etiquetas adicionadas",
        ],
        EventType::TagDeleted => [
            "Tags removed",
            "Etiquetas eliminadas",
            "Теги убраны",
            "Etiquetas removidas",
        ],
        EventType::Linked => ["Linked", "Vinculado", "Прикрепление", "Vinculado"],
        EventType::Unlinked => ["Unlinked", "Desvinculado", "Открепление", "Desvinculado"],
        EventType::IncomingMessage => [
            "Incoming message",
            "Mensaje entrante",
            "Входящее сообщение",
            "Mensagem recebida",
        ],
        EventType::OutgoingMessage => [
            "Outgoing message",
            "Mensaje saliente",
            "Исходящее сообщение",
            "Mensagem enviada",
        ],
    }
}
