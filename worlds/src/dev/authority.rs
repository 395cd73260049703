//! The proxy's certificate authority: a key in the data directory, and certificates for the counterpart's hosts.
//!
//! The authority is limited to the counterpart's domains, so that its key is worth nothing elsewhere.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, NameConstraints, date_time_ymd,
};
use rustix::fs::{Mode, OFlags};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use switchboard_actors::domain::vendor::DOMAINS;
use switchboard_engine::store::disk::whole_file;

use crate::dev::environment::AuthorityFiles;
use crate::dev::private_directory;
use crate::dev::trust_store;

/// The name in the authority's certificate.
const NAME: &str = "Switchboard development proxy";
/// The validity of the authority, in years.
const AUTHORITY_YEARS: i32 = 10;
/// The validity of a host's certificate, in years; it is made anew at each start.
const HOST_YEARS: i32 = 1;
/// At most this many hosts have a certificate at a time; the oldest goes first.
const HOSTS_MAX: usize = 64;
/// The length of a line of base64 in a PEM file.
const PEM_LINE: usize = 64;

/// The authority.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    host_key: KeyPair,
    year: i32,
    files: AuthorityFiles,
    hosts: Mutex<VecDeque<(String, Arc<ServerConfig>)>>,
}

impl Authority {
    /// The authority in this directory, made if there is none.
    pub(super) fn open(directory: &Path) -> Result<Self> {
        private_directory::make(directory)?;
        let directory = fs::canonicalize(directory)?;
        let year = i32::from(Timestamp::now().to_zoned(TimeZone::UTC).year());
        let key = key(&directory.join("ca.key.pem"))?;
        let params = authority_params(year)?;
        let files = AuthorityFiles {
            certificate: directory.join("ca.pem"),
            bundle: directory.join("bundle.pem"),
            php: directory.join("php"),
            java: directory.join("trust.p12"),
        };
        // A certificate that was given to programs before stays: it has the same name and key.
        let certificate = match CertificateDer::from_pem_file(&files.certificate) {
            Ok(certificate) => certificate,
            Err(_) => params.self_signed(&key)?.der().clone(),
        };
        write(&files.certificate, pem("CERTIFICATE", &certificate))?;
        let system = rustls_native_certs::load_native_certs().certs;
        let trusted = || std::iter::once(&certificate).chain(&system);
        let bundle: String = trusted().map(|it| pem("CERTIFICATE", it)).collect();
        write(&files.bundle, &bundle)?;
        write(&files.java, trust_store::pkcs12(trusted()))?;
        private_directory::make(&files.php)?;
        let bundle = files.bundle.display();
        let php_settings = format!("curl.cainfo=\"{bundle}\"\nopenssl.cafile=\"{bundle}\"\n");
        write(&files.php.join("switchboard.ini"), &php_settings)?;
        Ok(Self {
            issuer: Issuer::new(params, key),
            host_key: KeyPair::generate()?,
            year,
            files,
            hosts: Mutex::default(),
        })
    }

    /// The files that programs need.
    pub(super) fn files(&self) -> &AuthorityFiles {
        &self.files
    }

    /// Returns the TLS settings of this host, with a certificate of the authority.
    pub(super) fn host(&self, name: &str) -> Result<Arc<ServerConfig>> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, config)) = hosts.iter().find(|(known, _)| known == name) {
            return Ok(Arc::clone(config));
        }
        let config = Arc::new(self.made_for(name)?);
        if hosts.len() >= HOSTS_MAX {
            hosts.pop_front();
        }
        hosts.push_back((name.to_owned(), Arc::clone(&config)));
        Ok(config)
    }

    fn made_for(&self, name: &str) -> Result<ServerConfig> {
        let params = host_params(name, self.year)?;
        let certificate = params.signed_by(&self.host_key, &self.issuer)?;
        let key = PrivateKeyDer::try_from(self.host_key.serialize_der())
            .map_err(|why| anyhow::anyhow!("the key of a host is not valid: {why}"))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }
}

fn authority_params(year: i32) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, NAME);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let domains = DOMAINS.map(|domain| GeneralSubtree::DnsName(domain.to_owned()));
    params.name_constraints = Some(NameConstraints {
        permitted_subtrees: domains.to_vec(),
        excluded_subtrees: Vec::new(),
    });
    params.not_before = date_time_ymd(year - 1, 1, 1);
    params.not_after = date_time_ymd(year + AUTHORITY_YEARS, 1, 1);
    Ok(params)
}

fn host_params(name: &str, year: i32) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(vec![name.to_owned()])?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    params.not_before = date_time_ymd(year - 1, 12, 1);
    params.not_after = date_time_ymd(year + HOST_YEARS, 2, 1);
    Ok(params)
}

/// The key in this file, made if there is none; only its owner can read it.
fn key(path: &Path) -> Result<KeyPair> {
    let display = path.display();
    // A link would lead to the key of another user.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()).map_err(io::Error::from) {
        Ok(file) => {
            let file = File::from(file);
            file.set_permissions(Permissions::from_mode(0o600))?;
            let key = PrivateKeyDer::from_pem_reader(file).with_context(|| {
                format!("{display} is no private key; delete it and start again")
            })?;
            KeyPair::try_from(&key)
                .with_context(|| format!("{display} is no usable key; delete it and start again"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = KeyPair::generate()?;
            let mut options = OpenOptions::new();
            let mut file = options
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(path)?;
            file.write_all(pem("PRIVATE KEY", &key.serialize_der()).as_bytes())?;
            file.sync_all()?;
            Ok(key)
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {display}")),
    }
}

fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    whole_file::write(path, content, whole_file::PRIVATE)
        .with_context(|| format!("cannot write {}", path.display()))
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<_> = text
        .as_bytes()
        .chunks(PEM_LINE)
        .map(|line| String::from_utf8_lossy(line))
        .collect();
    format!(
        "-----BEGIN {label}-----\n{}\n-----END {label}-----\n",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_stays_over_restarts_and_its_key_is_private() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("dev");
        let first = Authority::open(&directory).unwrap();
        let read = |file: &str| fs::read(directory.join(file)).unwrap();
        let (key, certificate) = (read("ca.key.pem"), read("ca.pem"));
        let mode = |file: &str| {
            fs::metadata(directory.join(file))
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode("ca.key.pem") & 0o777, 0o600);
        assert_eq!(mode("") & 0o777, 0o700);
        fs::set_permissions(directory.join("ca.key.pem"), Permissions::from_mode(0o644)).unwrap();
        let second = Authority::open(&directory).unwrap();
        assert_eq!((read("ca.key.pem"), read("ca.pem")), (key, certificate));
        assert_eq!(mode("ca.key.pem") & 0o777, 0o600);
        for authority in [first, second] {
            assert!(authority.host("shop.amocrm.ru").is_ok());
        }
        fs::write(directory.join("ca.key.pem"), "no key").unwrap();
        let error = Authority::open(&directory).err().unwrap();
        assert!(format!("{error:#}").contains("delete it"), "{error:#}");
    }

    #[test]
    fn certificates_of_hosts_are_kept_up_to_a_bound() {
        let place = tempfile::tempdir().unwrap();
        let authority = Authority::open(&place.path().join("dev")).unwrap();
        let first = authority.host("a.amocrm.ru").unwrap();
        assert!(Arc::ptr_eq(&first, &authority.host("a.amocrm.ru").unwrap()));
        for number in 0..HOSTS_MAX {
            authority.host(&format!("h{number}.amocrm.ru")).unwrap();
        }
        assert_eq!(authority.hosts.lock().unwrap().len(), HOSTS_MAX);
        assert!(!Arc::ptr_eq(
            &first,
            &authority.host("a.amocrm.ru").unwrap()
        ));
    }
}
