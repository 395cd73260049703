//! The table of pools as text: `switchboard config limits` prints it, and the page of the documentation has it with the default
//! settings on the usual machine.

use super::Pool;
use super::sizes::NO_LIMIT;

/// The columns of [`Pool::cells`].
pub const HEAD: [&str; 6] = [
    "POOL",
    "SIZE",
    "WITHOUT CREDENTIALS",
    "ADDRESS",
    "USER",
    "ACCOUNT",
];

impl Pool {
    /// Its name, its size and the shares.
    pub fn cells(&self) -> [String; 6] {
        let share = |share: Option<usize>| share.map_or_else(|| "–".to_owned(), number);
        [
            self.name.to_owned(),
            number(self.size),
            number(self.strangers),
            share(self.address),
            share(self.user),
            share(self.account),
        ]
    }
}

fn number(number: usize) -> String {
    if number == NO_LIMIT {
        return "no limit".to_owned();
    }
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && digits.len().saturating_sub(place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
