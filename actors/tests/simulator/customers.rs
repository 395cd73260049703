//! Customers write, repeat themselves, and say something else under the same name.

use std::rc::Rc;

use switchboard_actors::System;
use switchboard_actors::domain::conversation::send_message::Accepted;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::SendRejection;
use switchboard_worlds::TestMessage;
use switchboard_worlds::integration::{Answered, IntegrationError, post};

use crate::ledger::{Fate, Post, ThreadName};
use crate::world::World;

/// The conversations of each scope.
const THREADS: usize = 2;

/// One of them writes.
pub(crate) async fn write(world: &Rc<World>, system: &System) {
    let place = choose(world);
    let (scope, test_message) = {
        let ledger = world.ledger.borrow();
        let post = &ledger.posts[place];
        (world.scopes[post.scope].clone(), post.test_message.clone())
    };
    let answer = post(system, &scope, &test_message).await;
    if world.hears("a customer is answered") {
        let id_of = |accepted: &Accepted| accepted.message;
        world
            .machine
            .tell(|| format!("{scope} {test_message:?} {:?}", answer.as_ref().map(id_of)));
        let fate = world.fate(&answer);
        if let Err(what) = settle(world, place, fate, answer) {
            world.fail(what);
        }
    }
}

/// A new message or an earlier one again, as a post of its own.
fn choose(world: &World) -> usize {
    let mut ledger = world.ledger.borrow_mut();
    let mut dice = world.dice.borrow_mut();
    let moment = ledger.moment();
    let earlier = dice.place(ledger.posts.len()).filter(|_| dice.one_in(4));
    let mut post = match earlier {
        Some(earlier) => ledger.posts[earlier].clone(),
        None => {
            let (scope, thread) = (dice.below(world.scopes.len()), dice.below(THREADS));
            let msgid = format!("m-{}", dice.below(6));
            let person = format!("u-{scope}-{}", dice.below(3));
            let loud = dice.below(3) > 0;
            let mut test_message = TestMessage::new(&msgid, &format!("text {}", dice.below(3)))
                .in_conversation(&format!("c-{thread}"))
                .by(&person);
            if !loud {
                test_message = test_message.silent();
            }
            Post {
                scope,
                thread,
                msgid,
                test_message,
                fate: Fate::Asked,
                asked: moment,
                answered: u64::MAX,
                message: None,
            }
        }
    };
    post.fate = Fate::Asked;
    post.message = None;
    post.asked = moment;
    post.answered = u64::MAX;
    world.coverage.count("messages posted");
    ledger.posts.push(post);
    ledger.posts.len() - 1
}

/// Notes the answer, if it is one that may be given.
fn settle(
    world: &World,
    place: usize,
    fate: Fate,
    answered: Answered<Accepted, SendRejection>,
) -> Result<(), String> {
    let mut ledger = world.ledger.borrow_mut();
    let moment = ledger.moment();
    let post = &mut ledger.posts[place];
    post.fate = fate;
    if fate == Fate::Accepted {
        post.answered = moment;
    }
    let name = ThreadName {
        scope: post.scope,
        thread: post.thread,
    };
    match answered {
        Ok(accepted) => {
            post.message = Some(accepted.message);
            let conversation = *ledger.threads.entry(name).or_insert(accepted.conversation);
            if conversation != accepted.conversation {
                return Err(format!("{name:?} has two ids"));
            }
            let post = &ledger.posts[place];
            for other in ledger
                .namesakes(place)
                .filter(|other| other.message.is_some())
            {
                if !post.test_message.is_retried_by(&other.test_message) {
                    return Err(format!("two messages are called {}", post.msgid));
                }
                if other.message != post.message {
                    return Err(format!("a repeat of {} is another message", post.msgid));
                }
                if other.answered < post.asked {
                    world.coverage.count("repeat answered as before");
                }
            }
        }
        Err(CommandError::Rejected(IntegrationError::Said(SendRejection::AlreadyExists))) => {
            world.coverage.count("conflicting message refused");
            let post = &ledger.posts[place];
            let contradicts = ledger.namesakes(place).any(|other| {
                !post.test_message.is_retried_by(&other.test_message) && other.fate != Fate::Refused
            });
            if !contradicts {
                return Err(format!(
                    "{} is refused, but contradicts nothing",
                    post.msgid
                ));
            }
        }
        Err(CommandError::Rejected(IntegrationError::NotConnected(_))) => {
            world.coverage.count("refused: not connected");
            let scope = ledger.posts[place].scope;
            if !ledger.ever_disconnected.contains(&scope) {
                return Err("a connected scope is said not to be".to_owned());
            }
        }
        Err(CommandError::Rejected(rejection)) => {
            return Err(format!("a customer is told: {rejection}"));
        }
        Err(CommandError::Unavailable(_)) => {}
    }
    Ok(())
}
