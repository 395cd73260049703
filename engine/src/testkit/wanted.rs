//! Numbers that a person who runs a test may give it: how much of something, or which seed.

/// The number in this environment variable, if it is set.
///
/// # Panics
/// When it is set to something else.
#[must_use]
#[expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "the person who runs the test sets the time or the seed, and sees a mistake in them at once"
)]
pub fn wanted(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().expect("a variable of a test is a number"))
}
