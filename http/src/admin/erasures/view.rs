//! Erasures as the operator sees them.

use switchboard_actors::domain::id::{AccountId, ContactId};
use switchboard_actors::erasures::certificate::{self, ErasedCounts, NotSearched};
use switchboard_actors::erasures::{self, ErasureState, Target};
use switchboard_actors::system::erasures::Tally;

use crate::openapi::Seconds;

view! {
    pub(super) struct Erasure<'e>(erasure: &'e erasures::Erasure) [
        let (state, ended, reason, certificate) = match &erasure.state {
            ErasureState::Waiting => ("waiting", None, None, None),
            ErasureState::Done { certificate } => {
                ("done", Some(certificate.at), None, Some(Certificate::new(certificate)))
            }
            ErasureState::Failed { at, reason } => ("failed", Some(*at), Some(reason.as_str()), None),
        };
        let (what, contact) = match &erasure.target {
            Target::Customer(customer) => ("customer", customer.contact),
            Target::Account { .. } => ("account", None),
            Target::Messages { .. } => ("messages", None),
            Target::RelayedConversation { .. } => ("relayed_conversation", None),
        };
    ] {
        #[schemars(range(min = 1))]
        id: u64 = erasure.number,
        #[schemars(extend("enum" = ["waiting", "done", "failed"]))]
        state: &'static str = state,
        #[schemars(extend("enum" = ["customer", "account", "messages", "relayed_conversation"]))]
        what: &'static str = what,
        account_id: Option<AccountId> = erasure.target.account(),
        contact_id: Option<ContactId> = contact,
        ordered_at: Seconds = erasure.ordered_at.into(),
        ended_at: Option<Seconds> = ended.map(Seconds::from),
        /// The reason of the failure.
        reason: Option<&'e str> = reason,
        certificate: Option<Certificate<'e>> = certificate,
    }

    #[schemars(inline)]
    pub(super) struct Certificate<'c>(certificate: &'c certificate::Certificate) {
        counts: Counts = Counts::new(&certificate.counts),
        /// Records of which only the number is left.
        erased_records: u64 = certificate.erased_records,
        /// Records that say less than before.
        masked_records: u64 = certificate.masked_records,
        /// The places where the erasure did not look for the customer's name, phone number and address.
        #[schemars(extend("items" = { "enum": ["other_conversations", "other_customers", "names_of_the_account"] }))]
        not_searched: Vec<&'static str> = certificate.not_searched.iter().copied().map(place).collect(),
        /// SHA-256 over the numbers of the erasure and of the records, the time, the counts and what was not searched.
        hash: &'c str = &certificate.hash,
    }

    #[schemars(rename = "ErasurePreview")]
    pub(super) struct Preview(tally: &Tally) {
        counts: Counts = Counts::new(&tally.counts),
        /// Records of which only the number would be left.
        erased_records: u64 = tally.erased_records,
        /// Records that would say less than before.
        masked_records: u64 = tally.masked_records,
    }

    #[schemars(inline)]
    pub(super) struct Counts(counts: &ErasedCounts) {
        conversations: u64 = counts.conversations,
        messages: u64 = counts.messages,
        callback_records: u64 = counts.callback_records,
        contacts: u64 = counts.contacts,
        leads: u64 = counts.leads,
        notes: u64 = counts.notes,
        tasks: u64 = counts.tasks,
        users: u64 = counts.users,
        files: u64 = counts.files,
        /// Places elsewhere in which a name was masked.
        masked: u64 = counts.masked,
    }
}

/// The word for a place that was not searched.
fn place(place: NotSearched) -> &'static str {
    match place {
        NotSearched::OtherConversations => "other_conversations",
        NotSearched::OtherCustomers => "other_customers",
        NotSearched::NamesOfTheAccount => "names_of_the_account",
    }
}
