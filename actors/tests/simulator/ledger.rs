//! The requests to the service and its answers: the memory of those outside, which no crash touches.

use std::collections::{BTreeMap, BTreeSet};

use switchboard_actors::domain::chat::delivery::{
    DeliveryError, DeliveryErrorCode, DeliveryState, DeliveryStatus,
};
use switchboard_actors::domain::id::{ConversationId, IdempotencyKey, LeadId, MessageId, ScopeId};
use switchboard_engine::testkit::simulation::Possible;
use switchboard_worlds::TestMessage;

use crate::registry::Registry;
use crate::replays::Jobs;

/// The outcome of a request, as far as its sender knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// No answer yet.
    Asked,
    /// It may have been carried out: the power went, or the service says so.
    Unknown,
    Accepted,
    /// It was not carried out, says the service.
    Refused,
}

/// A customer's message.
#[derive(Clone, Debug)]
pub(crate) struct Post {
    pub(crate) scope: usize,
    /// The conversation, by its number among those of the scope.
    pub(crate) thread: usize,
    pub(crate) msgid: String,
    pub(crate) test_message: TestMessage,
    pub(crate) fate: Fate,
    pub(crate) asked: u64,
    pub(crate) answered: u64,
    pub(crate) message: Option<MessageId>,
}

/// An account user's message.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) scope: usize,
    pub(crate) conversation: ConversationId,
    pub(crate) text: String,
    pub(crate) key: IdempotencyKey,
    pub(crate) fate: Fate,
    pub(crate) asked: u64,
    pub(crate) answered: u64,
    pub(crate) message: Option<MessageId>,
    /// The states that the integration may have reported.
    pub(crate) status: Possible<DeliveryState>,
    /// True when an operator replayed, discarded or edited its callback.
    pub(crate) meddled: bool,
}

/// The state of a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeadFate {
    Unsorted,
    Accepted,
    Lost,
}

/// The name of a thread for those outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ThreadName {
    pub(crate) scope: usize,
    pub(crate) thread: usize,
}

/// The memory.
#[derive(Debug)]
pub(crate) struct Ledger {
    now: u64,
    pub(crate) posts: Vec<Post>,
    pub(crate) replies: Vec<Reply>,
    pub(crate) threads: BTreeMap<ThreadName, ConversationId>,
    /// The connection of each scope.
    pub(crate) connected: Vec<Possible<bool>>,
    /// Scopes that a client ever wanted disconnected.
    pub(crate) ever_disconnected: BTreeSet<usize>,
    pub(crate) leads: BTreeMap<LeadId, Possible<LeadFate>>,
    /// Leads that a client ever wanted lost.
    pub(crate) declined: BTreeMap<ConversationId, usize>,
    pub(crate) registry: Possible<Registry>,
    pub(crate) jobs: Jobs,
}

impl Ledger {
    pub(crate) fn new(scopes: usize) -> Self {
        Self {
            now: 0,
            posts: Vec::new(),
            replies: Vec::new(),
            threads: BTreeMap::new(),
            connected: vec![Possible::only(false); scopes],
            ever_disconnected: BTreeSet::new(),
            leads: BTreeMap::new(),
            declined: BTreeMap::new(),
            registry: Possible::only(Registry::default()),
            jobs: Jobs::default(),
        }
    }

    /// A moment after all that were noted before.
    pub(crate) fn moment(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    /// The power failed: requests that wait will never be answered.
    pub(crate) fn lose_answers(&mut self) {
        let posts = self.posts.iter_mut().map(|post| &mut post.fate);
        let replies = self.replies.iter_mut().map(|reply| &mut reply.fate);
        for fate in posts.chain(replies).filter(|fate| **fate == Fate::Asked) {
            *fate = Fate::Unknown;
        }
    }

    /// The posts that share a msgid in a thread with this one, which is among them.
    pub(crate) fn namesakes(&self, place: usize) -> impl Iterator<Item = &Post> {
        let post = &self.posts[place];
        self.posts.iter().filter(move |other| {
            other.scope == post.scope && other.thread == post.thread && other.msgid == post.msgid
        })
    }

    pub(crate) fn reply_of(&self, message: MessageId) -> Option<&Reply> {
        let mut replies = self.replies.iter();
        replies.find(|reply| reply.message == Some(message))
    }
}

/// The reports of an integration.
pub(crate) const REPORTS: [Report; 3] = [Report::Delivered, Report::Read, Report::Error];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    Delivered,
    Read,
    Error,
}

impl Report {
    pub(crate) fn status(self) -> DeliveryStatus {
        match self {
            Self::Delivered => DeliveryStatus::Delivered,
            Self::Read => DeliveryStatus::Read,
            Self::Error => {
                let code = DeliveryErrorCode::ServerError;
                DeliveryStatus::Error(DeliveryError::new(code, None).unwrap())
            }
        }
    }

    /// Returns the state after this report: a message that was read stays read, otherwise the last report counts.
    pub(crate) fn over(self, before: &DeliveryState) -> DeliveryState {
        if *before == DeliveryState::Reported(DeliveryStatus::Read) {
            return before.clone();
        }
        DeliveryState::Reported(self.status())
    }
}

/// The scopes of the world: two channels, two accounts.
pub(crate) fn scopes() -> Vec<ScopeId> {
    use switchboard_actors::domain::id::AccountId;
    let scope = |channel: &str, account: u8| {
        let account = AccountId::from_random([account; 16]);
        ScopeId::new(channel.parse().unwrap(), account)
    };
    vec![scope("alpha", 1), scope("beta", 1), scope("alpha", 2)]
}
