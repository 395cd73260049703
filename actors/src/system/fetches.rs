//! The files that integrations only name, listed for a fetcher: the library itself opens no connection.
//!
//! The list of files to fetch follows from the records of messages, so a crash loses none of it and a message costs no
//! second write. The fetcher notes each attempt before it makes it, and each result, as records of their own: the first
//! moves the row, the second removes it.

use crate::domain::chat::fetch::{
    AvatarMark, ExpectedFile, FetchOutcome, FetchPlace, FetchResult, FetchSubject, HostMark,
};
use crate::domain::chat::message::Content;
use crate::domain::conversation::fetch::{Fetched, NoteFetch};
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::id::{AccountId, ConversationId, MediaId, MessageId};
use crate::domain::keys;
use crate::domain::tables;
use crate::domain::text::FileName;
use crate::domain::text::url::HttpUrl;
use crate::domain::time::UnixMillis;
use crate::system::System;
use crate::system::operator::unavailable;
use crate::wire::chat_body::stored;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::Recorded;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// A file that is to be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueFetch {
    /// Its place in the list.
    pub place: FetchPlace,
    /// The conversation that it belongs to.
    pub conversation: ConversationId,
    /// The server of the file.
    pub host: HostMark,
    /// The number of attempts that have begun.
    pub attempts: u32,
}

/// The details of a fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedFetch {
    /// The account that it is for.
    pub account: AccountId,
    /// The address of the file, as the message names it.
    pub url: HttpUrl,
    /// The expected kind of file.
    pub expected: ExpectedFile,
    /// The name of the file.
    pub name: FileName,
    /// The id that a copy of it has: the same each time, so that a copy that a crash left unmentioned is found again.
    pub copy: MediaId,
    /// The result of an earlier fetch, if it is final.
    pub known: Option<FetchOutcome>,
    /// The number of attempts that have a result.
    pub ended: u32,
}

impl System {
    /// Ends when there may be something new to look at.
    pub async fn fetch_wanted(&self) {
        self.kernel().shared.fetch_wanted.notified().await;
    }

    /// The fetches that are due now, behind this place of the list, at most `limit`.
    ///
    /// # Errors
    /// When the list cannot be read now.
    pub async fn due_fetches(
        &self,
        behind: Option<FetchPlace>,
        limit: usize,
    ) -> Result<Vec<DueFetch>, UnavailableError> {
        let kernel = self.kernel();
        kernel.caught_up().await;
        let range = match behind {
            Some(place) => KeyRange::all().behind(keys::fetch::row(&place), ScanOrder::Ascending),
            None => KeyRange::all(),
        };
        let rows = kernel
            .index
            .scan(tables::UNFETCHED, &range, ScanOrder::Ascending, limit)?;
        let now = self.now();
        let due = rows.iter().filter_map(|(key, about)| {
            let place = keys::fetch::parse_row(key)?;
            let (conversation, host, attempts) = keys::fetch::parse_about(about)?;
            Some(DueFetch {
                place,
                conversation,
                host,
                attempts,
            })
        });
        Ok(due.take_while(|due| due.place.due <= now).collect())
    }

    /// The details of a due fetch; `None` when nothing names the file any more.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn wanted_fetch(
        &self,
        due: &DueFetch,
    ) -> Result<Option<WantedFetch>, UnavailableError> {
        let state = self.look::<Conversation>(&due.conversation).await?;
        let Some(state) = state else { return Ok(None) };
        let Some(origin) = &state.origin else {
            return Ok(None);
        };
        let account = origin.scope.account();
        let (url, expected, name) = match due.place.subject {
            FetchSubject::Message(message) => match self.file_of(message)? {
                Some(file) => file,
                None => return Ok(None),
            },
            FetchSubject::Avatar(mark) => {
                let avatar = state
                    .customer
                    .and_then(|customer| customer.avatar)
                    .filter(|url| AvatarMark::new(account, url) == mark);
                let Some(url) = avatar else { return Ok(None) };
                let name = FileName::of_address(&url);
                (url, ExpectedFile::Picture, name)
            }
        };
        let last = self.fetched(due.place.subject)?;
        let attempts = last.as_ref().map_or(0, |last| last.attempts);
        let final_attempt = last.filter(|last| last.again_at.is_none());
        let result = final_attempt.and_then(|final_attempt| final_attempt.seen);
        let outcome = result.filter(|seen| seen.url == url).map(|seen| seen.found);
        Ok(Some(WantedFetch {
            copy: self
                .kernel()
                .shared
                .ids
                .copy(account, &due.place.subject, &url),
            account,
            url,
            expected,
            name,
            known: outcome,
            ended: attempts,
        }))
    }

    /// Notes that an attempt begins, on disk when this returns, and returns the fetch with it. If no result follows, because
    /// the process ends, it is due at `again_at`.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn begin_fetch(
        &self,
        due: DueFetch,
        again_at: UnixMillis,
    ) -> Result<DueFetch, UnavailableError> {
        let attempt = DueFetch {
            place: FetchPlace {
                due: again_at,
                ..due.place
            },
            attempts: due.attempts.saturating_add(1),
            ..due
        };
        let note = NoteFetch {
            place: due.place,
            host: due.host,
            attempts: attempt.attempts,
            seen: None,
            again_at: Some(again_at),
        };
        self.store_fetch(due.conversation, note).await?;
        Ok(attempt)
    }

    /// Notes what was seen, on disk when this returns. With `again_at` it is tried again then.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn note_fetch(
        &self,
        due: &DueFetch,
        seen: Option<FetchResult>,
        again_at: Option<UnixMillis>,
    ) -> Result<(), UnavailableError> {
        let copied_bytes = seen.as_ref().map_or(0, FetchResult::copied_bytes);
        let note = NoteFetch {
            place: due.place,
            host: due.host,
            attempts: due.attempts.max(1),
            seen,
            again_at,
        };
        self.store_fetch(due.conversation, note).await?;
        if copied_bytes > 0 {
            let state = self.look::<Conversation>(&due.conversation).await?;
            if let Some(origin) = state.and_then(|state| state.origin) {
                self.count_copy(origin.scope.account(), copied_bytes);
            }
        }
        Ok(())
    }

    async fn store_fetch(
        &self,
        conversation: ConversationId,
        note: NoteFetch,
    ) -> Result<(), UnavailableError> {
        let outcome = execute(self.kernel(), &conversation, note).await;
        outcome.map_err(unavailable)
    }

    /// The last result of fetching a file.
    pub(crate) fn fetched(
        &self,
        subject: FetchSubject,
    ) -> Result<Option<Box<Fetched>>, UnavailableError> {
        let key = match subject {
            FetchSubject::Message(message) => keys::fetched(message),
            FetchSubject::Avatar(avatar) => keys::avatar(avatar),
        };
        Ok(match self.kernel().record(key)? {
            Some(Recorded {
                event: ConversationEvent::Fetched(fetched),
                ..
            }) => Some(fetched),
            _ => None,
        })
    }

    /// The file that a message names in its newest version.
    fn file_of(
        &self,
        message: MessageId,
    ) -> Result<Option<(HttpUrl, ExpectedFile, FileName)>, UnavailableError> {
        let edit = match self.kernel().record(keys::edit(message))? {
            Some(Recorded {
                event: ConversationEvent::Edited(edited),
                blob,
            }) => stored::edited(&edited, &blob),
            _ => None,
        };
        let content = match edit {
            Some(content) => Some(content),
            None => match self.kernel().record(keys::message(message))? {
                Some(Recorded {
                    event: ConversationEvent::Received(received),
                    blob,
                }) => stored::message(&received, &blob).map(|message| message.content),
                _ => None,
            },
        };
        Ok(content.and_then(|content| named(&content)))
    }
}

fn named(content: &Content) -> Option<(HttpUrl, ExpectedFile, FileName)> {
    let url = content.media()?.clone();
    let of_address = || FileName::of_address(&url);
    let (expected, name) = match content {
        Content::Picture { file, .. } => (ExpectedFile::Picture, file.name.clone()),
        Content::Video { file, .. } => (ExpectedFile::Recording, file.name.clone()),
        Content::File { file, .. } => (ExpectedFile::File, file.name.clone()),
        Content::Voice { .. } | Content::Audio { .. } => (ExpectedFile::Recording, of_address()),
        Content::Sticker { .. } => (ExpectedFile::Picture, of_address()),
        Content::Text { .. } | Content::Contact { .. } | Content::Location { .. } => return None,
    };
    Some((url, expected, name))
}
