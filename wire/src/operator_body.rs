//! Bodies of the operator's interface: the subject of an erasure; of channels, OAuth clients and replays below.

pub mod channels;
pub mod oauth;
pub mod replays;

use crate::domain::id::{AccountId, ChannelId, ContactId, PersonId, ScopeId};
use crate::domain::relays::{ChatMark, RelayChat, RelayId, unscoped_owner};
use crate::domain::violation::ViolationCode;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};
use switchboard_erasures::{CustomerTarget, Target};

body!(
    /// A customer is named by one field at least, an account by none of them.
    #[body(check(check_names(what)))]
    pub struct NamedTarget {
        what: What,
        account_id: AccountId,
        /// A customer, by the number of the contact.
        contact_id: Option<ContactId>,
        /// A customer, by the id of the person in the chat.
        person_id: Option<PersonId>,
        /// The channel of the relay that took a conversation.
        channel_id: Option<ChannelId>,
        /// A conversation as its hooks name it: by the counterpart's id, or by `client_id` where they have no other.
        conversation_id: Option<String>,
    }
);

const WHAT: [(&str, What); 3] = [
    ("customer", What::Customer),
    ("account", What::Account),
    ("relayed_conversation", What::RelayedConversation),
];

body_values! {
    What: Schema::choice(&WHAT), |found| found.choice(&WHAT);
}

/// A kind of subject that can be erased on order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A customer.
    Customer,
    /// An account.
    Account,
    /// A conversation whose hooks a relay took.
    RelayedConversation,
}

/// The fields that name a customer.
const OF_CUSTOMER: [&str; 2] = ["contact_id", "person_id"];
/// The fields that name a conversation of a relay, beside its account.
const OF_RELAY: [&str; 2] = ["channel_id", "conversation_id"];

fn check_names(body: &ObjectReader<'_, '_>, what: &Option<What>) {
    match what {
        Some(What::Customer) => {
            if !OF_CUSTOMER.iter().any(|name| body.has(name)) {
                let detail = "a customer is named by contact_id, by person_id, or by both";
                body.reject("contact_id", ViolationCode::FieldMissing, detail.to_owned());
            }
            leave_out(body, &OF_RELAY, "a customer is named by other fields");
        }
        Some(What::Account) => {
            let names = [OF_CUSTOMER, OF_RELAY].concat();
            leave_out(body, &names, "an account is erased as a whole");
        }
        Some(What::RelayedConversation) => {
            for name in OF_RELAY.iter().filter(|name| !body.has(name)) {
                let detail = "a conversation of a relay is named by account_id, channel_id and conversation_id";
                body.reject(name, ViolationCode::FieldMissing, detail.to_owned());
            }
            leave_out(body, &OF_CUSTOMER, "a relay knows conversations only");
        }
        None => {}
    }
}

/// Rejects fields that say nothing about this target.
fn leave_out(body: &ObjectReader<'_, '_>, names: &[&str], why: &str) {
    for name in names.iter().filter(|name| body.has(name)) {
        let detail = format!("{why}: leave this field out");
        body.reject(name, ViolationCode::NotSupportedChoice, detail);
    }
}

impl From<NamedTarget> for Target {
    fn from(named: NamedTarget) -> Self {
        let account = named.account_id;
        match named.what {
            What::Account => Self::Account { account },
            What::Customer => Self::Customer(CustomerTarget {
                account,
                contact: named.contact_id,
                person: named.person_id,
            }),
            What::RelayedConversation => {
                let names = named.channel_id.zip(named.conversation_id);
                Self::RelayedConversation {
                    chats: names.map_or_else(Vec::new, |(channel, conversation)| {
                        chats(channel, account, &conversation)
                    }),
                }
            }
        }
    }
}

/// The names that a relay has for a conversation: in its scope, and where the address of the hooks has none by the account in
/// their bodies, or by nothing; and that of messages of the bridge, which has names of its own.
fn chats(channel: ChannelId, account: AccountId, conversation: &str) -> Vec<RelayChat> {
    let relay = RelayId::from_channel(&channel);
    let by_account = unscoped_owner("", &account.to_string());
    let scope = ScopeId::new(channel, account).to_string();
    let of_hooks =
        [scope.as_str(), &by_account, ""].map(|owner| ChatMark::new(owner, conversation));
    let of_posts = ChatMark::for_posts(&scope, conversation);
    let marks = of_hooks.into_iter().chain([of_posts]);
    marks.map(|chat| RelayChat { relay, chat }).collect()
}
