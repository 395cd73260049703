//! The people that a message names.

use crate::chat_body::Rules;
use crate::chat_body::message_fields::either_missing;
use crate::domain::person::{Profile, Sender};
use crate::domain::text::{Name, Phone};
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::ObjectReader;

/// The part that a person has in a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::chat_body) enum Part {
    /// Wrote a message or gets it, and may have been named before.
    OfMessage,
    /// Is whom a chat is made for, before there is a message.
    OfChat,
}

/// Reads a person and reports missing fields. In the current generation one of the ids is enough for a person who may
/// have been named before.
pub(in crate::chat_body) fn person(
    person: &ObjectReader<'_, '_>,
    rules: Rules,
    part: Part,
) -> Sender {
    let ref_id = person.optional_parsed("ref_id");
    let (id, name, avatar) = match rules {
        Rules::V2019 => (
            person.required_parsed("id"),
            person
                .required_string("name")
                .and_then(|text| name_of(person, text)),
            person.required_parsed("avatar"),
        ),
        Rules::Current => {
            if !person.has("id") && !person.has("ref_id") {
                either_missing(person, "id", "ref_id");
            }
            let id = person.optional_parsed("id");
            let may_be_known = part == Part::OfMessage || person.has("ref_id");
            let name_text = if may_be_known {
                let text = person.optional_string("name");
                text.filter(|text| !text.is_empty())
            } else {
                person.required_string("name")
            };
            let name = name_text.and_then(|text| name_of(person, text));
            (id, name, person.optional_or_left_out("avatar"))
        }
    };
    let profile_link = person.optional_or_left_out("profile_link");
    let profile = person
        .optional_object("profile")
        .map_or_else(Profile::default, |it| profile_of(&it));
    Sender {
        id,
        ref_id,
        avatar,
        name,
        profile_link,
        profile,
    }
}

/// Integrations fill in what they know and leave the rest empty, so that an empty string stands for none.
fn profile_of(profile: &ObjectReader<'_, '_>) -> Profile {
    Profile {
        phone: phone(profile),
        email: profile.optional_or_left_out("email"),
    }
}

/// The vendor's own sample of 2017 has a number here, and people copy it.
fn phone(profile: &ObjectReader<'_, '_>) -> Option<Phone> {
    if let Some(Node::Unsigned(_) | Node::Negative(_) | Node::Float(_)) = profile.raw("phone") {
        let detail = "expected a string, found a number: put it in quotes, as in \"+79151112233\" (the vendor's old sample has a number by mistake)";
        profile.reject("phone", ViolationCode::InvalidType, detail.to_owned());
        return None;
    }
    profile.optional_or_left_out("phone")
}

/// The name of a person. A name that is too long, or has line breaks, is shortened to one line: nobody's message is lost for
/// the length of a name.
pub(super) fn name_of(person: &ObjectReader<'_, '_>, text: &str) -> Option<Name> {
    match text.parse() {
        Ok(name) => Some(name),
        Err(_) if text.trim().is_empty() => person.required_parsed("name"),
        Err(_) => {
            let shortened = Name::shortened(text)?;
            let detail = "shortened to one line of 255 characters".to_owned();
            person.note_left_out("name", detail);
            Some(shortened)
        }
    }
}
