//! The value of `X-Signature`, in whatever form the client gave it.

use subtle::ConstantTimeEq;

use crate::digest::base64;
use crate::mistake::Mistake;

/// The signature in the header.
pub(super) struct GivenSignature {
    /// The header, as it came.
    header: Vec<u8>,
    /// The digest in hexadecimal at its end, if there is one.
    digest: Option<Vec<u8>>,
    /// The mistake in its form.
    form: Option<Mistake>,
}

/// The sizes in bytes of the digests that a client may send: MD5, SHA-1 and SHA-256.
const DIGESTS: [usize; 3] = [16, 20, 32];
/// The letters that base64 takes, without padding, for such a digest, or for the 40 digits of one.
const IN_BASE64: [usize; 4] = [22, 27, 43, 54];

impl GivenSignature {
    pub(super) fn parse(header: &[u8]) -> Self {
        let quote = |byte: &u8| matches!(byte, b'"' | b'\'');
        let bare: Vec<u8> = header.iter().copied().filter(|byte| !quote(byte)).collect();
        let digest = |digits: &[u8]| {
            let digest = hex::decode(digits).ok();
            digest.filter(|digest| DIGESTS.contains(&digest.len()))
        };
        let separator = |byte: &u8| matches!(byte, b'-' | b':' | b' ');
        let compact: Vec<u8> = bare.iter().copied().filter(|it| !separator(it)).collect();
        let start = bare
            .iter()
            .rposition(|byte| !byte.is_ascii_hexdigit())
            .map_or(0, |place| place.saturating_add(1));
        let decorated = start > 0 || bare.len() != header.len();
        let (digest, form) = match digest(&compact) {
            Some(digest) if compact.len() != bare.len() => (Some(digest), Some(Mistake::Dashes)),
            _ => (
                digest(bare.get(start..).unwrap_or_default()),
                decorated.then_some(Mistake::Prefixed),
            ),
        };
        Self {
            header: header.to_vec(),
            digest,
            form,
        }
    }

    /// Returns whether it is no digest in any form, so that it is the signature of nothing.
    pub(super) fn is_none(&self) -> bool {
        let letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
        let letters = self.header.split(|byte| *byte == b'=').next();
        let in_base64 =
            letters.is_some_and(|text| IN_BASE64.contains(&text.len()) && text.iter().all(letter));
        self.digest.is_none() && !in_base64
    }

    /// Returns whether it is this digest, in any form.
    pub(super) fn is(&self, digest: &[u8]) -> bool {
        let hexadecimal = self
            .digest
            .as_ref()
            .is_some_and(|given| given.as_slice().ct_eq(digest).into());
        hexadecimal
            || self.is_base64_of(digest)
            || self.is_base64_of(hex::encode(digest).as_bytes())
    }

    /// Returns the mistake in the form, when the digest is right.
    pub(super) fn form(&self) -> Option<Mistake> {
        match &self.digest {
            None => Some(Mistake::Base64),
            Some(_) => self.form,
        }
    }

    fn is_base64_of(&self, digest: &[u8]) -> bool {
        let digest_text = base64(digest);
        let bare = |text: &[u8]| {
            let text = text.split(|byte| *byte == b'=').next();
            text.unwrap_or_default().to_vec()
        };
        bare(&self.header).ct_eq(&bare(&digest_text)).into()
    }
}
