//! An account user saves a view.

use crate::Decision;
use crate::id::SavedViewId;
use crate::saved_views::saved_view::{
    SavedView, SavedViewEditor, SavedViewRejection, SavedViewSettings,
};
use crate::saved_views::{SavedViews, SavedViewsEvent};
use switchboard_engine::state::{Command, Moment};

/// Creates a saved view.
#[derive(Clone, Debug)]
pub struct CreateSavedView {
    /// The user.
    pub editor: SavedViewEditor,
    /// True for a view of the team.
    pub is_shared: bool,
    /// The view.
    pub settings: SavedViewSettings,
}

impl Command for CreateSavedView {
    type Of = SavedViews;
    type Reply = SavedView;
    type Rejection = SavedViewRejection;

    fn decide(
        self,
        state: &SavedViews,
        moment: &mut Moment<'_, SavedViewsEvent>,
    ) -> Result<Decision<SavedViewsEvent, SavedView>, SavedViewRejection> {
        let (author, is_shared) = (self.editor.user, self.is_shared);
        self.editor.may_write(is_shared)?;
        let id = SavedViewId(state.last.saturating_add(1));
        state.check(id, author, is_shared, &self.settings)?;
        let view = SavedView {
            id,
            author,
            is_shared,
            settings: self.settings,
            version: 1,
            created_at: moment.now,
            updated_at: moment.now,
        };
        let event = state.stored(self.editor.by, "view.create", &view, moment);
        Ok(Decision::events(vec![event.into()], view))
    }
}
