//! The list of conversations, and what is found in it.
//!
//! A search has four parts. Keys lead to exact phone numbers, e-mail addresses and ids. Then the list is gone through:
//! for messages with such an id of the integration, which costs a look-up per conversation; for conversations whose
//! customer or ids have what is looked for, which costs one look each; and for those where it was said, newest message
//! first. So a name is found quickly however much was said, and nothing that was said is left out; a request that had
//! its looks or its time says how far it went, and the next one goes on there, if need be within a conversation.

mod round;

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use self::round::Round;
use crate::domain::conversation::filters::{Among, ConversationFilters, Looker};
use crate::domain::text::search::Search;
use crate::domain::time::UnixMillis;
use crate::system::inbox::{ConversationCursor, ConversationView, MessageView, SearchPart};
use crate::system::user_access::conversations::VisibleConversation;
use crate::system::user_access::{EXAMINED_MAX, ListFilters, UserAccess};
use switchboard_runtime::error::UnavailableError;

/// The number of searches that go through lists at a time; the others wait. Each keeps a processor busy.
pub(crate) const SEARCHES_MAX: usize = 2;
/// The time that a search waits for those before it.
const WAIT: Duration = Duration::from_secs(5);

/// A filter of conversations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversationFilter {
    /// The filters, and whether one of them can match nothing.
    pub list: ListFilters,
    /// The text to search for.
    pub search: Option<Search>,
    /// The budget of one request.
    pub budget: SearchBudget,
}

/// The budget of one request of a search: it ends with either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBudget {
    /// The number of conversations and messages to examine.
    pub looks: usize,
    /// The time to spend.
    pub time: Duration,
}

impl Default for SearchBudget {
    fn default() -> Self {
        Self {
            looks: EXAMINED_MAX,
            time: Duration::from_secs(1),
        }
    }
}

impl ConversationFilter {
    /// Returns whether the filter leaves out conversations of the list.
    fn is_narrow(&self) -> bool {
        // Those of a user are a list of their own.
        let of_list = ConversationFilters {
            state: Some(Among::Mine),
            ..ConversationFilters::default()
        };
        self.search.is_some() || !(self.list.filters.is_empty() || self.list.filters == of_list)
    }
}

/// A conversation of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundConversation {
    /// The conversation.
    pub view: ConversationView,
    /// The newest message that says what is looked for, when the customer and the ids do not; or the message whose id it
    /// is.
    pub message: Option<MessageView>,
}

/// A page of the list of conversations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationPage {
    /// The conversations.
    pub entries: Vec<FoundConversation>,
    /// The beginning of the next page; `None` after the last one.
    pub next: Option<ConversationCursor>,
    /// The progress of the search.
    pub searched: Option<Searched>,
}

impl ConversationPage {
    /// The only page where nothing can match.
    fn nothing(wanted: &ConversationFilter) -> Self {
        let searched = Searched {
            part: SearchPart::Texts,
            back_to: None,
            complete: true,
        };
        Self {
            entries: Vec::new(),
            next: None,
            searched: wanted.search.is_some().then_some(searched),
        }
    }
}

/// The progress of a search, with all its pages up to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The part that it is in.
    pub part: SearchPart,
    /// The time of activity of the last conversation that was examined in this part: it goes from the newest to
    /// the oldest. `None` at the beginning of the part.
    pub back_to: Option<UnixMillis>,
    /// True when it is at the end: everything was examined.
    pub complete: bool,
}

impl UserAccess {
    /// The conversations that are wanted and that the user may see, newest activity first; of a search, those first
    /// that a key leads to, then those whose customer or ids have what is looked for.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn conversations(
        &self,
        wanted: &ConversationFilter,
        after: Option<&ConversationCursor>,
        limit: usize,
    ) -> Result<ConversationPage, UnavailableError> {
        let kernel = self.system.kernel();
        kernel.caught_up().await;
        if wanted.list.is_void {
            return Ok(ConversationPage::nothing(wanted));
        }
        // Another thread would end at a different moment in each run.
        if wanted.search.is_none() || kernel.is_one_thread {
            return self.page(wanted, after, limit).await;
        }
        let turn = self.turn().await?;
        let (access, wanted, after) = (self.clone(), wanted.clone(), after.copied());
        let runtime = Handle::current();
        // A search of a second beside others on their thread would hold them up.
        let page = spawn_blocking(move || {
            let _turn = turn;
            runtime.block_on(access.page(&wanted, after.as_ref(), limit))
        });
        page.await
            .map_err(|_panic_or_stop| UnavailableError::Interrupted)?
    }

    /// Returns whether a conversation passes the filters but the state.
    fn takes(&self, wanted: &ConversationFilters, visible: &VisibleConversation) -> bool {
        let (state, lead) = (&visible.state, visible.lead.as_ref());
        let user = self.users.get(self.caller.user);
        let looker = Looker {
            user: self.caller.user,
            group: user.map(|user| user.group),
        };
        wanted.takes(state, lead, state.group_among(&self.users), looker)
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, UnavailableError> {
        let turns = Arc::clone(&self.system.kernel().shared.searches);
        match timeout(WAIT, turns.acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(_closed)) => Err(UnavailableError::Stopping),
            Err(_elapsed) => Err(UnavailableError::Busy),
        }
    }

    async fn page(
        &self,
        wanted: &ConversationFilter,
        after: Option<&ConversationCursor>,
        limit: usize,
    ) -> Result<ConversationPage, UnavailableError> {
        let first = match wanted.search {
            Some(_) => SearchPart::Keys,
            None => SearchPart::Conversations,
        };
        let start = after
            .copied()
            .unwrap_or_else(|| ConversationCursor::start(first));
        let mut round = Round::new(self, wanted, limit)?;
        let next = round.go_on(start).await?;
        let searched = Searched {
            part: next.map_or(SearchPart::Texts, |next| next.part),
            back_to: next.and_then(|next| next.back_to()),
            complete: next.is_none(),
        };
        Ok(ConversationPage {
            entries: round.into_entries(),
            next,
            searched: wanted.search.is_some().then_some(searched),
        })
    }
}
