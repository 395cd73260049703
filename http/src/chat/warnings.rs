//! The optional details of a body that the service left out because of their form, as the answer names them.

use serde::Serialize;
use switchboard_actors::domain::violation::Violations;

use crate::openapi::{Field, Schema, may, must};

/// A detail that the service left out.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct Warning<'r> {
    path: &'r str,
    detail: &'r str,
}

/// The warnings of an answer; none when everything was taken over.
pub(super) fn warnings(left_out: &Violations) -> Vec<Warning<'_>> {
    let warning = left_out.kept().iter().map(|violation| Warning {
        path: &violation.path,
        detail: &violation.detail,
    });
    warning.collect()
}

/// The field of an answer with warnings.
pub(super) fn warnings_schema() -> Field {
    let warning = Schema::object([must("path", Schema::text()), must("detail", Schema::text())]);
    let says = "Optional details that the service left out or shortened because of their form. Not there when there are none.";
    may("warnings", Schema::list(warning).says(says))
}
