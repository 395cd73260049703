//! Addresses: a path, its methods, and for each of them a handler and the description that stands beside it.

use actix_web::guard::{Any, Get, Head};
use actix_web::http::Method;
use actix_web::{HttpRequest, Route, web};

use crate::not_offered;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

/// A path with what can be done at it. GET stands for HEAD as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    /// The path, with `{names}` for its variable parts.
    pub(crate) path: &'static str,
    /// Each method with its description.
    pub(crate) operations: &'static [(&'static str, fn() -> Operation)],
}

/// Registers addresses.
pub(crate) type Routes = fn(&mut web::ServiceConfig);

/// Declares addresses: how they are registered, what the tests of who may ask go through and what the document describes
/// is one list, so that no address is without a description.
macro_rules! addresses {
    ($addresses:ident, $routes:ident: $($path:literal { $($method:ident $($module:ident)::+($handler:ident, $describe:ident)),+ $(,)? })+) => {
        /// The addresses of this table.
        pub(crate) const $addresses: &[$crate::address::Address] = &[$(
            $crate::address::Address {
                path: $path,
                operations: &[$((stringify!($method), $($module)::+::$describe)),+],
            }
        ),+];

        addresses! { $routes: $($path { $($method $($module)::+($handler)),+ })+ }
    };
    // A service that takes no requests answers at some of the addresses by itself: their descriptions stand in the table of
    // all addresses.
    ($routes:ident: $($path:literal { $($method:ident $($module:ident)::+($handler:ident)),+ $(,)? })+) => {
        /// Registers the addresses of this table.
        pub(crate) fn $routes(config: &mut actix_web::web::ServiceConfig) {
            use $crate::address::{allow, by, not_allowed};
            $(
                let methods = [$(stringify!($method)),+];
                let resource = actix_web::web::resource($path)$(.route(by(stringify!($method)).to($($module)::+::$handler)))+;
                config.service(resource.default_service(not_allowed($path, &allow(&methods))));
            )+
        }
    };
}

/// The route of one method; HEAD works where GET does.
pub(crate) fn by(method: &str) -> Route {
    match method {
        "GET" => web::route().guard(Any(Get()).or(Head())),
        // A word of a table of addresses is always a method.
        other => web::method(Method::from_bytes(other.as_bytes()).unwrap_or_default()),
    }
}

/// The methods as an `Allow` header names them.
pub(crate) fn allow(methods: &[&str]) -> String {
    methods.join(", ").replace("GET", "GET, HEAD")
}

/// The answer to other methods: those that the counterpart has are not offered, the others do not exist.
pub(crate) fn not_allowed(path: &'static str, allow: &str) -> Route {
    let allow = allow.to_owned();
    web::to(move |request: HttpRequest| {
        let allow = allow.clone();
        async move {
            Err::<String, Problem>(match not_offered::operation(request.method(), path) {
                Some(name) => not_offered::refused(&request, name),
                None => Problem::MethodNotAllowed { allow },
            })
        }
    })
}
