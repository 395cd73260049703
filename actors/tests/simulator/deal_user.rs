//! A user in each account takes deals, or declines them.

use std::rc::Rc;

use switchboard_actors::System;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::Deal;
use switchboard_actors::domain::id::{DealId, UserId};
use switchboard_actors::error::Refused;
use switchboard_actors::system::user_access::NotDone;
use switchboard_engine::testkit::simulation::Possible;
use switchboard_worlds::Whole;

use crate::ledger::{DealFate, Fate};
use crate::setting::ada;
use crate::world::World;

/// Looks at the account's deals and decides on one. Only the first account has a user, who does one thing at a time.
pub(crate) async fn decide(world: &Rc<World>, system: &System) {
    let account = world.scopes[0].account();
    let whole = Whole::new(system, account);
    let Ok(crm) = whole.crm().await else {
        return;
    };
    let caller = match ada(system, account).await {
        Ok(Some(caller)) => caller,
        Ok(None) => return world.fail("Ada is not known any more".to_owned()),
        Err(_unavailable) => return,
    };
    if crm.deals == 0 {
        return;
    }
    let id = DealId(1 + u64::try_from(world.draw(usize::try_from(crm.deals).unwrap())).unwrap());
    let Ok(Some(deal)) = whole.deal(id).await else {
        return world.fail(format!("the CRM counts deal {id:?}, and has none"));
    };
    if world.machine.is_dead() {
        // No client saw the deal.
        return;
    }
    let decision = if world.draw(2) == 0 {
        DealFate::Accepted
    } else {
        DealFate::Lost
    };
    let before = {
        let mut ledger = world.ledger.borrow_mut();
        if decision == DealFate::Lost {
            let conversation = deal.conversation().unwrap();
            *ledger.declined.entry(conversation).or_default() += 1;
        }
        let initial = Possible::only(DealFate::Unsorted);
        let possible = ledger.deals.entry(id).or_insert(initial);
        let before = possible.clone();
        possible.maybe_changed(|fate| over(*fate, decision));
        before
    };
    let Ok(access) = system.user_access(&caller).await else {
        return;
    };
    let answer = match decision {
        DealFate::Lost => access.decline_unsorted(id).await,
        DealFate::Accepted | DealFate::Unsorted => {
            let responsible = somebody(world, access.users());
            access.accept_unsorted(id, None, responsible).await
        }
    };
    if !world.hears("the user of the deals is answered") {
        return;
    }
    if !settle(world, id, decision, before, &answer) {
        world.fail(format!("{id:?} is to become {decision:?}: {answer:?}"));
    }
}

/// A user of the account, or `None` to let the service choose.
fn somebody(world: &World, users: &Users) -> Option<UserId> {
    let ids: Vec<UserId> = users.iter().map(|user| user.id).collect();
    ids.get(world.draw(ids.len() + 1)).copied()
}

/// Notes the answer; false when it may not be given. `before`: what the deal may have been.
fn settle(
    world: &World,
    id: DealId,
    wanted: DealFate,
    before: Possible<DealFate>,
    answered: &Result<Deal, Refused<NotDone>>,
) -> bool {
    let fate = world.fate(answered);
    let mut ledger = world.ledger.borrow_mut();
    let Some(possible) = ledger.deals.get_mut(&id) else {
        return true;
    };
    match (answered, fate) {
        (Ok(_), _) => {
            world.coverage.count(match wanted {
                DealFate::Lost => "deal declined",
                DealFate::Accepted | DealFate::Unsorted => "deal accepted",
            });
            *possible = before;
            let fits = possible.seen(|fate| *fate == DealFate::Unsorted);
            possible.changed(|_| wanted);
            fits
        }
        (Err(Refused::Rejected(NotDone::NotUnsorted)), _) => {
            world.coverage.count("deal was decided on before");
            *possible = before;
            possible.seen(|fate| *fate != DealFate::Unsorted)
        }
        (Err(Refused::Rejected(_)), _) => false,
        (Err(Refused::Unavailable(_)), Fate::Refused) => {
            *possible = before;
            true
        }
        (Err(Refused::Unavailable(_)), _) => true,
    }
}

/// Returns the state of a deal after a decision; only unsorted ones are decided on.
fn over(before: DealFate, wanted: DealFate) -> DealFate {
    if before == DealFate::Unsorted {
        wanted
    } else {
        before
    }
}
