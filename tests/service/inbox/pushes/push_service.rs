//! A push service, and the browsers that subscribe to it: what it is sent is decrypted and verified here, apart from the code of the
//! service.

use std::io::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::SystemRandom;
use ring::signature::{self, ECDSA_P256_SHA256_FIXED};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Received, Sink};
use tempfile::NamedTempFile;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use crate::support::server::Setup;

/// A push service with a certificate of an authority of its own.
pub(super) struct PushService {
    sink: Sink,
    authority: NamedTempFile,
}

impl PushService {
    /// One that takes everything.
    pub(super) async fn start() -> Self {
        Self::behaving(Behaviour::status(201)).await
    }

    /// One that treats every request this way.
    pub(super) async fn behaving(standing: Behaviour) -> Self {
        let (config, authority) = certified();
        let acceptor = TlsAcceptor::from(config);
        let wrap = move |socket: TcpStream| {
            let acceptor = acceptor.clone();
            async move { acceptor.accept(socket).await }
        };
        let sink = Sink::start_over(standing, wrap).await.unwrap();
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(authority.as_bytes()).unwrap();
        Self {
            sink,
            authority: file,
        }
    }

    /// Has the service trust the certificates of these.
    pub(super) fn trusted(setup: Setup, services: &[&Self]) -> Setup {
        let texts = services
            .iter()
            .map(|it| std::fs::read(it.authority.path()).unwrap());
        let all = texts.collect::<Vec<_>>().concat();
        // The first one's file has all of them: the variable names one file.
        let path = services[0].authority.path();
        std::fs::write(path, all).unwrap();
        setup.variable("SSL_CERT_FILE", path.to_str().unwrap())
    }

    /// Sets the behaviours towards the next requests, one each.
    pub(super) fn script(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        self.sink.script(behaviours);
    }

    /// The origin of its addresses.
    pub(super) fn origin(&self) -> String {
        format!("https://{}", self.sink.address())
    }

    /// Waits for this many pushes to a browser and gives all there are.
    pub(super) async fn pushes(&self, browser: &str, count: usize) -> Vec<Received> {
        let target = format!("/send/{browser}");
        let of_browser = |requests: &[Received]| {
            let requests = requests.iter().filter(|it| it.target == target);
            requests.cloned().collect::<Vec<_>>()
        };
        let reached = self
            .sink
            .until(|ledger| of_browser(&ledger.requests).len() >= count)
            .await;
        of_browser(&reached.unwrap().requests)
    }

    /// The number of pushes so far.
    pub(super) fn count(&self) -> usize {
        self.sink.ledger().count
    }

    /// The number of accepted connections so far.
    pub(super) fn connections(&self) -> usize {
        self.sink.ledger().connections
    }

    /// A browser that subscribes here.
    pub(super) fn browser(&self, name: &str) -> Browser {
        let key = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        Browser {
            endpoint: format!("{}/send/{name}", self.origin()),
            public: key.compute_public_key().unwrap().as_ref().to_vec(),
            key,
            auth: [9; 16],
        }
    }
}

/// A certificate for this machine, and the one of its authority as text.
fn certified() -> (Arc<ServerConfig>, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = pem(params.self_signed(&key).unwrap().der());
    let issuer = Issuer::new(params, key);
    let own_key = KeyPair::generate().unwrap();
    let mut own = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    own.not_after = date_time_ymd(4000, 1, 1);
    let certificate = own.signed_by(&own_key, &issuer).unwrap();
    let key = PrivateKeyDer::try_from(own_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    (Arc::new(config), root)
}

/// A certificate as text.
fn pem(der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines = text.as_bytes().chunks(64);
    let lines: Vec<_> = lines.map(String::from_utf8_lossy).collect();
    format!(
        "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
        lines.join("\n")
    )
}

/// A browser. Its key agrees once, so it reads one message.
pub(super) struct Browser {
    /// The address of its subscription.
    pub(super) endpoint: String,
    key: EphemeralPrivateKey,
    public: Vec<u8>,
    auth: [u8; 16],
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive(prk: &Prk, purpose: &[&[u8]], length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    let okm = prk.expand(purpose, Length(length)).unwrap();
    okm.fill(&mut bytes).unwrap();
    bytes
}

impl Browser {
    /// Its subscription, as its page sends it.
    pub(super) fn subscription(&self) -> Value {
        let (p256dh, auth) = (
            URL_SAFE_NO_PAD.encode(&self.public),
            URL_SAFE_NO_PAD.encode(self.auth),
        );
        json!({ "endpoint": self.endpoint, "keys": { "p256dh": p256dh, "auth": auth } })
    }

    /// Reads a push as RFC 8291 and RFC 8188 say it.
    pub(super) fn read(self, push: &Received) -> Value {
        assert_eq!(push.header("content-encoding"), Some("aes128gcm"));
        assert!(push.body.len() <= 4_096, "{} bytes", push.body.len());
        let (salt, rest) = push.body.split_at(16);
        let (size, rest) = rest.split_at(4);
        let (length, rest) = rest.split_at(1);
        assert_eq!((size, length), (&[0, 0, 0x10, 0][..], &[65][..]));
        let (sender, record) = rest.split_at(65);
        let peer = UnparsedPublicKey::new(&ECDH_P256, sender);
        let extract = |salt: &[u8], secret: &[u8]| Salt::new(HKDF_SHA256, salt).extract(secret);
        let prk = agree_ephemeral(self.key, &peer, |shared| extract(&self.auth, shared)).unwrap();
        let secret = derive(&prk, &[b"WebPush: info\0", &self.public, sender], 32);
        let prk = extract(salt, &secret);
        let key = derive(&prk, &[b"Content-Encoding: aes128gcm\0"], 16);
        let nonce = derive(&prk, &[b"Content-Encoding: nonce\0"], 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let nonce = Nonce::assume_unique_for_key(nonce.try_into().unwrap());
        let mut record = record.to_vec();
        let text = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
        let (delimiter, text) = text.split_last().unwrap();
        assert_eq!(*delimiter, 2);
        serde_json::from_slice(text).unwrap()
    }
}

/// The claims of the proof of a push, whose signature verifies with this public key (RFC 8292).
pub(super) fn claims(push: &Received, public_key: &str) -> Value {
    let authorization = push.header("authorization").unwrap();
    let words = authorization.strip_prefix("vapid t=").unwrap();
    let (token, key) = words.split_once(", k=").unwrap();
    assert_eq!(key, public_key);
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
    let (content, signature) = token.rsplit_once('.').unwrap();
    let key = signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(key));
    key.verify(content.as_bytes(), &decode(signature)).unwrap();
    let (head, claims) = content.split_once('.').unwrap();
    let head: Value = serde_json::from_slice(&decode(head)).unwrap();
    assert_eq!(head, json!({ "typ": "JWT", "alg": "ES256" }));
    serde_json::from_slice(&decode(claims)).unwrap()
}
