//! A user in each account takes leads, or declines them.

use std::rc::Rc;

use switchboard_actors::System;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::id::{LeadId, UserId};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::CrmRejection;
use switchboard_engine::testkit::simulation::Possible;
use switchboard_worlds::Whole;

use crate::ledger::{Fate, LeadFate};
use crate::setting::ada;
use crate::world::World;

/// Looks at the account's leads and decides on one. Only the first account has a user, who does one thing at a time.
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
    if crm.leads == 0 {
        return;
    }
    let id = LeadId(1 + u64::try_from(world.draw(usize::try_from(crm.leads).unwrap())).unwrap());
    let Ok(Some(lead)) = whole.lead(id).await else {
        return world.fail(format!("the CRM counts lead {id:?}, and has none"));
    };
    if world.machine.is_dead() {
        // No client saw the lead.
        return;
    }
    let decision = if world.draw(2) == 0 {
        LeadFate::Accepted
    } else {
        LeadFate::Lost
    };
    let before = {
        let mut ledger = world.ledger.borrow_mut();
        if decision == LeadFate::Lost {
            let conversation = lead.conversation().unwrap();
            *ledger.declined.entry(conversation).or_default() += 1;
        }
        let initial = Possible::only(LeadFate::Unsorted);
        let possible = ledger.leads.entry(id).or_insert(initial);
        let before = possible.clone();
        possible.maybe_changed(|fate| over(*fate, decision));
        before
    };
    let Ok(access) = system.user_access(&caller).await else {
        return;
    };
    let answer = match decision {
        LeadFate::Lost => access.decline_unsorted(id).await,
        LeadFate::Accepted | LeadFate::Unsorted => {
            let responsible = somebody(world, access.users());
            access.accept_unsorted(id, None, responsible).await
        }
    };
    if !world.hears("the user of the leads is answered") {
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

/// Notes the answer; false when it may not be given. `before`: what the lead may have been.
fn settle(
    world: &World,
    id: LeadId,
    wanted: LeadFate,
    before: Possible<LeadFate>,
    answered: &Result<Lead, CommandError<CrmRejection>>,
) -> bool {
    let fate = world.fate(answered);
    let mut ledger = world.ledger.borrow_mut();
    let Some(possible) = ledger.leads.get_mut(&id) else {
        return true;
    };
    match (answered, fate) {
        (Ok(_), _) => {
            world.coverage.count(match wanted {
                LeadFate::Lost => "lead declined",
                LeadFate::Accepted | LeadFate::Unsorted => "lead accepted",
            });
            *possible = before;
            let fits = possible.seen(|fate| *fate == LeadFate::Unsorted);
            possible.changed(|_| wanted);
            fits
        }
        (Err(CommandError::Rejected(CrmRejection::NotUnsorted)), _) => {
            world.coverage.count("lead was decided on before");
            *possible = before;
            possible.seen(|fate| *fate != LeadFate::Unsorted)
        }
        (Err(CommandError::Rejected(_)), _) => false,
        (Err(CommandError::Unavailable(_)), Fate::Refused) => {
            *possible = before;
            true
        }
        (Err(CommandError::Unavailable(_)), _) => true,
    }
}

/// Returns the state of a lead after a decision; only unsorted ones are decided on.
fn over(before: LeadFate, wanted: LeadFate) -> LeadFate {
    if before == LeadFate::Unsorted {
        wanted
    } else {
        before
    }
}
