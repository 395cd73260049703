use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use super::*;
use crate::account::users::TokenHash;
use crate::audit::By;
use crate::id::{TokenId, UserId};
use crate::oauth::grants::attempt_hook::AttemptHook;
use crate::oauth::grants::consent::Consent;
use crate::oauth::grants::exchange_code::ExchangeCode;
use crate::oauth::grants::grant::{CODE_LIFE, LONG_LIVED_MAX, PendingHook, REFRESH_LIFE, UsedBy};
use crate::oauth::grants::long_lived::{
    CreateLongLived, CreateLongLivedRejection, RevokeLongLived, RevokeLongLivedRejection,
};
use crate::oauth::grants::note_hook::NoteHook;
use crate::oauth::grants::refresh::Refresh;
use crate::oauth::grants::rejection::{GrantType, TokenRejection};
use crate::oauth::grants::revoke::{RevokeGrant, RevokeGrantRejection};
use crate::oauth::redirect::CodeChallenge;
use crate::oauth::scope::{OauthScope, OauthScopes};
use switchboard_engine::state::{Command, Moment};

const REDIRECT: &str = "https://e.com/cb";
const START: UnixMillis = UnixMillis::from_secs(1_000_000);

/// The grants of an account, with the time and randomness of a test.
struct Test {
    grants: Grants,
    now: UnixMillis,
    random: u8,
}

impl Test {
    fn new() -> Self {
        Self {
            grants: Grants::initial(&AccountId::from_random([1; 16])),
            now: START,
            random: 0,
        }
    }

    /// Decides and applies; a rejection changes nothing.
    fn run<C: Command<Of = Grants>>(&mut self, command: C) -> Result<C::Reply, C::Rejection> {
        let number = &mut self.random;
        let mut random = || {
            *number = number.wrapping_add(1);
            [*number; 16]
        };
        let mut moment = Moment {
            now: self.now,
            random: &mut random,
            earlier: &[],
        };
        let decision = command.decide(&self.grants, &mut moment)?;
        for recorded in &decision.events {
            let event = serde_json::to_string(&recorded.event).unwrap();
            self.grants.apply(&serde_json::from_str(&event).unwrap());
        }
        let json = serde_json::to_string(&self.grants).unwrap();
        assert_eq!(serde_json::from_str::<Grants>(&json).unwrap(), self.grants);
        Ok(decision.reply)
    }

    fn consent(&mut self, client: u8, challenge: Option<CodeChallenge>) -> TokenHash {
        let consent = Consent {
            by: By::Operator,
            user: UserId(7),
            client: id(client),
            redirect_uri: REDIRECT.parse().unwrap(),
            challenge,
            scopes: OauthScopes::all(),
        };
        let decision = self.run(consent).unwrap();
        let json = serde_json::to_string(&self.grants).unwrap();
        assert!(!json.contains(decision.expose()), "only the hash is kept");
        TokenHash::new(decision.expose())
    }

    fn exchange(&mut self, client: u8, code: TokenHash) -> Result<TokenHash, TokenRejection> {
        self.exchange_with(client, code, REDIRECT, None)
    }

    fn exchange_with(
        &mut self,
        client: u8,
        code: TokenHash,
        redirect_uri: &str,
        verifier: Option<&str>,
    ) -> Result<TokenHash, TokenRejection> {
        let exchange = ExchangeCode {
            client: id(client),
            code,
            redirect_uri: redirect_uri.to_owned(),
            verifier: verifier.map(|text| text.parse().unwrap()),
            by: by(self.now, "exchange"),
        };
        let issued = self.run(exchange)?;
        assert_eq!(issued.user, UserId(7));
        Ok(TokenHash::new(issued.refresh_token.expose()))
    }

    fn refresh(&mut self, client: u8, token: TokenHash) -> Result<TokenHash, TokenRejection> {
        let refresh = Refresh {
            client: id(client),
            token,
            by: by(self.now, "refresh"),
        };
        let issued = self.run(refresh)?;
        Ok(TokenHash::new(issued.refresh_token.expose()))
    }

    fn revoke(&mut self, client: u8) -> Result<(), RevokeGrantRejection> {
        self.run(RevokeGrant {
            by: By::Operator,
            client: id(client),
            has_hook: true,
        })
    }
}

fn id(byte: u8) -> OauthClientId {
    OauthClientId::from_random([byte; 16])
}

fn by(at: UnixMillis, agent: &str) -> UsedBy {
    UsedBy {
        at,
        user_agent: Some(agent.parse().unwrap()),
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
    }
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_code_is_exchanged_once_and_the_refusal_names_the_first() {
    let mut test = Test::new();
    let code = test.consent(1, None);
    assert!(test.exchange(1, code).is_ok());
    let first_use = by(test.now, "exchange");
    test.now = test.now.plus(SECOND);
    let again = test.exchange(1, code).unwrap_err();
    assert_eq!(again, TokenRejection::Used(GrantType::Code, first_use));
    assert_eq!(
        again.to_string(),
        "This authorization code was used at 1970-01-12T13:46:40Z by exchange from 127.0.0.1. \
         A code is valid once; use the refresh token of that response."
    );
}

#[test]
fn a_refresh_token_is_used_once_and_the_next_one_goes_on() {
    let mut test = Test::new();
    let code = test.consent(1, None);
    let first = test.exchange(1, code).unwrap();
    let second = test.refresh(1, first).unwrap();
    let rejection = test.refresh(1, first).unwrap_err();
    assert_eq!(
        rejection,
        TokenRejection::Used(GrantType::RefreshToken, by(test.now, "refresh"))
    );
    assert!(
        rejection.to_string().contains("If two processes refresh"),
        "{rejection}"
    );
    assert!(
        test.refresh(1, second).is_ok(),
        "a refused request ends nothing"
    );
}

#[test]
fn a_code_lives_20_minutes_and_a_refresh_token_90_days() {
    let mut test = Test::new();
    let (early, late) = (test.consent(1, None), test.consent(1, None));
    test.now = START.plus(CODE_LIFE.saturating_sub(SECOND));
    let early = test.exchange(1, early).unwrap();
    let issued = test.now;
    test.now = START.plus(CODE_LIFE);
    let rejection = TokenRejection::Expired(GrantType::Code, test.now);
    assert_eq!(test.exchange(1, late), Err(rejection));
    test.now = issued.plus(REFRESH_LIFE.saturating_sub(SECOND));
    let next = test.refresh(1, early).unwrap();
    test.now = test.now.plus(REFRESH_LIFE);
    let rejection = TokenRejection::Expired(GrantType::RefreshToken, test.now);
    assert_eq!(test.refresh(1, next), Err(rejection));
}

#[test]
fn a_wrong_redirect_or_verifier_leaves_the_code_valid() {
    let verifier = "v".repeat(43);
    let challenge = CodeChallenge::Plain(verifier.parse().unwrap());
    let mut test = Test::new();
    let code = test.consent(1, Some(challenge));
    for wrong in ["", "https://e.com/cb/", "https://E.com/cb"] {
        let result = test.exchange_with(1, code, wrong, Some(&verifier));
        let registered = REDIRECT.to_owned();
        let other = wrong.to_owned();
        assert_eq!(
            result,
            Err(TokenRejection::OtherRedirect {
                given: other,
                expected: registered
            })
        );
    }
    let result = test.exchange_with(1, code, REDIRECT, None);
    assert_eq!(result, Err(TokenRejection::NoVerifier));
    let result = test.exchange_with(1, code, REDIRECT, Some(&"w".repeat(43)));
    assert_eq!(result, Err(TokenRejection::OtherVerifier));
    assert!(
        test.exchange_with(1, code, REDIRECT, Some(&verifier))
            .is_ok()
    );
    let code = test.consent(1, None);
    let result = test.exchange_with(1, code, REDIRECT, Some(&verifier));
    assert_eq!(result, Err(TokenRejection::UnexpectedVerifier));
    assert!(test.exchange(1, code).is_ok());
}

#[test]
fn what_another_client_or_grant_type_needs_is_named() {
    let mut test = Test::new();
    let code = test.consent(1, None);
    let other = test.consent(2, None);
    let (sent, token) = (GrantType::Code, GrantType::RefreshToken);
    assert_eq!(
        test.exchange(2, code),
        Err(TokenRejection::OtherClient(sent))
    );
    assert_eq!(
        test.refresh(1, code),
        Err(TokenRejection::OtherGrantType(token))
    );
    let refresh = test.exchange(1, code).unwrap();
    assert_eq!(
        test.exchange(1, refresh),
        Err(TokenRejection::OtherGrantType(sent))
    );
    assert_eq!(
        test.refresh(2, refresh),
        Err(TokenRejection::OtherClient(token))
    );
    let made_up = TokenHash::new("made up");
    assert_eq!(
        test.exchange(1, made_up),
        Err(TokenRejection::Unknown(sent))
    );
    assert_eq!(
        test.refresh(3, made_up),
        Err(TokenRejection::Unknown(token))
    );
    assert!(test.refresh(1, refresh).is_ok());
    assert!(test.exchange(2, other).is_ok());
}

#[test]
fn uninstalling_ends_everything_and_a_later_consent_begins_anew() {
    let mut test = Test::new();
    let code = test.consent(1, None);
    let refresh = test.exchange(1, code).unwrap();
    let unused = test.consent(1, None);
    assert_eq!(test.grants.get(id(1)).unwrap().number, GrantNumber(1));
    test.now = test.now.plus(SECOND);
    assert_eq!(test.revoke(1), Ok(()));
    assert_eq!(test.revoke(1), Err(RevokeGrantRejection));
    let rejection = TokenRejection::Uninstalled(test.now);
    assert_eq!(test.refresh(1, refresh), Err(rejection.clone()));
    assert_eq!(test.exchange(1, unused), Err(rejection));
    let hook = PendingHook {
        client: id(1),
        grant: GrantNumber(1),
        at: test.now,
    };
    assert_eq!(test.grants.hooks().count(), 1);
    let state = |test: &Test| {
        let waiting = test.grants.waiting(&hook).unwrap();
        (waiting.attempts, waiting.interrupted, waiting.due)
    };
    assert_eq!(state(&test), (0, 0, test.now));
    // An attempt counts as interrupted until it has a result.
    for attempt in 1..=2 {
        test.run(AttemptHook::Begins(hook.clone(), SECOND)).unwrap();
        assert_eq!(state(&test), (attempt, attempt, test.now.plus(SECOND)));
    }
    test.run(AttemptHook::Failed(hook.clone())).unwrap();
    assert_eq!(state(&test), (2, 0, test.now.plus(SECOND)));
    let note = NoteHook {
        hook,
        outcome: "200".to_owned(),
    };
    test.run(note.clone()).unwrap();
    test.run(note).unwrap();
    assert_eq!(test.grants.hooks().count(), 0);
    let code = test.consent(1, None);
    assert_eq!(test.grants.get(id(1)).unwrap().number, GrantNumber(2));
    assert!(test.exchange(1, code).is_ok());
    assert_eq!(
        test.refresh(1, refresh),
        Err(TokenRejection::Unknown(GrantType::RefreshToken))
    );
}

#[test]
fn lists_of_a_grant_are_bounded() {
    let mut test = Test::new();
    let code = test.consent(1, None);
    let mut token = test.exchange(1, code).unwrap();
    let code = test.consent(1, None);
    let unused = test.exchange(1, code).unwrap();
    for _ in 0..60 {
        test.consent(1, None);
        token = test.refresh(1, token).unwrap();
    }
    let grant = test.grants.get(id(1)).unwrap();
    assert_eq!((grant.codes.len(), grant.refresh_tokens.len()), (20, 50));
    assert!(test.refresh(1, unused).is_ok(), "used ones leave first");
    for client in 0..u8::MAX {
        test.consent(client, None);
        test.revoke(client).unwrap();
    }
    assert_eq!(test.grants.hooks().count(), HOOKS_MAX);
}

#[test]
fn long_lived_tokens_are_counted_and_revoked() {
    let mut test = Test::new();
    let create = CreateLongLived {
        by: By::Operator,
        user: UserId(7),
        client: id(1),
        name: "report".parse().unwrap(),
        expires_at: START.plus(SECOND),
        asked: OauthScopes::all(),
    };
    for number in 1..=20 {
        let created = test.run(create.clone()).unwrap();
        assert_eq!(created.grant, GrantNumber(1));
        assert_eq!(created.token.id, TokenId(number));
        assert_eq!(created.scopes, OauthScopes::all());
    }
    assert_eq!(LONG_LIVED_MAX, 20);
    assert_eq!(test.run(create.clone()), Err(CreateLongLivedRejection));
    let revoke = RevokeLongLived {
        by: By::Operator,
        client: id(1),
        token: TokenId(20),
    };
    assert_eq!(test.run(revoke.clone()), Ok(()));
    assert_eq!(test.run(revoke), Err(RevokeLongLivedRejection));
    let created = test.run(create.clone()).unwrap();
    assert_eq!(created.token.id, TokenId(21), "no number is given again");
    test.now = test.now.plus(SECOND);
    test.run(create).unwrap();
    assert_eq!(test.grants.get(id(1)).unwrap().long_lived.len(), 1);
}

#[test]
fn tokens_have_the_scopes_of_the_last_consent() {
    let mut test = Test::new();
    let code = test.consent(1, None);
    let token = test.exchange(1, code).unwrap();
    let list: OauthScopes = [OauthScope::ListExternalMessages].into_iter().collect();
    let consent = Consent {
        by: By::Operator,
        user: UserId(7),
        client: id(1),
        redirect_uri: REDIRECT.parse().unwrap(),
        challenge: None,
        scopes: list.clone(),
    };
    test.run(consent).unwrap();
    let refresh = Refresh {
        client: id(1),
        token,
        by: by(test.now, "refresh"),
    };
    assert_eq!(test.run(refresh).unwrap().scopes, list);
    // Who creates a token of an installed client does not grant it more.
    let create = CreateLongLived {
        by: By::Operator,
        user: UserId(7),
        client: id(1),
        name: "report".parse().unwrap(),
        expires_at: START.plus(SECOND),
        asked: OauthScopes::all(),
    };
    assert_eq!(test.run(create).unwrap().scopes, list);
    assert_eq!(test.grants.get(id(1)).unwrap().scopes, list);
}
