//! What users give of deals and contacts. A field is declared here and nowhere else: bodies and their schema follow from
//! it.

use crate::domain::field::{given, number_fields};
use crate::domain::id::{PipelineId, StageId, UserId};
use crate::domain::text::Name;

given! {
    /// What is given of a deal or a contact; what is `None` stays.
    pub struct EntryFields {
        name: Name, "The name.";
        responsible_user_id: Option<UserId>, "An active user of the account.", null "for none";
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
