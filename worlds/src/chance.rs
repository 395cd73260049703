//! An event that happens with a probability, drawn from a seed.

use switchboard_engine::testkit::Dice;

/// The number of values that a draw chooses from.
const SIDES: f64 = 4_294_967_296.0;

/// Something that happens with a probability. The same seed gives the same draws.
#[derive(Clone, Debug)]
pub struct Chance {
    probability: f64,
    dice: Dice,
}

impl Chance {
    /// With this probability; `None` when it is not more than 0 and at most 1.
    #[must_use]
    pub fn new(probability: f64, seed: u64) -> Option<Self> {
        let dice = Dice::new(seed);
        (probability > 0.0 && probability <= 1.0).then_some(Self { probability, dice })
    }

    /// Returns whether it happens this time.
    pub fn strikes(&mut self) -> bool {
        // The upper half of what was drawn is a number that fits.
        let number = u32::try_from(self.dice.next() >> 32).unwrap_or(u32::MAX);
        f64::from(number) / SIDES < self.probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(probability: f64, seed: u64) -> Vec<bool> {
        let mut chance = Chance::new(probability, seed).unwrap();
        (0..1_000).map(|_| chance.strikes()).collect()
    }

    #[test]
    fn a_chance_strikes_as_often_as_it_says() {
        assert!(draws(1.0, 7).iter().all(|strikes| *strikes));
        for seed in 0..20 {
            let struck = draws(0.3, seed).iter().filter(|it| **it).count();
            assert!((200..400).contains(&struck), "{struck}");
        }
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        assert_eq!(draws(0.5, 7), draws(0.5, 7));
        assert_ne!(draws(0.5, 7), draws(0.5, 8));
        for wrong in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(Chance::new(wrong, 1).is_none(), "{wrong}");
        }
    }
}
