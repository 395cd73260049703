//! Collections and links of the account side: `application/hal+json`.

use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use switchboard_actors::system::desk::Start;

use crate::http::extract::query::Query;
use crate::http::openapi::{Field, Operation, Schema, may, must};
use crate::http::reply::problem::Problem;

/// The media type of answers.
pub(crate) const MEDIA_TYPE: &str = "application/hal+json";

/// 200 with this body.
pub(crate) fn ok(body: &impl Serialize) -> HttpResponse {
    answer(HttpResponse::Ok(), body)
}

/// 202 with this body.
pub(crate) fn accepted(body: &impl Serialize) -> HttpResponse {
    answer(HttpResponse::Accepted(), body)
}

/// 201 with a collection of what was made.
pub(crate) fn created(name: &'static str, entries: &[impl Serialize]) -> HttpResponse {
    let body = Created {
        total_items: entries.len(),
        embedded: Embedded { name, entries },
    };
    answer(HttpResponse::Created(), &body)
}

fn answer(mut response: HttpResponseBuilder, body: &impl Serialize) -> HttpResponse {
    match serde_json::to_string(body) {
        Ok(json) => response.content_type(MEDIA_TYPE).body(json),
        Err(_never) => HttpResponse::InternalServerError().finish(),
    }
}

#[derive(Serialize)]
struct Created<'e, T> {
    #[serde(rename = "_total_items")]
    total_items: usize,
    #[serde(rename = "_embedded")]
    embedded: Embedded<'e, T>,
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
pub(crate) struct Asked {
    /// The query.
    pub(crate) query: Query,
    /// Where the page begins.
    pub(crate) start: Start,
    page: u64,
    limit: u64,
}

impl Asked {
    /// What this request asks for.
    pub(crate) fn by(request: &HttpRequest) -> Result<Self, Problem> {
        let query = Query::of(request)?;
        let (page, limit, start) = query.start()?;
        Ok(Self {
            query,
            start,
            page,
            limit,
        })
    }

    /// How many entries the page has at most.
    pub(crate) fn limit(&self) -> usize {
        usize::try_from(self.limit).unwrap_or(1)
    }

    /// The page: `_page`, `_links`, which keep the rest of the query, and `_embedded.<name>`. The page after it begins at
    /// `next`, if there is one.
    pub(crate) fn page(
        &self,
        address: &str,
        name: &str,
        entries: Vec<Value>,
        next: Option<Start>,
    ) -> HttpResponse {
        let href = |page: u64, start: Option<Start>| {
            let query = self.query.at_start(page, self.limit, start);
            json!({ "href": format!("{address}?{query}") })
        };
        let mut links = serde_json::Map::new();
        let own = self.query.at_page(self.page, self.limit);
        let own = json!({ "href": format!("{address}?{own}") });
        links.insert("self".to_owned(), own);
        if next.is_some() {
            links.insert("next".to_owned(), href(self.page.saturating_add(1), next));
        }
        if self.page > 1 {
            links.insert("first".to_owned(), href(1, None));
            links.insert("prev".to_owned(), href(self.page.saturating_sub(1), None));
        }
        let embedded = serde_json::Map::from_iter([(name.to_owned(), Value::Array(entries))]);
        ok(&json!({ "_page": self.page, "_links": links, "_embedded": embedded }))
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
    pub(crate) fn of(query: &'q Query, total: usize) -> Result<Self, Problem> {
        let (page, limit) = query.page()?;
        Ok(Self {
            query,
            page,
            limit,
            total,
        })
    }

    /// How many entries come before the page.
    pub(crate) fn skip(&self) -> usize {
        let before = self.page.saturating_sub(1).saturating_mul(self.limit);
        usize::try_from(before).unwrap_or(usize::MAX)
    }

    /// How many entries the page has at most.
    pub(crate) fn limit(&self) -> usize {
        usize::try_from(self.limit).unwrap_or(usize::MAX)
    }

    /// How many pages there are; an empty collection has one, which is empty.
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
            format!("{base}{path}?{query}")
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

/// 200 with a page of a collection.
pub(crate) fn collection(
    page: &Collection<'_>,
    links: &PageLinks,
    name: &'static str,
    entries: &[impl Serialize],
) -> HttpResponse {
    ok(&Paged {
        total_items: page.total,
        page: page.page,
        page_count: page.pages(),
        links,
        embedded: Embedded { name, entries },
    })
}

#[derive(Serialize)]
struct Paged<'e, T> {
    #[serde(rename = "_total_items")]
    total_items: usize,
    #[serde(rename = "_page")]
    page: u64,
    #[serde(rename = "_page_count")]
    page_count: u64,
    #[serde(rename = "_links")]
    links: &'e PageLinks,
    #[serde(rename = "_embedded")]
    embedded: Embedded<'e, T>,
}

/// The links of a page.
#[derive(Serialize)]
pub(crate) struct PageLinks {
    #[serde(rename = "self")]
    own: Link,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prev: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Link>,
}

#[derive(Serialize)]
struct Link {
    href: String,
}

impl Link {
    fn to(href: String) -> Self {
        Self { href }
    }
}

/// The links of one entry: itself.
#[derive(Serialize)]
pub(crate) struct Links {
    #[serde(rename = "self")]
    own: Link,
}

impl Links {
    /// The entry is found here.
    pub(crate) fn to(href: &str) -> Self {
        Self {
            own: Link::to(href.to_owned()),
        }
    }
}

fn link() -> Schema {
    Schema::object([must("href", Schema::url())])
}

/// `_links` of one entry.
pub(crate) fn links() -> Field {
    must("_links", Schema::object([must("self", link())]))
}

/// `_embedded.<name>`, with these entries.
pub(crate) fn embedded(name: &'static str, entry: Schema) -> Field {
    must(
        "_embedded",
        Schema::object([must(name, Schema::list(entry))]),
    )
}

fn page_links() -> Field {
    let links = Schema::object([
        must("self", link()),
        may("next", link()),
        may("prev", link()),
        may("first", link()),
        may("last", link()),
    ]);
    must("_links", links)
}

impl Operation {
    /// An answer of the account side.
    pub(crate) fn answers_hal(self, status: u16, says: &str, schema: Schema) -> Self {
        self.answers_as(status, says, MEDIA_TYPE, schema)
    }

    /// The collection of what was made.
    pub(crate) fn answers_created(self, name: &'static str, entry: Schema) -> Self {
        let made = Schema::object([must("_total_items", Schema::count()), embedded(name, entry)]);
        self.answers_hal(201, "What was made. It is on disk.", made)
    }

    /// A page of a collection whose size is known.
    pub(crate) fn answers_collection(self, name: &'static str, entry: Schema) -> Self {
        let page = Schema::object([
            must("_total_items", Schema::count()),
            must("_page", Schema::from(1)),
            must("_page_count", Schema::from(1)),
            page_links(),
            embedded(name, entry),
        ]);
        self.answers_hal(200, "A page; past the end, an empty one.", page)
    }

    /// A page of a list that goes on behind its last entry; `next` is there while there is more.
    pub(crate) fn answers_page(self, name: &'static str, entry: Schema) -> Self {
        let page = Schema::object([
            must("_page", Schema::from(1)),
            page_links(),
            embedded(name, entry),
        ]);
        let says = "A page. It may be short, even empty, and still have a next one.";
        let after = Schema::text().says("Where the page begins: comes with the links of a list.");
        self.pages()
            .query("after", after)
            .answers_hal(200, says, page)
    }
}
