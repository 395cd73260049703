//! Frequency of change of what is kept: its place on disk follows from it.

/// The frequency at which the rows of a list, or the states of a kind, change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// With most of what is written, or there are very many: kept in sorted files, in which a change costs a tenth.
    Often,
    /// Now and then: kept in the tables' own engine.
    Seldom,
}

/// Returns whether each of these codes is there once, and none is 0. For declarations, which do not compile otherwise.
#[must_use]
pub const fn are_codes_of_their_own(codes: &[u8]) -> bool {
    let mut rest = codes;
    while let [code, others @ ..] = rest {
        if *code == 0 {
            return false;
        }
        let mut others_left = others;
        while let [other, behind @ ..] = others_left {
            if *other == *code {
                return false;
            }
            others_left = behind;
        }
        rest = others;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_nonzero_and_unique() {
        assert!(are_codes_of_their_own(&[]));
        assert!(are_codes_of_their_own(&[3, 1, 2]));
        assert!(!are_codes_of_their_own(&[1, 2, 1]));
        assert!(!are_codes_of_their_own(&[1, 0]));
    }
}
