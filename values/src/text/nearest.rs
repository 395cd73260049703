//! Finds the known word that was probably meant.

use strsim::osa_distance;

/// The most bytes of a text that is compared: no known word is longer, and the comparison takes time for each pair of letters.
const WRITTEN_MAX: usize = 256;

/// The known word nearest to what was written, if it is near enough to have been meant.
#[must_use]
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.len() > WRITTEN_MAX {
        return None;
    }
    known
        .into_iter()
        .map(|word| (osa_distance(written, word), word))
        .filter(|(distance, word)| *distance <= 1 + word.len() / 4)
        .min()
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_finds_the_word_and_another_word_does_not() {
        let names = ["listen", "public_url", "workers"];
        assert_eq!(nearest("lisen", names), Some("listen"));
        assert_eq!(nearest("lsiten", names), Some("listen"));
        assert_eq!(nearest("publicurl", names), Some("public_url"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("", ["abc"]), None);
        assert_eq!(nearest("acbd", ["abcd"]), Some("abcd"));
        assert_eq!(nearest(&"listen".repeat(1_000), names), None);
    }
}
