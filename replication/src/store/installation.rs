//! The installation that a store belongs to, by the identity in it.

use switchboard_engine::store::identity::Identity;

/// The installations of two identities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Installations {
    /// They are of one installation.
    Same,
    /// They are of two.
    Different,
    /// The first one cannot be read.
    Damaged,
}

impl Installations {
    /// Compares the identity of a store with the own one, whatever the formats of their data.
    pub(crate) fn compare(stored: &[u8], own: &[u8]) -> Self {
        let secret = |bytes| Identity::decode(bytes).map(|it| it.secret());
        match (secret(stored), secret(own)) {
            (Err(_), _) => Self::Damaged,
            (Ok(stored), Ok(own)) if stored == own && own.is_some() => Self::Same,
            (Ok(_), _) => Self::Different,
        }
    }
}
