//! The installation that a store belongs to, by the identity in it.

use switchboard_engine::store::identity::{FORMAT, Identity};

/// The installations of two identities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Installations {
    /// They are of one installation.
    Same,
    /// They are of two.
    Different,
    /// The first one has this format of a newer version, and cannot be compared.
    Newer(u32),
    /// The first one cannot be read.
    Damaged,
}

impl Installations {
    /// Compares the identity of a store with the own one, whatever the formats of their data.
    pub(crate) fn compare(stored: &[u8], own: &[u8]) -> Self {
        let Ok(identity) = Identity::decode(stored) else {
            return Self::Damaged;
        };
        if identity.format() > FORMAT {
            return Self::Newer(identity.format());
        }
        match Identity::decode(own).map(|own| own.secret()) {
            Ok(own) if own.is_some() && identity.secret() == own => Self::Same,
            Ok(_) | Err(_) => Self::Different,
        }
    }

    /// The reason for which a node of this version cannot use an archive of this newer format.
    pub(crate) fn newer(format: u32) -> String {
        format!(
            "a newer version of switchboard writes format {format} to the archive, and this version reads format {FORMAT}: upgrade this \
             node"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_engine::store::small_file;

    /// The bytes of an identity that a newer version wrote.
    fn newer_identity(secret: [u8; 16]) -> Vec<u8> {
        const HEADING: &str = "switchboard-identity 1 ";
        let bytes = Identity::new(secret).encode();
        let mut form: serde_json::Value = small_file::decode(&bytes, HEADING).unwrap();
        form["format"] = (FORMAT + 1).into();
        small_file::encode(HEADING, &form).unwrap()
    }

    #[test]
    fn a_store_of_a_newer_format_is_not_taken_for_another() {
        let own = Identity::new([7; 16]).encode();
        let newer = newer_identity([7; 16]);
        assert_eq!(
            Installations::compare(&newer, &own),
            Installations::Newer(FORMAT + 1)
        );
        assert!(Installations::newer(FORMAT + 1).contains("upgrade this node"));
    }

    #[test]
    fn installations_differ_by_their_secret() {
        let [own, other] = [[7; 16], [8; 16]].map(|secret| Identity::new(secret).encode());
        assert_eq!(Installations::compare(&own, &own), Installations::Same);
        assert_eq!(
            Installations::compare(&other, &own),
            Installations::Different
        );
        assert_eq!(Installations::compare(b"x", &own), Installations::Damaged);
    }
}
