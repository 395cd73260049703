//! The events of an account, published as they happen.
//!
//! Events follow from records of the journal and have their numbers, so a listener that was away continues behind the
//! last event it saw, also after a restart. The feed waits for no listener: one that reads too slowly, or was away for
//! too long, has to read everything again ([`LiveNews::Reset`]).

mod relay;

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

pub(crate) use self::relay::relay;
use crate::domain::account::holder::Holder;
use crate::domain::id::{AccountId, UserId};
use crate::system::System;
use switchboard_engine::store::Seq;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::live::assigning::Device;
pub use switchboard_runtime::live::event::NotificationSubject;
pub use switchboard_runtime::live::event::{Audience, Health, LiveEvent, Notification, What};
use switchboard_runtime::live::feed::{MissedRecords, News};
use switchboard_runtime::live::here::Here;
use switchboard_runtime::live::recent_records::RecordMark;
use switchboard_runtime::shared::Kernel;

/// The number of listeners at a time.
const LISTENERS_MAX: usize = 4_096;

/// A message to a listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveNews {
    /// Something happened.
    Event(Arc<LiveEvent>),
    /// Something was missed: everything that was read before may have changed. What follows begins behind this number.
    Reset(u64),
}

/// A listener. The number of events that wait for it is bounded, however slowly it reads.
pub struct Live {
    kernel: Kernel,
    account: AccountId,
    /// The events behind the last one that the listener saw, up to the time when the listener came.
    replay: VecDeque<RecordMark>,
    heard: Receiver<News>,
    /// Everything up to here was passed on, or is in `replay`.
    upto: Seq,
    missed: bool,
    /// The sign that the user who listens is here.
    _here: Option<Here>,
    /// The device of the person who listens.
    _device: Option<Device>,
}

impl System {
    /// The number of the newest event: who listens behind it hears of all that is not in what they read next.
    #[must_use]
    pub fn last_event(&self) -> u64 {
        self.kernel().shared.feed.last().0
    }

    /// Listens to what happens in an account, from now on or behind the event of this number. A `user` who listens is notified.
    pub(crate) async fn listen(
        &self,
        account: AccountId,
        user: Option<UserId>,
        after: Option<u64>,
    ) -> Result<Live, UnavailableError> {
        let kernel = self.kernel();
        if kernel.shared.feed.listeners() >= LISTENERS_MAX {
            return Err(UnavailableError::Busy);
        }
        // The caller has already had an answer from records up to here.
        kernel.caught_up().await;
        let news = kernel.shared.feed.subscribe();
        let MissedRecords { marks, upto } = kernel
            .shared
            .feed
            .backlog(&kernel.reader, after.map(Seq))
            .await;
        Ok(Live {
            kernel: kernel.clone(),
            account,
            missed: marks.is_none(),
            replay: marks.unwrap_or_default(),
            heard: news,
            upto,
            _device: None,
            _here: user.map(|user| kernel.shared.feed.here.note(Holder { account, user })),
        })
    }
}

impl Live {
    /// The same listener, as a device of this person.
    pub(crate) fn on_device_of(self, person: Option<Holder>) -> Self {
        let assigning = &self.kernel.shared.assigning;
        let device = person.map(|holder| assigning.open_device(holder));
        Self {
            _device: device,
            ..self
        }
    }

    /// The number behind which the next event comes: who goes on behind it misses nothing.
    #[must_use]
    pub fn position(&self) -> u64 {
        match self.replay.front() {
            Some(next) => next.seq.0.saturating_sub(1),
            None => self.upto.0,
        }
    }

    /// The next thing that happens; `None` when the system ends. May be dropped and asked again without a loss.
    pub async fn next(&mut self) -> Option<LiveNews> {
        if std::mem::take(&mut self.missed) {
            return Some(LiveNews::Reset(self.upto.0));
        }
        while let Some(mark) = self.replay.front().copied() {
            let read = relay::read(&self.kernel, mark).await;
            self.replay.pop_front();
            if let Some(event) = read
                && self.concerns(&event)
            {
                return Some(LiveNews::Event(Arc::new(event)));
            }
        }
        loop {
            match self.heard.recv().await {
                Ok(News::Event(event)) => {
                    let new = event.number.is_none_or(|number| number > self.upto.0);
                    self.upto = self.upto.max(Seq(event.number.unwrap_or_default()));
                    if new && self.concerns(&event) {
                        return Some(LiveNews::Event(event));
                    }
                }
                Ok(News::Missed) | Err(RecvError::Lagged(_)) => {
                    self.heard = self.heard.resubscribe();
                    self.upto = self.kernel.shared.feed.last();
                    return Some(LiveNews::Reset(self.upto.0));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn concerns(&self, event: &LiveEvent) -> bool {
        match &event.audience {
            Audience::Account(account) => *account == self.account,
            Audience::Channel(_) => true,
        }
    }
}
