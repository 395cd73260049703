//! The bodies of saved views.

use crate::body::Body;
use crate::body::value::{Found, Whole};
use crate::domain::conversation::filters::{
    Among, ConversationFilters, GroupFilter, ResponsibleFilter,
};
use crate::domain::conversation::status::ConversationStatus;
use crate::domain::id::{ChannelId, TagId};
use crate::domain::saved_views::saved_view::{SavedViewChange, SavedViewSettings};
use crate::domain::text::SavedViewName;
use crate::json::BodyError;
use crate::schema::Schema;
use crate::{body, body_values};

/// The number of a version of a view, as a body has it.
type VersionNumber = Whole<1, 9_007_199_254_740_991>;

body!(
    /// A view to be saved.
    pub struct NewSavedView {
        /// Unique, whatever the case: among the caller's own, or among those of the team.
        name: SavedViewName,
        /// True for a view of the team, which administrators create.
        #[body(default(false))]
        is_shared: bool,
        /// The filters; all of them combine.
        filters: FiltersBody,
    }

    /// A change of a view.
    pub struct ChangedSavedView {
        /// The `version` that the caller has changed. Without it the change applies to whichever is stored.
        based_on: Option<VersionNumber>,
        /// Unique, whatever the case: among the caller's own, or among those of the team.
        name: Option<SavedViewName>,
        /// All filters; they take the place of the earlier ones.
        filters: Option<FiltersBody>,
    }

    /// Filters of the list of conversations, with the values of the parameters of `GET /inbox/v1/conversations`.
    pub struct FiltersBody {
        state: Option<Among>,
        /// `me`, `none` or the id of a user. In a view of the team `me` is the user who looks.
        responsible: Option<ResponsibleFilter>,
        /// `mine`, `none` or the id of a group. `mine` is the group of the user who looks.
        group: Option<GroupFilter>,
        status: Option<ConversationStatus>,
        /// The id of a channel that `GET /inbox/v1/channels` lists.
        channel: Option<ChannelId>,
        /// The id of a tag of leads.
        tag: Option<TagId>,
    }
);

body_values! {
    SavedViewName: Schema::line(100), Found::parsed;
    Among: Schema::choice(&Among::NAMES), |found| found.choice(&Among::NAMES);
    ConversationStatus: Schema::choice(&ConversationStatus::NAMES), |found| found.choice(&ConversationStatus::NAMES);
    ResponsibleFilter: Schema::text(), Found::parsed;
    GroupFilter: Schema::text(), Found::parsed;
    TagId: Schema::number(), |found| found.number().map(Self);
}

impl From<FiltersBody> for ConversationFilters {
    fn from(body: FiltersBody) -> Self {
        Self {
            state: body.state,
            responsible: body.responsible,
            group: body.group,
            status: body.status,
            channel: body.channel,
            tag: body.tag,
        }
    }
}

/// A view as its body asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedViewParts {
    /// True for a view of the team.
    pub is_shared: bool,
    /// The view.
    pub settings: SavedViewSettings,
}

/// Reads a view to be saved.
///
/// # Errors
/// With everything that is wrong with it.
pub fn parse_new(body: &[u8]) -> Result<SavedViewParts, BodyError> {
    NewSavedView::read_as(body, |_, view| {
        Some(SavedViewParts {
            is_shared: view.is_shared,
            settings: SavedViewSettings {
                name: view.name,
                filters: view.filters.into(),
            },
        })
    })
}

/// Reads a change of a view.
///
/// # Errors
/// With everything that is wrong with it.
pub fn parse_change(body: &[u8]) -> Result<SavedViewChange, BodyError> {
    ChangedSavedView::read_as(body, |_, view| {
        let based_on = view.based_on.map(|version| version.get());
        Some(SavedViewChange {
            based_on: based_on.and_then(|version| u64::try_from(version).ok()),
            name: view.name,
            filters: view.filters.map(ConversationFilters::from),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::conversation::filters::OwnerFilter;

    #[test]
    fn a_change_names_a_version_and_all_filters() {
        let change = parse_change(br#"{"based_on": 2, "filters": {"responsible": "me"}}"#).unwrap();
        let expected = ConversationFilters {
            responsible: Some(OwnerFilter::Own),
            ..ConversationFilters::default()
        };
        assert_eq!(change.based_on, Some(2));
        assert_eq!(change.filters, Some(expected));
        assert_eq!(parse_change(b"{}").unwrap(), SavedViewChange::default());
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let body =
            br#"{"name": " ", "is_shared": 1, "filters": {"state": "all", "responsible": "mine",
            "group": "me", "status": "new", "channel": "a b", "tag": 0, "query": "+49 30"}}"#;
        let Err(BodyError::Invalid(wrong)) = parse_new(body) else {
            panic!("all of its fields are wrong");
        };
        let mut paths: Vec<_> = wrong.kept().iter().map(|it| it.path.as_str()).collect();
        paths.sort_unstable();
        let expected = [
            "filters.channel",
            "filters.group",
            "filters.query",
            "filters.responsible",
            "filters.state",
            "filters.status",
            "filters.tag",
            "is_shared",
            "name",
        ];
        assert_eq!(paths, expected);
        assert!(parse_new(br#"{"name": "a"}"#).is_err());
    }
}
