//! Users are recognised by tokens and sessions of which only the index knows whose they are, and the state of one account
//! decides, read with the first request: at once with what was answered before, whatever fails.

use std::net::{IpAddr, Ipv4Addr};

use futures_util::future::join_all;
use switchboard_actors::domain::account::credentials::token::CreateToken;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::account::user::Standing;
use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::account::users::fields::UserFields;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{AccountId, TokenId, UserId};
use switchboard_actors::domain::installation::accounts::create::CreateAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::credentials::{SignInRejection, SignInRequest, SignedIn};
use switchboard_actors::system::users::UserToAdd;
use switchboard_actors::{System, Threads};
use switchboard_worlds::{FaultyDisk, Setup, TestSystem, eventually};

use crate::images::PicturedDisk;

const PASSWORD: &str = "aBcde1@345";

pub(crate) async fn account(system: &System, name: &str) -> AccountId {
    let account = CreateAccount {
        by: By::Operator,
        id: None,
        settings: AccountSettings::new(name.parse().unwrap()),
    };
    system.create_account(account).await.unwrap().id
}

pub(crate) fn user(email: &str, password: Option<&str>) -> UserToAdd {
    UserToAdd {
        name: "Bo".parse().unwrap(),
        email: email.parse().unwrap(),
        lang: None,
        standing: Some(Standing::Free),
        group: Group::DEFAULT,
        password: password.map(|password| password.parse().unwrap()),
    }
}

async fn add(system: &System, account: AccountId, user: UserToAdd) -> Holder {
    let result = system.create_users(account, By::Operator, vec![user]).await;
    let user = result.unwrap()[0].id;
    Holder { account, user }
}

pub(crate) async fn issue(system: &System, holder: Holder) -> (TokenId, String) {
    let token = CreateToken {
        by: By::Operator,
        name: "ci".parse().unwrap(),
        expires_at: None,
    };
    let (token, made) = system.create_token(holder, token).await.unwrap();
    (token.id, made.expose().to_owned())
}

async fn of_token(system: &System, token: &str) -> Option<UserId> {
    let caller = system.caller(token).await.unwrap();
    caller.map(|caller| caller.user)
}

async fn has_session(system: &System, signed_in: &SignedIn) -> bool {
    let session = system.session(signed_in.secret.expose()).await;
    session.unwrap().is_some()
}

async fn switch(system: &System, holder: Holder, active: bool) {
    let users = vec![holder.user];
    let switched = system.activate_users(holder.account, By::Operator, users, active);
    switched.await.unwrap();
}

async fn sign_in(
    system: &System,
    email: &str,
    account: Option<AccountId>,
) -> Result<SignedIn, CommandError<SignInRejection>> {
    let request = SignInRequest {
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
        account,
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
    };
    system.sign_in(request).await
}

/// A fixed token is good while its user holds it and is active, in the same process and behind a restart.
#[actix::test]
async fn a_fixed_token_is_valid_while_its_user_holds_it_and_is_active() {
    let mut test = TestSystem::start().await;
    let account = TestSystem::account_id();
    let declare = |token: Option<&str>| DeclareUser {
        id: None,
        name: "Bo".parse().unwrap(),
        email: "bo@example.com".parse().unwrap(),
        is_admin: false,
        password: None,
        token: token.map(TokenHash::new),
    };
    let bo = test
        .declare_user(account, declare(Some("first")))
        .await
        .unwrap();
    let holder = Holder { account, user: bo };
    for restarts in [false, true] {
        let again = async |test: TestSystem| if restarts { test.restart().await } else { test };
        test = again(test).await;
        assert_eq!(of_token(&test, "first").await, Some(bo));
        test.declare_user(account, declare(Some("second")))
            .await
            .unwrap();
        test = again(test).await;
        let users = (
            of_token(&test, "first").await,
            of_token(&test, "second").await,
        );
        assert_eq!(users, (None, Some(bo)));
        for active in [false, true] {
            switch(&test, holder, active).await;
            test = again(test).await;
            assert_eq!(of_token(&test, "second").await.is_some(), active);
        }
        test.declare_user(account, declare(None)).await.unwrap();
        test = again(test).await;
        assert_eq!(of_token(&test, "second").await, None);
        test.declare_user(account, declare(Some("first")))
            .await
            .unwrap();
    }
    // Of two users with one token each keeps it when the other loses it.
    let mut other = declare(Some("first"));
    other.email = "cy@example.com".parse().unwrap();
    let cy = test.declare_user(account, other).await.unwrap();
    test.declare_user(account, declare(None)).await.unwrap();
    assert_eq!(of_token(&test, "first").await, Some(cy));
    let test = test.restart().await;
    assert_eq!(of_token(&test, "first").await, Some(cy));
    test.stop().await;
}

#[actix::test]
async fn issued_tokens_and_sessions_are_refused_at_once_when_they_end() {
    let test = TestSystem::start().await;
    let account = account(&test, "Other").await;
    let bo = add(&test, account, user("bo@example.com", Some(PASSWORD))).await;
    let (kept, token) = issue(&test, bo).await;
    let (revoked, other) = issue(&test, bo).await;
    let first = sign_in(&test, "BO@example.com", None).await.unwrap();
    let second = sign_in(&test, "bo@example.com", Some(account))
        .await
        .unwrap();
    let test = test.restart().await;
    assert_eq!(of_token(&test, &token).await, Some(bo.user));
    assert_eq!(of_token(&test, &other).await, Some(bo.user));
    test.revoke_token(bo, By::Operator, revoked).await.unwrap();
    assert_eq!(of_token(&test, &other).await, None);
    assert!(has_session(&test, &first).await && has_session(&test, &second).await);
    test.sign_out(&first.caller, first.secret.expose())
        .await
        .unwrap();
    assert!(!has_session(&test, &first).await && has_session(&test, &second).await);
    // A session is no bearer token, and a token no session.
    assert_eq!(of_token(&test, second.secret.expose()).await, None);
    assert!(test.session(&token).await.unwrap().is_none());
    let test = test.restart().await;
    assert_eq!(of_token(&test, &other).await, None);
    assert!(!has_session(&test, &first).await && has_session(&test, &second).await);
    switch(&test, bo, false).await;
    assert!(!has_session(&test, &second).await);
    assert_eq!(of_token(&test, &token).await, None);
    switch(&test, bo, true).await;
    assert!(
        !has_session(&test, &second).await,
        "who comes back signs in again"
    );
    assert_eq!(of_token(&test, &token).await, Some(bo.user));
    test.revoke_token(bo, By::Operator, kept).await.unwrap();
    let test = test.restart().await;
    assert_eq!(of_token(&test, &token).await, None);
    test.stop().await;
}

/// Without an account, an address signs in while exactly one active user of all accounts has it.
#[actix::test]
async fn an_address_signs_in_while_one_active_user_has_it() {
    let test = TestSystem::start().await;
    let (north, south) = (account(&test, "North").await, account(&test, "South").await);
    let bo = add(&test, north, user("Bo@example.com", Some(PASSWORD))).await;
    let person = sign_in(&test, "bo@EXAMPLE.com", None).await.unwrap();
    assert_eq!(person.caller.holder(), bo);
    let other = add(&test, south, user("bo@example.com", Some(PASSWORD))).await;
    let mut test = test;
    for _ in 0..2 {
        let refusal = sign_in(&test, "bo@example.com", None).await;
        assert!(matches!(
            refusal,
            Err(CommandError::Rejected(SignInRejection::Wrong))
        ));
        let person = sign_in(&test, "bo@example.com", Some(south)).await.unwrap();
        assert_eq!(person.caller.holder(), other);
        test = test.restart().await;
    }
    switch(&test, other, false).await;
    let person = sign_in(&test, "bo@example.com", None).await.unwrap();
    assert_eq!(person.caller.holder(), bo);
    switch(&test, other, true).await;
    let change = UserFields {
        email: Some("cy@example.com".parse().unwrap()),
        ..UserFields::default()
    };
    let result = test
        .update_user_of_account(south, By::Operator, other.user, change)
        .await;
    result.unwrap();
    let test = test.restart().await;
    for (email, holder) in [("bo@example.com", bo), ("cy@example.com", other)] {
        let person = sign_in(&test, email, None).await.unwrap();
        assert_eq!(person.caller.holder(), holder);
    }
    test.stop().await;
}

/// Requests that load an account while a token of it is revoked never accept the token behind the answer.
#[actix::test]
async fn a_revoked_token_is_refused_whatever_is_loaded_meanwhile() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let mut setup = Setup::default();
        setup.config.threads = threads;
        let mut test = setup.start().await;
        let account = account(&test, "Other").await;
        let bo = add(&test, account, user("bo@example.com", None)).await;
        for _ in 0..20 {
            let (id, token) = issue(&test, bo).await;
            // Nothing of the account is in memory now.
            test = test.restart().await;
            let readers = (0..8).map(|_| test.caller(&token));
            let revocation = test.revoke_token(bo, By::Operator, id);
            let (read, revoked) = futures_util::future::join(join_all(readers), revocation).await;
            assert!(read.iter().all(Result::is_ok));
            revoked.unwrap();
            assert_eq!(of_token(&test, &token).await, None);
        }
        test.stop().await;
    }
}

#[actix::test]
async fn tokens_survive_every_crash_and_revoked_ones_stay_so() {
    let disk = PicturedDisk::default();
    let test = Setup::on_disk(disk.clone()).start().await;
    let account = account(&test, "Other").await;
    let bo = add(&test, account, user("bo@example.com", None)).await;
    let (mut last, mut tokens) = (None, Vec::new());
    for _ in 0..4 {
        let (id, token) = issue(&test, bo).await;
        if let Some(id) = last.replace(id) {
            test.revoke_token(bo, By::Operator, id).await.unwrap();
        }
        tokens.push(token);
        for seed in 0..4 {
            let after = Setup::on_disk(disk.crash(seed)).start_bare().unwrap();
            let (good, revoked) = tokens.split_last().unwrap();
            assert_eq!(of_token(&after, good).await, Some(bo.user));
            for token in revoked {
                assert_eq!(of_token(&after, token).await, None);
            }
        }
    }
    test.stop().await;
}

/// A revocation that could not be stored never happened: the token stays valid.
#[actix::test]
async fn a_revocation_that_was_not_stored_leaves_the_token_valid() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let disk = FaultyDisk::new();
        let mut setup = Setup::on_disk(disk.clone());
        setup.config.threads = threads;
        let test = setup.start().await;
        let account = account(&test, "Other").await;
        let bo = add(&test, account, user("bo@example.com", None)).await;
        let (id, token) = issue(&test, bo).await;
        disk.refuse_writes(true);
        let revocation = test.revoke_token(bo, By::Operator, id).await;
        disk.refuse_writes(false);
        assert!(
            matches!(revocation, Err(CommandError::Unavailable(_))),
            "{revocation:?}"
        );
        assert_eq!(of_token(&test, &token).await, Some(bo.user));
        eventually(|| test.writable().is_ok()).await;
        test.revoke_token(bo, By::Operator, id).await.unwrap();
        assert_eq!(of_token(&test, &token).await, None);
        test.stop().await;
    }
}
