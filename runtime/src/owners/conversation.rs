//! The owner of a conversation.

use std::collections::BTreeSet;
use std::convert::Infallible;

use crate::shared::Shared;
use switchboard_domain::conversation::Conversation;
use switchboard_domain::conversation::note_lead::NoteLead;
use switchboard_domain::conversation::open_chat::{ChatOpened, OpenChat, OpenChatRejection};
use switchboard_domain::conversation::send_message::{Accepted, SendMessage, SendMessageRejection};
use switchboard_domain::crm::Lead;
use switchboard_domain::crm::customer_news::CustomerNews;
use switchboard_domain::crm::follow_customer::{FollowCustomer, Followed};
use switchboard_domain::crm::link_unsorted::LinkUnsorted;
use switchboard_domain::crm::update_lead::{UpdateLead, UpdateLeadRejection};
use switchboard_domain::id::{AccountId, UserId};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{Joint, RejectedBy};
use switchboard_engine::runtime::owner::{Execute, Owned};

impl Owned<Shared> for Conversation {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.conversations
    }
}

/// A customer's message for a conversation, and the news in it for the CRM, such as the lead that it opens. Boxed: it goes through many hands, and each of
/// them would copy it.
#[derive(Debug)]
pub struct Deliver(pub Box<SendMessage>);

impl Joint for Deliver {
    type Product = Shared;
    type First = SendMessage;
    type Second = Execute<CustomerNews>;
    type SecondInput = ();
    type Reply = Accepted;
    type Rejection = SendMessageRejection;

    fn first(self) -> (SendMessage, ()) {
        (*self.0, ())
    }

    fn second(_input: (), accepted: &Accepted) -> Option<(AccountId, Execute<CustomerNews>)> {
        let news = *accepted.news.clone()?;
        Some((news.account(), Execute::at_once(news)))
    }

    fn reply(accepted: Option<Accepted>, followed: Option<Followed>) -> Option<Accepted> {
        let elsewhere = followed.and_then(|followed| followed.elsewhere);
        accepted.map(|accepted| Accepted {
            elsewhere,
            ..accepted
        })
    }

    fn rejection(by: RejectedBy<SendMessageRejection, Infallible>) -> SendMessageRejection {
        by.first()
    }
}

/// A conversation is opened before its first message, and the contact of its customer follows them.
#[derive(Debug)]
pub struct OpenAndFollow(pub OpenChat);

impl Joint for OpenAndFollow {
    type Product = Shared;
    type First = OpenChat;
    type Second = Execute<FollowCustomer>;
    type SecondInput = ();
    type Reply = ChatOpened;
    type Rejection = OpenChatRejection;

    fn first(self) -> (OpenChat, ()) {
        (self.0, ())
    }

    fn second(_input: (), opened: &ChatOpened) -> Option<(AccountId, Execute<FollowCustomer>)> {
        let follow = *opened.news.clone()?;
        Some((follow.account, Execute::at_once(follow)))
    }

    fn reply(opened: Option<ChatOpened>, followed: Option<Followed>) -> Option<ChatOpened> {
        let elsewhere = followed.and_then(|followed| followed.elsewhere);
        opened.map(|opened| ChatOpened {
            elsewhere,
            ..opened
        })
    }

    fn rejection(by: RejectedBy<OpenChatRejection, Infallible>) -> OpenChatRejection {
        by.first()
    }
}

/// The conversation's newest lead is changed: the CRM decides, and the conversation takes note.
#[derive(Debug)]
pub struct UpdateNewestLead {
    /// The note in the conversation, which is the first to decide.
    pub note: NoteLead,
    /// The change of its newest lead.
    pub change: UpdateLead,
}

impl Joint for UpdateNewestLead {
    type Product = Shared;
    type First = NoteLead;
    type Second = Execute<UpdateLead>;
    type SecondInput = UpdateLead;
    type Reply = Lead;
    type Rejection = UpdateLeadRejection;

    fn first(self) -> (NoteLead, UpdateLead) {
        (self.note, self.change)
    }

    fn second(
        change: UpdateLead,
        _followers: &BTreeSet<UserId>,
    ) -> Option<(AccountId, Execute<UpdateLead>)> {
        Some((change.account, Execute::at_once(change)))
    }

    fn reply(followers: Option<BTreeSet<UserId>>, lead: Option<Lead>) -> Option<Lead> {
        followers.and(lead)
    }

    fn rejection(by: RejectedBy<Infallible, UpdateLeadRejection>) -> UpdateLeadRejection {
        by.second()
    }
}

/// The chat of an unsorted lead moves to another lead: the CRM decides, and the conversation takes note.
#[derive(Debug)]
pub struct MoveChat {
    /// The note in the conversation, which is the first to decide.
    pub note: NoteLead,
    /// The move to the other lead. Its followers are those of the conversation.
    pub link: LinkUnsorted,
}

impl Joint for MoveChat {
    type Product = Shared;
    type First = NoteLead;
    type Second = Execute<LinkUnsorted>;
    type SecondInput = LinkUnsorted;
    type Reply = Lead;
    type Rejection = UpdateLeadRejection;

    fn first(self) -> (NoteLead, LinkUnsorted) {
        (self.note, self.link)
    }

    fn second(
        link: LinkUnsorted,
        followers: &BTreeSet<UserId>,
    ) -> Option<(AccountId, Execute<LinkUnsorted>)> {
        let link = LinkUnsorted {
            followers: followers.clone(),
            ..link
        };
        Some((link.account, Execute::at_once(link)))
    }

    fn reply(followers: Option<BTreeSet<UserId>>, lead: Option<Lead>) -> Option<Lead> {
        followers.and(lead)
    }

    fn rejection(by: RejectedBy<Infallible, UpdateLeadRejection>) -> UpdateLeadRejection {
        by.second()
    }
}
