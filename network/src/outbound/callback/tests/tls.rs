//! A certificate is believed or the attempt fails; there is nothing in between.

use std::io;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use super::*;

/// An authority of the test's own.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    root: CertificateDer<'static>,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = params.self_signed(&key).unwrap().der().clone();
        Self {
            issuer: Issuer::new(params, key),
            root,
        }
    }

    /// A sink with a certificate for `name`, valid until the given year.
    async fn sink(&self, name: &str, valid_until: i32) -> Sink {
        let key = KeyPair::generate().unwrap();
        let certificate = params(name, valid_until)
            .signed_by(&key, &self.issuer)
            .unwrap();
        secure_sink(certificate.der().clone(), &key).await
    }
}

fn params(name: &str, valid_until: i32) -> CertificateParams {
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(valid_until, 1, 1);
    params
}

async fn secure_sink(certificate: CertificateDer<'static>, key: &KeyPair) -> Sink {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let wrap = move |socket| {
        let acceptor = acceptor.clone();
        async move { acceptor.accept(socket).await }
    };
    Sink::start_over(Behaviour::status(200), wrap)
        .await
        .unwrap()
}

/// One attempt at `https://hook.test`, which is the sink, believing `roots`.
async fn meet_secure(sink: &Sink, roots: Vec<CertificateDer<'static>>) -> Exchange {
    meet_secure_at(sink, roots, None).await
}

async fn meet_secure_at(
    sink: &Sink,
    roots: Vec<CertificateDer<'static>>,
    pace: Option<Pace>,
) -> Exchange {
    let names = Names::new();
    names.answer("hook.test", &["127.0.0.1"]);
    let settings = ClientSettings {
        extra_roots: roots,
        // A handshake in a debug build on a busy machine takes its time.
        connect_timeout: PATIENT,
        ..ClientSettings::default()
    };
    let url = format!("https://hook.test:{}/", sink.address().port());
    let client = client_with(&names, &settings);
    let plain = attempt(&url, PATIENT);
    client.attempt(OutboundCallback { pace, ..plain }).await
}

#[track_caller]
fn refused_for(exchange: Exchange, reason: &str, sink: &Sink) {
    let failure = failure(exchange);
    assert_eq!(failure.kind, FailureKind::Tls, "{failure}");
    assert!(failure.detail.contains(reason), "{failure}");
    assert_eq!(sink.ledger().count, 0);
}

#[tokio::test]
async fn a_certificate_of_a_known_authority_is_accepted() {
    let authority = Authority::new();
    let sink = authority.sink("hook.test", 4000).await;
    let exchange = meet_secure(&sink, vec![authority.root]).await;
    assert_eq!(answer(exchange).status, 200);
    assert_eq!(sink.requests(1).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_request_in_pieces_is_encrypted_too() {
    let authority = Authority::new();
    let sink = authority.sink("hook.test", 4000).await;
    let exchange = meet_secure_at(&sink, vec![authority.root], Some(pieces())).await;
    assert_eq!(answer(exchange).status, 200);
    assert_eq!(sink.requests(1).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_unknown_authority_is_refused() {
    let sink = Authority::new().sink("hook.test", 4000).await;
    let exchange = meet_secure(&sink, Vec::new()).await;
    refused_for(exchange, "UnknownIssuer", &sink);
}

#[tokio::test]
async fn a_self_signed_certificate_is_refused() {
    let key = KeyPair::generate().unwrap();
    let certificate = params("hook.test", 4000).self_signed(&key).unwrap();
    let sink = secure_sink(certificate.der().clone(), &key).await;
    let exchange = meet_secure(&sink, Vec::new()).await;
    refused_for(exchange, "UnknownIssuer", &sink);
}

#[tokio::test]
async fn an_expired_certificate_is_refused() {
    let authority = Authority::new();
    let sink = authority.sink("hook.test", 2001).await;
    let exchange = meet_secure(&sink, vec![authority.root]).await;
    refused_for(exchange, "expired", &sink);
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let authority = Authority::new();
    let sink = authority.sink("other.test", 4000).await;
    let exchange = meet_secure(&sink, vec![authority.root]).await;
    refused_for(exchange, "not valid for name", &sink);
}

#[tokio::test]
async fn a_receiver_without_tls_is_a_tls_failure() {
    // Whatever comes first, it says something that is no TLS record.
    let greeting = |mut socket: TcpStream| async move {
        socket.write_all(b"220 mail.test ESMTP ready\r\n").await?;
        Ok(socket)
    };
    let sink = Sink::start_over(Behaviour::Hang, greeting).await.unwrap();
    let exchange = meet_secure(&sink, Vec::new()).await;
    refused_for(exchange, "corrupt message", &sink);
}

#[tokio::test]
async fn a_connection_closed_in_the_handshake_is_a_reset() {
    let hang_up = |_socket: TcpStream| async { Err::<TcpStream, _>(io::Error::other("not today")) };
    let sink = Sink::start_over(Behaviour::Hang, hang_up).await.unwrap();
    let exchange = meet_secure(&sink, Vec::new()).await;
    assert_eq!(failure(exchange).kind, FailureKind::Reset);
}
