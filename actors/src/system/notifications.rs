//! The notifier: decides which users are notified of what happened, once for all pages of a user.
//!
//! It reads what the relay of live events has read, and only while a user listens or has a browser that is pushed notifications:
//! no message waits for it. A user with a page open is notified there, and pushed nothing.

mod recipients;

use std::collections::BTreeMap;
use std::sync::Weak;
use std::time::Duration;

use actix::Arbiter;
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable, select};

use crate::domain::account::holder::Holder;
use crate::domain::id::{ConversationId, NotificationId};
use crate::domain::notifications::pace::{Collected, Pace};
use crate::domain::notifications::{NotificationKind, PushOutcome};
use crate::system::{Running, System};
use switchboard_runtime::live::event::{
    Audience, LiveEvent, Notification, NotificationSubject, What,
};
use switchboard_runtime::live::occasions::Occasion;
use switchboard_runtime::live::pushed::PushedNotification;
use switchboard_runtime::shared::Kernel;

/// The number of users beyond which idle ones are forgotten at once. Only a user who is notified is remembered.
const USERS_MAX: usize = 4_096;

/// A notification of one user before the pace of the user is known.
struct News {
    holder: Holder,
    kind: NotificationKind,
    conversation: ConversationId,
    /// The title of the channel.
    channel: String,
    /// True when it makes a sound.
    sound: bool,
    /// The beginning of the customer's text, if the user wants it in pushes.
    text: Option<String>,
}

/// The recent notifications of a user.
#[derive(Default)]
struct Recent {
    pace: Pace<News>,
    /// True when the newest one makes a sound.
    sound: bool,
}

/// Notifies users until it is aborted.
pub(super) fn start_notifier(kernel: &Kernel, running: Weak<Running>) -> AbortHandle {
    let notifier = Notifier {
        kernel: kernel.clone(),
        running,
        users: BTreeMap::new(),
    };
    let (task, handle) = abortable(notifier.run());
    // It runs until it is aborted, so its result is of no use.
    Arbiter::current().spawn(task.map(drop));
    handle
}

struct Notifier {
    kernel: Kernel,
    running: Weak<Running>,
    users: BTreeMap<Holder, Recent>,
}

impl Notifier {
    async fn run(mut self) {
        loop {
            while let Some(occasion) = self.kernel.shared.feed.occasions.take() {
                if !self.handle(occasion).await {
                    return;
                }
                self.show_collected();
                // Others live on this thread too.
                tokio::task::yield_now().await;
            }
            self.show_collected();
            self.forget_idle();
            let feed = &self.kernel.shared.feed;
            let added = feed.occasions.added();
            match self.wait() {
                None => added.await,
                Some(wait) => {
                    let sleep = self.kernel.clock.sleep(wait);
                    select(Box::pin(added), sleep).await;
                }
            }
        }
    }

    /// Notifies the users whom it concerns; false when the system has ended.
    async fn handle(&mut self, occasion: Occasion) -> bool {
        let Some(running) = self.running.upgrade() else {
            return false;
        };
        let kernel = self.kernel.clone();
        let system = System { kernel, running };
        match system.news(occasion).await {
            Ok(news) => news.into_iter().for_each(|news| self.add(news)),
            Err(error) => {
                let conversation = occasion.conversation;
                tracing::debug!(%conversation, %error, "no user is notified: it cannot be read now");
            }
        }
        true
    }

    fn add(&mut self, news: News) {
        let now = self.kernel.clock.now();
        let (conversation, sound) = (news.conversation, news.sound);
        let recent = self.users.entry(news.holder).or_default();
        recent.sound = sound;
        if let Some(single) = recent.pace.add(news, conversation, now) {
            self.show_single(single);
        }
    }

    fn show_collected(&mut self) {
        let now = self.kernel.clock.now();
        let mut summaries = Vec::new();
        for (holder, recent) in &mut self.users {
            if let Some(collected) = recent.pace.collect(now) {
                summaries.push((*holder, collected, recent.sound));
            }
        }
        for (holder, collected, sound) in summaries {
            match collected {
                Collected::One(single) => self.show_single(single),
                Collected::Several {
                    count,
                    conversations,
                } => {
                    let subject = NotificationSubject::Several {
                        count,
                        conversations,
                    };
                    self.show(holder, subject, sound, None);
                }
            }
        }
    }

    fn show_single(&self, news: News) {
        let subject = NotificationSubject::One {
            kind: news.kind,
            conversation: news.conversation,
            channel: news.channel,
        };
        self.show(news.holder, subject, news.sound, news.text);
    }

    fn show(
        &self,
        holder: Holder,
        subject: NotificationSubject,
        sound: bool,
        text: Option<String>,
    ) {
        let notification = Notification {
            id: NotificationId::from_random(self.kernel.entropy.bytes()),
            user: holder.user,
            subject,
            sound,
        };
        let feed = &self.kernel.shared.feed;
        if feed.here.has(holder) || !feed.pushed_users.has(holder) {
            feed.publish(LiveEvent {
                number: None,
                audience: Audience::Account(holder.account),
                what: What::Notification(Box::new(notification)),
            });
            return;
        }
        let has_room = feed.pushed.add(PushedNotification {
            holder,
            notification,
            text,
        });
        if !has_room {
            self.kernel.shared.meters.push(PushOutcome::NoRoom);
        }
    }

    /// The wait until something collected is due; `None` when nothing is collected.
    fn wait(&self) -> Option<Duration> {
        let collections = self.users.values().filter_map(|recent| recent.pace.due());
        Some(collections.min()?.since(self.kernel.clock.now()))
    }

    fn forget_idle(&mut self) {
        if self.users.len() > USERS_MAX {
            let now = self.kernel.clock.now();
            self.users.retain(|_, recent| !recent.pace.is_idle(now));
        }
    }
}
