//! Messages that come to a customer twice because the program was killed.
//!
//! Many messengers have no key against duplicates. A kill between a call and its answer leaves it unknown then whether the message
//! has arrived, and the program sends it again, for it must not lose it. Such a repeat is known from outside. It is the message that
//! was on its way at the kill, so no other one of its conversation lies between. And it is rare, for a call takes a moment.

use std::collections::BTreeMap;
use std::fmt;

/// A repeat that no lost answer explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RepeatError {
    /// A start repeats the message at once, long before the next kill: that one takes no answer of it.
    Often { text: String, times: usize },
    /// The program had gone on to the next message, so it had the answer.
    Behind(String),
    /// Kills at other moments did not take the answers of all these.
    Many(usize),
}

impl fmt::Display for RepeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Often { text, times } => write!(f, "«{text}» arrived {times} times"),
            Self::Behind(text) => write!(f, "«{text}» arrived again behind a later message"),
            Self::Many(repeats) => write!(
                f,
                "{repeats} messages arrived twice, which is at more than half of the kills"
            ),
        }
    }
}

/// Returns the number of messages that came twice, each of them as after a lost answer of the messenger. The texts are those of one
/// conversation, in the order in which they have arrived, and each is of another message.
///
/// # Errors
/// When one came twice in another way.
pub(crate) fn count_repeats(arrivals: &[&str], kills: usize) -> Result<usize, RepeatError> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, text) in arrivals.iter().enumerate() {
        places.entry(text).or_default().push(place);
    }
    let mut repeats = 0;
    for (text, places) in places {
        match places.as_slice() {
            [] | [_] => {}
            [first, second] if first + 1 == *second => repeats += 1,
            [_, _] => return Err(RepeatError::Behind(text.to_owned())),
            all => {
                return Err(RepeatError::Often {
                    text: text.to_owned(),
                    times: all.len(),
                });
            }
        }
    }
    if repeats * 2 > kills {
        return Err(RepeatError::Many(repeats));
    }
    Ok(repeats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_repeated_directly_behind_itself() {
        assert_eq!(count_repeats(&[], 10), Ok(0));
        assert_eq!(count_repeats(&["a", "b", "c"], 10), Ok(0));
        assert_eq!(count_repeats(&["a", "b", "b", "c", "d", "d"], 10), Ok(2));
    }

    #[test]
    fn a_message_that_comes_behind_another_one_was_answered() {
        let error = count_repeats(&["a", "b", "a", "c"], 10).unwrap_err();
        assert_eq!(error, RepeatError::Behind("a".to_owned()));
        // So are all of a batch.
        assert!(count_repeats(&["a", "b", "a", "b"], 10).is_err());
    }

    #[test]
    fn no_message_comes_three_times() {
        let error = count_repeats(&["a", "b", "b", "b"], 10).unwrap_err();
        assert_eq!(error.to_string(), "«b» arrived 3 times");
    }

    #[test]
    fn most_kills_do_not_hit_the_moment_of_a_call() {
        let pairs = ["a", "a", "b", "b", "c", "c"];
        assert_eq!(count_repeats(&pairs, 6), Ok(3));
        let error = count_repeats(&pairs, 5).unwrap_err();
        assert_eq!(error, RepeatError::Many(3));
    }
}
