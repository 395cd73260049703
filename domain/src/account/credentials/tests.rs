use std::time::Duration;

use super::session::{SeeSession, csrf_token, is_csrf_token};
use super::sign_in::SignIn;
use super::sign_out::SignOut;
use super::token::{CreateToken, CreateTokenRejection, RevokeToken, RevokeTokenRejection};
use super::*;
use crate::audit::By;
use crate::id::{AccountId, UserId};
use crate::operator::token::MadeToken;
use switchboard_engine::state::{Command, Moment};

pub(super) const START: UnixMillis = UnixMillis::from_secs(1_700_000_000);

pub(super) fn nobody() -> Credentials {
    Credentials::initial(&Holder {
        account: AccountId::from_random([1; 16]),
        user: UserId(7),
    })
}

/// Decides and applies at this moment; the randomness is different in each.
pub(super) fn at<C: Command<Of = Credentials>>(
    state: &mut Credentials,
    now: UnixMillis,
    command: C,
) -> Result<C::Reply, C::Rejection> {
    let mut next = now.get();
    let mut random = || {
        next = next.wrapping_add(1);
        u128::from(next).to_be_bytes()
    };
    let mut moment = Moment {
        now,
        random: &mut random,
        earlier: &[],
    };
    let decision = command.decide(state, &mut moment)?;
    for recorded in &decision.events {
        // What is stored is what is applied.
        let json = serde_json::to_vec(&recorded.event).unwrap();
        state.index(&recorded.event, &mut IndexEntries::default());
        state.apply(&serde_json::from_slice(&json).unwrap());
    }
    Ok(decision.reply)
}

fn issue(expires_at: Option<UnixMillis>) -> CreateToken {
    CreateToken {
        by: By::Operator,
        name: "ci".parse().unwrap(),
        expires_at,
    }
}

fn begin(ended_before: u64) -> SignIn {
    SignIn {
        by: By::Operator,
        ended_before,
    }
}

fn later(seconds: u64) -> UnixMillis {
    START.plus(Duration::from_secs(seconds))
}

#[test]
fn a_token_is_stored_hashed_and_valid_until_expiry_or_revoked() {
    let mut state = nobody();
    let (token, made) = at(&mut state, START, issue(Some(later(60)))).unwrap();
    assert_eq!(token.hash, TokenHash::new(made.expose()));
    assert_eq!(made.expose().len(), 64);
    assert!(
        !serde_json::to_string(&state)
            .unwrap()
            .contains(made.expose())
    );
    assert!(!format!("{state:?} {made:?}").contains(made.expose()));
    assert!(!token.has_expired(later(59)));
    assert!(token.has_expired(later(60)));
    assert_eq!(
        at(&mut state, START, issue(Some(START))).unwrap_err(),
        CreateTokenRejection::Expired
    );
    let revoke = |token| RevokeToken {
        by: By::Operator,
        token,
    };
    assert_eq!(at(&mut state, START, revoke(token.id)), Ok(()));
    assert_eq!(
        at(&mut state, START, revoke(token.id)),
        Err(RevokeTokenRejection)
    );
    let (next, _) = at(&mut state, later(1), issue(None)).unwrap();
    assert_eq!(next.id, TokenId(2), "a number is never given again");
}

#[test]
fn expired_tokens_do_not_count_and_the_next_token_evicts_them() {
    let mut state = nobody();
    for second in 0..50 {
        at(&mut state, later(second), issue(Some(later(100)))).unwrap();
    }
    let rejection = at(&mut state, later(99), issue(None)).unwrap_err();
    assert_eq!(rejection, CreateTokenRejection::TooMany);
    at(&mut state, later(100), issue(None)).unwrap();
    assert_eq!(state.tokens.len(), 1);
}

#[test]
fn a_session_ends_when_idle_and_at_its_maximum_age() {
    let mut state = nobody();
    let new_session = at(&mut state, START, begin(0)).unwrap();
    let hash = TokenHash::new(new_session.expose());
    let session = |state: &Credentials| state.sessions[0].clone();
    assert!(!session(&state).has_expired(START.plus(SESSION_IDLE - Duration::from_secs(1))));
    assert!(session(&state).has_expired(START.plus(SESSION_IDLE)));
    // Used now and then, it goes on; that is written down seldom.
    at(&mut state, later(5), SeeSession(hash)).unwrap();
    assert_eq!(session(&state).seen_at, START);
    let mut now = START;
    while now < START.plus(SESSION_LIFE) {
        assert!(!session(&state).has_expired(now));
        at(&mut state, now, SeeSession(hash)).unwrap();
        now = now.plus(Duration::from_secs(3_600));
    }
    assert!(session(&state).has_expired(START.plus(SESSION_LIFE)));
}

/// The oldest session goes when there are too many, and all go when they are ended.
#[test]
fn too_many_sessions_evict_the_oldest_and_a_logout_ends_all() {
    let mut state = nobody();
    let first = at(&mut state, START, begin(0)).unwrap();
    for second in 1..=20 {
        at(&mut state, later(second), begin(0)).unwrap();
    }
    assert_eq!(state.sessions.len(), SESSIONS_MAX);
    let there = |state: &Credentials, made: &MadeToken| {
        let hash = TokenHash::new(made.expose());
        state.sessions.iter().any(|session| session.hash == hash)
    };
    assert!(!there(&state, &first));
    let other = at(&mut state, later(30), begin(1)).unwrap();
    assert_eq!(state.sessions.len(), 1);
    let end = SignOut {
        by: By::Operator,
        session: TokenHash::new(other.expose()),
    };
    at(&mut state, later(31), end.clone()).unwrap();
    at(&mut state, later(31), end).unwrap();
    assert!(state.sessions.is_empty());
}

#[test]
fn the_csrf_token_derives_from_the_cookie_and_differs_from_it() {
    let token = csrf_token("cookie");
    assert_ne!(token, "cookie");
    assert!(is_csrf_token("cookie", &token));
    for wrong in ["", "cookie", "0", &csrf_token("another")] {
        assert!(!is_csrf_token("cookie", wrong), "{wrong}");
    }
}
