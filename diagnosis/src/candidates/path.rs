//! Another path was signed than was asked for.

use crate::candidates::key::Ids;
use switchboard_domain::signature::request::Presented;
use switchboard_domain::vendor::CHAT_HOSTS;

/// The prefix of the interface's paths.
const PREFIX: &str = "/v2/origin/custom";

/// The path in the forms in which it is signed by mistake.
pub(super) fn forms(path: &str) -> Vec<String> {
    let mut forms = vec![
        format!("{path}/"),
        path.trim_start_matches('/').to_owned(),
        path.trim_end_matches('/').to_owned(),
    ];
    if let Some(tail) = path.strip_prefix(PREFIX) {
        forms.push(tail.to_owned());
        forms.push(tail.trim_start_matches('/').to_owned());
        forms.push(format!("/origin/custom{tail}"));
        forms.push(format!("origin/custom{tail}"));
    }
    forms.retain(|form| form != path);
    forms
}

/// The paths of other operations on the same channel or scope.
pub(super) fn others(presented: &Presented<'_>) -> Vec<String> {
    let ids = Ids::from_request(presented);
    let mut others = Vec::new();
    if let Some(channel) = ids.channel {
        others.push(format!("{PREFIX}/{channel}/connect"));
        others.push(format!("{PREFIX}/{channel}/disconnect"));
    }
    if let Some(scope) = ids.scope {
        others.push(format!("{PREFIX}/{scope}"));
        let tails = ["chats", "typing", "react"];
        others.extend(tails.map(|tail| format!("{PREFIX}/{scope}/{tail}")));
    }
    others.retain(|other| other != presented.path);
    others
}

/// The address of the request in the forms in which it is signed by mistake.
pub(super) fn addresses(presented: &Presented<'_>) -> Vec<String> {
    let tails = [
        Some(String::new()),
        presented.query.map(|query| format!("?{query}")),
    ];
    let hosts = presented.host.into_iter().chain(CHAT_HOSTS);
    let mut addresses = Vec::new();
    for host in hosts {
        for scheme in ["https://", "http://", ""] {
            for tail in tails.iter().flatten() {
                addresses.push(format!("{scheme}{host}{}{tail}", presented.path));
            }
        }
    }
    addresses
}
