//! The requests that open unsorted leads without a chat: forms that visitors of a site send, and calls.

use serde::{Deserialize, Serialize};

use crate::crm::Lead;
use crate::text::SubmittedText;

/// The category of an unsorted lead: the way in which its customer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnsortedCategory {
    /// A chat.
    Chats,
    /// A form.
    Forms,
    /// A call.
    Calls,
}

impl UnsortedCategory {
    /// The categories with the counterpart's words for them.
    pub const NAMES: [(&str, Self); 3] = [
        ("chats", Self::Chats),
        ("forms", Self::Forms),
        ("sip", Self::Calls),
    ];

    /// The counterpart's word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Chats => "chats",
            Self::Forms => "forms",
            Self::Calls => "sip",
        }
    }

    /// The category with this word.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        names.find(|(name, _)| *name == word).map(|(_, it)| *it)
    }

    /// The category in rows.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Chats => 1,
            Self::Forms => 2,
            Self::Calls => 3,
        }
    }

    /// The category with this code.
    #[must_use]
    pub fn by_code(code: u8) -> Option<Self> {
        let mut all = Self::NAMES.iter().map(|(_, it)| *it);
        all.find(|it| it.code() == code)
    }
}

/// The request that opened a lead without a chat, as the program passed it on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The program's name for the source, such as a site.
    pub source_name: SubmittedText,
    /// The program's id of the request.
    pub source_uid: SubmittedText,
    /// The details.
    pub details: SubmissionDetails,
}

/// The details of a form or a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubmissionDetails {
    /// A form.
    Form(FormDetails),
    /// A call.
    Call(CallDetails),
}

/// The details of a form that a visitor sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormDetails {
    /// The id of the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form_id: Option<SubmittedText>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form_name: Option<SubmittedText>,
    /// The page that it stands on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form_page: Option<SubmittedText>,
    /// The visitor's address in the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip: Option<SubmittedText>,
    /// The time of sending, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form_sent_at: Option<u64>,
    /// The page that the visitor came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referer: Option<SubmittedText>,
}

/// The details of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CallDetails {
    /// The caller's phone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<SubmittedText>,
    /// The time of the call, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called_at: Option<u64>,
    /// The length of the call, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<u64>,
    /// The address of the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<SubmittedText>,
    /// The code of the telephone service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_code: Option<SubmittedText>,
    /// The service's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniq: Option<SubmittedText>,
    /// The answering person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_responsible: Option<CallResponsible>,
    /// The program's wish for an event about the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_call_event_needed: Option<bool>,
}

/// The person who answered a call, as the program names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CallResponsible {
    /// By the id of a user; it need not be one of the account.
    User(u64),
    /// By name.
    Name(SubmittedText),
}

impl Submission {
    /// The category of the lead that it opens.
    #[must_use]
    pub fn category(&self) -> UnsortedCategory {
        match self.details {
            SubmissionDetails::Form(_) => UnsortedCategory::Forms,
            SubmissionDetails::Call(_) => UnsortedCategory::Calls,
        }
    }

    /// Replaces each text by that which `mask` returns for it, if it returns one.
    pub fn mask(&mut self, mask: impl Fn(&SubmittedText) -> Option<SubmittedText>) {
        let texts = self.texts_mut().into_iter().flatten();
        for text in texts {
            if let Some(masked) = mask(text) {
                *text = masked;
            }
        }
    }

    fn texts_mut(&mut self) -> [Option<&mut SubmittedText>; 7] {
        let source = [Some(&mut self.source_name), Some(&mut self.source_uid)];
        let [name, uid] = source;
        match &mut self.details {
            SubmissionDetails::Form(form) => [
                name,
                uid,
                form.form_id.as_mut(),
                form.form_name.as_mut(),
                form.form_page.as_mut(),
                form.ip.as_mut(),
                form.referer.as_mut(),
            ],
            SubmissionDetails::Call(call) => [
                name,
                uid,
                call.phone.as_mut(),
                call.link.as_mut(),
                call.service_code.as_mut(),
                call.uniq.as_mut(),
                match &mut call.call_responsible {
                    Some(CallResponsible::Name(name)) => Some(name),
                    Some(CallResponsible::User(_)) | None => None,
                },
            ],
        }
    }
}

impl Lead {
    /// The category of the lead; `None` for one that a user added.
    #[must_use]
    pub fn category(&self) -> Option<UnsortedCategory> {
        let submission = self.submission.as_ref();
        let of_chat = self.chat.as_ref().map(|_| UnsortedCategory::Chats);
        submission.map(|it| it.category()).or(of_chat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::tests::{OPEN, lead};

    fn call() -> Submission {
        Submission {
            source_name: "Office".parse().unwrap(),
            source_uid: "u-1".parse().unwrap(),
            details: SubmissionDetails::Call(CallDetails {
                phone: Some("+1 555".parse().unwrap()),
                call_responsible: Some(CallResponsible::Name("Ada".parse().unwrap())),
                ..CallDetails::default()
            }),
        }
    }

    #[test]
    fn each_category_has_its_word_and_code() {
        for (word, category) in UnsortedCategory::NAMES {
            assert_eq!(category.word(), word);
            assert_eq!(UnsortedCategory::by_word(word), Some(category));
            assert_eq!(UnsortedCategory::by_code(category.code()), Some(category));
        }
        assert_eq!(UnsortedCategory::by_word("mail"), None);
        assert_eq!(UnsortedCategory::by_code(0), None);
    }

    #[test]
    fn a_lead_has_the_category_of_its_request_else_that_of_its_chat() {
        let mut lead = lead(OPEN);
        assert_eq!(lead.category(), Some(UnsortedCategory::Chats));
        lead.submission = Some(Box::new(call()));
        assert_eq!(lead.category(), Some(UnsortedCategory::Calls));
        (lead.submission, lead.chat) = (None, None);
        assert_eq!(lead.category(), None);
    }

    #[test]
    fn every_text_of_a_request_is_masked() {
        let mut request = call();
        request.mask(|_| "x".parse().ok());
        let text = serde_json::to_string(&request).unwrap();
        let words = ["Office", "u-1", "555", "Ada"];
        assert!(!words.iter().any(|it| text.contains(it)), "{text}");
        assert_eq!(serde_json::from_str::<Submission>(&text).unwrap(), request);
    }
}
