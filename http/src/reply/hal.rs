//! Collections and links of the account side: `application/hal+json`.

mod describe;

use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use switchboard_actors::system::user_access::{OrderKey, PageStart};

use crate::account::filters::{self, Filter};
use crate::extract::query::{LIMIT_MAX, Query};
use crate::reply::problem::Problem;

/// The media type of answers.
pub(crate) const MEDIA_TYPE: &str = "application/hal+json";

/// 200 with this body.
pub(crate) fn ok(body: &impl Serialize) -> HttpResponse {
    answer(HttpResponse::Ok(), body)
}

/// 204: there is no such entry, or the list is empty. The counterpart answers so for leads, contacts, unsorted leads,
/// notes, tags and sources, and clients branch on it: they add what is not there, and end a walk through pages.
pub(crate) fn nothing() -> HttpResponse {
    HttpResponse::NoContent().finish()
}

/// 200 with this entry, or [`nothing`].
pub(crate) fn entry(body: Option<impl Serialize>) -> HttpResponse {
    body.map_or_else(nothing, |body| ok(&body))
}

/// 202 with this body.
pub(crate) fn accepted(body: &impl Serialize) -> HttpResponse {
    answer(HttpResponse::Accepted(), body)
}

/// 201 with what was made.
pub(crate) fn created_entry(body: &impl Serialize) -> HttpResponse {
    answer(HttpResponse::Created(), body)
}

/// 201 with a collection of what was made.
pub(crate) fn created(name: &'static str, entries: &[impl Serialize]) -> HttpResponse {
    answer(HttpResponse::Created(), &listed(name, entries))
}

fn answer(mut response: HttpResponseBuilder, body: &impl Serialize) -> HttpResponse {
    match serde_json::to_string(body) {
        Ok(json) => response.content_type(MEDIA_TYPE).body(json),
        Err(_never) => HttpResponse::InternalServerError().finish(),
    }
}

/// 200 with a collection of what was made or changed.
pub(crate) fn collection(name: &'static str, entries: &[impl Serialize]) -> HttpResponse {
    ok(&listed(name, entries))
}

fn listed<T: Serialize>(name: &'static str, entries: &[T]) -> impl Serialize {
    Paged::<_> {
        total_items: Some(entries.len()),
        page: None,
        page_count: None,
        links: None,
        embedded: Embedded { name, entries },
    }
}

/// `{"<name>": [entries]}`.
struct Embedded<'e, T> {
    name: &'static str,
    entries: &'e [T],
}

impl<T: Serialize> Serialize for Embedded<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.name, self.entries)])
    }
}

/// The page of a collection that a query asks for, when the size of the collection is not known.
#[derive(Debug)]
pub(crate) struct PageRequest {
    /// The query.
    pub query: Query,
    /// The beginning of the page.
    pub start: PageStart,
    page: u64,
    limit: u64,
}

impl PageRequest {
    /// Reads the page that this request asks for. A filter that the list does not obey is refused.
    pub(crate) fn by(request: &HttpRequest, obeyed: &[Filter]) -> Result<Self, Problem> {
        let query = Query::from_request(request)?;
        filters::check(&query, obeyed)?;
        let by_change = filters::order(&query)?.is_some_and(|order| order.key != OrderKey::Number);
        Self::within(query, by_change, LIMIT_MAX)
    }

    /// Reads the page of a list in the order of time that this request asks for, with at most so many entries.
    pub(crate) fn by_time(
        request: &HttpRequest,
        obeyed: &[Filter],
        max: u64,
    ) -> Result<Self, Problem> {
        let query = Query::from_request(request)?;
        filters::check(&query, obeyed)?;
        Self::within(query, true, max)
    }

    fn within(query: Query, by_time: bool, max: u64) -> Result<Self, Problem> {
        let (page, limit, start) = query.start(max)?;
        if start
            .after
            .is_some_and(|after| after.updated_at.is_some() != by_time)
        {
            return Err(query.foreign_start());
        }
        Ok(Self {
            query,
            start,
            page,
            limit,
        })
    }

    /// The largest number of entries of the page.
    pub(crate) fn limit(&self) -> usize {
        usize::try_from(self.limit).unwrap_or(1)
    }

    /// The page as [`Self::page`] gives it; [`nothing`] when it is empty and the last.
    pub(crate) fn page_or_nothing(
        &self,
        address: &str,
        name: &'static str,
        entries: impl Iterator<Item: Serialize>,
        next: Option<PageStart>,
    ) -> HttpResponse {
        let mut entries = entries.peekable();
        if entries.peek().is_none() && next.is_none() {
            return nothing();
        }
        self.page(address, name, entries, next)
    }

    /// The page: `_page`, `_links`, which keep the rest of the query, and `_embedded.<name>`. The page after it begins at
    /// `next`, if there is one.
    pub(crate) fn page(
        &self,
        address: &str,
        name: &'static str,
        entries: impl Iterator<Item: Serialize>,
        next: Option<PageStart>,
    ) -> HttpResponse {
        let link = |query: String| Link::to(format!("{address}?{query}"));
        let at = |page, start| link(self.query.at_start(page, self.limit, start));
        let is_later = self.page > 1;
        let links = PageLinks {
            own: link(self.query.at_page(self.page, self.limit)),
            next: next.map(|next| at(self.page.saturating_add(1), Some(next))),
            first: is_later.then(|| at(1, None)),
            prev: is_later.then(|| at(self.page.saturating_sub(1), None)),
            last: None,
        };
        ok(&Paged {
            total_items: None,
            page: Some(self.page),
            page_count: None,
            links: Some(&links),
            embedded: Embedded {
                name,
                entries: &entries.collect::<Vec<_>>(),
            },
        })
    }
}

/// A page of a collection whose size is known.
#[derive(Clone, Debug)]
pub(crate) struct Collection<'q> {
    query: &'q Query,
    page: u64,
    limit: u64,
    total: usize,
}

impl<'q> Collection<'q> {
    /// The page that the query asks for, of so many entries.
    pub(crate) fn new(query: &'q Query, total: usize) -> Result<Self, Problem> {
        let (page, limit) = query.page()?;
        Ok(Self {
            query,
            page,
            limit,
            total,
        })
    }

    /// The number of entries before the page.
    pub(crate) fn skip(&self) -> usize {
        let before = self.page.saturating_sub(1).saturating_mul(self.limit);
        usize::try_from(before).unwrap_or(usize::MAX)
    }

    /// The largest number of entries of the page.
    pub(crate) fn limit(&self) -> usize {
        usize::try_from(self.limit).unwrap_or(usize::MAX)
    }

    /// The number of pages; an empty collection has one, which is empty.
    fn pages(&self) -> u64 {
        let total = u64::try_from(self.total).unwrap_or(u64::MAX);
        total.div_ceil(self.limit).max(1)
    }

    /// The links of the page: itself with the query as it was given, and its neighbours where they exist.
    pub(crate) fn links(&self, base: &str, path: &str, query: &str) -> PageLinks {
        let at = |page| {
            let query = self.query.at_page(page, self.limit);
            Link::to(format!("{base}{path}?{query}"))
        };
        let (page, last) = (self.page, self.pages());
        let own = if query.is_empty() {
            format!("{base}{path}")
        } else {
            format!("{base}{path}?{}", as_uri(query))
        };
        PageLinks {
            own: Link::to(own),
            next: (page < last).then(|| at(page.saturating_add(1))),
            prev: (page > 1).then(|| at(page.saturating_sub(1).min(last))),
            first: (page > 1).then(|| at(1)),
            last: (page != last).then(|| at(last)),
        }
    }
}

/// A query as it was given, with what a URI must escape: clients leave brackets of filters as they are.
fn as_uri(query: &str) -> String {
    let mut uri = String::with_capacity(query.len());
    for byte in query.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// 200 with a page of a collection.
pub(crate) fn collection_page(
    page: &Collection<'_>,
    links: &PageLinks,
    name: &'static str,
    entries: &[impl Serialize],
) -> HttpResponse {
    ok(&Paged {
        total_items: Some(page.total),
        page: Some(page.page),
        page_count: Some(page.pages()),
        links: Some(links),
        embedded: Embedded { name, entries },
    })
}

/// 200 with all entries of a collection without pages, or [`nothing`].
pub(crate) fn whole(
    address: String,
    name: &'static str,
    entries: &[impl Serialize],
) -> HttpResponse {
    if entries.is_empty() {
        return nothing();
    }
    ok(&Paged {
        total_items: Some(entries.len()),
        page: None,
        page_count: None,
        links: Some(&Links::to(address)),
        embedded: Embedded { name, entries },
    })
}

#[derive(Serialize)]
struct Paged<'e, T, L = PageLinks> {
    #[serde(rename = "_total_items", skip_serializing_if = "Option::is_none")]
    total_items: Option<usize>,
    #[serde(rename = "_page", skip_serializing_if = "Option::is_none")]
    page: Option<u64>,
    #[serde(rename = "_page_count", skip_serializing_if = "Option::is_none")]
    page_count: Option<u64>,
    #[serde(rename = "_links", skip_serializing_if = "Option::is_none")]
    links: Option<&'e L>,
    #[serde(rename = "_embedded")]
    embedded: Embedded<'e, T>,
}

/// The links of a page.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct PageLinks {
    #[serde(rename = "self")]
    own: Link,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    next: Option<Link>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    prev: Option<Link>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    first: Option<Link>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    last: Option<Link>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Link {
    /// As long as the query that it repeats.
    #[schemars(extend("format" = "uri"))]
    href: String,
}

impl Link {
    fn to(href: String) -> Self {
        Self { href }
    }
}

/// The links of one entry: itself.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Links {
    #[serde(rename = "self")]
    own: Link,
}

impl Links {
    /// The entry is found here.
    pub(crate) fn to(href: String) -> Self {
        Self {
            own: Link::to(href),
        }
    }
}
