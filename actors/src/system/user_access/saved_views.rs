//! Saved views: each user has their own, and administrators write those of the team.

use crate::domain::audit::By;
use crate::domain::conversation::filters::{
    ConversationFilters, FilterName, OwnerFilter, without_value,
};
use crate::domain::crm::entity::EntityKind;
use crate::domain::id::SavedViewId;
use crate::domain::saved_views::SavedViews;
use crate::domain::saved_views::create::CreateSavedView;
use crate::domain::saved_views::delete::DeleteSavedView;
use crate::domain::saved_views::saved_view::{
    SavedView, SavedViewChange, SavedViewEditor, SavedViewRejection, SavedViewSettings,
};
use crate::domain::saved_views::update::UpdateSavedView;
use crate::domain::violation::Violations;
use crate::system::live::What;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::{Command, State};
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A saved view, with the filters that name what is not there any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedViewEntry {
    /// The view.
    pub view: SavedView,
    /// The names of the filters that can match nothing.
    pub missing: Vec<FilterName>,
}

/// The rejection of a request that names filters or views.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FiltersRejection {
    /// The change is refused.
    #[error(transparent)]
    View(#[from] SavedViewRejection),
    /// Filters are wrong.
    #[error("the filters are wrong")]
    Wrong(Violations),
}

/// The filters of one request for the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFilters {
    /// The filters.
    pub filters: ConversationFilters,
    /// True when one of them names what is not there any more: then the list is empty.
    pub is_void: bool,
}

impl UserAccess {
    /// The views that the user has, by number: their own and those of the team.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn saved_views(&self) -> Result<Vec<SavedViewEntry>, UnavailableError> {
        let all = self.all_saved_views().await?;
        let mut entries = Vec::new();
        for view in all.iter(self.caller.user) {
            entries.push(self.entry(view.clone()).await?);
        }
        Ok(entries)
    }

    /// A view that the user has.
    ///
    /// # Errors
    /// When there is no such one, or it cannot be read now.
    pub async fn saved_view(
        &self,
        id: SavedViewId,
    ) -> Result<SavedViewEntry, CommandError<FiltersRejection>> {
        let all = self.all_saved_views().await?;
        let view = all
            .find(id, self.caller.user)
            .ok_or_else(|| rejected(SavedViewRejection::Unknown))?;
        Ok(self.entry(view.clone()).await?)
    }

    /// Creates a view of the user, or of the team; answers once it is on disk.
    ///
    /// # Errors
    /// When the user may not, a filter names what is not there, its name is taken, there is no room for it, or nothing can be
    /// stored now.
    pub async fn create_saved_view(
        &self,
        is_shared: bool,
        settings: SavedViewSettings,
    ) -> Result<SavedViewEntry, CommandError<FiltersRejection>> {
        let editor = self.saved_view_editor();
        editor.may_write(is_shared).map_err(rejected)?;
        let unchanged = ConversationFilters::default();
        self.check_filters(&settings.filters, &unchanged).await?;
        let create = CreateSavedView {
            editor,
            is_shared,
            settings,
        };
        self.change_saved_views(create).await
    }

    /// Changes a view; answers once that is on disk.
    ///
    /// # Errors
    /// When there is no such one that the user may change, it has changed meanwhile, a new filter names what is not there, its
    /// name is taken, or nothing can be stored now.
    pub async fn update_saved_view(
        &self,
        id: SavedViewId,
        change: SavedViewChange,
    ) -> Result<SavedViewEntry, CommandError<FiltersRejection>> {
        let editor = self.saved_view_editor();
        if let Some(filters) = &change.filters {
            let all = self.all_saved_views().await?;
            let before = all.changeable(id, &editor).map_err(rejected)?;
            let present = &before.settings.filters;
            self.check_filters(filters, present).await?;
        }
        let update = UpdateSavedView { editor, id, change };
        self.change_saved_views(update).await
    }

    /// Deletes a view; answers once that is on disk.
    ///
    /// # Errors
    /// When there is no such one that the user may delete, or nothing can be stored now.
    pub async fn delete_saved_view(
        &self,
        id: SavedViewId,
    ) -> Result<(), CommandError<FiltersRejection>> {
        let editor = self.saved_view_editor();
        let delete = DeleteSavedView { editor, id };
        self.change_saved_views(delete).await.map(|_deleted| ())
    }

    /// The filters of a request for the list, together with those of a view.
    ///
    /// # Errors
    /// When the user has no such view, the request contradicts it, or names a channel or a tag that is not there, or something
    /// cannot be read now.
    pub async fn list_filters(
        &self,
        of_request: ConversationFilters,
        view: Option<SavedViewId>,
    ) -> Result<ListFilters, CommandError<FiltersRejection>> {
        let mut wrong = self.missing(&of_request).await?;
        wrong.retain(|name| ["channel", "tag"].contains(name));
        if !wrong.is_empty() {
            let violations = without_value("", &wrong);
            return Err(CommandError::Rejected(FiltersRejection::Wrong(violations)));
        }
        let Some(id) = view else {
            return Ok(ListFilters {
                filters: of_request,
                is_void: false,
            });
        };
        let all = self.all_saved_views().await?;
        let view = all.find(id, self.caller.user).ok_or_else(|| {
            CommandError::Rejected(FiltersRejection::Wrong(without_value("", &["view"])))
        })?;
        let of_view = &view.settings.filters;
        let filters = of_request.within(of_view).map_err(FiltersRejection::Wrong);
        Ok(ListFilters {
            filters: filters.map_err(CommandError::Rejected)?,
            is_void: !self.missing(of_view).await?.is_empty(),
        })
    }

    async fn entry(&self, view: SavedView) -> Result<SavedViewEntry, UnavailableError> {
        let missing = self.missing(&view.settings.filters).await?;
        Ok(SavedViewEntry { view, missing })
    }

    /// The names of the filters that name a user, a group, a channel or a tag that the account has not.
    async fn missing(
        &self,
        filters: &ConversationFilters,
    ) -> Result<Vec<FilterName>, UnavailableError> {
        let mut missing = Vec::new();
        if let Some(OwnerFilter::One(user)) = filters.responsible
            && self.users.get(user).is_none()
        {
            missing.push("responsible");
        }
        if let Some(OwnerFilter::One(group)) = filters.group
            && !self.users.groups().contains_key(&group)
        {
            missing.push("group");
        }
        if let Some(channel) = &filters.channel
            && !self.has_channel(channel).await?
        {
            missing.push("channel");
        }
        if let Some(tag) = filters.tag
            && self.tag(EntityKind::Leads, tag).await?.is_none()
        {
            missing.push("tag");
        }
        Ok(missing)
    }

    /// Checks that new filters name what is there; one that stays as it was before may go on naming what is not.
    async fn check_filters(
        &self,
        filters: &ConversationFilters,
        before: &ConversationFilters,
    ) -> Result<(), CommandError<FiltersRejection>> {
        let mut missing = self.missing(filters).await?;
        missing.retain(|name| filters.differs_in(name, before));
        if missing.is_empty() {
            return Ok(());
        }
        let violations = without_value("filters.", &missing);
        Err(CommandError::Rejected(FiltersRejection::Wrong(violations)))
    }

    async fn all_saved_views(&self) -> Result<SavedViews, UnavailableError> {
        let account = self.caller.account;
        let state = self.system.look::<SavedViews>(&account).await?;
        Ok(state.unwrap_or_else(|| SavedViews::initial(&account)))
    }

    async fn change_saved_views<C>(
        &self,
        command: C,
    ) -> Result<SavedViewEntry, CommandError<FiltersRejection>>
    where
        C: Command<Of = SavedViews, Reply = SavedView, Rejection = SavedViewRejection>,
    {
        let result = execute(self.system.kernel(), &self.caller.account, command).await;
        let view = result.map_err(|error| error.map(FiltersRejection::View))?;
        self.publish(What::SavedView {
            id: view.id,
            author: (!view.is_shared).then_some(view.author),
        });
        Ok(self.entry(view).await?)
    }

    fn saved_view_editor(&self) -> SavedViewEditor {
        SavedViewEditor {
            by: By::from(&self.caller),
            user: self.caller.user,
            is_administrator: self.is_administrator(),
        }
    }
}

fn rejected(rejection: SavedViewRejection) -> CommandError<FiltersRejection> {
    CommandError::Rejected(rejection.into())
}
