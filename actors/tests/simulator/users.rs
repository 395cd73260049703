//! Account users answer customers, and repeat a request of which they do not know what became.

use std::rc::Rc;
use std::sync::Arc;

use switchboard_actors::System;
use switchboard_actors::domain::chat::delivery::DeliveryState;
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::conversation::Replied;
use switchboard_actors::domain::conversation::reply::ReplyRejection;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::AnswerRejection;
use switchboard_actors::system::user_access::ReplyRequest;
use switchboard_engine::testkit::simulation::Possible;

use crate::ledger::{Fate, Reply};
use crate::setting::ada;
use crate::world::World;

/// One of them answers.
pub(crate) async fn reply(world: &Rc<World>, system: &System) {
    let Some(place) = choose(world) else { return };
    let reply = world.ledger.borrow().replies[place].clone();
    let caller = match ada(system, world.scopes[reply.scope].account()).await {
        Ok(Some(caller)) => caller,
        Ok(None) => return world.fail("Ada is not known any more".to_owned()),
        Err(_unavailable) => return,
    };
    let request = ReplyRequest {
        content: OutgoingContent::Text {
            text: reply.text.parse().unwrap(),
        },
        reply_to: None,
        resends: None,
        seen: None,
        draft: None,
        scheduled_reply: None,
        template: None,
    };
    let key = Some(reply.key.clone());
    let answer = match system.user_access(&caller).await {
        Ok(access) => access.reply(reply.conversation, request, key).await,
        Err(unavailable) => Err(unavailable.into()),
    };
    if world.hears("a user is answered") {
        let id_of = |replied: &Arc<Replied>| replied.id;
        world
            .machine
            .tell(|| format!("{reply:?} {:?}", answer.as_ref().map(id_of)));
        let fate = world.fate(&answer);
        if let Err(what) = settle(world, place, fate, answer) {
            world.fail(what);
        }
    }
}

/// A new reply, or a repetition of one whose fate is unknown.
fn choose(world: &World) -> Option<usize> {
    let mut ledger = world.ledger.borrow_mut();
    let mut dice = world.dice.borrow_mut();
    let moment = ledger.moment();
    let mut replies = ledger.replies.iter();
    let unknown = replies.position(|reply| reply.fate == Fate::Unknown);
    if let Some(place) = unknown.filter(|_| dice.one_in(2)) {
        world.coverage.count("reply repeated");
        return Some(place);
    }
    let names: Vec<_> = ledger
        .threads
        .iter()
        .map(|(name, id)| (*name, *id))
        .collect();
    let (name, conversation) = names[dice.place(names.len())?];
    let number = ledger.replies.len();
    ledger.replies.push(Reply {
        scope: name.scope,
        conversation,
        text: format!("answer {number}"),
        key: format!("request-{number}").parse().unwrap(),
        fate: Fate::Asked,
        asked: moment,
        answered: u64::MAX,
        message: None,
        status: Possible::only(DeliveryState::Sent),
        meddled: false,
    });
    world.coverage.count("replies written");
    Some(number)
}

fn settle(
    world: &World,
    place: usize,
    fate: Fate,
    answered: Result<Arc<Replied>, CommandError<AnswerRejection>>,
) -> Result<(), String> {
    let mut ledger = world.ledger.borrow_mut();
    let moment = ledger.moment();
    let disconnected = ledger
        .ever_disconnected
        .contains(&ledger.replies[place].scope);
    let reply = &mut ledger.replies[place];
    // What is refused now may have been carried out the first time.
    if reply.fate == Fate::Asked || fate == Fate::Accepted {
        reply.fate = fate;
        if fate == Fate::Accepted {
            reply.answered = moment;
        }
    }
    match answered {
        Ok(replied) => {
            let message = *reply.message.get_or_insert(replied.id);
            if message != replied.id {
                return Err(format!("a repeat of «{}» is another message", reply.text));
            }
            Ok(())
        }
        Err(CommandError::Rejected(AnswerRejection::Reply(ReplyRejection::NotConnected)))
            if disconnected =>
        {
            world.coverage.count("reply refused: not connected");
            Ok(())
        }
        Err(CommandError::Rejected(rejection)) => Err(format!("a user is told: {rejection}")),
        Err(CommandError::Unavailable(_)) => Ok(()),
    }
}
