//! Tests of the accounts of the installation.

use super::*;
use crate::installation::accounts::create::CreateAccount;
use crate::installation::accounts::declare::DeclareAccount;
use crate::installation::accounts::update::UpdateAccount;
use switchboard_engine::state::Command;

fn id(byte: u8) -> AccountId {
    AccountId::from_random([byte; 16])
}

fn settings(name: &str) -> AccountSettings {
    AccountSettings::new(name.parse().unwrap())
}

fn at(secs: u64) -> UnixMillis {
    UnixMillis::from_secs(secs)
}

/// Decides at this time and applies; returns whether anything happened.
fn run<C: Command<Of = Accounts>>(accounts: &mut Accounts, secs: u64, command: C) -> bool {
    let mut random = || [9; 16];
    let mut moment = Moment {
        now: at(secs),
        random: &mut random,
        earlier: &[],
    };
    let Ok(decision) = command.decide(accounts, &mut moment) else {
        return false;
    };
    for recorded in &decision.events {
        accounts.apply(&recorded.event);
    }
    !decision.events.is_empty()
}

fn create(byte: u8, name: &str) -> CreateAccount {
    CreateAccount {
        by: By::Operator,
        id: Some(id(byte)),
        settings: settings(name),
    }
}

fn declare(byte: u8, name: &str) -> DeclareAccount {
    DeclareAccount {
        id: id(byte),
        settings: settings(name),
    }
}

#[test]
fn the_number_of_an_erased_account_is_not_given_again() {
    let mut accounts = Accounts::default();
    let number = AccountNumber(1);
    accounts.apply(&AccountsEvent::Erased { id: id(9), number });
    assert_eq!(accounts.numbered(number), None);
    assert!(run(&mut accounts, 1, create(9, "Again")));
    assert_eq!(accounts.get(id(9)).unwrap().number, AccountNumber(2));
    assert_eq!(accounts.numbered(number), None);
}

#[test]
fn each_account_gets_a_number_that_it_keeps() {
    let mut accounts = Accounts::default();
    assert!(run(&mut accounts, 1, create(9, "First")));
    assert!(run(&mut accounts, 2, declare(1, "Second")));
    assert!(!run(&mut accounts, 3, create(9, "First again")));
    assert!(!run(&mut accounts, 4, declare(1, "Second")));
    assert!(run(&mut accounts, 5, declare(1, "Renamed")));
    assert!(run(&mut accounts, 6, create(5, "Third")));
    let change = UpdateAccount {
        by: By::Operator,
        id: id(9),
        change: settings("Other").into(),
    };
    assert!(run(&mut accounts, 7, change.clone()));
    assert!(!run(&mut accounts, 8, change));
    let numbers = [(9, 1, 1, 7), (1, 2, 2, 5), (5, 3, 6, 6)];
    for (byte, number, created, updated) in numbers {
        let account = accounts.get(id(byte)).unwrap();
        assert_eq!(account.number, AccountNumber(number));
        assert_eq!(account.created_at, at(created));
        assert_eq!(account.updated_at, at(updated));
        assert_eq!(accounts.numbered(AccountNumber(number)), Some(account));
        let subdomain = account.subdomain();
        assert_eq!(subdomain.as_str(), format!("account{number}"));
        let shouted = subdomain.as_str().to_uppercase();
        for text in [subdomain.as_str(), &shouted] {
            assert_eq!(accounts.of_subdomain(text), Some(account));
        }
    }
    assert_eq!(accounts.numbered(AccountNumber(4)), None);
    for unknown in [
        "",
        "account",
        "account4",
        "account01",
        "accoun1",
        "ACCOUNT 1",
    ] {
        assert_eq!(accounts.of_subdomain(unknown), None, "{unknown}");
    }
}

fn with_subdomain(name: &str, subdomain: &str) -> AccountSettings {
    AccountSettings {
        subdomain: Some(subdomain.parse().unwrap()),
        ..settings(name)
    }
}

#[test]
fn a_chosen_subdomain_belongs_to_one_account() {
    let mut accounts = Accounts::default();
    let shop = DeclareAccount {
        id: id(1),
        settings: with_subdomain("Shop", "Shop"),
    };
    assert!(run(&mut accounts, 1, shop.clone()));
    assert!(
        !run(&mut accounts, 2, shop),
        "the same again changes nothing"
    );
    let lookup = |accounts: &Accounts, name: &str| accounts.of_subdomain(name).map(|it| it.id);
    assert_eq!(lookup(&accounts, "shop"), Some(id(1)));
    assert_eq!(lookup(&accounts, "account1"), None);
    let rejection = |accounts: &Accounts, subdomain: &str| {
        let account = accounts.declared(id(2), &with_subdomain("Other", subdomain), at(3));
        accounts.check(&account).unwrap_err()
    };
    assert_eq!(
        rejection(&accounts, "SHOP"),
        AccountRejection::SubdomainTaken(id(1))
    );
    for reserved in ["account1", "account3"] {
        let rejection = rejection(&accounts, reserved);
        assert_eq!(rejection, AccountRejection::SubdomainReserved, "{reserved}");
    }
    let other = CreateAccount {
        by: By::Operator,
        id: Some(id(2)),
        settings: with_subdomain("Other", "shop"),
    };
    assert!(!run(&mut accounts, 4, other));
    let json = serde_json::to_string(&accounts).unwrap();
    let mut again: Accounts = serde_json::from_str(&json).unwrap();
    assert_eq!(again, accounts);
    // Without a line of its own it is the usual one, and the chosen one is free.
    assert!(run(&mut again, 5, declare(1, "Shop")));
    assert_eq!(lookup(&again, "account1"), Some(id(1)));
    assert_eq!(lookup(&again, "shop"), None);
}

#[test]
fn the_fields_of_contacts_have_numbers_of_their_own() {
    let accounts = Accounts::default();
    let mut settings = settings("Shop");
    settings.phone_field_id = settings.email_field_id;
    let account = accounts.declared(id(1), &settings, at(1));
    assert_eq!(accounts.check(&account), Err(AccountRejection::SameField));
}
