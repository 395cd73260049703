//! The delivery of an account user's message, as the integration reports it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::ErrorText;

/// A report of an integration about a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeliveryStatus {
    /// It reached the customer's messenger.
    Delivered,
    /// The customer has read it.
    Read,
    /// It cannot be delivered.
    Error(DeliveryError),
}

/// The kind of a failed delivery of an account user's message. The number is stored, so it never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Trouble {
    /// It was given up or cancelled: the integration does not have it.
    Undelivered,
    /// The integration reported that the customer does not get it.
    Error,
}

impl Trouble {
    /// The stored number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Undelivered => 1,
            Self::Error => 2,
        }
    }

    /// The failure with this stored number.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        [Self::Undelivered, Self::Error]
            .into_iter()
            .find(|known| known.code() == code)
    }
}

/// The reason that a message cannot be delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredError", into = "StoredError")]
pub struct DeliveryError {
    code: DeliveryErrorCode,
    text: Option<ErrorText>,
}

/// The error has no text, and its code says nothing without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a text with error code 905")]
pub struct DeliveryTextError;

impl DeliveryError {
    /// The error with this code; [`DeliveryErrorCode::Other`] needs a text, since it is all there is to show.
    ///
    /// # Errors
    /// When that text is missing.
    pub fn new(
        code: DeliveryErrorCode,
        text: Option<ErrorText>,
    ) -> Result<Self, DeliveryTextError> {
        if code == DeliveryErrorCode::Other && text.is_none() {
            return Err(DeliveryTextError);
        }
        Ok(Self { code, text })
    }

    /// The kind of the error.
    #[must_use]
    pub fn code(&self) -> DeliveryErrorCode {
        self.code
    }

    /// The integration's words, for the account user.
    #[must_use]
    pub fn text(&self) -> Option<&ErrorText> {
        self.text.as_ref()
    }
}

/// The kind of a delivery error, with a code from 901 to 905 in the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DeliveryErrorCode {
    /// 901: the customer deleted the conversation.
    ConversationDeleted,
    /// 902: the integration is disabled on the channel's side.
    IntegrationDisabled,
    /// 903: an internal error of the channel's server.
    ServerError,
    /// 904: the conversation cannot be created, for example because the customer is not registered there.
    ConversationImpossible,
    /// 905: anything else; the text says what.
    Other,
}

impl DeliveryErrorCode {
    /// All kinds, by their numbers.
    pub const NUMBERS: [(i64, Self); 5] = [
        (901, Self::ConversationDeleted),
        (902, Self::IntegrationDisabled),
        (903, Self::ServerError),
        (904, Self::ConversationImpossible),
        (905, Self::Other),
    ];

    /// The number on the wire.
    #[must_use]
    pub fn number(self) -> i64 {
        match self {
            Self::ConversationDeleted => 901,
            Self::IntegrationDisabled => 902,
            Self::ServerError => 903,
            Self::ConversationImpossible => 904,
            Self::Other => 905,
        }
    }
}

/// The state of a message on its way to the customer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeliveryState {
    /// It is on its way; nothing was reported.
    #[default]
    Sent,
    /// The last report that counted.
    Reported(DeliveryStatus),
}

impl DeliveryState {
    /// Returns whether `report` moves the message on. A report that says nothing new, or goes back, does not: it was
    /// repeated or overtaken on its way, so it is answered like any other and changes nothing.
    ///
    /// | from \ report | delivered | read | error |
    /// |---|---|---|---|
    /// | sent | moves | moves | moves |
    /// | delivered | – | moves | moves |
    /// | error | moves | moves | moves, if it is another error |
    /// | read | – | – | – |
    #[must_use]
    pub fn moves_on(&self, report: &DeliveryStatus) -> bool {
        use DeliveryStatus::{Delivered, Error, Read};
        let Self::Reported(current) = self else {
            return true;
        };
        match (current, report) {
            (Delivered, Delivered) => false,
            (Delivered, Read | Error(_)) => true,
            (Error(_), Delivered | Read) => true,
            (Error(known), Error(reported)) => known != reported,
            (Read, Delivered | Read | Error(_)) => false,
        }
    }
}

/// An error as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredError {
    code: DeliveryErrorCode,
    text: Option<ErrorText>,
}

impl TryFrom<StoredError> for DeliveryError {
    type Error = DeliveryTextError;
    fn try_from(stored: StoredError) -> Result<Self, DeliveryTextError> {
        Self::new(stored.code, stored.text)
    }
}

impl From<DeliveryError> for StoredError {
    fn from(error: DeliveryError) -> Self {
        Self {
            code: error.code,
            text: error.text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: DeliveryErrorCode) -> DeliveryStatus {
        let text = "no such number".parse().unwrap();
        DeliveryStatus::Error(DeliveryError::new(code, Some(text)).unwrap())
    }

    fn after(reports: &[DeliveryStatus]) -> DeliveryState {
        let mut state = DeliveryState::Sent;
        for report in reports {
            if state.moves_on(report) {
                state = DeliveryState::Reported(report.clone());
            }
        }
        state
    }

    /// All sequences of up to `length` of these reports.
    fn sequences(alphabet: &[DeliveryStatus], length: usize) -> Vec<Vec<DeliveryStatus>> {
        let mut all = vec![Vec::new()];
        let mut longest = all.clone();
        for _ in 0..length {
            longest = longest
                .iter()
                .flat_map(|start| {
                    alphabet
                        .iter()
                        .map(|report| [start.as_slice(), std::slice::from_ref(report)].concat())
                })
                .collect();
            all.extend(longest.clone());
        }
        all
    }

    /// Said in another way than the table: once read, always read; otherwise the last word counts, but a
    /// message is not delivered twice.
    fn expected(reports: &[DeliveryStatus]) -> DeliveryState {
        if reports.contains(&DeliveryStatus::Read) {
            return DeliveryState::Reported(DeliveryStatus::Read);
        }
        reports.last().map_or(DeliveryState::Sent, |last| {
            DeliveryState::Reported(last.clone())
        })
    }

    #[test]
    fn every_sequence_of_up_to_4_delivery_reports_ends_correctly() {
        let alphabet = [
            DeliveryStatus::Delivered,
            DeliveryStatus::Read,
            error(DeliveryErrorCode::ServerError),
            error(DeliveryErrorCode::Other),
        ];
        let all = sequences(&alphabet, 4);
        assert_eq!(all.len(), 1 + 4 + 16 + 64 + 256);
        for reports in all {
            let state = after(&reports);
            assert_eq!(state, expected(&reports), "{reports:?}");
            if let DeliveryState::Reported(last) = &state {
                assert!(!state.moves_on(last), "a repeat changes nothing: {last:?}");
            }
        }
    }

    #[test]
    fn the_error_code_for_other_reasons_needs_a_text() {
        for (number, code) in DeliveryErrorCode::NUMBERS {
            assert_eq!(code.number(), number);
            assert_eq!(DeliveryError::new(code, None).is_ok(), number != 905);
        }
        assert!(serde_json::from_str::<DeliveryError>(r#"{"code":"Other","text":null}"#).is_err());
    }

    #[test]
    fn a_failure_is_read_back_from_its_stored_number() {
        for trouble in [Trouble::Undelivered, Trouble::Error] {
            assert_eq!(Trouble::from_code(trouble.code()), Some(trouble));
        }
        assert_eq!(Trouble::from_code(0), None);
    }
}
