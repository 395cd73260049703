//! The history of a simulation as one number; and in words when one seed is repeated.

/// The history so far.
#[derive(Debug)]
pub struct Trace {
    digest: u64,
    told: bool,
}

impl Trace {
    /// With `true`, each line is printed.
    #[must_use]
    pub fn new(told: bool) -> Self {
        Self {
            // The offset basis of FNV-1a.
            digest: 0xcbf2_9ce4_8422_2325,
            told,
        }
    }

    /// Something happened.
    #[expect(
        clippy::print_stdout,
        reason = "whoever repeats a seed sees what happens"
    )]
    pub fn note(&mut self, what: &str, detail: u64) {
        for byte in what.bytes().chain(detail.to_le_bytes()) {
            self.digest = (self.digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        if self.told {
            println!("{what} {detail}");
        }
    }

    /// Prints a line when one seed is repeated.
    #[expect(
        clippy::print_stdout,
        reason = "whoever repeats a seed sees what happens"
    )]
    pub fn tell(&self, what: impl FnOnce() -> String) {
        if self.told {
            println!("{}", what());
        }
    }

    /// All of it as one number.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }
}
