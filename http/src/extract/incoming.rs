//! A request, whether the server hands it over or the router does.

use actix_http::{Request, RequestHead};
use actix_web::HttpRequest;

/// A request with its connection.
pub trait Incoming {
    /// The request line, the headers and the peer.
    fn head(&self) -> &RequestHead;

    /// The data kept for the connection.
    fn of_connection<T: 'static>(&self) -> Option<&T>;
}

impl Incoming for Request {
    fn head(&self) -> &RequestHead {
        Self::head(self)
    }

    fn of_connection<T: 'static>(&self) -> Option<&T> {
        self.conn_data()
    }
}

impl Incoming for HttpRequest {
    fn head(&self) -> &RequestHead {
        Self::head(self)
    }

    fn of_connection<T: 'static>(&self) -> Option<&T> {
        self.conn_data()
    }
}
