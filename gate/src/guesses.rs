//! The counts of wrong guesses: signatures, tokens of the operator, secrets of OAuth clients.

mod lock_outs;

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use switchboard_actors::System;
use switchboard_actors::domain::account::throttle::{
    AuthAttempt, TOKENS_PER_ADDRESS, Throttle, ThrottleError,
};
use switchboard_actors::domain::audit::{By, Difference};
use switchboard_actors::domain::id::{ChannelId, OauthClientId};
use switchboard_actors::domain::installation::accounts::Account;
use switchboard_actors::domain::oauth::clients::OauthClient;
use switchboard_actors::domain::operator::note::Note;
use switchboard_actors::domain::signature::SharedSecret;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::oauth::RefreshTokenRejection;

use self::lock_outs::{LockOut, LockOuts};
use crate::request_id;

/// Counts them.
#[derive(Debug)]
pub struct Guesses {
    signatures: Mutex<Throttle>,
    tokens: Mutex<Throttle>,
    lock_outs: Mutex<LockOuts>,
}

impl Guesses {
    /// Nothing is counted yet.
    pub fn new(system: &System) -> Self {
        Self {
            signatures: Mutex::new(Throttle::of_signatures(system.random())),
            tokens: Mutex::new(Throttle::new(system.random())),
            lock_outs: Mutex::default(),
        }
    }

    /// Counts a wrong signature.
    ///
    /// # Errors
    /// When there were too many of them lately, for this channel from this address.
    pub fn wrong_signature(
        &self,
        system: &System,
        channel: &ChannelId,
        address: IpAddr,
    ) -> Result<(), ThrottleError> {
        let attempt = AuthAttempt::at_signature(channel, address);
        lock(&self.signatures)
            .attempt(&attempt, system.now())
            .map(drop)
    }

    /// Returns whether this is the operator's token. A wrong one is counted.
    ///
    /// # Errors
    /// When there were too many wrong ones lately from this address. Then a right one is refused as well, since
    /// accepting it would show that it is right.
    pub fn is_operator(
        &self,
        system: &System,
        address: IpAddr,
        token: &str,
    ) -> Result<bool, ThrottleError> {
        let attempt = AuthAttempt::at_the_operator(address);
        let attempts_left = lock(&self.tokens).attempt(&attempt, system.now())?;
        let right = system.is_operator(token);
        if right {
            lock(&self.tokens).forgive(&attempt, system.now());
        } else if attempts_left == 0 {
            tracing::warn!(
                request_id = request_id::current(),
                %address,
                "too many requests with invalid operator tokens from this address; further ones are refused for a while"
            );
            if let Some(entry) = lock(&self.lock_outs).another(system.now()) {
                enter(system, address, entry);
            }
        }
        Ok(right)
    }

    /// The OAuth client with this id and secret. A wrong secret is counted, and so is an id that no client has.
    ///
    /// # Errors
    /// When there were too many wrong ones lately, for this client from this address. Then a right one is refused as
    /// well.
    pub fn client(
        &self,
        system: &System,
        address: IpAddr,
        id: OauthClientId,
        secret: &SharedSecret,
    ) -> Result<Option<OauthClient>, ThrottleError> {
        let attempt = AuthAttempt::at_a_client(id, address);
        lock(&self.tokens).attempt(&attempt, system.now())?;
        let client = system
            .oauth_client(id)
            .filter(|client| client.secret == *secret);
        if client.is_some() {
            lock(&self.tokens).forgive(&attempt, system.now());
        }
        Ok(client)
    }

    /// The account of a refresh token. A wrong one is counted.
    ///
    /// # Errors
    /// When there were too many wrong ones lately from this address.
    pub async fn account_of_refresh_token(
        &self,
        system: &System,
        address: IpAddr,
        token: &str,
    ) -> Result<Result<Account, CommandError<RefreshTokenRejection>>, ThrottleError> {
        let attempt = AuthAttempt::at_a_refresh_token(address);
        lock(&self.tokens).attempt(&attempt, system.now())?;
        let account = system.account_of_refresh_token(token).await;
        if !matches!(account, Err(CommandError::Rejected(_))) {
            lock(&self.tokens).forgive(&attempt, system.now());
        }
        Ok(account)
    }

    /// Returns whether a token that belongs to no account user may be compared with other secrets, to name its kind.
    pub fn may_compare(&self, system: &System, address: IpAddr) -> bool {
        let attempt = AuthAttempt::at_a_token(address);
        lock(&self.tokens).attempt(&attempt, system.now()).is_ok()
    }
}

/// Enters a lock-out in the audit log. The guesser is not kept waiting for the disk.
fn enter(system: &System, address: IpAddr, entry: LockOut) {
    let mut changes = vec![difference("wrong_tokens", json!(TOKENS_PER_ADDRESS))];
    if entry.left_out > 0 {
        changes.push(difference("lock_outs_not_entered", json!(entry.left_out)));
    }
    let note = Note {
        by: By::Service,
        action: "operator.lock_out",
        object: address.to_string(),
        account: None,
        changes,
    };
    let system = system.clone();
    actix_web::rt::spawn(async move {
        if let Err(error) = system.note(note).await {
            tracing::warn!(%error, "a lock-out cannot be entered in the audit log");
        }
    });
}

fn difference(field: &str, value: Value) -> Difference {
    Difference {
        field: field.to_owned(),
        before: Value::Null,
        after: value,
    }
}

fn lock<T>(counted: &Mutex<T>) -> MutexGuard<'_, T> {
    counted.lock().unwrap_or_else(PoisonError::into_inner)
}
