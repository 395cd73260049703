//! The possible values of something, when it is unknown whether the last change was carried out.

/// All possible values; never none.
#[derive(Clone, Debug)]
pub struct Possible<T>(Vec<T>);

impl<T: Clone + PartialEq> Possible<T> {
    /// Nothing but this.
    #[must_use]
    pub fn only(value: T) -> Self {
        Self(vec![value])
    }

    /// The change was carried out.
    pub fn changed(&mut self, change: impl Fn(&T) -> T) {
        let mut after = Vec::new();
        for value in self.0.iter().map(change) {
            if !after.contains(&value) {
                after.push(value);
            }
        }
        self.0 = after;
    }

    /// The change was carried out or not.
    pub fn maybe_changed(&mut self, change: impl Fn(&T) -> T) {
        for value in self.0.clone() {
            let after = change(&value);
            if !self.0.contains(&after) {
                self.0.push(after);
            }
        }
    }

    /// Returns whether it may be so. It is, then.
    pub fn seen(&mut self, fits: impl Fn(&T) -> bool) -> bool {
        let fitting: Vec<T> = self.0.iter().filter(|value| fits(value)).cloned().collect();
        if fitting.is_empty() {
            return false;
        }
        self.0 = fitting;
        true
    }

    /// All that it may be.
    #[must_use]
    pub fn all(&self) -> &[T] {
        &self.0
    }

    /// Returns whether it may be so.
    pub fn may(&self, fits: impl Fn(&T) -> bool) -> bool {
        self.0.iter().any(fits)
    }
}
