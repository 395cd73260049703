//! An account user changes a saved view.

use crate::Decision;
use crate::id::SavedViewId;
use crate::saved_views::saved_view::{
    SavedView, SavedViewChange, SavedViewEditor, SavedViewRejection,
};
use crate::saved_views::{SavedViews, SavedViewsEvent};
use switchboard_engine::state::{Command, Moment};

/// Changes a saved view.
#[derive(Clone, Debug)]
pub struct UpdateSavedView {
    /// The user.
    pub editor: SavedViewEditor,
    /// The view.
    pub id: SavedViewId,
    /// Its change.
    pub change: SavedViewChange,
}

impl Command for UpdateSavedView {
    type Of = SavedViews;
    type Reply = SavedView;
    type Rejection = SavedViewRejection;

    fn decide(
        self,
        state: &SavedViews,
        moment: &mut Moment<'_, SavedViewsEvent>,
    ) -> Result<Decision<SavedViewsEvent, SavedView>, SavedViewRejection> {
        let before = state.changeable(self.id, &self.editor)?;
        let based_on = self.change.based_on;
        if based_on.is_some_and(|version| version != before.version) {
            return Err(SavedViewRejection::ChangedMeanwhile);
        }
        let settings = self.change.apply_to(&before.settings);
        if settings == before.settings {
            return Ok(Decision::unchanged(before.clone()));
        }
        state.check(self.id, before.author, before.is_shared, &settings)?;
        let after = SavedView {
            settings,
            version: before.version.saturating_add(1),
            updated_at: moment.now,
            ..before.clone()
        };
        let event = state.stored(self.editor.by, "view.update", &after, moment);
        Ok(Decision::events(vec![event.into()], after))
    }
}
