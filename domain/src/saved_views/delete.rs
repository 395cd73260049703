//! An account user deletes a saved view.

use crate::Decision;
use crate::id::SavedViewId;
use crate::saved_views::saved_view::{SavedView, SavedViewEditor, SavedViewRejection};
use crate::saved_views::{SavedViews, SavedViewsEvent};
use switchboard_engine::state::{Command, Moment};

/// Deletes a saved view.
#[derive(Clone, Debug)]
pub struct DeleteSavedView {
    /// The user.
    pub editor: SavedViewEditor,
    /// The view.
    pub id: SavedViewId,
}

impl Command for DeleteSavedView {
    type Of = SavedViews;
    type Reply = SavedView;
    type Rejection = SavedViewRejection;

    fn decide(
        self,
        state: &SavedViews,
        moment: &mut Moment<'_, SavedViewsEvent>,
    ) -> Result<Decision<SavedViewsEvent, SavedView>, SavedViewRejection> {
        let before = state.changeable(self.id, &self.editor)?;
        let by = self.editor.by;
        let event = SavedViewsEvent {
            id: self.id,
            now: None,
            audit: state.audit(by, "view.delete", Some(before), None, moment),
        };
        Ok(Decision::events(vec![event.into()], before.clone()))
    }
}
