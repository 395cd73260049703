//! The newest requests of clients for tokens, for people who ask why a token was refused. In memory only.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use switchboard_actors::domain::id::{AccountId, OauthClientId};
use switchboard_actors::domain::oauth::grants::grant::UsedBy;
use switchboard_actors::domain::oauth::grants::rejection::GrantType;

/// How many requests of each client are kept. Only requests of known clients are, so their number is bounded too.
const PER_CLIENT: usize = 50;
/// How many of those are kept besides whose secret was wrong: anyone can send them, and they must not displace the others.
const UNPROVEN_PER_CLIENT: usize = 10;

/// A request for tokens.
#[derive(Clone, Debug)]
pub(crate) struct LoggedTokenRequest {
    /// Who asked, and when.
    pub(crate) by: UsedBy,
    /// What was sent.
    pub(crate) grant_type: GrantType,
    /// What came of it.
    pub(crate) outcome: TokenOutcome,
}

/// What came of a request for tokens.
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
        let known = clients.entry(client).or_default();
        let (requests, max) = match request.outcome {
            TokenOutcome::WrongSecret => (&mut known.unproven, UNPROVEN_PER_CLIENT),
            TokenOutcome::Issued(_) | TokenOutcome::Refused(_) => (&mut known.proven, PER_CLIENT),
        };
        if requests.len() >= max {
            requests.pop_front();
        }
        requests.push_back((known.next, request));
        known.next = known.next.saturating_add(1);
    }

    /// The requests of a client, newest first.
    pub(crate) fn of(&self, client: OauthClientId) -> Vec<Numbered> {
        let clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = clients.get(&client).into_iter();
        let requests = known.flat_map(|known| known.proven.iter().chain(&known.unproven));
        let mut requests: Vec<_> = requests.cloned().collect();
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
        let kept = log.of(client(1)).into_iter();
        let kept: Vec<_> = kept.map(|(_, it)| it.by.at.secs()).collect();
        let expected = (50..60).rev().flat_map(|second| [second, second]);
        let expected = expected.chain((10..50).rev());
        assert_eq!(kept, expected.collect::<Vec<_>>());
        assert!(log.of(client(2)).is_empty());
    }
}
