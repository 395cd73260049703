//! Refusals of a node that does not own the shared log.

use actix_web::HttpResponse;

use crate::chat;
use crate::node::NodeHandle;
use crate::precheck::ALWAYS;
use crate::reply::chat_error::ChatError;
use crate::reply::problem::Problem;
use crate::reply::refusal;
use crate::reply::unavailable::NOT_OWNER_RETRY;

/// Refuses a request that an owner must not answer behind its lease.
pub(crate) fn not_owner(path: &str, node: &NodeHandle) -> Option<HttpResponse> {
    (!node.answers() && !ALWAYS.contains(&path)).then(|| refused(path, node))
}

/// Refuses a request that only the owner of the log answers, in the form of the interface that was addressed.
pub(crate) fn refused(path: &str, node: &NodeHandle) -> HttpResponse {
    let status = node.status();
    let reason = match (&status.owner, &status.trouble) {
        (Some(owner), _) if owner.node != status.node => {
            format!("this node is a standby; {owner} owns the shared log")
        }
        (_, Some(trouble)) => format!("this node is a standby; {trouble}"),
        (_, None) => "the shared log does not confirm that this node owns it".to_owned(),
    };
    let why = format!("{reason}; retry after {} s", NOT_OWNER_RETRY.as_secs());
    let is_chat = chat::is_chat(path);
    refusal(
        is_chat,
        ChatError::NotOwner(why.clone()),
        Problem::NotOwner(why),
    )
}
