//! TLS for the HTTP client: which certificates are believed and which cryptography is used.
//!
//! The client is built without a provider of its own, so the configuration is made here and
//! handed over whole: *ring* as provider, named explicitly and not installed for the whole
//! process, and the operating system's root certificates (on Unix also what `SSL_CERT_FILE`
//! and `SSL_CERT_DIR` name), read once at start. There is no way to switch verification off.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};

/// The reason why TLS could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum RootsError {
    /// A certificate that the caller added is not one.
    #[error("an added root certificate cannot be used: {0}")]
    Extra(rustls::Error),
    /// The provider does not know the protocol versions that we ask for.
    #[error("TLS cannot be set up: {0}")]
    Provider(rustls::Error),
}

/// A configuration that trusts the system's roots and `extra`, for HTTP/1.1.
///
/// A system without any root certificates is no error: plain `http` works there and each `https` attempt fails with an
/// unknown issuer, which the failure of the attempt says; a warning in the log says so too.
///
/// # Errors
/// When one of `extra` is not a certificate that can be a root.
pub fn tls_config(extra: &[CertificateDer<'static>]) -> Result<ClientConfig, RootsError> {
    let mut roots = RootCertStore::empty();
    for certificate in extra {
        roots.add(certificate.clone()).map_err(RootsError::Extra)?;
    }
    let system = rustls_native_certs::load_native_certs();
    let (added, ignored) = roots.add_parsable_certificates(system.certs);
    if added == 0 {
        let errors = system.errors.len();
        tracing::warn!(errors, ignored, "no root certificates found on this system");
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(RootsError::Provider)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
