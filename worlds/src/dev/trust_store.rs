//! The certificates that programs are to trust, as Java reads them: a PKCS#12 file.
//!
//! Certificates are no secret, so the file has no password, no encryption and no checksum of a password; Java takes such a
//! file as a trust store since version 8. Nothing here computes anything: the file is a form around the certificates.

use rustls::pki_types::CertificateDer;
use yasna::models::ObjectIdentifier;
use yasna::{DERWriter, Tag};

/// The version of the form.
const VERSION: u8 = 3;
/// Data as it is (RFC 2315).
const DATA: [u64; 7] = [1, 2, 840, 113_549, 1, 7, 1];
/// A bag with a certificate (RFC 7292).
const CERT_BAG: [u64; 9] = [1, 2, 840, 113_549, 1, 12, 10, 1, 3];
/// A certificate of X.509.
const X509: [u64; 8] = [1, 2, 840, 113_549, 1, 9, 22, 1];
/// The attribute with a name.
const FRIENDLY_NAME: [u64; 7] = [1, 2, 840, 113_549, 1, 9, 20];
/// Java's attribute of certificates that are trusted, and its value: for any purpose.
const TRUSTED_KEY_USAGE: [u64; 8] = [2, 16, 840, 1, 113_894, 746_875, 1, 1];
const ANY_USAGE: [u64; 5] = [2, 5, 29, 37, 0];

/// A trust store with these certificates.
pub(super) fn pkcs12<'c>(certificates: impl Iterator<Item = &'c CertificateDer<'c>>) -> Vec<u8> {
    let bags = yasna::construct_der(|writer| {
        writer.write_sequence(|bags| {
            for (number, certificate) in certificates.enumerate() {
                bag(bags.next(), certificate, &format!("ca{number}"));
            }
        });
    });
    let safe = yasna::construct_der(|writer| {
        writer.write_sequence(|safe| data(safe.next(), &bags));
    });
    yasna::construct_der(|writer| {
        writer.write_sequence(|store| {
            store.next().write_u8(VERSION);
            data(store.next(), &safe);
        });
    })
}

/// Content that is neither encrypted nor signed.
fn data(writer: DERWriter<'_>, content: &[u8]) {
    writer.write_sequence(|info| {
        oid(info.next(), &DATA);
        let explicit = Tag::context(0);
        info.next()
            .write_tagged(explicit, |writer| writer.write_bytes(content));
    });
}

fn bag(writer: DERWriter<'_>, certificate: &CertificateDer<'_>, name: &str) {
    writer.write_sequence(|bag| {
        oid(bag.next(), &CERT_BAG);
        bag.next().write_tagged(Tag::context(0), |writer| {
            writer.write_sequence(|content| {
                oid(content.next(), &X509);
                let explicit = Tag::context(0);
                content
                    .next()
                    .write_tagged(explicit, |writer| writer.write_bytes(certificate));
            });
        });
        bag.next().write_set_of(|attributes| {
            attribute(attributes.next(), &FRIENDLY_NAME, |value| {
                value.write_bmp_string(name);
            });
            attribute(attributes.next(), &TRUSTED_KEY_USAGE, |value| {
                oid(value, &ANY_USAGE);
            });
        });
    });
}

fn attribute(writer: DERWriter<'_>, name: &[u64], value: impl FnOnce(DERWriter<'_>)) {
    writer.write_sequence(|attribute| {
        oid(attribute.next(), name);
        attribute.next().write_set_of(|values| value(values.next()));
    });
}

fn oid(writer: DERWriter<'_>, components: &[u64]) {
    writer.write_oid(&ObjectIdentifier::from_slice(components));
}
