//! The value of `X-Signature`, whatever form somebody gave it.

use subtle::ConstantTimeEq;

use crate::domain::signature::doctor::digest::base64;
use crate::domain::signature::doctor::mistake::Mistake;

/// What stands in the header.
pub(super) struct Given {
    /// The header, as it came.
    header: Vec<u8>,
    /// The digest in hexadecimal at its end, if there is one.
    digest: Option<Vec<u8>>,
    /// Whether something stands around the digest.
    decorated: bool,
}

impl Given {
    pub(super) fn of(header: &[u8]) -> Self {
        let quote = |byte: &u8| matches!(byte, b'"' | b'\'');
        let bare: Vec<u8> = header.iter().copied().filter(|byte| !quote(byte)).collect();
        let start = bare
            .iter()
            .rposition(|byte| !byte.is_ascii_hexdigit())
            .map_or(0, |place| place.saturating_add(1));
        let digits = bare.get(start..).unwrap_or_default();
        let digest = hex::decode(digits)
            .ok()
            .filter(|digest| matches!(digest.len(), 20 | 32));
        Self {
            header: header.to_vec(),
            digest,
            decorated: start > 0 || bare.len() != header.len(),
        }
    }

    /// Whether this digest is meant, in any form.
    pub(super) fn is(&self, digest: &[u8]) -> bool {
        let hexadecimal = self
            .digest
            .as_ref()
            .is_some_and(|given| given.as_slice().ct_eq(digest).into());
        hexadecimal
            || self.is_base64_of(digest)
            || self.is_base64_of(hex::encode(digest).as_bytes())
    }

    /// What is wrong with the form, when the digest is right.
    pub(super) fn form(&self) -> Option<Mistake> {
        match &self.digest {
            None => Some(Mistake::Base64),
            Some(_) if self.decorated => Some(Mistake::Prefixed),
            Some(_) => None,
        }
    }

    fn is_base64_of(&self, digest: &[u8]) -> bool {
        let written = base64(digest);
        let bare = |text: &[u8]| {
            let text = text.split(|byte| *byte == b'=').next();
            text.unwrap_or_default().to_vec()
        };
        bare(&self.header).ct_eq(&bare(&written)).into()
    }
}
