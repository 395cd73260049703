//! The check of a file that an integration named.

use switchboard_actors::domain::chat::fetch::{Copied, FetchOutcome};
use switchboard_actors::domain::chat::fetch_code::FetchCode;
use switchboard_actors::domain::conversation::fetch::Fetched;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::domain::text::{FetchText, FileName};

use crate::base::Base;
use crate::openapi::{Nullable, Seconds, Url};

view! {
    pub(crate) struct FileCheck<'f>(state: &'static str, found: Option<&'f FetchOutcome>, fetched: Option<&'f Fetched>, base: &Base) [
        let (code, reason, reached) = match found {
            Some(FetchOutcome::Unreachable { code, reason }) => (Some(*code), Some(reason), None),
            Some(FetchOutcome::Reachable(reached)) => (None, None, Some(reached.as_ref())),
            None => (None, None, None),
        };
        let not_copied = reached.map(|reached| reached.not_copied.as_ref());
    ] {
        #[schemars(extend("enum" = ["not_checked", "pending", "reachable", "unreachable"]))]
        state: &'static str = state,
        /// The reason why it is not reachable, for programs.
        reason_code ?: FetchCode = code,
        /// The reason why it is not reachable, for people.
        reason ?: &'f FetchText = reason,
        content_type ?: Nullable<&'f FetchText> = reached.map(|reached| Nullable(reached.content_type.as_ref())),
        /// Its size, if that is known.
        bytes ?: Nullable<u64> = reached.map(|reached| Nullable(reached.bytes)),
        /// The copy that is kept here.
        copy ?: Nullable<Copy<'f>> = reached.map(|reached| Nullable(reached.copy.as_ref().map(|copy| Copy::new(copy, base)))),
        /// The reason why there is no copy, if one was wanted, for programs.
        not_copied_code ?: Nullable<FetchCode> = not_copied.map(|why| Nullable(why.map(|why| why.code))),
        /// The reason why there is no copy, if one was wanted, for people.
        not_copied ?: Nullable<&'f FetchText> = not_copied.map(|why| Nullable(why.map(|why| &why.reason))),
        checked_at ?: Seconds = fetched.map(|fetched| fetched.at.into()),
        attempts ?: u32 = fetched.map(|fetched| fetched.attempts),
        next_attempt_at ?: Nullable<Seconds> = fetched.map(|fetched| Nullable(fetched.again_at.map(Seconds::from))),
    }

    #[schemars(inline)]
    struct Copy<'f>(copy: &'f Copied, base: &Base) {
        media: Url<HttpUrl> = Url(base.of_file(&copy.media)),
        thumbnail: Option<Url<HttpUrl>> = copy.thumbnail.as_ref().map(|url| Url(base.of_file(url))),
        file_name: &'f FileName = &copy.name,
    }
}

impl<'f> FileCheck<'f> {
    /// No result yet, or none ever when the service does not check the file.
    pub(super) fn none(is_listed: bool, base: &Base) -> Self {
        let state = if is_listed { "pending" } else { "not_checked" };
        Self::new(state, None, None, base)
    }

    /// The result at this address; `None` when it was another one.
    pub(crate) fn at(fetched: &'f Fetched, url: Option<&HttpUrl>, base: &Base) -> Option<Self> {
        let newest = fetched.seen.as_ref();
        let check = newest.filter(|seen| Some(&seen.url) == url)?;
        let state = match &check.found {
            FetchOutcome::Unreachable { .. } => "unreachable",
            FetchOutcome::Reachable(_) => "reachable",
        };
        Some(Self::new(state, Some(&check.found), Some(fetched), base))
    }
}
