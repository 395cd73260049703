//! Finds the known word that was probably meant.

/// The known word nearest to what was written, if it is near enough to have been meant.
#[must_use]
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|word| (distance(written, word), word))
        .filter(|(far, word)| *far <= 1 + word.len() / 4)
        .min()
        .map(|(_, word)| word)
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (row, letter) in a.chars().take(64).enumerate() {
        let mut line = vec![row + 1];
        for (column, other) in b.iter().enumerate() {
            let at =
                |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let change = at(&above, column) + usize::from(letter != *other);
            let mut least = change
                .min(at(&above, column + 1) + 1)
                .min(at(&line, column) + 1);
            if let Some(left) = column.checked_sub(1)
                && b.get(left) == Some(&letter)
                && previous == Some(*other)
            {
                least = least.min(at(&before, left) + 1);
            }
            line.push(least);
        }
        before = std::mem::replace(&mut above, line);
        previous = Some(letter);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_finds_the_word_and_another_word_does_not() {
        let known = ["listen", "public_url", "workers"];
        assert_eq!(nearest("lisen", known), Some("listen"));
        assert_eq!(nearest("lsiten", known), Some("listen"));
        assert_eq!(nearest("publicurl", known), Some("public_url"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("abcd", "acbd"), 1);
    }
}
