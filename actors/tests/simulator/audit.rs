//! Compares what can be seen of the service with what its clients remember.
//!
//! The audit reads everything first and judges it afterwards, at one moment: if the power fails in between, no client
//! has seen the result. What was seen once has to stay, so every unknown fate is known from then on.

mod callbacks;
mod hooks;
mod leads;
mod lists;
mod threads;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use switchboard_actors::System;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::{Contact, Lead};
use switchboard_actors::domain::id::{AccountId, ContactId, ConversationId, LeadId, ScopeId};
use switchboard_actors::domain::replays::ReplayJob;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::inbox::{ConversationView, MessageView};
use switchboard_worlds::Whole;

use crate::replays;
use crate::setting::accounts;
use crate::world::World;

/// The state of the system, read through its public functions.
pub(crate) struct Seen {
    threads: BTreeMap<ConversationId, Thread>,
    books: Vec<BookSeen>,
    connected: Vec<bool>,
    users: Arc<Users>,
    lists: Vec<lists::Lists>,
    jobs: Vec<ReplayJob>,
    hooks: hooks::Hooks,
    deaths: u64,
}

pub(crate) struct Thread {
    view: ConversationView,
    /// Its messages, the oldest first.
    messages: Vec<MessageView>,
}

struct BookSeen {
    account: AccountId,
    leads: Vec<Lead>,
    contacts: BTreeMap<ContactId, Contact>,
}

/// Compares everything.
pub(crate) async fn everything(world: &Rc<World>, system: &System) {
    let view = match see(world, system).await {
        Ok(seen) => seen,
        // Reading may have to wait for a disk that refuses just then.
        Err(UnavailableError::Interrupted | UnavailableError::Busy) => return,
        Err(unavailable) => return world.fail(format!("reading: {unavailable}")),
    };
    if world.machine.is_dead() {
        return;
    }
    world.coverage.count("everything compared");
    if let Err(what) = judge(world, &view) {
        world.fail(what);
    }
}

/// A callback of this scope that still waits, and where; `None` when none does.
pub(crate) async fn waiting_callback_of(
    world: &Rc<World>,
    system: &System,
    scope: &ScopeId,
) -> Option<String> {
    match see(world, system).await {
        Ok(seen) => callbacks::waiting(&seen, Some(scope)),
        Err(unavailable) => Some(unavailable.to_string()),
    }
}

/// A callback or a hook that still waits, and where; `None` when none does.
pub(crate) async fn waiting_request(world: &Rc<World>, system: &System) -> Option<String> {
    match see(world, system).await {
        Ok(seen) => {
            let waiting = callbacks::waiting(&seen, None).or_else(|| hooks::waiting(world, &seen));
            if waiting.is_none() {
                callbacks::count(world, &seen);
                hooks::count(world, &seen);
            }
            waiting
        }
        Err(unavailable) => Some(unavailable.to_string()),
    }
}

async fn see(world: &Rc<World>, system: &System) -> Result<Seen, UnavailableError> {
    let mut threads = BTreeMap::new();
    let mut books = Vec::new();
    for account in accounts(&world.scopes) {
        let whole = Whole::new(system, account);
        for view in whole.conversations().await? {
            let messages = whole.messages(view.state.id).await?;
            threads.insert(view.state.id, Thread { view, messages });
        }
        let crm = whole.crm().await?;
        let (mut leads, mut contacts) = (Vec::new(), BTreeMap::new());
        for number in 1..=crm.leads {
            leads.extend(whole.lead(LeadId(number)).await?);
        }
        for number in 1..=crm.contacts {
            let id = ContactId(number);
            contacts.extend(whole.contact(id).await?.map(|it| (id, it)));
        }
        let counts = (u64::try_from(leads.len()), u64::try_from(contacts.len()));
        if counts != (Ok(crm.leads), Ok(crm.contacts)) && !world.machine.is_dead() {
            world.fail("the CRM counts what is not there".to_owned());
        }
        books.push(BookSeen {
            account,
            leads,
            contacts,
        });
    }
    let mut connected = Vec::new();
    for scope in &world.scopes {
        connected.push(system.is_connected(scope).await?);
    }
    let account = world.scopes[0].account();
    let users = system.users(account).await?;
    let contacts = &books[0].contacts;
    Ok(Seen {
        lists: lists::see(world, system, account, &users, contacts).await?,
        jobs: system.replays().await?,
        hooks: hooks::see(world, system).await?,
        threads,
        books,
        connected,
        users,
        deaths: system.counts().deaths,
    })
}

fn judge(world: &World, seen: &Seen) -> Result<(), String> {
    if seen.deaths > 0 {
        return Err("an actor died".to_owned());
    }
    let ledger = &mut *world.ledger.borrow_mut();
    threads::judge(ledger, seen)?;
    leads::judge(ledger, world, seen)?;
    callbacks::judge(ledger, world, seen)?;
    hooks::judge(world, seen)?;
    replays::judge(&mut ledger.jobs, &seen.jobs)?;
    for (possible, connected) in ledger.connected.iter_mut().zip(&seen.connected) {
        if !possible.seen(|value| value == connected) {
            return Err(format!("a scope is connected: {connected}"));
        }
    }
    if !ledger.registry.seen(|registry| registry.is(&seen.users)) {
        return Err(format!(
            "users and roles are {:?}, but may be {:?}",
            seen.users, ledger.registry
        ));
    }
    lists::judge(world, seen)
}
