//! Secrets: never shown, and published ones keep the service on the loopback.

use switchboard::config::{Overrides, SHIPPED};

use crate::config::{accepted, listen, refused};

#[test]
fn no_secret_is_ever_shown() {
    let text = "[operator]\ntoken = \"hunter two\"\n[[channels]]\nsecrt = \"hunter\"\nsecret = \"hunter x\"\n\
        [[accounts]]\nusers = [{ pasword = \"hunter\", password = \"hunter\", token = \"hunter/ /\" }]";
    let told = refused(
        text,
        &[("SWITCHBOARD_CHANNELS__0__SECRE", "hunter")],
        Overrides::default(),
    );
    assert!(!told.contains("hunter"), "{told}");
    let settings = accepted(SHIPPED, &[], Overrides::default());
    let shown = format!("{settings:?}");
    for secret in ["change-me", "demo-admin-token", "5a44c5d", "Passw0rd"] {
        assert!(!shown.contains(secret), "{secret}");
    }
}

#[test]
fn published_secrets_keep_the_service_on_loopback() {
    let told = refused(SHIPPED, &[], listen("0.0.0.0:8080"));
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
            told.contains(path) && told.contains(variable),
            "{path}:\n{told}"
        );
    }
    assert!(told.contains("config/public-secret"), "{told}");
    assert!(
        told.contains("0.0.0.0:8080 is open to others than this machine"),
        "{told}"
    );

    let changed = [
        ("SWITCHBOARD_OPERATOR__TOKEN", "t-1"),
        ("SWITCHBOARD_ACCOUNTS__0__USERS__0__PASSWORD", "0therWord"),
        ("SWITCHBOARD_ACCOUNTS__0__USERS__0__TOKEN", "t-2"),
        ("SWITCHBOARD_CHANNELS__0__SECRET", "s-1"),
        ("SWITCHBOARD_OAUTH_CLIENTS__0__SECRET", "s-2"),
    ];
    accepted(SHIPPED, &changed, listen("0.0.0.0:8080"));
    for left in 0..changed.len() {
        let mut most = changed.to_vec();
        let (name, _) = most.remove(left);
        let told = refused(SHIPPED, &most, listen("[::]:8080"));
        assert!(
            told.contains(name) && told.matches("error[").count() == 1,
            "{told}"
        );
    }
}
