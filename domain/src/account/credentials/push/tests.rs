use super::*;
use crate::account::credentials::sign_in::SignIn;
use crate::account::credentials::sign_out::SignOut;
use crate::account::credentials::tests::{START, at, nobody};
use crate::operator::token::MadeToken;

fn later(seconds: u64) -> UnixMillis {
    START.plus(Duration::from_secs(seconds))
}

fn sign_in(state: &mut Credentials, now: UnixMillis, ended_before: u64) -> TokenHash {
    let by = By::Operator;
    let token: MadeToken = at(state, now, SignIn { by, ended_before }).unwrap();
    TokenHash::new(token.expose())
}

fn subscribe(session: TokenHash, browser: &str) -> CreatePush {
    CreatePush {
        by: By::Operator,
        endpoint: format!("https://push.example/{browser}").parse().unwrap(),
        keys: PushKeys {
            p256dh: "public".to_owned(),
            auth: "secret".to_owned(),
        },
        session,
    }
}

fn ids(state: &Credentials) -> Vec<u64> {
    state.pushes.iter().map(|push| push.id.0).collect()
}

#[test]
fn an_endpoint_is_an_address_of_https_that_no_log_shows() {
    let endpoint: PushEndpoint = "https://push.example:8443/s3cret?k=s3cret".parse().unwrap();
    assert_eq!(format!("{endpoint:?}"), "PushEndpoint(\"push.example\")");
    assert_eq!(endpoint.origin(), "https://push.example:8443");
    let long = format!("https://push.example/{}", "x".repeat(1_100));
    for (text, help) in [
        ("http://push.example/x", "begins with https://"),
        ("push.example", "absolute address"),
        ("https://u:p@push.example/", "before the @"),
        ("https://push.example:25/", "another port"),
        (&long, "at most 1024 bytes"),
    ] {
        let error = text.parse::<PushEndpoint>().unwrap_err().to_string();
        assert!(error.contains(help), "{text}: {error}");
    }
}

#[test]
fn a_browser_has_one_subscription_and_an_eleventh_ends_one() {
    let mut state = nobody();
    let session = sign_in(&mut state, START, 0);
    let first = at(&mut state, later(1), subscribe(session, "0")).unwrap();
    let again = at(&mut state, later(2), subscribe(session, "0")).unwrap();
    assert_eq!(again, first, "the same again changes nothing");
    for browser in 1..10 {
        at(
            &mut state,
            later(3),
            subscribe(session, &browser.to_string()),
        )
        .unwrap();
    }
    assert_eq!(ids(&state), (1..=10).collect::<Vec<_>>());
    at(&mut state, later(4), subscribe(session, "11")).unwrap();
    assert_eq!(ids(&state), (2..=11).collect::<Vec<_>>());
    // Other keys of the same browser take the place of the old ones, and no number is given again.
    let mut renewed = subscribe(session, "5");
    renewed.keys.auth = "another".to_owned();
    at(&mut state, later(5), renewed).unwrap();
    assert_eq!(ids(&state), [2, 3, 4, 5, 7, 8, 9, 10, 11, 12]);
    let text = format!("{state:?}");
    assert!(
        !text.contains("another") && !text.contains("push.example/"),
        "{text}"
    );
}

#[test]
fn a_sign_out_ends_the_subscriptions_of_its_session_alone() {
    let mut state = nobody();
    let (phone, desk) = (
        sign_in(&mut state, START, 0),
        sign_in(&mut state, later(1), 0),
    );
    at(&mut state, later(2), subscribe(phone, "phone")).unwrap();
    at(&mut state, later(2), subscribe(desk, "desk")).unwrap();
    let end = SignOut {
        by: By::Operator,
        session: phone,
    };
    at(&mut state, later(3), end).unwrap();
    assert_eq!(ids(&state), [2]);
    let rejection = at(&mut state, later(4), subscribe(phone, "phone")).unwrap_err();
    assert_eq!(rejection, CreatePushRejection);
    // The next session of the browser takes the subscription over.
    let next = sign_in(&mut state, later(5), 0);
    at(&mut state, later(6), subscribe(next, "desk")).unwrap();
    assert_eq!(state.pushes.len(), 1);
    assert_eq!(state.pushes[0].session, next);
}

#[test]
fn a_collective_sign_out_and_age_end_subscriptions() {
    let mut state = nobody();
    let session = sign_in(&mut state, START, 0);
    at(&mut state, START, subscribe(session, "a")).unwrap();
    let push = state.pushes[0].clone();
    assert!(!push.has_expired(START.plus(PUSH_LIFE - Duration::from_secs(1))));
    assert!(push.has_expired(START.plus(PUSH_LIFE)));
    // A sign-in elsewhere leaves it, until all sessions were ended.
    sign_in(&mut state, later(60), 0);
    assert_eq!(ids(&state), [1]);
    sign_in(&mut state, later(120), 1);
    assert!(state.pushes.is_empty());
}

#[test]
fn a_subscription_is_deleted_once() {
    let mut state = nobody();
    let session = sign_in(&mut state, START, 0);
    let push = at(&mut state, START, subscribe(session, "a")).unwrap().id;
    let delete = DeletePush {
        by: By::Service,
        push,
    };
    assert_eq!(at(&mut state, later(1), delete.clone()), Ok(()));
    assert_eq!(at(&mut state, later(2), delete), Err(DeletePushRejection));
}
