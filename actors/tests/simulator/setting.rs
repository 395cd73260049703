//! The declarations of the configuration at each start, and the connections of the scopes.

use std::rc::Rc;

use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{AccountId, ScopeId};
use switchboard_actors::domain::installation::accounts::Plan;
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::chat::ConnectRequest;
use switchboard_actors::{Caller, System};

use crate::ledger::Fate;
use crate::network::hooks::SUBSCRIBER;
use crate::world::World;

/// Declares everything, however often that has to be tried: the disk may be slow.
pub(crate) async fn declare_all(world: &Rc<World>, system: &System) {
    while let Err(unavailable) = declare(system, world).await {
        if !matches!(
            unavailable,
            UnavailableError::Busy | UnavailableError::Interrupted
        ) {
            return world.fail(format!("nothing can be declared: {unavailable}"));
        }
    }
}

/// Declares accounts, their administrators and the channels, as the service does at each start, and makes sure that all
/// scopes that no client disconnected are connected.
async fn declare(system: &System, world: &Rc<World>) -> Result<(), UnavailableError> {
    for account in accounts(&world.scopes) {
        let declaration = DeclareAccount {
            id: account,
            settings: AccountSettings {
                plan: Plan::Enterprise,
                ..AccountSettings::new("Account".parse().unwrap())
            },
        };
        let declared = system.declare_account(declaration).await;
        declared.map_err(|refused| {
            refused.into_error(|conflict| -> UnavailableError { unreachable!("{conflict}") })
        })?;
        let ada = DeclareUser {
            id: None,
            name: "Ada".parse().unwrap(),
            email: "ada@example.com".parse().unwrap(),
            is_admin: true,
            password: None,
            token: Some(TokenHash::new(&token(account))),
        };
        let declared = system.declare_user(account, ada).await;
        declared.map_err(|refused| {
            refused.into_error(|conflict| -> UnavailableError { unreachable!("{conflict}") })
        })?;
    }
    for name in ["alpha", "beta"] {
        let webhook = |version| {
            Some(
                format!("http://{name}/{version}/:scope_id")
                    .parse()
                    .unwrap(),
            )
        };
        let settings = ChannelSettings {
            webhook_v1: webhook("v1"),
            webhook_v2: webhook("v2"),
            ..ChannelSettings::new(name.parse().unwrap())
        };
        let secret = "secret".parse().unwrap();
        let channel = Channel::new(name.parse().unwrap(), secret, settings);
        system.declare_channel(channel).await?;
    }
    subscribe(world, system).await?;
    for scope in 0..world.scopes.len() {
        let connected = {
            let ledger = world.ledger.borrow();
            let surely = !ledger.connected[scope].may(|connected| !connected);
            surely || ledger.ever_disconnected.contains(&scope)
        };
        if !connected {
            connect(world, system, scope).await;
        }
    }
    Ok(())
}

/// The administrator of the first account subscribes a program to its messages, in both directions.
async fn subscribe(world: &World, system: &System) -> Result<(), UnavailableError> {
    let account = world.scopes[0].account();
    let Some(caller) = ada(system, account).await? else {
        world.fail("Ada is not known any more".to_owned());
        return Ok(());
    };
    let access = system.user_access(&caller).await?;
    let destination = format!("http://{SUBSCRIBER}").parse().unwrap();
    let codes = ["add_message", "add_outgoing_message"].map(|code| code.parse().unwrap());
    let created = access.create_webhook(destination, codes.to_vec(), 10).await;
    created.map(drop).map_err(|refused| {
        refused.into_error(|conflict| -> UnavailableError { unreachable!("{conflict}") })
    })
}

/// An integration connects a scope.
pub(crate) async fn connect(world: &World, system: &System, scope: usize) {
    let id = &world.scopes[scope];
    let request = ConnectRequest {
        account: id.account(),
        title: None,
        version: version(scope),
        time_window_disabled: false,
    };
    let maybe = |world: &World| {
        world.ledger.borrow_mut().connected[scope].maybe_changed(|_| true);
    };
    // Until the answer is heard, either may be.
    let before = world.ledger.borrow().connected[scope].clone();
    maybe(world);
    let answer = system.connect(id.channel(), request).await;
    if !world.hears("an integration is connected") {
        return;
    }
    let fate = world.fate(&answer);
    if let Err(CommandError::Rejected(rejection)) = answer {
        world.fail(format!("connecting: {rejection}"));
    }
    let connected = &mut world.ledger.borrow_mut().connected[scope];
    match fate {
        Fate::Accepted => connected.changed(|_| true),
        Fate::Refused => *connected = before,
        Fate::Asked | Fate::Unknown => {}
    }
}

/// An integration disconnects a scope.
pub(crate) async fn disconnect(world: &World, system: &System, scope: usize) {
    let before = {
        let mut ledger = world.ledger.borrow_mut();
        ledger.ever_disconnected.insert(scope);
        let before = ledger.connected[scope].clone();
        ledger.connected[scope].maybe_changed(|_| false);
        before
    };
    world.coverage.count("scope disconnected");
    if world.draw(2) == 0 {
        // What waits of it may not be cancelled before that.
        world
            .machine
            .cut_within(1 + u64::try_from(world.draw(8)).unwrap());
    }
    let answer = system.disconnect(&world.scopes[scope]).await;
    if !world.hears("an integration is disconnected") {
        return;
    }
    let fate = match &answer {
        Ok(()) => Fate::Accepted,
        Err(unavailable) => world.not_now(unavailable),
    };
    let connected = &mut world.ledger.borrow_mut().connected[scope];
    match fate {
        Fate::Accepted => connected.changed(|_| false),
        Fate::Refused => *connected = before,
        Fate::Asked | Fate::Unknown => {}
    }
}

/// The version of callbacks that a scope speaks.
pub(crate) fn version(scope: usize) -> HookVersion {
    if scope == 1 {
        HookVersion::V1
    } else {
        HookVersion::V2
    }
}

pub(crate) fn accounts(scopes: &[ScopeId]) -> Vec<AccountId> {
    let mut accounts: Vec<AccountId> = scopes.iter().map(ScopeId::account).collect();
    accounts.dedup();
    accounts
}

/// The administrator of an account.
pub(crate) async fn ada(
    system: &System,
    account: AccountId,
) -> Result<Option<Caller>, UnavailableError> {
    system.caller(&token(account)).await
}

fn token(account: AccountId) -> String {
    format!("token of Ada of {account}")
}
