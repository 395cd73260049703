//! The newest requests of clients for tokens, for people who ask why a token was refused. In memory only.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use switchboard_actors::domain::id::{AccountId, OauthClientId};
use switchboard_actors::domain::oauth::grants::grant::UsedBy;
use switchboard_actors::domain::oauth::grants::rejection::GrantType;

/// The most requests kept of each client. Only those of known clients are kept, so their number is bounded too.
const PER_CLIENT: usize = 50;
/// The most requests with a wrong secret kept besides: anyone can send them, and they must not displace the others.
const UNPROVEN_PER_CLIENT: usize = 10;

/// A request for tokens.
#[derive(Clone, Debug)]
pub(crate) struct LoggedTokenRequest {
    /// The origin and the time of the request.
    pub(crate) by: UsedBy,
    /// The kind of the grant sent.
    pub(crate) grant_type: GrantType,
    /// The result.
    pub(crate) outcome: TokenOutcome,
}

/// The result of a request for tokens.
#[derive(Clone, Debug)]
pub(crate) enum TokenOutcome {
    /// Tokens for this account.
    Issued(AccountId),
    /// None, for this reason.
    Refused(String),
    /// None, because the secret of the client was wrong.
    WrongSecret,
}

/// A request with its number among those of its client since the start.
pub(crate) type Numbered = (u64, LoggedTokenRequest);

/// The requests of one client, oldest first.
#[derive(Debug, Default)]
struct OfClient {
    proven: VecDeque<Numbered>,
    unproven: VecDeque<Numbered>,
    /// The number of the next one.
    next: u64,
}

/// Keeps them.
#[derive(Debug, Default)]
pub(crate) struct TokenLog(Mutex<BTreeMap<OauthClientId, OfClient>>);

impl TokenLog {
    /// Keeps a request of a known client; the oldest one makes room.
    pub(crate) fn keep(&self, client: OauthClientId, request: LoggedTokenRequest) {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_client = clients.entry(client).or_default();
        let (requests, max) = match request.outcome {
            TokenOutcome::WrongSecret => (&mut of_client.unproven, UNPROVEN_PER_CLIENT),
            TokenOutcome::Issued(_) | TokenOutcome::Refused(_) => {
                (&mut of_client.proven, PER_CLIENT)
            }
        };
        if requests.len() >= max {
            requests.pop_front();
        }
        requests.push_back((of_client.next, request));
        of_client.next = of_client.next.saturating_add(1);
    }

    /// The requests of a client, newest first.
    pub(crate) fn requests_of(&self, client: OauthClientId) -> Vec<Numbered> {
        let clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_client = clients.get(&client).into_iter();
        let mut requests: Vec<_> = of_client
            .flat_map(|requests| requests.proven.iter().chain(&requests.unproven))
            .cloned()
            .collect();
        requests.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
        requests
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use switchboard_actors::domain::time::UnixMillis;

    use super::*;

    #[test]
    fn the_newest_requests_of_a_client_are_kept() {
        let log = TokenLog::default();
        let client = |byte| OauthClientId::from_random([byte; 16]);
        for (second, is_proven) in (0..60).flat_map(|it| [(it, true), (it, false)]) {
            let by = UsedBy {
                at: UnixMillis::from_secs(second),
                user_agent: None,
                address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            };
            let request = LoggedTokenRequest {
                by,
                grant_type: GrantType::Code,
                outcome: if is_proven {
                    TokenOutcome::Refused("used".to_owned())
                } else {
                    TokenOutcome::WrongSecret
                },
            };
            log.keep(client(1), request);
        }
        let requests = log.requests_of(client(1)).into_iter();
        let seconds: Vec<_> = requests.map(|(_, it)| it.by.at.secs()).collect();
        let both = (50..60).rev().flat_map(|second| [second, second]);
        let all: Vec<_> = both.chain((10..50).rev()).collect();
        assert_eq!(seconds, all);
        assert!(log.requests_of(client(2)).is_empty());
    }
}
