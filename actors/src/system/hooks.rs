//! The hooks of a webhook, as the operator sees them.

use crate::domain::dispatch::record::DeliveryRecord;
use crate::domain::hooks::hook::{HookNumber, StoredHook, WebhookId};
use crate::domain::hooks::queue::HookDeliveryEvent;
use crate::domain::hooks::routing::HookQueueId;
use crate::domain::keys;
use crate::domain::tables;
pub use crate::hooks::WebhookCounts;
use crate::hooks::{CountHooks, CountWebhooks, EndHookWait, ReplayHook, stored_hook};
use crate::system::System;
use crate::system::inbox::Page;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// A hook with what became of it for one webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookView {
    /// The hook; none when its subject was erased.
    pub hook: Option<StoredHook>,
    /// Its number.
    pub number: HookNumber,
    /// Its delivery.
    pub record: DeliveryRecord,
}

/// The work that is left for the hooks of all accounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookCounts {
    /// Hooks that wait for webhooks that are switched on, or are under way.
    pub queued: usize,
    /// True when there are records of which hooks may come yet.
    pub is_behind: bool,
}

/// The rejection of another delivery of a hook.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayHookRejection {
    /// There is no such hook.
    #[error("there is no such hook of this webhook")]
    Unknown,
    /// It is queued, and was not tried yet or is being tried.
    #[error("the hook is queued already; wait for its attempt")]
    Queued,
    /// Nothing can be stored or read now.
    #[error(transparent)]
    Unavailable(#[from] UnavailableError),
}

impl System {
    /// The number of webhooks of all accounts; zero in the first moments after a start. It costs nothing while no account has
    /// one.
    ///
    /// # Errors
    /// When the system stops.
    pub async fn webhook_counts(&self) -> Result<WebhookCounts, UnavailableError> {
        if !self.kernel().shared.feed.hooks.is_on() {
            return Ok(WebhookCounts::default());
        }
        let counts = self.hook_dispatcher().send(CountWebhooks).await;
        counts.map_err(stopping)
    }

    /// Returns the work that is left for hooks. It is none, and costs nothing, while no account has a webhook.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn hook_counts(&self) -> Result<HookCounts, UnavailableError> {
        let feed = &self.kernel().shared.feed;
        if !feed.hooks.is_on() {
            return Ok(HookCounts::default());
        }
        let count = self.hook_dispatcher().send(CountHooks).await;
        Ok(HookCounts {
            queued: count.map_err(stopping)??,
            is_behind: feed.hooks.read() < feed.last(),
        })
    }

    /// The hooks of a webhook, newest first: at most `limit` of those before this number.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn hooks(
        &self,
        webhook: WebhookId,
        before: Option<HookNumber>,
        limit: usize,
    ) -> Result<Page<HookView, HookNumber>, UnavailableError> {
        let kernel = self.kernel();
        kernel.caught_up().await;
        let mut range = KeyRange::prefix(&keys::hooks::webhook_prefix(webhook));
        if let Some(before) = before {
            let row = keys::hooks::webhook_row(webhook, before);
            range = range.behind(row, ScanOrder::Descending);
        }
        let index = &kernel.index;
        let most = limit.saturating_add(1);
        let rows = index.scan(tables::HOOKS_OF, &range, ScanOrder::Descending, most)?;
        let numbers: Vec<_> = rows
            .iter()
            .take(limit)
            .filter_map(|(key, _)| keys::hooks::parse_webhook_row(webhook, key))
            .collect();
        let entries = numbers
            .iter()
            .map(|number| self.view_hook(webhook, *number));
        Ok(Page {
            entries: entries.collect::<Result<_, _>>()?,
            next: numbers.last().copied().filter(|_| rows.len() > limit),
        })
    }

    /// One hook of a webhook; `None` when it was sent none with this number.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn hook(
        &self,
        webhook: WebhookId,
        number: HookNumber,
    ) -> Result<Option<HookView>, UnavailableError> {
        let behind = HookNumber(number.0.saturating_add(1));
        let page = self.hooks(webhook, Some(behind), 1).await?;
        Ok(page.entries.into_iter().find(|view| view.number == number))
    }

    /// Sends a hook again that was delivered or given up, and one that waits for its next attempt now. It has the same id
    /// and the same form.
    ///
    /// # Errors
    /// When there is no such hook, it is queued already, or nothing can be stored now.
    pub async fn replay_hook(
        &self,
        webhook: WebhookId,
        number: HookNumber,
    ) -> Result<HookView, ReplayHookRejection> {
        let view = self.hook(webhook, number).await?;
        let hook = view.and_then(|view| view.hook);
        let object = hook.ok_or(ReplayHookRejection::Unknown)?.object;
        let queue = HookQueueId { webhook, object };
        let dispatcher = self.hook_dispatcher();
        let replay = ReplayHook { queue, number };
        let again = dispatcher.send(replay).await.map_err(stopping)??;
        let change = match again {
            Some(change) => Some(change),
            None => {
                let end = EndHookWait { queue, number };
                dispatcher.send(end).await.map_err(stopping)??
            }
        };
        let submitted = change.ok_or(ReplayHookRejection::Queued)?;
        self.on_disk(submitted).await?;
        let view = self.hook(webhook, number).await?;
        view.ok_or(ReplayHookRejection::Unknown)
    }

    fn view_hook(
        &self,
        webhook: WebhookId,
        number: HookNumber,
    ) -> Result<HookView, UnavailableError> {
        let kernel = self.kernel();
        let key = keys::hooks::delivery(webhook, number);
        let record = kernel.record::<HookDeliveryEvent>(key)?;
        Ok(HookView {
            hook: stored_hook(kernel, number)?,
            number,
            record: record.map_or_else(DeliveryRecord::default, |record| {
                record.event.delivery().record.clone()
            }),
        })
    }
}

fn stopping(_ended: actix::MailboxError) -> UnavailableError {
    UnavailableError::Stopping
}
