//! Orders as lines of a shell.

use crate::dev::worlds::order::OrderRequest;

pub(super) fn call(request: &OrderRequest) -> String {
    let (method, path) = (&request.method, quoted(&request.path));
    if request.body.is_null() {
        return format!("order {method} \"/$WORLD\"{path} ''");
    }
    let body = quoted(&request.body.to_string());
    format!("order {method} \"/$WORLD\"{path} {body}")
}

/// A word of a shell.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
