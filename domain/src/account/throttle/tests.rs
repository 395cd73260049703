//! Tests of admitted and of throttled attempts.

use super::*;

const START: UnixMillis = UnixMillis::from_secs(1_700_000_000);

fn from(name: &str, address: &str) -> AuthAttempt {
    AuthAttempt::new(name, address.parse().unwrap())
}

/// The eleventh wrong attempt for a name waits for the end of the window.
#[test]
fn the_eleventh_wrong_login_of_a_name_waits_for_the_window() {
    let mut throttle = Throttle::new([1; 16]);
    let here = from("ada", "192.0.2.1");
    for left in (0..PER_NAME).rev() {
        assert_eq!(throttle.attempt(&here, START), Ok(left));
    }
    let minute = START.plus(Duration::from_secs(60));
    let refusal = throttle.attempt(&here, minute).unwrap_err();
    assert_eq!(refusal, ThrottleError(Duration::from_secs(14 * 60)));
    throttle.attempt(&from("bo", "192.0.2.1"), minute).unwrap();
    throttle.attempt(&here, START.plus(WINDOW)).unwrap();
}

#[test]
fn guesses_from_elsewhere_do_not_lock_the_owner_out() {
    let mut throttle = Throttle::new([1; 16]);
    let guesser = from("ada", "203.0.113.9");
    while throttle.attempt(&guesser, START).is_ok() {}
    throttle.attempt(&from("ada", "192.0.2.1"), START).unwrap();
}

/// Guesses from many networks are limited, and keep no user out of the networks where they are known.
#[test]
fn guesses_from_many_networks_are_limited_but_known_ones_pass() {
    let mut throttle = Throttle::new([1; 16]);
    let home = from("ada", "192.0.2.1");
    throttle.attempt(&home, START).unwrap();
    throttle.forgive(&home, START);
    throttle.welcome(&home);
    let attempts = (0..1_000_u16)
        .filter(|at| {
            let [high, low] = at.to_be_bytes();
            let guesser = from("ada", &format!("10.0.{high}.{low}"));
            throttle.attempt(&guesser, START).is_ok()
        })
        .count();
    assert_eq!(attempts, usize::from(FROM_EVERYWHERE));
    for _ in 0..PER_NAME {
        throttle.attempt(&home, START).unwrap();
    }
    // A known network has no more attempts than any other.
    assert!(throttle.attempt(&home, START).is_err());
    assert!(throttle.attempt(&from("ada", "192.0.2.2"), START).is_err());
    throttle.attempt(&from("bo", "192.0.2.2"), START).unwrap();
}

#[test]
fn wrong_tokens_are_counted_by_address() {
    let mut throttle = Throttle::new([1; 16]);
    let at = |address: &str| AuthAttempt::at_the_operator(address.parse().unwrap());
    for left in (0..TOKENS_PER_ADDRESS).rev() {
        assert_eq!(throttle.attempt(&at("192.0.2.1"), START), Ok(left));
    }
    assert!(throttle.attempt(&at("192.0.2.1"), START).is_err());
    throttle.attempt(&at("192.0.2.2"), START).unwrap();
    let other = AuthAttempt::at_a_token("192.0.2.1".parse().unwrap());
    throttle.attempt(&other, START).unwrap();
}

#[test]
fn successful_attempts_do_not_count() {
    let mut throttle = Throttle::new([1; 16]);
    let attempt = from("ada", "192.0.2.1");
    for _ in 0..1_000 {
        throttle.attempt(&attempt, START).unwrap();
        throttle.forgive(&attempt, START);
    }
}

/// One address cannot try many names, and many names lock no other address out.
#[test]
fn one_address_tries_few_names_and_locks_no_other_out() {
    let mut throttle = Throttle::new([1; 16]);
    let attempts = (0..1_000)
        .take_while(|name| {
            let attempt = from(&format!("name-{name}"), "2001:db8::1");
            throttle.attempt(&attempt, START).is_ok()
        })
        .count();
    assert_eq!(attempts, usize::from(PER_ADDRESS));
    // The rest of an IPv6 address is the guesser's to choose.
    let same = throttle.attempt(&from("x", "2001:db8::2:3:4:5"), START);
    assert!(same.is_err());
    throttle
        .attempt(&from("x", "2001:db8:0:1::1"), START)
        .unwrap();
    throttle
        .attempt(&from("name-1", "192.0.2.1"), START)
        .unwrap();
}

#[test]
fn wrong_signatures_count_by_channel_and_address_for_a_minute() {
    let mut throttle = Throttle::of_signatures([1; 16]);
    let at = |channel: &str, address: &str| {
        AuthAttempt::at_signature(&channel.parse().unwrap(), address.parse().unwrap())
    };
    for _ in 0..SIGNATURES_PER_CHANNEL {
        throttle.attempt(&at("a", "192.0.2.1"), START).unwrap();
    }
    let refusal = throttle.attempt(&at("a", "192.0.2.1"), START);
    assert_eq!(refusal, Err(ThrottleError(SIGNATURE_WINDOW)));
    throttle.attempt(&at("b", "192.0.2.1"), START).unwrap();
    throttle.attempt(&at("a", "192.0.2.2"), START).unwrap();
    let later = START.plus(SIGNATURE_WINDOW);
    throttle.attempt(&at("a", "192.0.2.1"), later).unwrap();
}

#[test]
fn a_clock_set_back_extends_no_lock_out() {
    let mut throttle = Throttle::new([1; 16]);
    let attempt = from("ada", "192.0.2.1");
    for _ in 0..10 {
        throttle.attempt(&attempt, START).unwrap();
    }
    throttle.attempt(&attempt, UnixMillis::ZERO).unwrap();
}
