//! The documentation of this version: its pages as Markdown, and `/llms.txt`, which lists them for agents (llmstxt.org).
//!
//! The program has the pages, since who runs it has no files of the project. They are below `/docs`: those of the folder `docs` under
//! their names there, the others under their paths in the repository (`/docs/kits/README.md`). Their links fit these
//! addresses; a link to a file that the program does not have is its text alone. They need no token, as `/openapi.json` needs none.

#[cfg(test)]
#[path = "../build/excerpt.rs"]
mod excerpt;
#[cfg(test)]
#[path = "../build/index.rs"]
mod index;
#[cfg(test)]
#[path = "../build/links.rs"]
mod links;
#[cfg(test)]
#[path = "../build/served.rs"]
mod served;

use std::sync::{LazyLock, OnceLock};

use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;

use crate::asset::Asset;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

/// The pages by their paths, as `build/main.rs` makes them.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));
/// Their list.
const LIST: &str = include_str!(concat!(env!("OUT_DIR"), "/llms.txt"));

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let pages = SOURCES.iter().map(|&(path, text)| Page {
        path,
        text,
        asset: OnceLock::new(),
    });
    pages.collect()
});

static SERVED_LIST: LazyLock<Asset> = LazyLock::new(|| {
    let media_type = "text/plain; charset=utf-8";
    Asset::new(media_type, Bytes::from_static(LIST.as_bytes()))
});

/// A page of the documentation.
#[derive(Debug)]
pub struct Page {
    path: &'static str,
    text: &'static str,
    /// The page as it is sent, from the first request on.
    asset: OnceLock<Asset>,
}

impl Page {
    /// The path of the page, without a slash at its beginning: `docs/worlds.md`.
    #[must_use]
    pub fn path(&self) -> &'static str {
        self.path
    }

    /// The page in Markdown, with links to other pages.
    #[must_use]
    pub fn markdown(&self) -> &'static str {
        self.text
    }

    fn asset(&self) -> &Asset {
        let media_type = "text/markdown; charset=utf-8";
        let asset = || Asset::new(media_type, Bytes::from_static(self.text.as_bytes()));
        self.asset.get_or_init(asset)
    }
}

/// All pages of the documentation.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    PAGES.iter()
}

/// The list of the pages, as `/llms.txt` is.
#[must_use]
pub fn list() -> &'static str {
    LIST
}

pub(crate) async fn index(request: HttpRequest) -> HttpResponse {
    SERVED_LIST.answer(&request, &[])
}

pub(crate) async fn page(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let path = request.path().strip_prefix('/').unwrap_or_default();
    let entry = pages().find(|page| page.path == path);
    let page = entry.ok_or_else(|| {
        Problem::NotFound(format!(
            "there is no page «{path}»; /llms.txt lists the pages"
        ))
    })?;
    Ok(page.asset().answer(&request, &[]))
}

pub(crate) fn describe_index() -> Operation {
    Operation::service("listPages", "List the pages of the documentation.")
        .says("In the form of llmstxt.org: a title, a summary, and links with a sentence each.")
        .answers_as(200, "The list.", "text/plain", Schema::text())
        .answers_nothing(304, "What the client has is right.")
}

pub(crate) fn describe_page() -> Operation {
    described("getPage", "Get a page of the documentation.")
}

pub(crate) fn describe_page_of_folder() -> Operation {
    described(
        "getPageOfFolder",
        "Get a page of a folder of the documentation.",
    )
    .path("folder", Schema::text().says("As `exam`."))
}

pub(crate) fn describe_page_of_subfolder() -> Operation {
    described(
        "getPageOfSubfolder",
        "Get a page of a folder in a folder of the documentation.",
    )
    .path("folder", Schema::text().says("As `kits`."))
    .path("subfolder", Schema::text().says("As `python`."))
}

fn described(id: &'static str, summary: &'static str) -> Operation {
    Operation::service(id, summary)
        .path(
            "page",
            Schema::text().says("The name of the page, as `README.md`."),
        )
        .answers_as(200, "The page.", "text/markdown", Schema::text())
        .answers_nothing(304, "What the client has is right.")
        .refuses(404, "There is no such page; `/llms.txt` lists the pages.")
}

#[cfg(test)]
mod tests;
