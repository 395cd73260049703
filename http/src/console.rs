//! The web console: a page and the few files that it is made of, embedded in the program.
//!
//! Every page of the console is the same document, which reads the address by itself. So each address under one of
//! `PAGES` answers with it. At an address where nothing is, a browser that opens it gets the document as well, with 404,
//! and programs get a problem document; the interfaces answer in their own forms to both. The document holds no data of
//! the service: it requests what it shows from the interfaces, as the user or operator who signed in.

pub mod setup;
pub mod source;

use actix_web::http::header::{self, HeaderName};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::all_addresses;
use crate::asset::{Asset, Header};
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The first segments of the pages' addresses; the page at `/` sends people on to the first.
const PAGES: [&str; 20] = [
    "conversations",
    "unsorted",
    "contacts",
    "users",
    "roles",
    "rights",
    "integrations",
    "webhooks",
    "callbacks",
    "hooks",
    "relays",
    "requests",
    "channels",
    "oauth-clients",
    "worlds",
    "health",
    "reference",
    "shortcuts",
    "sign-in",
    CONSENT,
];

/// The first segment of the page on which an administrator grants an OAuth client access. Sites open it in a window of its
/// own, which reports to its opener: this page alone keeps that relation.
const CONSENT: &str = "oauth";

/// The first segments of interfaces whose addresses are not all in the table of addresses.
const INTERFACES: [&str; 3] = ["dev", "origin", "ajax"];

/// The document behind every page.
const DOCUMENT: &str = "index.html";

/// The headers of each file: only files of this origin may run, be shown or be requested, no page may frame the
/// console, no other site learns an address of it, and `openers` keep a relation to it.
fn headers(openers: &'static str) -> [Header; 5] {
    [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
             manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CROSS_ORIGIN_OPENER_POLICY, openers),
        // The worker lies below `/ui/`, and is for every page.
        (HeaderName::from_static("service-worker-allowed"), "/"),
    ]
}

/// `Cross-Origin-Opener-Policy`: only pages of this origin keep a relation to a page that they open.
const OPENERS_OWN: &str = "same-origin";
/// `Cross-Origin-Opener-Policy`: every page does.
const OPENERS_ALL: &str = "unsafe-none";

/// Returns whether an address is one of a page: `/`, or under one of [`PAGES`]. A file's name at the end makes it none.
pub(crate) fn is_page(path: &str) -> bool {
    let mut segments = segments(path);
    let is_of_one = segments.next().is_some_and(|first| PAGES.contains(&first));
    path == "/" || (is_of_one && segments.all(|next| !next.contains('.')))
}

/// Returns whether a browser opens an address where nothing is, outside of the interfaces: a mistyped address, or an
/// old link. A file's name at the end makes it no page.
pub(crate) fn is_opened_in_browser(request: &HttpRequest) -> bool {
    let path = request.uri().path();
    let first = segments(path).next().unwrap_or_default();
    let is_of_interface = all_addresses()
        .map(|address| segments(address.path).next().unwrap_or_default())
        .chain(INTERFACES)
        .any(|known| known == first);
    let accept = request.headers().get(header::ACCEPT);
    let takes_pages = accept
        .and_then(|value| value.to_str().ok())
        .is_some_and(|accept| {
            let mut types = accept.split(',').map(|range| range.split(';').next());
            types.any(|kind| kind.is_some_and(|kind| kind.trim() == "text/html"))
        });
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    is_read && takes_pages && !is_of_interface && !path.contains('.')
}

/// The document at an address where nothing is: the console says so.
pub async fn missing(request: &HttpRequest) -> Result<HttpResponse, Problem> {
    let asset = document(request).await?;
    Ok(asset.with_status(StatusCode::NOT_FOUND, &headers(OPENERS_OWN)))
}

/// `GET /ui/{name}`: a file of the console.
pub async fn file(
    request: HttpRequest,
    name: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    serve(&request, &name, OPENERS_OWN, &state).await
}

pub(crate) fn describe_file() -> Operation {
    Operation::service("getConsoleFile", "Get a file of the web console.")
        .path("name", Schema::text().says("The name of the file."))
        .answers_as(200, "The file.", "*/*", Schema::text())
        .answers_nothing(304, "What the client has is right.")
        .refuses(404, "The console has no such file.")
}

/// Any page: the document.
pub async fn page(request: &HttpRequest) -> Result<HttpResponse, Problem> {
    let methods = [Method::GET, Method::HEAD];
    if !methods.contains(request.method()) {
        let allow = "GET, HEAD".to_owned();
        return Err(Problem::MethodNotAllowed { allow });
    }
    serve(request, DOCUMENT, openers(request.path()), state(request)?).await
}

async fn document(request: &HttpRequest) -> Result<Asset, Problem> {
    let asset = state(request)?.console().find(DOCUMENT).await;
    asset.ok_or_else(|| unknown(DOCUMENT))
}

fn state(request: &HttpRequest) -> Result<&web::Data<AppState>, Problem> {
    let state = request.app_data::<web::Data<AppState>>();
    state.ok_or_else(|| unknown(DOCUMENT))
}

/// The `Cross-Origin-Opener-Policy` of a page. Other sites open the consent page and need to reach it.
fn openers(path: &str) -> &'static str {
    if segments(path).next() == Some(CONSENT) {
        OPENERS_ALL
    } else {
        OPENERS_OWN
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.trim_start_matches('/').split('/')
}

fn unknown(name: &str) -> Problem {
    Problem::NotFound(format!("the console has no file «{name}»"))
}

async fn serve(
    request: &HttpRequest,
    name: &str,
    openers: &'static str,
    state: &AppState,
) -> Result<HttpResponse, Problem> {
    let file = state.console().find(name).await;
    let asset = file.ok_or_else(|| unknown(name))?;
    Ok(asset.answer(request, &headers(openers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_consent_page_can_be_reached_by_its_opener() {
        for path in ["/oauth", "/oauth/"] {
            assert_eq!(openers(path), OPENERS_ALL, "{path}");
        }
        for path in [
            "/",
            "/oauth-clients",
            "/integrations",
            "/oauth2",
            "/sign-in/oauth",
        ] {
            assert_eq!(openers(path), OPENERS_OWN, "{path}");
        }
    }

    #[test]
    fn pages_are_distinguished_from_interfaces_and_files() {
        for path in [
            "/",
            "/conversations",
            "/conversations/6f1c7a0e-0000-4000-8000-000000000000",
            "/roles/12",
            "/reference/sendMessage",
            "/sign-in",
            "/oauth",
        ] {
            assert!(is_page(path), "{path}");
        }
        for path in [
            "",
            "/nowhere",
            "/api/v5/leads",
            "/api/v4",
            "/inbox/v1/conversations",
            "/admin/v1/nothing",
            "/conversations/app.js",
            "/conversations/../../etc/passwd",
            "/v2/origin/custom/x",
            "/media/1/x.png",
            "/ui/app.js",
            "/oauth2/access_token",
        ] {
            assert!(!is_page(path), "{path}");
        }
    }
}
