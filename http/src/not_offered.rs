//! The parts of the known counterpart's account interface that this service does not have: 404 with a code of its own
//! and the name of the part. Client libraries repeat a 5xx, and a repetition changes nothing here.

use actix_web::http::Method;
use actix_web::{HttpRequest, web};

use crate::base::Base;
use crate::reply::problem::{NotOffered, Problem};
use crate::state::AppState;

/// The address of the page that lists what is not offered. The service has it: who runs a container has no files of the
/// project.
pub(crate) const PAGE: &str = "/docs/not-offered.md";

/// A part of the counterpart's account interface.
#[derive(Debug)]
pub(crate) struct Surface {
    /// The name that people use for it.
    pub(crate) name: &'static str,
    /// The addresses of the part; everything below is a part of it too.
    pub(crate) paths: &'static [&'static str],
}

/// Everything that is not offered.
pub(crate) const SURFACES: [Surface; 18] = [
    surface("companies", &["/api/v4/companies"]),
    surface("customers", &["/api/v4/customers"]),
    surface("catalogs", &["/api/v4/catalogs"]),
    surface("widgets", &["/api/v4/widgets"]),
    surface("calls", &["/api/v4/calls"]),
    surface("short links", &["/api/v4/short_links"]),
    surface("website buttons", &["/api/v4/website_buttons"]),
    surface("products", &["/api/v4/products"]),
    surface("currencies", &["/api/v4/currencies"]),
    surface("loss reasons", &["/api/v4/leads/loss_reasons"]),
    surface(
        "subscriptions",
        &[
            "/api/v4/leads/subscriptions",
            "/api/v4/leads/{id}/subscriptions",
            "/api/v4/contacts/{id}/subscriptions",
        ],
    ),
    surface(
        "followers",
        &[
            "/api/v4/leads/{id}/followers",
            "/api/v4/contacts/{id}/followers",
        ],
    ),
    surface(
        "files of entities",
        &[
            "/api/v4/leads/{id}/files",
            "/api/v4/contacts/{id}/files",
            "/v1.0/files",
            "/v1.0/sessions",
        ],
    ),
    surface(
        "pins of notes",
        &[
            "/api/v4/leads/notes/{id}/pin",
            "/api/v4/leads/notes/{id}/unpin",
            "/api/v4/contacts/notes/{id}/pin",
            "/api/v4/contacts/notes/{id}/unpin",
        ],
    ),
    surface(
        "groups of custom fields",
        &[
            "/api/v4/leads/custom_fields/groups",
            "/api/v4/contacts/custom_fields/groups",
        ],
    ),
    surface(
        "the account interface of version 2",
        &[
            "/api/v2/account",
            "/api/v2/leads",
            "/api/v2/contacts",
            "/api/v2/companies",
            "/api/v2/customers",
            "/api/v2/tasks",
            "/api/v2/notes",
            "/api/v2/pipelines",
            "/api/v2/incoming_leads",
            "/api/v2/webhooks",
            "/api/v2/fields",
            "/api/v2/catalogs",
            "/api/v2/catalog_elements",
            "/api/v2/transactions",
            "/api/v2/calls",
            "/api/v2/widgets",
        ],
    ),
    surface(
        "the exchange of keys of version 2",
        &["/oauth2/exchange_api_key"],
    ),
    surface(
        "the private interface of the counterpart's pages",
        &["/ajax", "/private"],
    ),
];

/// Operations that are not offered at addresses that are.
pub(crate) const OPERATIONS: [Operations; 1] = [Operations {
    name: "changes of several notes in one request",
    at: &[
        ("PATCH", "/api/v4/leads/notes"),
        ("PATCH", "/api/v4/leads/{id}/notes"),
        ("PATCH", "/api/v4/contacts/notes"),
        ("PATCH", "/api/v4/contacts/{id}/notes"),
    ],
}];

/// Operations of the counterpart's account interface at addresses that this service has for others.
#[derive(Debug)]
pub(crate) struct Operations {
    /// The name that people use for them.
    pub(crate) name: &'static str,
    /// Each method with its address.
    pub(crate) at: &'static [(&'static str, &'static str)],
}

/// The name of this method at an address of the service, if the counterpart has it.
pub(crate) fn operation(method: &Method, path: &str) -> Option<&'static str> {
    let mut all = OPERATIONS.iter();
    let entry = all.find(|operations| {
        let mut at = operations.at.iter();
        at.any(|(known, address)| *known == method.as_str() && *address == path)
    });
    entry.map(|operations| operations.name)
}

const fn surface(name: &'static str, paths: &'static [&'static str]) -> Surface {
    Surface { name, paths }
}

/// The answer to a request for it.
pub(crate) fn refused(request: &HttpRequest, surface: &'static str) -> Problem {
    let (method, path) = (request.method(), request.uri().path());
    let state = request.app_data::<web::Data<AppState>>();
    let base = state.map(|state| Base::for_request(request.head(), state).to_string());
    let page = format!("{}{PAGE}", base.unwrap_or_default());
    let detail = format!(
        "{method} {path}: Switchboard does not offer {surface}; {page} lists what it does not offer"
    );
    let part = NotOffered {
        code: "NotOffered",
        surface,
        page: page.into(),
    };
    Problem::NotOffered { detail, part }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_lists_what_is_not_offered() {
        let path = format!("{}/..{PAGE}", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(path).unwrap();
        let rows: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("| ") && !line.starts_with("| Part |"))
            .collect();
        let row = |name: &str, places: Vec<String>| format!("| {name} | {} |", places.join(", "));
        let surfaces = SURFACES.iter().map(|surface| {
            let paths = surface.paths.iter().map(|path| format!("`{path}`"));
            row(surface.name, paths.collect())
        });
        let operations = OPERATIONS.iter().map(|operations| {
            let requests = operations.at.iter();
            let cells = requests.map(|(method, path)| format!("`{method} {path}`"));
            row(operations.name, cells.collect())
        });
        assert_eq!(rows, surfaces.chain(operations).collect::<Vec<_>>());
    }

    #[test]
    fn operations_that_are_not_offered_have_an_address() {
        for (method, path) in OPERATIONS.iter().flat_map(|operations| operations.at) {
            let mut addresses = crate::all_addresses();
            let address = addresses.find(|address| address.path == *path);
            let offered = &address.unwrap().operations;
            assert!(offered.iter().all(|(known, _)| known != method), "{path}");
        }
    }
}
