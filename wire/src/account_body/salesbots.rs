//! The bodies about salesbots: their definition, their runs, and the answers of programs that they ask.

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{Item, Items};
use crate::body::Body;
use crate::body::value::{List, Number};
use crate::domain::crm::entity::EntityKind;
use crate::domain::text::{MessageText, Name};
use crate::domain::violation::ViolationCode;
use crate::domain::webhooks::destination::Destination;
use crate::json::node::Node;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

/// The most runs that one request begins.
pub const RUNS_MAX: usize = 100;
/// The most handlers of an answer.
pub const HANDLERS_MAX: usize = 10;
/// The longest text of a handler, in characters.
pub const SHOWN_MAX: usize = 80;

body!(
    /// A salesbot to be defined.
    #[body(open, check(check_kind()))]
    pub struct NewSalesbot {
        name: Name,
        /// What it does: it sends the value of a field, or asks a program and sends what that answers.
        kind: SalesbotKind,
        /// The custom field of leads whose value it sends; needed with `send_field`.
        field_id: Option<Number>,
        /// The address of the program; needed with `ask_program`.
        #[body(secret)]
        url: Option<Destination>,
    }

    /// The lead or contact for which a salesbot runs, or stops.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[body(open)]
    pub struct RunSubject {
        /// The number of the lead, or of the contact.
        entity_id: Number,
        /// `leads` or `contacts`; also 2 or 1.
        entity_type: SubjectKind,
    }

    /// A run of one of several salesbots.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[body(open)]
    pub struct NewRun {
        bot_id: Number,
        #[body(flatten)]
        subject: RunSubject,
    }

    /// The answer of a program that a salesbot asked.
    #[body(open, check(check_handlers()))]
    pub struct ProgramAnswer {
        /// Taken and not kept: a salesbot here has no further step that could use it.
        data: Option<AnswerData>,
        /// What the salesbot does with the answer, one after the other.
        execute_handlers: Option<List<AnswerHandler, HANDLERS_MAX>>,
    }

    /// One thing that the salesbot does.
    #[body(open)]
    pub struct AnswerHandler {
        handler: Show,
        params: ShowParams,
    }

    /// A message.
    #[body(open, check(check_shown()))]
    pub struct ShowParams {
        #[body(key("type"))]
        kind: ShowText,
        /// 1 to 80 characters.
        value: MessageText,
    }
);

/// The action of a salesbot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SalesbotKind {
    /// It sends the value of a field.
    SendField,
    /// It asks a program.
    AskProgram,
}

impl SalesbotKind {
    /// The kinds by their words.
    pub const WORDS: [(&str, Self); 2] = [
        ("send_field", Self::SendField),
        ("ask_program", Self::AskProgram),
    ];
}

/// The kind of the entity of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubjectKind(pub EntityKind);

const SUBJECTS: [(&str, SubjectKind); 4] = [
    ("leads", SubjectKind(EntityKind::Leads)),
    ("contacts", SubjectKind(EntityKind::Contacts)),
    ("2", SubjectKind(EntityKind::Leads)),
    ("1", SubjectKind(EntityKind::Contacts)),
];

/// Any object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerData;

/// The one handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show;

/// The one type of what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowText;

body_values! {
    SalesbotKind: Schema::choice(&Self::WORDS), |found| found.choice(&Self::WORDS);
    SubjectKind: Schema::either([Schema::words(["leads", "contacts"]), Schema::between(1, 2)]), |found| found.scalar_choice(&SUBJECTS);
    AnswerData: Schema::object([]).open(), |found| found.object(|_| Some(Self));
    Show: Schema::words(["show"]), |found| found.choice(&[("show", Self)]);
    ShowText: Schema::words(["text"]), |found| found.choice(&[("text", Self)]);
}

impl ProgramAnswer {
    /// The texts that the salesbot sends.
    #[must_use]
    pub fn texts(self) -> Vec<MessageText> {
        let handlers = self.execute_handlers.into_iter().flat_map(|list| list.0);
        handlers.flatten().map(|it| it.params.value).collect()
    }
}

/// Reads runs that are to begin.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_runs(body: &[u8]) -> Result<Vec<Item<NewRun>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "runs", RUNS_MAX)?.read(NewRun::take)
}

fn check_kind(bot: &ObjectReader<'_, '_>) {
    let Some(Node::Text(kind)) = bot.raw("kind") else {
        return;
    };
    let kinds = SalesbotKind::WORDS.into_iter();
    let fields = kinds
        .filter(|(word, _)| word == kind)
        .map(|(_, kind)| match kind {
            SalesbotKind::SendField => "field_id",
            SalesbotKind::AskProgram => "url",
        });
    for field in fields.filter(|field| !bot.has(field)) {
        let detail = "this kind of salesbots needs it".to_owned();
        bot.reject(field, ViolationCode::FieldMissing, detail);
    }
}

fn check_handlers(answer: &ObjectReader<'_, '_>) {
    let Some(Node::List(handlers)) = answer.raw("execute_handlers") else {
        return;
    };
    let count = handlers.len();
    if count > HANDLERS_MAX {
        let detail = format!("expected at most {HANDLERS_MAX} handlers, found {count}");
        answer.reject("execute_handlers", ViolationCode::InvalidValue, detail);
    }
}

fn check_shown(params: &ObjectReader<'_, '_>) {
    let Some(Node::Text(text)) = params.raw("value") else {
        return;
    };
    let count = text.chars().count();
    if count > SHOWN_MAX {
        let detail = format!("expected at most {SHOWN_MAX} characters, found {count}");
        params.reject("value", ViolationCode::InvalidValue, detail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::BodyError;

    fn wrong<T: Body>(body: &str) -> Vec<String> {
        let Err(BodyError::Invalid(wrong)) = T::read(body.as_bytes()) else {
            panic!("{body} is read");
        };
        let kept = wrong.kept().iter();
        kept.map(|it| format!("{} {:?}", it.path, it.code))
            .collect()
    }

    #[test]
    fn entity_types_are_words_or_numbers() {
        let kind = |given: &str| {
            let body = format!(r#"[{{"bot_id":3,"entity_id":7,"entity_type":{given}}}]"#);
            parse_runs(body.as_bytes()).map(|runs| runs[0].value.subject.entity_type.0)
        };
        for leads in [r#""leads""#, "2", r#""2""#] {
            assert_eq!(kind(leads), Ok(EntityKind::Leads));
        }
        for contacts in [r#""contacts""#, "1"] {
            assert_eq!(kind(contacts), Ok(EntityKind::Contacts));
        }
        for other in ["3", "true", r#""companies""#, "null"] {
            assert!(kind(other).is_err(), "{other}");
        }
    }

    #[test]
    fn a_salesbot_needs_what_its_kind_uses() {
        let body = r#"{"name":"N","kind":"send_field","url":"https://a.example"}"#;
        assert_eq!(wrong::<NewSalesbot>(body), ["field_id FieldMissing"]);
        let body = r#"{"name":"","kind":"ask_program","field_id":7}"#;
        let paths = ["name InvalidValue", "url FieldMissing"];
        assert_eq!(wrong::<NewSalesbot>(body), paths);
        let body = r#"{"name":"N","kind":"dance","url":7}"#;
        let paths = ["kind NotSupportedChoice", "url InvalidType"];
        assert_eq!(wrong::<NewSalesbot>(body), paths);
    }

    #[test]
    fn every_handler_that_is_wrong_is_reported() {
        let long = "й".repeat(81);
        let body = format!(
            r#"{{"data":{{"status":"success"}},"execute_handlers":[
                {{"handler":"show","params":{{"type":"text","value":"Hi"}}}},
                {{"handler":"goto","params":{{"type":"text","value":"x"}}}},
                {{"handler":"show","params":{{"type":"buttons","value":"{long}"}}}},
                {{"handler":"dance","params":{{"type":"text","value":"x"}}}}]}}"#
        );
        let paths = [
            "execute_handlers.1.handler NotSupportedChoice",
            "execute_handlers.2.params.type NotSupportedChoice",
            "execute_handlers.2.params.value InvalidValue",
            "execute_handlers.3.handler NotSupportedChoice",
        ];
        assert_eq!(wrong::<ProgramAnswer>(&body), paths);
        let handler = r#"{"handler":"show","params":{"type":"text","value":"x"}}"#;
        let answer = |count| {
            let handlers = vec![handler; count].join(",");
            format!(r#"{{"execute_handlers":[{handlers}]}}"#)
        };
        assert_eq!(
            wrong::<ProgramAnswer>(&answer(11)),
            ["execute_handlers InvalidValue"]
        );
        let ten = ProgramAnswer::read(answer(10).as_bytes()).unwrap();
        assert_eq!(ten.texts().len(), 10);
        assert!(ProgramAnswer::read(b"{}").unwrap().texts().is_empty());
    }
}
