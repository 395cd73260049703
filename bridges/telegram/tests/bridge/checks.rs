//! The command `check`, and what the program says before it begins.

use crate::stage::Stage;

#[test]
fn a_check_finds_what_is_wrong_at_once() {
    let stage = Stage::prepare();
    let (code, text) = stage.check(&[]);
    // The world has connected the account, and no bridge is installed.
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("ok       the token is that of the bot @"),
        "{text}"
    );
    assert!(
        text.contains("ok       no other program reads the updates"),
        "{text}"
    );
    assert!(
        text.contains("ok       the account is connected to the channel"),
        "{text}"
    );
    assert!(
        text.contains("PROBLEM  the bridge is not installed in the account"),
        "{text}"
    );
    assert!(text.contains("/oauth?client_id="), "{text}");
}

#[test]
fn a_check_beside_the_bridge_says_that_it_is_installed() {
    let stage = Stage::start();
    stage.until("the installation", || {
        (stage.health().1["installed"] == true).then_some(())
    });
    let (code, text) = stage.check(&[]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(stage.health().0, 200, "the check disturbs the bridge");
    assert!(text.contains("ok       a bridge runs at"), "{text}");
    assert!(
        text.contains("ok       the bridge is installed in the account"),
        "{text}"
    );
}

#[test]
fn a_check_names_a_wrong_secret_and_a_service_that_is_away() {
    let stage = Stage::prepare();
    let (code, text) = stage.check(&[("SWITCHBOARD_CHANNEL_SECRET", "wrong")]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("PROBLEM  the service refuses the signature"),
        "{text}"
    );
    let (code, text) = stage.check(&[("SWITCHBOARD_URL", "http://127.0.0.1:1")]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("PROBLEM  the service at http://127.0.0.1:1 does not answer"),
        "{text}"
    );
}

#[test]
fn wrong_settings_are_all_named() {
    let stage = Stage::prepare();
    let wrong = [
        ("TELEGRAM_URL", "nonsense"),
        ("TELEGRAM_BOT_TOKEN", "SECRETS"),
        ("PORT", "x"),
    ];
    let (code, text) = stage.check(&wrong);
    assert_eq!(code, Some(1), "{text}");
    for name in ["telegram.url", "telegram.token", "bridge.port"] {
        assert!(text.contains(name), "{text}");
    }
    assert!(!text.contains("SECRETS"), "{text}");
}
