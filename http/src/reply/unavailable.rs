//! The texts for outsiders about what cannot be done now. Names of files are for the log.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use switchboard_actors::error::UnavailableError;
use switchboard_engine::store::ReadError;
use switchboard_gate::request_id;

/// The time after which a client may try again a node that does not own the shared log.
pub(crate) const NOT_OWNER_RETRY: Duration = Duration::from_secs(1);

/// The time for which the log does not repeat damage that it has reported: each further request meets the same damage.
const QUIET: Duration = Duration::from_secs(60);

static NAMED: Mutex<Option<(ReadError, Instant)>> = Mutex::new(None);

/// The text of an answer.
pub(crate) fn text(unavailable: &UnavailableError) -> String {
    match unavailable {
        UnavailableError::IndexDamaged(_) => format!(
            "a part of the index is damaged; no data is lost: the service rebuilds the index from the journal by itself, \
             at most once an hour; retry after {} s",
            unavailable.retry_after().as_secs()
        ),
        UnavailableError::Damaged(_) => {
            "stored data is damaged or cannot be read; the log of the service says where, and what to do".to_owned()
        }
        UnavailableError::Busy
        | UnavailableError::DiskFull
        | UnavailableError::Stopping
        | UnavailableError::Interrupted
        | UnavailableError::Unfit(_) => unavailable.to_string(),
    }
}

/// Names in the log what an answer leaves out.
pub(crate) fn log(unavailable: &UnavailableError) {
    if let UnavailableError::Damaged(error) | UnavailableError::IndexDamaged(error) = unavailable {
        let mut last_damage = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
        if is_new(&mut last_damage, error, Instant::now()) {
            tracing::error!(request_id = request_id::current(), %error, "a request met stored data that cannot be read");
        }
    }
}

fn is_new(named: &mut Option<(ReadError, Instant)>, error: &ReadError, now: Instant) -> bool {
    let is_repeated = named
        .as_ref()
        .is_some_and(|(last, at)| last == error && now.duration_since(*at) < QUIET);
    if !is_repeated {
        *named = Some((error.clone(), now));
    }
    !is_repeated
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;
    use actix_web::http::header::RETRY_AFTER;

    use super::*;
    use crate::reply::chat_error::ChatError;
    use crate::reply::problem::Problem;

    fn index() -> UnavailableError {
        UnavailableError::IndexDamaged(ReadError::Index {
            file: "rows-1".to_owned(),
            reason: "a checksum is wrong".to_owned(),
        })
    }

    fn journal(offset: u64) -> ReadError {
        ReadError::Damaged {
            file: "journal-1".to_owned(),
            offset,
            reason: "a checksum is wrong".to_owned(),
        }
    }

    #[test]
    fn answers_name_the_consequences_of_damage_but_no_file() {
        let damaged = UnavailableError::Damaged(journal(7));
        for (unavailable, says) in [
            (index(), "by itself, at most once an hour; retry after 10 s"),
            (damaged, "the log of the service says where"),
        ] {
            let seconds = unavailable.retry_after().as_secs().to_string();
            let detail = text(&unavailable);
            assert!(detail.contains(says), "{detail}");
            for internal in ["rows-1", "journal-1", "offset", "checksum", "next start"] {
                assert!(!detail.contains(internal), "{detail}");
            }
            let problem = Problem::from(unavailable.clone());
            assert_eq!(problem.to_string(), detail);
            for answer in [
                problem.error_response(),
                ChatError::from(unavailable).response(),
            ] {
                assert_eq!(answer.status(), 503);
                assert_eq!(answer.headers().get(RETRY_AFTER).unwrap(), seconds.as_str());
            }
        }
    }

    #[test]
    fn the_log_names_the_same_damage_once_a_minute() {
        let (mut named, now) = (None, Instant::now());
        assert!(is_new(&mut named, &journal(7), now));
        assert!(!is_new(&mut named, &journal(7), now));
        assert!(is_new(&mut named, &journal(9), now));
        assert!(is_new(&mut named, &journal(9), now + QUIET));
    }
}
