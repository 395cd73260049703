//! The refusals of a server, and servers that are refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};

use super::*;

/// The reason for which a log cannot be prepared.
fn refused(url: &str, alone: bool) -> String {
    let settings = Settings {
        alone,
        ..Settings::default()
    };
    let log = PostgresLog::open(url, settings);
    log.unwrap().prepare().unwrap_err().to_string()
}

#[test]
fn a_server_that_may_lose_answers_is_refused() {
    let Some((server, _home)) = alone() else {
        return;
    };
    let url = server.url();
    let reason = refused(&url, false);
    assert!(
        reason.starts_with("synchronous_standby_names is empty"),
        "{reason}"
    );
    drop(log_alone(&server));
    for setting in ["fsync", "full_page_writes"] {
        let set = |to: &str| {
            let change = format!("ALTER SYSTEM SET {setting} = {to}");
            server.query(&[&change, "SELECT pg_reload_conf()"]).unwrap();
            // A new session of the same server may begin before that has read its settings.
            let reads = format!("SHOW {setting}");
            while server.query(&[&reads]).unwrap() != to {}
        };
        set("off");
        let reason = refused(&url, true);
        assert!(reason.starts_with(&format!("{setting} is off")), "{reason}");
        set("on");
    }
    let role = "ALTER ROLE bench SET synchronous_commit = off";
    server.query(&[role]).unwrap();
    // The session sets what it needs.
    drop(log_alone(&server));
    let change = "ALTER TABLE switchboard_log SET UNLOGGED";
    server.query(&[change]).unwrap();
    let reason = refused(&url, true);
    assert!(reason.contains("is unlogged"), "{reason}");
}

#[test]
fn what_is_wrong_with_a_url_is_said_without_its_password() {
    for url in [
        "nonsense",
        "host=127.0.0.1 password=secret",
        "postgres://switchboard:se@secret@127.0.0.1/log",
        "postgres://switchboard:secret@127.0.0.1/log?sslmode=secret",
        "postgres://switchboard:secret@127.0.0.1:secret/log",
        "postgres:///secret",
    ] {
        let error = PostgresLog::open(url, Settings::default()).unwrap_err();
        assert!(
            matches!(error, PostgresSettingsError::Settings(_)),
            "{url}: {error}"
        );
        assert!(!error.to_string().contains("secret"), "{url}: {error}");
    }
    let reason = refused("postgres://switchboard:secret@127.0.0.1:1/log", true);
    assert!(
        reason.contains("127.0.0.1:1: it cannot be connected to (Connection refused"),
        "{reason}"
    );
    assert!(!reason.contains("secret"), "{reason}");
    let log = PostgresLog::open("postgres://a:secret@b/c", Settings::default());
    let text = format!("{:?}", log.unwrap());
    assert!(
        text.contains("b:5432") && !text.contains("secret"),
        "{text}"
    );
}

/// An ordinary user with a password has all rights that the log needs.
#[test]
fn a_user_needs_a_password_and_the_right_to_make_a_table() {
    let Some((server, _home)) = alone() else {
        return;
    };
    server.create_user("guest", "right").unwrap();
    let url = |password: &str, database: &str| {
        format!(
            "postgres://guest:{password}@127.0.0.1:{}/{database}",
            server.port()
        )
    };
    let reason = refused(&url("wrong", "postgres"), true);
    assert!(
        reason.contains("it refuses the user \"guest\" (28P01)"),
        "{reason}"
    );
    let reason = refused(&url("right", "other"), true);
    assert!(reason.contains("it has no database \"other\""), "{reason}");
    let reason = refused(&url("right", "postgres"), true);
    assert!(reason.contains("permission denied for schema"), "{reason}");
    server
        .query(&["GRANT CREATE ON SCHEMA public TO guest"])
        .unwrap();
    let settings = Settings {
        alone: true,
        ..Settings::default()
    };
    let mut log = PostgresLog::open(&url("right", "postgres"), settings).unwrap();
    log.prepare().unwrap();
    assert_eq!(log.append(Position(0), b"one"), Ok(()));
    assert_eq!(positions(&all(&mut log)), [1]);
    log.trim(Position(1)).unwrap();
}

/// A trigger fails as a server does that has run out of something.
#[test]
fn what_is_over_a_limit_is_refused_and_all_else_unknown() {
    let Some((server, _home)) = alone() else {
        return;
    };
    let mut log = log_alone(&server);
    let fails = |code: &str| {
        let function = format!(
            "CREATE OR REPLACE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS \
             $$BEGIN RAISE EXCEPTION 'it fails' USING ERRCODE = '{code}'; END$$"
        );
        let trigger = "CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON switchboard_log EXECUTE FUNCTION fails()";
        server.query(&[&function, trigger]).unwrap();
    };
    for code in ["53100", "53200", "54000"] {
        fails(code);
        let answer = log.append(Position(0), b"one");
        let error = AppendError::Refused("it fails".to_owned());
        assert_eq!(answer, Err(error), "{code}");
    }
    for code in ["57014", "40001", "25006", "XX000"] {
        fails(code);
        let answer = log.append(Position(0), b"one");
        let error = AppendError::Unknown("it fails".to_owned());
        assert_eq!(answer, Err(error), "{code}");
    }
    server
        .query(&["DROP TRIGGER fails ON switchboard_log"])
        .unwrap();
    assert_eq!(log.append(Position(0), b"one"), Ok(()));
}

fn pem(kind: &str, bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    let chunks: Vec<_> = text.as_bytes().chunks(64).collect();
    let lines = String::from_utf8(chunks.join(&b'\n')).unwrap();
    format!("-----BEGIN {kind}-----\n{lines}\n-----END {kind}-----\n")
}

/// A configuration that trusts this certificate alone.
fn trusting(certificate: &CertificateDer<'static>) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(ring).with_safe_default_protocol_versions();
    let config = builder.unwrap().with_root_certificates(roots);
    config.with_no_client_auth()
}

#[test]
fn tls_is_verified_where_the_url_requires_it() {
    let Some((server, _home)) = alone() else {
        return;
    };
    let names = vec!["127.0.0.1".to_owned()];
    let certified_key = rcgen::generate_simple_self_signed(names).unwrap();
    let key = pem("PRIVATE KEY", &certified_key.signing_key.serialize_der());
    let certificate = pem("CERTIFICATE", certified_key.cert.der());
    server.offer_tls(&certificate, &key).unwrap();
    let settings = Settings {
        alone: true,
        ..Settings::default()
    };
    let required = format!("{}?sslmode=require", server.url());
    let reason = refused(&required, true);
    assert!(reason.contains("certificate"), "{reason}");
    let certificate = certified_key.cert.der().clone();
    let trusting = Trust::new(move || Ok(trusting(&certificate)));
    for (url, trust, encrypted) in [
        (&required, trusting.clone(), "t"),
        (&server.url(), trusting, "t"),
        (&server.url(), Trust::default(), "f"),
    ] {
        let settings = Settings {
            trust,
            ..settings.clone()
        };
        let mut log = PostgresLog::open(url, settings).unwrap();
        log.prepare().unwrap();
        let query = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE application_name = 'switchboard'";
        assert_eq!(server.query(&[query]).unwrap(), encrypted);
        drop(log);
        // The server notices the end of a session a moment later.
        while !server.query(&[query]).unwrap().is_empty() {}
    }
}
