//! Deals, as a user sees and changes them.

use crate::domain::account::rights::Action;
use crate::domain::account::rights::calculation::Deed;
use crate::domain::book::change_deal::{ChangeDeal, DealChange};
use crate::domain::book::{Book, Deal, LOST, StageKind};
use crate::domain::id::{DealId, PipelineId, StageId, UserId};
use crate::domain::keys;
use crate::domain::tables;
use crate::error::{Refused, Unavailable};
use crate::system::desk::walk::{EXAMINED_MAX, Listed, Manner, Rows, Start};
use crate::system::desk::{Desk, NotDone, Reach, TRIES};

/// The deal as it was, what it needs to be done, and what is to be different.
type Planned = Result<(Action, DealChange, bool), NotDone>;

impl Desk {
    /// The deal book of the account: its pipelines are no secret to its users.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn book(&self) -> Result<Book, Unavailable> {
        self.system.book(self.caller.account).await
    }

    /// The deals that the user may see: by number, or the newest first when only those of one stage are wanted.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn leads(
        &self,
        stage: Option<(PipelineId, StageId)>,
        start: Start,
        limit: usize,
    ) -> Result<Listed<Deal>, Unavailable> {
        self.leads_within(stage, start, limit, EXAMINED_MAX).await
    }

    async fn leads_within(
        &self,
        stage: Option<(PipelineId, StageId)>,
        start: Start,
        limit: usize,
        looks_max: usize,
    ) -> Result<Listed<Deal>, Unavailable> {
        let account = self.caller.account;
        let reach = self.reach_of_leads();
        let rows = match (reach, stage) {
            (Reach::Own, _) => self.own(tables::LEADS_OF),
            (Reach::Everything | Reach::Some, None) => {
                Rows::Numbers(self.system.book(account).await?.deals)
            }
            (Reach::Everything | Reach::Some, Some((pipeline, stage))) => Rows::Of {
                table: tables::LEADS_BY_STAGE,
                prefix: keys::stage_prefix(account, pipeline, stage),
                turned: true,
            },
        };
        let manner = Manner {
            newest_first: stage.is_some(),
            everything: reach == Reach::Everything,
            looks_max,
        };
        self.system.env().caught_up().await;
        self.walk(&rows, manner, start, limit, async |number| {
            let deal = self.system.deal(account, DealId(number)).await?;
            let wanted =
                deal.filter(|deal| stage.is_none_or(|stage| stage == (deal.pipeline, deal.stage)));
            match wanted {
                Some(deal) if self.sees_deal(&deal)? => Ok(Some(deal)),
                Some(_) | None => Ok(None),
            }
        })
        .await
    }

    /// The deals in the stage that conversations open theirs in, the newest first.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn unsorted(&self, start: Start, limit: usize) -> Result<Listed<Deal>, Unavailable> {
        self.unsorted_within(start, limit, EXAMINED_MAX).await
    }

    /// As [`Self::unsorted`], with so many looks at most.
    pub(super) async fn unsorted_within(
        &self,
        start: Start,
        limit: usize,
        looks_max: usize,
    ) -> Result<Listed<Deal>, Unavailable> {
        let arrival = self.book().await?.arrival();
        match arrival {
            Some(stage) => {
                self.leads_within(Some(stage), start, limit, looks_max)
                    .await
            }
            None => Ok(Listed {
                entries: Vec::new(),
                next: None,
            }),
        }
    }

    /// A deal that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn lead(&self, id: DealId) -> Result<Option<Deal>, Unavailable> {
        match self.system.deal(self.caller.account, id).await? {
            Some(deal) if self.sees_deal(&deal)? => Ok(Some(deal)),
            Some(_) | None => Ok(None),
        }
    }

    /// Changes a deal.
    ///
    /// # Errors
    /// When there is none that the user may see, they may not change it, or nothing can be stored now.
    pub async fn change_lead(
        &self,
        id: DealId,
        change: DealChange,
    ) -> Result<Deal, Refused<NotDone>> {
        self.do_with_lead(id, |_, _| Ok((Action::Edit, change.clone(), false)))
            .await
    }

    /// Takes a deal out of the unsorted stage: into another stage, with a user who answers for it and for its contact.
    ///
    /// # Errors
    /// As [`Self::change_lead`], and when the deal is not unsorted any more.
    pub async fn accept(
        &self,
        id: DealId,
        stage: Option<(PipelineId, StageId)>,
        responsible: Option<UserId>,
    ) -> Result<Deal, Refused<NotDone>> {
        let responsible = responsible.unwrap_or(self.caller.user);
        self.do_with_lead(id, |deal, book| {
            let stage = stage.or_else(|| first_open(book, deal.pipeline));
            let change = DealChange {
                name: None,
                stage,
                responsible: Some(Some(responsible)),
            };
            unsorted(deal, book).map(|()| (Action::Edit, change, true))
        })
        .await
    }

    /// Declines an unsorted deal: it is lost, and the next loud message opens another.
    ///
    /// # Errors
    /// When there is none that the user may see, they may not take it away, it is not unsorted any more, or nothing can
    /// be stored now.
    pub async fn decline(&self, id: DealId) -> Result<Deal, Refused<NotDone>> {
        self.do_with_lead(id, |deal, book| {
            let change = DealChange {
                stage: Some((deal.pipeline, LOST)),
                ..DealChange::default()
            };
            unsorted(deal, book).map(|()| (Action::Delete, change, false))
        })
        .await
    }

    /// Judges and changes the deal as it is; looks again when it is another at that moment.
    async fn do_with_lead(
        &self,
        id: DealId,
        plan: impl Fn(&Deal, &Book) -> Planned,
    ) -> Result<Deal, Refused<NotDone>> {
        let book = self.book().await?;
        for _ in 0..TRIES {
            let seen = self.lead(id).await?;
            let seen = seen.ok_or(Refused::Rejected(NotDone::Unknown))?;
            let (action, change, with_contact) = plan(&seen, &book).map_err(Refused::Rejected)?;
            // Following a chat lets nobody change anything.
            let thing = Self::of_deal(&seen, false);
            if !self.rule(Deed::Leads(action), &thing).allowed {
                return Err(Refused::Rejected(NotDone::Denied(action)));
            }
            let change = ChangeDeal {
                account: self.caller.account,
                seen,
                change,
                noted: false,
                with_contact,
            };
            match self.system.change_deal(change).await {
                Ok(changed) => return Ok(changed),
                Err(Refused::Rejected(_seen_otherwise)) => {}
                Err(Refused::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(Unavailable::Busy.into())
    }
}

fn unsorted(deal: &Deal, book: &Book) -> Result<(), NotDone> {
    let stage = book.stage(deal.pipeline, deal.stage);
    match stage.map(|stage| stage.kind) {
        Some(StageKind::Unsorted) => Ok(()),
        Some(StageKind::Open | StageKind::Won | StageKind::Lost) | None => {
            Err(NotDone::NotUnsorted)
        }
    }
}

fn first_open(book: &Book, pipeline: PipelineId) -> Option<(PipelineId, StageId)> {
    let pipeline = book.pipelines.iter().find(|known| known.id == pipeline)?;
    let mut stages = pipeline.stages.iter();
    let stage = stages.find(|stage| stage.kind == StageKind::Open)?;
    Some((pipeline.id, stage.id))
}
