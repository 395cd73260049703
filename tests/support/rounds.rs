//! The end of loops that follow links from page to page.

/// More pages than any list of a test has.
const ROUNDS_MAX: usize = 10_000;

/// Counts the rounds of a loop, and fails in one that is too many: a page that links to itself would go on for ever.
#[derive(Debug, Default)]
pub struct Rounds(usize);

impl Rounds {
    /// Counts a round.
    pub fn note(&mut self) {
        self.0 += 1;
        assert!(self.0 <= ROUNDS_MAX, "the list has no end");
    }
}

#[test]
#[should_panic(expected = "the list has no end")]
fn a_loop_without_an_end_fails() {
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
    }
}
