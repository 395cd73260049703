//! The consequences in the CRM of news about a customer.

use std::convert::Infallible;

use crate::Decision;
use crate::crm::follow_customer::{FollowCustomer, FollowElsewhere, Followed};
use crate::crm::open_lead::OpenLead;
use crate::crm::{Crm, CrmEvent};
use crate::id::{AccountId, ContactId};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// The consequence in the CRM of news about a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomerNews {
    /// It opens a lead.
    Lead(OpenLead),
    /// It takes in what the customer says of themselves.
    Description(FollowCustomer),
}

impl CustomerNews {
    /// The account.
    #[must_use]
    pub fn account(&self) -> AccountId {
        match self {
            Self::Lead(open) => open.account,
            Self::Description(follow) => follow.account,
        }
    }

    /// The same for a contact that a user gave the chat to.
    #[must_use]
    pub fn elsewhere(self, contact: ContactId) -> FollowElsewhere {
        FollowElsewhere {
            account: self.account(),
            contact,
            says: match self {
                Self::Lead(open) => open.says,
                Self::Description(follow) => follow.says,
            },
        }
    }
}

impl Command for CustomerNews {
    type Of = Crm;
    type Reply = Followed;
    type Rejection = Infallible;

    const OPTIONAL: bool = true;

    fn required_keys(&self, state: &Crm) -> Keys {
        match self {
            Self::Lead(open) => open.required_keys(state),
            Self::Description(follow) => follow.required_keys(state),
        }
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Followed>, Infallible> {
        match self {
            Self::Lead(open) => open.decide(state, moment),
            Self::Description(follow) => follow.decide(state, moment),
        }
    }
}
