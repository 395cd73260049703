//! The owner of a conversation.

use std::convert::Infallible;

use actix::{Context, Handler, Message};

use crate::domain::book::change_deal::{ChangeDeal, SeenOtherwise};
use crate::domain::book::{Book, Deal};
use crate::domain::conversation::Conversation;
use crate::domain::conversation::note_deal::NoteDeal;
use crate::domain::conversation::receive::{Accepted, Receive, ReceiveRejection};
use crate::domain::notice::Notice;
use crate::error::Unavailable;
use crate::world::{Env, World};
use switchboard_engine::runtime::answer::Answer;
use switchboard_engine::runtime::ask::insist;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::escort::{Step, escort};
use switchboard_engine::runtime::owner::{Execute, NotDone, Owned, Owner};
use switchboard_engine::runtime::pending::Pending;
use switchboard_engine::runtime::shell::{Carried, Declined};
use switchboard_engine::store::committer::waiters::Here;

impl Owned for Conversation {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.conversations
    }
}

/// A customer's message for this conversation. Unlike other commands it may need the deal book.
#[derive(Debug)]
pub(crate) struct Deliver {
    /// Boxed: it goes through many hands, and each of them would copy it.
    pub(crate) receive: Box<Receive>,
    pub(crate) carried: Carried<Notice>,
    /// Where somebody waits who has nothing to do before the records are on disk.
    pub(crate) asker: Option<Here>,
}

impl Message for Deliver {
    type Result = Result<Step<Accepted>, NotDone<Self, ReceiveRejection>>;
}

impl Handler<Deliver> for Owner<Conversation> {
    type Result = Answer<Result<Step<Accepted>, NotDone<Deliver, ReceiveRejection>>, Notice>;

    fn handle(&mut self, message: Deliver, ctx: &mut Context<Self>) -> Self::Result {
        let asker = message.asker.clone();
        let result = decide(self, message, ctx);
        Answer::new(result, asker, &self.journal)
    }
}

fn decide(
    owner: &mut Owner<Conversation>,
    message: Deliver,
    ctx: &mut Context<Owner<Conversation>>,
) -> Result<Step<Accepted>, NotDone<Deliver, ReceiveRejection>> {
    let shell = match owner.shell() {
        Ok(shell) => shell,
        Err(None) => return Err(NotDone::Retired(Box::new(message))),
        Err(Some(unavailable)) => return Err(NotDone::Unavailable(unavailable)),
    };
    let Deliver {
        receive, carried, ..
    } = message;
    if !receive.loud || shell.state().deal {
        return Ok(Step::Now(shell.execute(*receive, carried)?));
    }
    let mut prepared = shell.prepare(*receive)?;
    let Some(open) = prepared.reply.open.clone() else {
        return Ok(Step::Now(shell.commit(prepared, carried)?));
    };
    let group = carried.and(std::mem::take(&mut prepared.carried));
    let env = owner.kernel.clone();
    let book = async move {
        let account = open.account;
        let message = Execute::escorted(*open, group);
        match insist::<Book, _, _, _>(&env, &account, message).await {
            // A deal that is opened is always written.
            Ok(pending) => pending.group().ok_or(Unavailable::Interrupted),
            Err(Declined::Unavailable(unavailable)) => Err(unavailable),
            Err(Declined::Rejected(never)) => match never {},
        }
    };
    Ok(escort(ctx, owner, book, |owner, submitted| {
        match owner.shell() {
            Ok(shell) => Ok(shell.take_in(prepared, submitted)),
            Err(_retired_or_failed) => Err(Unavailable::Interrupted),
        }
    }))
}

/// The conversation's newest deal is changed: the book decides, the conversation takes note, and both records are one
/// group.
#[derive(Debug)]
pub(crate) struct ChangeNewestDeal {
    pub(crate) note: NoteDeal,
    pub(crate) change: ChangeDeal,
}

impl Message for ChangeNewestDeal {
    type Result = Result<Step<ChangedDeal>, NotDone<Self, Infallible>>;
}

/// What became of the change: its rejection is an answer here, since the conversation had to wait for it.
pub(crate) type ChangedDeal = Result<Deal, SeenOtherwise>;

impl Handler<ChangeNewestDeal> for Owner<Conversation> {
    type Result = Result<Step<ChangedDeal>, NotDone<ChangeNewestDeal, Infallible>>;

    fn handle(&mut self, message: ChangeNewestDeal, ctx: &mut Context<Self>) -> Self::Result {
        let shell = match self.shell() {
            Ok(shell) => shell,
            Err(None) => return Err(NotDone::Retired(Box::new(message))),
            Err(Some(unavailable)) => return Err(NotDone::Unavailable(unavailable)),
        };
        let ChangeNewestDeal { note, change } = message;
        let mut prepared = shell.prepare(note)?;
        let seen = shell.rests_on();
        let group = std::mem::take(&mut prepared.carried);
        let env = self.kernel.clone();
        let book = async move {
            let account = change.account;
            let message = Execute::escorted(change, group);
            match insist::<Book, _, _, _>(&env, &account, message).await {
                Ok(pending) => Ok(Ok(pending)),
                Err(Declined::Rejected(rejection)) => Ok(Err(rejection)),
                Err(Declined::Unavailable(unavailable)) => Err(unavailable),
            }
        };
        Ok(escort(ctx, self, book, move |owner, changed| {
            let pending = match changed {
                Ok(pending) => pending,
                Err(rejection) => return Ok(Pending::unchanged(Err(rejection), seen)),
            };
            let group = pending.group().ok_or(Unavailable::Interrupted)?;
            let shell = owner
                .shell()
                .map_err(|_retired_or_failed| Unavailable::Interrupted)?;
            shell.take_in(prepared, group).ignore();
            Ok(pending.map(Ok))
        }))
    }
}

/// A customer's message that another owner hands to the owner of its conversation, with records of its own; answers
/// once it is decided, not yet stored.
pub(crate) async fn deliver(
    env: &Env,
    receive: Box<Receive>,
    carried: Carried<Notice>,
) -> Result<Pending<Accepted>, Declined<ReceiveRejection>> {
    let conversation = receive.conversation;
    let message = Deliver {
        receive,
        carried,
        asker: None,
    };
    let step = insist::<Conversation, _, _, _>(env, &conversation, message).await?;
    Ok(step.settled().await?)
}
