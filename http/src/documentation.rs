//! The documentation of this version: its pages as Markdown, and `/llms.txt`, which lists them for agents (llmstxt.org).
//!
//! The program has the pages, since who runs it has no files of the project. They are below `/docs`: those of the folder `docs` under
//! their names there, the others under their paths in the repository (`/docs/kits/README.md`). Their links fit these
//! addresses; a link to a file that the program does not have is its text alone. They need no token, as `/openapi.json` needs none.

mod excerpt;
mod index;
mod links;

use std::sync::{LazyLock, OnceLock};

use actix_web::{HttpRequest, HttpResponse};

use crate::asset::Asset;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

/// The folder of the pages, and the beginning of their addresses.
const FOLDER: &str = "docs/";
/// The name of the list of the pages.
const INDEX: &str = "llms.txt";

/// The pages by their paths in the repository, in the order of these paths.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let pages = SOURCES
        .iter()
        .map(|&(source, text)| Page::new(source, text));
    pages.collect()
});

static SERVED_INDEX: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("text/plain; charset=utf-8", list().into()));

/// A page of the documentation.
#[derive(Debug)]
pub struct Page {
    /// The path in the repository.
    source: &'static str,
    /// The text in the repository.
    text: &'static str,
    path: String,
    /// The page as it is sent, from the first request on.
    asset: OnceLock<Asset>,
}

impl Page {
    fn new(source: &'static str, text: &'static str) -> Self {
        Self {
            source,
            text,
            path: served_path(source),
            asset: OnceLock::new(),
        }
    }

    /// The path of the page, without a slash at its beginning: `docs/worlds.md`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The page in Markdown, with links to other pages.
    #[must_use]
    pub fn markdown(&self) -> String {
        with_served_links(self.source, &self.path, self.text)
    }

    fn asset(&self) -> &Asset {
        let media_type = "text/markdown; charset=utf-8";
        let asset = || Asset::new(media_type, self.markdown().into());
        self.asset.get_or_init(asset)
    }
}

/// All pages of the documentation.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    PAGES.iter()
}

/// The list of the pages, as `/llms.txt` is.
#[must_use]
pub fn list() -> String {
    with_served_links(INDEX, INDEX, &index::written(SOURCES))
}

/// The path under which a file of the repository is served, if it is a page.
fn served_path(source: &str) -> String {
    let name = source.strip_prefix(FOLDER).unwrap_or(source);
    format!("{FOLDER}{name}")
}

/// A text of the repository with links that fit the place where it is served.
fn with_served_links(source: &str, served: &str, text: &str) -> String {
    links::with_links(text, |link| {
        let Some(target) = links::resolve(source, link) else {
            return Some(link.to_owned());
        };
        SOURCES
            .binary_search_by_key(&target.as_str(), |(source, _)| *source)
            .ok()?;
        let fragment = link.find('#').and_then(|at| link.get(at..));
        let path = relative(served, &served_path(&target));
        Some(path + fragment.unwrap_or_default())
    })
}

/// The relative link from one page to another.
fn relative(from: &str, to: &str) -> String {
    let folders = |path: &'_ str| path.matches('/').count();
    let common = from
        .split_inclusive('/')
        .zip(to.split_inclusive('/'))
        .take_while(|(ours, theirs)| ours == theirs && ours.ends_with('/'))
        .count();
    let up = "../".repeat(folders(from) - common);
    let down: String = to.split_inclusive('/').skip(common).collect();
    up + &down
}

pub(crate) async fn index(request: HttpRequest) -> HttpResponse {
    SERVED_INDEX.answer(&request, &[])
}

pub(crate) async fn page(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let path = request.path().strip_prefix('/').unwrap_or_default();
    let page = pages().find(|page| page.path == path);
    let page = page.ok_or_else(|| {
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
