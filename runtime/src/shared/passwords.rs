//! Hashing passwords: slow on purpose, so never on a thread of actors, and few at once.
//!
//! Argon2id with 19 MiB, two passes and one lane: the first choice of the OWASP password storage cheat sheet, and the
//! default of the crate. One hash takes some 20 ms of one core; two at once are 38 MiB of memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::password_hash::{PasswordHash as Phc, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use crate::error::UnavailableError;
use switchboard_domain::account::password::{Password, PasswordHash};

/// The number of hashes that are computed at once.
const AT_ONCE: usize = 2;
/// The number of callers that may wait for their turn; further callers have to try again later.
const WAITING_MAX: usize = 128;
/// Memory in KiB, passes, lanes.
const COST: (u32, u32, u32) = (19 * 1_024, 2, 1);

/// The hash of no password, at the cost of new hashes: the time of a check does not reveal whether a user exists.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA\
                       $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Computes hashes of passwords and checks passwords against them.
pub struct Passwords {
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: AtomicUsize::new(0),
        }
    }
}

/// One who waits, until dropped.
struct Waiting<'p>(&'p Passwords);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Passwords {
    /// The hash of a password, salted with these random bytes.
    ///
    /// # Errors
    /// When too many wait already.
    pub async fn hash(
        &self,
        password: Password,
        salt: [u8; 16],
    ) -> Result<PasswordHash, UnavailableError> {
        self.in_turn(move || hash(&password, salt)).await?
    }

    /// Returns whether this is the password that the hash was made of. The comparison takes the same time either way.
    ///
    /// # Errors
    /// When too many wait already.
    pub async fn verify(
        &self,
        password: Password,
        hash: PasswordHash,
    ) -> Result<bool, UnavailableError> {
        self.in_turn(move || verify(&password, &hash)).await
    }

    /// Returns whether this text is the password that the hash was made of; takes the same time when there is no hash.
    ///
    /// # Errors
    /// When too many wait already.
    pub async fn check(
        &self,
        mut text: String,
        hash: Option<PasswordHash>,
    ) -> Result<bool, UnavailableError> {
        let possible = text.len() <= Password::BYTES_MAX;
        if !possible {
            text.clear();
        }
        let may_match = hash.is_some() && possible;
        let hash = hash.unwrap_or_else(|| PasswordHash::new(NOBODYS.to_owned()));
        self.in_turn(move || verify_text(&text, &hash) && may_match)
            .await
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, UnavailableError> {
        let waiting = Waiting(self);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING_MAX {
            return Err(UnavailableError::Busy);
        }
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        drop(waiting);
        // The work keeps its turn until it ends, even if the caller no longer waits for it.
        let computation = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(turn);
            result
        });
        computation
            .await
            .map_err(|_panic_or_stop| UnavailableError::Interrupted)
    }
}

fn argon2() -> Argon2<'static> {
    let (memory, passes, lanes) = COST;
    let params = Params::new(memory, passes, lanes, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &Password, salt: [u8; 16]) -> Result<PasswordHash, UnavailableError> {
    let unfit = |error: argon2::password_hash::Error| UnavailableError::Unfit(error.to_string());
    let salt = SaltString::encode_b64(&salt).map_err(unfit)?;
    let hash = argon2()
        .hash_password(password.expose().as_bytes(), &salt)
        .map_err(unfit)?;
    Ok(PasswordHash::new(hash.to_string()))
}

/// The parameters are those of the hash, whatever new ones are made with.
fn verify(password: &Password, hash: &PasswordHash) -> bool {
    verify_text(password.expose(), hash)
}

fn verify_text(text: &str, hash: &PasswordHash) -> bool {
    Phc::new(hash.phc()).is_ok_and(|hash| argon2().verify_password(text.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        text.parse().unwrap()
    }

    #[test]
    fn a_hash_names_its_parameters_and_verifies_the_password() {
        let stored_hash = hash(&password("Secr3tive"), [7; 16]).unwrap();
        assert!(
            stored_hash
                .phc()
                .starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{}",
            stored_hash.phc()
        );
        assert!(verify(&password("Secr3tive"), &stored_hash));
        assert!(!verify(&password("Secr3tivE"), &stored_hash));
        assert_ne!(hash(&password("Secr3tive"), [8; 16]).unwrap(), stored_hash);
        let nonsense = PasswordHash::new("nonsense".to_owned());
        assert!(!verify(&password("Secr3tive"), &nonsense));
    }

    /// A text is checked at full cost even if no user has it as a password.
    #[actix::test]
    async fn a_text_that_is_no_password_costs_a_full_check() {
        let passwords = Passwords::default();
        let stored_hash = hash(&password("Secr3tive"), [7; 16]).unwrap();
        let check = async |text: &str, hash: Option<&PasswordHash>| {
            let check_result = passwords.check(text.to_owned(), hash.cloned()).await;
            check_result.unwrap()
        };
        assert!(check("Secr3tive", Some(&stored_hash)).await);
        for wrong in ["", "x", "Secr3tive ", &"A1a".repeat(400)] {
            assert!(!check(wrong, Some(&stored_hash)).await);
            assert!(!check(wrong, None).await);
        }
        let nobodys = Phc::new(NOBODYS).unwrap();
        let cost = Params::try_from(&nobodys).unwrap();
        assert_eq!((cost.m_cost(), cost.t_cost(), cost.p_cost()), COST);
        assert_eq!(nobodys.hash.unwrap().len(), 32);
    }

    #[test]
    fn a_hash_with_older_parameters_still_verifies() {
        let params = Params::new(8, 1, 1, None).unwrap();
        let old = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let salt = SaltString::encode_b64(&[1; 16]).unwrap();
        let hash = old.hash_password(b"Secr3tive", &salt).unwrap().to_string();
        assert!(verify(&password("Secr3tive"), &PasswordHash::new(hash)));
    }

    #[actix::test]
    async fn a_password_check_beyond_the_queue_limit_is_busy() {
        let passwords = Passwords::default();
        let turns = passwords.turns.acquire_many(2).await.unwrap();
        passwords.waiting.store(WAITING_MAX, Ordering::Relaxed);
        let refusal = passwords.hash(password("Secr3tive"), [1; 16]).await;
        assert_eq!(refusal, Err(UnavailableError::Busy));
        assert_eq!(passwords.waiting.load(Ordering::Relaxed), WAITING_MAX);
        passwords.waiting.store(0, Ordering::Relaxed);
        drop(turns);
        let hash = passwords
            .hash(password("Secr3tive"), [1; 16])
            .await
            .unwrap();
        assert_eq!(
            passwords.verify(password("Secr3tive"), hash).await,
            Ok(true)
        );
    }
}
