//! The fields of leads and contacts that users set. Each is declared only here. Bodies and their schema follow from it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::field::{FieldValue, Given, Shape, given, number_fields};
use crate::id::{PipelineId, StageId, UserId};
use crate::text::Name;

given! {
    /// The fields of a lead or a contact; a field that is `None` stays.
    pub struct EntryFields {
        name: Name, "The name.";
        responsible_user_id: Responsible, "An active user of the account; 0 for none.", null "for none";
    }

    /// The price of a lead; a field that is `None` stays.
    pub struct PriceFields {
        price: Price, "The price, a whole number.";
    }

    /// The new stage of a lead; a field that is `None` stays.
    pub struct StageFields {
        pipeline_id: PipelineId, "A pipeline of the account.";
        status_id: StageId, "A stage of that pipeline, but not the unsorted one.";
    }

    /// The responsible user for an unsorted lead that is accepted.
    pub struct AcceptFields {
        user_id: Option<UserId>,
            "The responsible user, an active user of the account; the caller if it is left out.",
            null "for none";
    }
}

number_fields!(PipelineId, StageId, UserId);

/// The price of a lead, in whole units of a currency that the service does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price(pub u64);

impl Price {
    /// The largest price: beyond it, readers of JSON lose digits.
    pub const MAX: u64 = (1 << 53) - 1;

    /// Returns whether there is no price, which responses show as 0.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0 == 0
    }
}

impl FieldValue for Price {
    const SHAPE: Shape = Shape::Whole(0, Self::MAX.cast_signed());

    fn given(given: Given<'_>) -> Result<Self, String> {
        let whole = match given {
            Given::Whole(whole) => u64::try_from(whole).ok(),
            Given::Null | Given::Text(_) | Given::Switch(_) | Given::Texts(_) => None,
        };
        let price = whole.filter(|price| *price <= Self::MAX).map(Self);
        price.ok_or_else(|| format!("expected a whole number from 0 to {}", Self::MAX))
    }
}

/// The user who is to be responsible for something. Answers have 0 where there is none, and clients send back what they
/// got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Responsible(pub Option<UserId>);

impl FieldValue for Responsible {
    const SHAPE: Shape = Shape::Whole(0, i64::MAX);
    const NULLABLE: bool = true;

    fn given(given: Given<'_>) -> Result<Self, String> {
        match given {
            Given::Null | Given::Whole(0) => Ok(Self(None)),
            Given::Whole(_) | Given::Text(_) | Given::Switch(_) | Given::Texts(_) => {
                UserId::given(given).map(|user| Self(Some(user)))
            }
        }
    }

    fn audited(&self) -> Value {
        self.0.audited()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_a_whole_number_that_json_keeps() {
        assert_eq!(Price::given(Given::Whole(7)), Ok(Price(7)));
        assert_eq!(
            Price::given(Given::Whole(1 << 53)),
            Price::given(Given::Null)
        );
        assert!(Price::given(Given::Whole(-1)).is_err());
        assert!(Price::given(Given::Text("7")).is_err());
    }

    #[test]
    fn null_and_zero_name_no_responsible_user() {
        assert_eq!(Responsible::given(Given::Null), Ok(Responsible(None)));
        assert_eq!(Responsible::given(Given::Whole(0)), Ok(Responsible(None)));
        let user = Responsible(Some(UserId(3)));
        assert_eq!(Responsible::given(Given::Whole(3)), Ok(user));
        assert!(Responsible::given(Given::Text("Ada")).is_err());
    }
}
