//! What users give of deals and contacts. A field is declared here and nowhere else: bodies and their schema follow from
//! it.

use serde::Serialize;
use serde_json::Value;

use crate::domain::field::{FieldValue, Given, Shape, given, number_fields};
use crate::domain::id::{PipelineId, StageId, UserId};
use crate::domain::text::Name;

given! {
    /// What is given of a deal or a contact; what is `None` stays.
    pub struct EntryFields {
        name: Name, "The name.";
        responsible_user_id: Responsible, "An active user of the account; 0 for none.", null "for none";
    }

    /// Where a deal is to go; what is `None` stays.
    pub struct StageFields {
        pipeline_id: PipelineId, "A pipeline of the account.";
        status_id: StageId, "A stage of that pipeline, but not the unsorted one.";
    }

    /// Who is to be responsible for an unsorted deal that is accepted.
    pub struct AcceptFields {
        user_id: Option<UserId>,
            "The responsible user, an active user of the account; the caller if it is left out.",
            null "for none";
    }
}

number_fields!(PipelineId, StageId, UserId);

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
