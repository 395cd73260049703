//! The owner of a conversation.

use std::convert::Infallible;

use crate::domain::conversation::Conversation;
use crate::domain::conversation::note_deal::NoteDeal;
use crate::domain::conversation::send_message::{Accepted, SendMessage, SendMessageRejection};
use crate::domain::crm::Deal;
use crate::domain::crm::change_deal::{ChangeDeal, SeenOtherwise};
use crate::domain::crm::open_deal::OpenDeal;
use crate::domain::id::{AccountId, DealId};
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{Joint, RejectedBy};
use switchboard_engine::runtime::owner::{Execute, Owned};

impl Owned for Conversation {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.conversations
    }
}

/// A customer's message for a conversation, and the deal that it opens. Boxed: it goes through many hands, and each of
/// them would copy it.
#[derive(Debug)]
pub(crate) struct Deliver(pub(crate) Box<SendMessage>);

impl Joint for Deliver {
    type First = SendMessage;
    type Second = Execute<OpenDeal>;
    type SecondInput = ();
    type Reply = Accepted;
    type Rejection = SendMessageRejection;

    fn first(self) -> (SendMessage, ()) {
        (*self.0, ())
    }

    fn second((): (), accepted: &Accepted) -> Option<(AccountId, Execute<OpenDeal>)> {
        let open = *accepted.open.clone()?;
        Some((open.account, Execute::at_once(open)))
    }

    fn reply(accepted: Option<Accepted>, _: Option<DealId>) -> Option<Accepted> {
        accepted
    }

    fn rejection(by: RejectedBy<SendMessageRejection, Infallible>) -> SendMessageRejection {
        by.first()
    }
}

/// The conversation's newest deal is changed: the CRM decides, and the conversation takes note.
#[derive(Debug)]
pub(crate) struct ChangeNewestDeal {
    pub(crate) note: NoteDeal,
    pub(crate) change: ChangeDeal,
}

impl Joint for ChangeNewestDeal {
    type First = NoteDeal;
    type Second = Execute<ChangeDeal>;
    type SecondInput = ChangeDeal;
    type Reply = Deal;
    type Rejection = SeenOtherwise;

    fn first(self) -> (NoteDeal, ChangeDeal) {
        (self.note, self.change)
    }

    fn second(change: ChangeDeal, (): &()) -> Option<(AccountId, Execute<ChangeDeal>)> {
        Some((change.account, Execute::at_once(change)))
    }

    fn reply(noted: Option<()>, deal: Option<Deal>) -> Option<Deal> {
        noted.and(deal)
    }

    fn rejection(by: RejectedBy<Infallible, SeenOtherwise>) -> SeenOtherwise {
        by.second()
    }
}
