//! Secrets: never shown, and published ones keep the service on the loopback.

use switchboard::config::{Overrides, SHIPPED, Settings};

use crate::config::{accepted, env, listen, refused};

#[test]
fn no_secret_is_ever_shown() {
    let text = "[operator]\ntoken = \"hunter two\"\n[[channels]]\nsecrt = \"hunter\"\nsecret = \"hunter x\"\n\
        [[accounts]]\nusers = [{ pasword = \"hunter\", password = \"hunter\", token = \"hunter/ /\" }]";
    let errors = refused(
        text,
        &[("SWITCHBOARD_CHANNELS__0__SECRE", "hunter")],
        Overrides::default(),
    );
    assert!(!errors.contains("hunter"), "{errors}");
    let settings = accepted(SHIPPED, &[], Overrides::default());
    let debug = format!("{settings:?}");
    for secret in ["change-me", "demo-admin-token", "5a44c5d", "Passw0rd"] {
        assert!(!debug.contains(secret), "{secret}");
    }
}

/// A message about an address and the list of settings show no part of it that may be a secret.
#[test]
fn an_address_is_shown_without_its_secrets() {
    let forms = [
        "host=h user=u password=hunter2",
        "host=h password=\"hunter2\"",
        "HOST=h PGPASSWORD=hunter2",
        "u:hunter2@h/d",
        "postgres:u:hunter2@h",
        "postgres://u:hunter2@h:port/d",
        "postgres://u:hunter2@h/d",
        "postgres://h/d?sslmode=nonsense&password=hunter2",
        "postgres://h/d?sslpassword=hunter2",
        "postgres://u:a@b?c#hunter2@h/d",
        "postgres//u:hunter2@h/d",
        "jdbc:postgresql://h/d?user=u&password=hunter2",
        "s3://key:hunter2@bucket/path",
        "https://account.blob.example/c?sv=1&sig=hunter2",
        "https://h/p#hunter2",
        "password=hunter2 url=https://h/",
        "{\"password\": \"hunter2\"}",
        "ftp://u:hunter2@h/p?x=1",
    ];
    let keys = [
        ("archive", "to"),
        ("shared_log", "to"),
        ("shared_log", "url"),
        ("server", "public_url"),
        ("server", "callback_url"),
    ];
    let check = |text: &str, pairs: &[(&str, &str)]| {
        let read = Settings::parse_with_origins(text, "x.toml", &env(pairs), Overrides::default());
        let output = match read {
            Ok((_, shown)) => format!("{shown:?}"),
            Err(errors) => format!("{errors} {:?}", errors.as_json()),
        };
        assert!(!output.contains("hunter2"), "{text} {pairs:?}\n{output}");
    };
    for form in forms {
        for (section, key) in keys {
            let name = format!("SWITCHBOARD_{section}__{key}").to_uppercase();
            check("", &[(&name, form)]);
            check(&format!("[{section}]\n{key} = '{form}'\n"), &[]);
        }
        if form.contains('=') && !form.contains("://h/p") {
            check("", &[("SWITCHBOARD_LOG__FORMAT", form)]);
        }
    }
    for form in ["s3://bucket/path", "file:///mnt/backup"] {
        let pairs = [("SWITCHBOARD_ARCHIVE__TO", form)];
        let read = Settings::parse_with_origins("", "x.toml", &env(&pairs), Overrides::default());
        let (_, settings) = read.unwrap();
        assert!(settings.iter().any(|it| it.value == form), "{form}");
    }
}

#[test]
fn published_secrets_keep_the_service_on_loopback() {
    let errors = refused(SHIPPED, &[], listen("0.0.0.0:8080"));
    for (path, variable) in [
        ("`operator.token`", "SWITCHBOARD_OPERATOR__TOKEN"),
        (
            "`accounts[0].users[0].password`",
            "SWITCHBOARD_ACCOUNTS__0__USERS__0__PASSWORD",
        ),
        (
            "`accounts[0].users[0].token`",
            "SWITCHBOARD_ACCOUNTS__0__USERS__0__TOKEN",
        ),
        ("`channels[0].secret`", "SWITCHBOARD_CHANNELS__0__SECRET"),
        (
            "`oauth_clients[0].secret`",
            "SWITCHBOARD_OAUTH_CLIENTS__0__SECRET",
        ),
    ] {
        assert!(
            errors.contains(path) && errors.contains(variable),
            "{path}:\n{errors}"
        );
    }
    assert!(errors.contains("config/public-secret"), "{errors}");
    assert!(
        errors.contains("0.0.0.0:8080 is open to others than this machine"),
        "{errors}"
    );

    let variables = [
        ("SWITCHBOARD_OPERATOR__TOKEN", "t-1"),
        ("SWITCHBOARD_ACCOUNTS__0__USERS__0__PASSWORD", "0therWord"),
        ("SWITCHBOARD_ACCOUNTS__0__USERS__0__TOKEN", "t-2"),
        ("SWITCHBOARD_CHANNELS__0__SECRET", "s-1"),
        ("SWITCHBOARD_OAUTH_CLIENTS__0__SECRET", "s-2"),
    ];
    accepted(SHIPPED, &variables, listen("0.0.0.0:8080"));
    for left in 0..variables.len() {
        let mut most = variables.to_vec();
        let (name, _) = most.remove(left);
        let errors = refused(SHIPPED, &most, listen("[::]:8080"));
        assert!(
            errors.contains(name) && errors.matches("error[").count() == 1,
            "{errors}"
        );
    }
}
