//! Tags: every user of the account knows them, and who may add something may add tags for it.

use std::collections::BTreeSet;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::account::users::rule::Resource;
use crate::domain::audit::By;
use crate::domain::crm::CrmEvent;
use crate::domain::crm::create_tags::CreateTags;
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::make_tags::{self, TagsRejection};
use crate::domain::crm::tag::{TAGS_MAX, TAGS_OF_ONE_MAX, Tag, TagsChange};
use crate::domain::id::TagId;
use crate::domain::keys;
use crate::domain::text::TagName;
use crate::domain::text::normal_form::{NormalForm, folded, is_wanted};
use crate::system::user_access::paging::{EXAMINED_MAX, Listed, PageOptions, PageStart, RowSource};
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A filter of tags; a missing field takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagFilter {
    /// With one of these numbers.
    pub ids: BTreeSet<TagId>,
    /// With one of these names, in whatever spelling.
    pub names: BTreeSet<NormalForm>,
    /// With this in the name, folded.
    pub query: Option<String>,
}

impl TagFilter {
    fn takes(&self, tag: &Tag) -> bool {
        let name = tag.name.as_str();
        let has = |query: &String| folded(name).contains(query);
        (self.ids.is_empty() || self.ids.contains(&tag.id))
            && is_wanted(&self.names, name)
            && self.query.as_ref().is_none_or(has)
    }
}

/// Returns whether something with these tags can have those of the change.
pub(super) fn fit_one(current: &[Tag], change: &TagsChange) -> Result<(), CrmRejection> {
    let after = change.names(current);
    if after.is_some_and(|names| names.len() > TAGS_OF_ONE_MAX) {
        return Err(CrmRejection::TooManyTagsOfOne);
    }
    Ok(())
}

impl UserAccess {
    /// The tags of leads, or of contacts, by number.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn tags(
        &self,
        of: EntityKind,
        filter: &TagFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Tag>, UnavailableError> {
        let rows = RowSource::Numbers(self.crm().await?.tags.get(of));
        let options = PageOptions {
            newest_first: false,
            everything: filter == &TagFilter::default(),
            examined_max: EXAMINED_MAX,
        };
        self.paginate(&rows, options, start, limit, async |number| {
            let tag = self.tag(of, TagId(number)).await?;
            Ok(tag.filter(|tag| filter.takes(tag)))
        })
        .await
    }

    /// The tag of this number.
    pub(super) async fn tag(
        &self,
        of: EntityKind,
        id: TagId,
    ) -> Result<Option<Tag>, UnavailableError> {
        let kernel = self.system.kernel();
        kernel.caught_up().await;
        let tag = kernel.record(keys::notes::tag(self.caller.account, of, id))?;
        Ok(make_tags::tag(tag.as_ref()).cloned())
    }

    /// Adds tags, all of them or none; those that are there already stay as they are.
    ///
    /// # Errors
    /// When the user may not add what the tags are for, there would be too many, or nothing can be stored now.
    pub async fn create_tags(
        &self,
        of: EntityKind,
        names: Vec<TagName>,
    ) -> Result<Vec<Tag>, CommandError<CrmRejection>> {
        let operation = match of {
            EntityKind::Leads => Operation::Leads(EntityAction::Add),
            EntityKind::Contacts => Operation::Contacts(EntityAction::Add),
        };
        if !self.authorize(operation, &Resource::UNOWNED).allowed {
            return Err(CommandError::Rejected(CrmRejection::Denied(
                EntityAction::Add,
            )));
        }
        let account = self.caller.account;
        let by = By::from(&self.caller);
        let command = CreateTags {
            by,
            account,
            of,
            names,
        };
        let outcome = execute(self.system.kernel(), &account, command).await;
        outcome.map_err(|refused| refused.map(CrmRejection::from))
    }

    /// Returns whether there is room for those of these tags that are new. The command looks again.
    pub(super) async fn tags_fit(
        &self,
        of: EntityKind,
        change: &TagsChange,
    ) -> Result<(), CommandError<CrmRejection>> {
        let names: BTreeSet<&TagName> = change.named().collect();
        if names.is_empty() {
            return Ok(());
        }
        let mut count = self.crm().await?.tags.get(of);
        let kernel = self.system.kernel();
        for name in names {
            let key = keys::notes::tag_named(self.caller.account, of, name);
            if kernel.record::<CrmEvent>(key)?.is_none() {
                count = count.saturating_add(1);
            }
        }
        if count > TAGS_MAX {
            return Err(CommandError::Rejected(CrmRejection::TooManyTags(
                TagsRejection,
            )));
        }
        Ok(())
    }
}
