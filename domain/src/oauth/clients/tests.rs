use super::*;
use crate::oauth::clients::create::CreateOauthClient;
use crate::oauth::clients::declare::DeclareOauthClient;
use crate::oauth::clients::rotate_client_secret::RotateClientSecret;
use crate::oauth::clients::settings::OauthClientChange;
use crate::oauth::clients::update::UpdateOauthClient;
use crate::time::UnixMillis;
use switchboard_engine::state::Command;

fn id(byte: u8) -> OauthClientId {
    OauthClientId::from_random([byte; 16])
}

fn settings(name: &str) -> OauthClientSettings {
    let redirect = "http://127.0.0.1:9001/cb".parse().unwrap();
    OauthClientSettings::new(name.parse().unwrap(), redirect)
}

fn client(name: &str, secret: &str) -> OauthClient {
    OauthClient {
        id: id(1),
        secret: secret.parse().unwrap(),
        settings: settings(name),
    }
}

/// Decides and applies; gives the reply and the number of events.
fn run<C: Command<Of = OauthClients>>(
    clients: &mut OauthClients,
    command: C,
) -> Result<(C::Reply, usize), C::Rejection> {
    let mut random = || [9; 16];
    let mut moment = Moment {
        now: UnixMillis::from_secs(1),
        random: &mut random,
        earlier: &[],
    };
    let decision = command.decide(clients, &mut moment)?;
    for recorded in &decision.events {
        clients.apply(&recorded.event);
    }
    Ok((decision.reply, decision.events.len()))
}

fn create(byte: u8) -> CreateOauthClient {
    CreateOauthClient {
        by: By::Operator,
        id: Some(id(byte)),
        secret: None,
        settings: settings("Bridge"),
    }
}

#[test]
fn the_first_client_makes_the_key_and_later_ones_keep_it() {
    let mut clients = OauthClients::default();
    assert!(clients.key().is_none());
    let (first, events) = run(&mut clients, create(1)).unwrap();
    assert_eq!((first.secret.expose().len(), events), (40, 2));
    let key = clients.key().cloned();
    assert!(key.is_some());
    let (_, events) = run(&mut clients, create(2)).unwrap();
    assert_eq!((events, clients.key().cloned()), (1, key));
    assert_eq!(
        run(&mut clients, create(2)),
        Err(OauthClientRejection::Exists)
    );
    assert_eq!(clients.iter().count(), 2);
}

#[test]
fn a_change_is_audited_without_the_secret() {
    let mut clients = OauthClients::default();
    run(&mut clients, create(1)).unwrap();
    let before = clients.get(id(1)).unwrap().secret.clone();
    let rotate = RotateClientSecret {
        by: By::Operator,
        id: id(1),
        secret: Some("another".parse().unwrap()),
    };
    let mut random = || [9; 16];
    let mut moment = Moment {
        now: UnixMillis::from_secs(1),
        random: &mut random,
        earlier: &[],
    };
    let decision = rotate.clone().decide(&clients, &mut moment).unwrap();
    let json = serde_json::to_value(&decision.events[0].event).unwrap();
    let audit = json["Changed"]["audit"].to_string();
    assert!(audit.contains("secret_fingerprint"), "{audit}");
    for secret in [before.expose(), "another"] {
        assert!(!audit.contains(secret), "{audit}");
    }
    run(&mut clients, rotate.clone()).unwrap();
    assert_eq!(
        run(&mut clients, rotate),
        Err(OauthClientRejection::SameSecret)
    );
    let change = UpdateOauthClient {
        by: By::Operator,
        id: id(2),
        change: OauthClientChange::default(),
    };
    assert_eq!(
        run(&mut clients, change),
        Err(OauthClientRejection::Unknown)
    );
}

#[test]
fn a_restart_undoes_no_change_and_an_edited_file_counts() {
    let mut clients = OauthClients::default();
    let declare = |name: &str, secret: &str| DeclareOauthClient(client(name, secret));
    assert_eq!(run(&mut clients, declare("A", "one")), Ok(((), 2)));
    assert_eq!(run(&mut clients, declare("A", "one")), Ok(((), 0)));
    let change = UpdateOauthClient {
        by: By::Operator,
        id: id(1),
        change: OauthClientChange {
            name: Some("B".parse().unwrap()),
            ..OauthClientChange::default()
        },
    };
    run(&mut clients, change).unwrap();
    run(&mut clients, declare("A", "one")).unwrap();
    assert_eq!(clients.get(id(1)), Some(&client("B", "one")));
    run(&mut clients, declare("C", "two")).unwrap();
    assert_eq!(clients.get(id(1)), Some(&client("C", "two")));
}

/// Computed with `openssl dgst -sha256 -hmac secret`.
#[test]
fn an_uninstall_report_is_signed_over_client_and_account() {
    let client = OauthClient {
        id: "0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3".parse().unwrap(),
        ..client("Bridge", "secret")
    };
    let digest = "762eee3483f96c8bb2b5b58292153989bd8faf6afe4363cbac7f81bbbc3c1ba9";
    assert_eq!(client.uninstall_signature(AccountNumber(12)), digest);
}
