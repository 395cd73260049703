//! The bodies of `POST` and `DELETE /api/v4/webhooks`.

use crate::body;
use crate::body::value::{Found, Whole};
use crate::body_values;
use crate::domain::violation::ViolationCode;
use crate::domain::webhooks::code::WebhookCode;
use crate::domain::webhooks::destination::Destination;
use crate::json::object::ObjectReader;
use crate::schema::Schema;

/// The sort of a webhook when none is given.
const SORT: i64 = 10;

/// Any whole number that fits into 32 bits.
pub type Sort = Whole<-2_147_483_648, 2_147_483_647>;

body!(
    /// A webhook to be created.
    #[body(open)]
    pub struct NewWebhook {
        /// The address: with http or https, and with a host in ASCII. Paths with and without a slash at their end are two.
        #[body(needed, secret)]
        destination: Option<Destination>,
        /// The events. They replace those of the webhook that has the address already.
        #[body(needed)]
        settings: Option<WebhookCodes>,
        /// Kept and shown; 10 if it is left out.
        #[body(null)]
        sort: Option<Sort>,
    }

    /// A webhook to be deleted.
    #[body(open)]
    pub struct DeletedWebhook {
        /// The address of the webhook.
        #[body(secret)]
        destination: String,
    }
);

/// The parts of a webhook that its subscriber chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookParts {
    /// The address.
    pub destination: Destination,
    /// The events.
    pub codes: Vec<WebhookCode>,
    /// A number for lists.
    pub sort: i64,
}

impl NewWebhook {
    /// The parts of the webhook; none when one is missing. `check` gives the reason why an address may not be reached.
    pub fn parts<E: ToString>(
        self,
        object: &ObjectReader<'_, '_>,
        check: impl FnOnce(&Destination) -> Result<(), E>,
    ) -> Option<WebhookParts> {
        let destination = self.destination?;
        if let Err(refusal) = check(&destination) {
            let (code, detail) = (ViolationCode::InvalidValue, refusal.to_string());
            object.reject("destination", code, detail);
        }
        Some(WebhookParts {
            destination,
            codes: self.settings?.0,
            sort: self.sort.map_or(SORT, Sort::get),
        })
    }
}

/// The events of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookCodes(pub Vec<WebhookCode>);

body_values! {
    Destination: Schema::url(), Found::parsed;
    WebhookCodes: Schema::few(Schema::words(WebhookCode::WORDS), 1, WebhookCode::ALL.len()), |found| {
        found
            .choices(&WebhookCode::NAMES, 1..=WebhookCode::ALL.len())
            .map(Self)
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::json::BodyError;

    fn wrong(body: &str) -> Vec<String> {
        let Err(BodyError::Invalid(wrong)) = NewWebhook::read(body.as_bytes()) else {
            panic!("{body} is read");
        };
        let paths = wrong
            .kept()
            .iter()
            .map(|it| format!("{} {:?}", it.path, it.code));
        paths.collect()
    }

    #[test]
    fn a_webhook_has_the_place_10_unless_another_is_given() {
        for (sort, expected) in [
            ("", 10),
            (r#","sort":null"#, 10),
            (r#","sort":1"#, 1),
            (r#","sort":-5"#, -5),
        ] {
            let body = format!(
                r#"{{"destination":"https://h.example","settings":["add_lead","add_task"],"id":7{sort}}}"#
            );
            let read = |object: &ObjectReader<'_, '_>, webhook: NewWebhook| {
                webhook.parts(object, |_| Ok::<_, String>(()))
            };
            let webhook = NewWebhook::read_as(body.as_bytes(), read).unwrap();
            assert_eq!(webhook.sort, expected);
            assert_eq!(webhook.codes, [WebhookCode::AddLead, WebhookCode::AddTask]);
        }
    }

    #[test]
    fn everything_that_is_wrong_is_reported_with_its_path() {
        let body = r#"{"destination":"x","settings":["add_leed","add_lead",7],"sort":"1"}"#;
        let expected = [
            "destination InvalidValue",
            "settings.0 NotSupportedChoice",
            "settings.2 InvalidType",
            "sort InvalidType",
        ];
        assert_eq!(wrong(body), expected);
        let expected = ["destination FieldMissing", "settings InvalidType"];
        assert_eq!(wrong(r#"{"settings":"add_lead"}"#), expected);
        let codes = [r#""add_lead""#; 37].join(",");
        for list in ["", &codes] {
            let body = format!(r#"{{"destination":"https://h.example","settings":[{list}]}}"#);
            assert_eq!(wrong(&body), ["settings InvalidValue"]);
        }
    }
}
