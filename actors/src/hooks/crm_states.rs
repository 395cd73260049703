//! The CRM states of accounts with webhooks: loaded once, and kept true by the records that the feed reads anyway.
//!
//! Loading one reads all records since its last snapshot. For each message, that cost more than the message.

use std::collections::BTreeMap;

use crate::domain::crm::{Crm, CrmEvent, Lead};
use crate::domain::id::{AccountId, ConversationId};
use switchboard_engine::state::State;
use switchboard_engine::store::Seq;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::Kernel;

/// The number of accounts whose states are in memory.
const ACCOUNTS_MAX: usize = 256;

/// The number of chats whose leads are in memory.
const LEADS_MAX: usize = 1_024;

/// The states, by account, and the leads that the feed has read.
#[derive(Default)]
pub(super) struct CrmStates {
    accounts: BTreeMap<AccountId, CrmState>,
    /// The newest lead of a chat, as it was when the feed read it. On disk it may have changed since: what a message causes
    /// depends on the lead that it met.
    leads: BTreeMap<ConversationId, MetLead>,
}

/// A lead as the feed read it.
struct MetLead {
    account: AccountId,
    lead: Lead,
}

struct CrmState {
    crm: Crm,
    /// The last record of the account's CRM that is in it.
    upto: Seq,
}

impl CrmStates {
    /// Takes in an event that was read; one that a state was loaded with is in it already.
    pub(super) fn take(&mut self, account: AccountId, number: Seq, event: &CrmEvent) {
        if let CrmEvent::Lead(changed) = event {
            self.take_lead(account, &changed.lead);
        }
        if let Some(state) = self.accounts.get_mut(&account)
            && number > state.upto
        {
            state.crm.apply(event);
            state.upto = number;
        }
    }

    /// Forgets the state of an account: the next one who needs it loads it.
    pub(super) fn forget(&mut self, account: AccountId) {
        self.accounts.remove(&account);
        self.leads.retain(|_, met| met.account != account);
    }

    /// The newest lead of a chat as the record that is read has met it, if the feed has read that; else as it is now.
    pub(super) fn lead_met(&self, chat: ConversationId, now: Lead) -> Lead {
        let met = self.leads.get(&chat).map(|met| &met.lead);
        met.filter(|lead| lead.id == now.id).cloned().unwrap_or(now)
    }

    fn take_lead(&mut self, account: AccountId, lead: &Lead) {
        let Some(chat) = lead.conversation() else {
            return;
        };
        if lead.merged_into.is_some() {
            self.leads.remove(&chat);
            return;
        }
        if self
            .leads
            .get(&chat)
            .is_some_and(|known| known.lead.id > lead.id)
        {
            return;
        }
        if self.leads.len() >= LEADS_MAX {
            self.leads.clear();
        }
        let lead = lead.clone();
        self.leads.insert(chat, MetLead { account, lead });
    }

    /// The state of an account; `None` when nothing was ever stored of it.
    pub(super) async fn get(
        &mut self,
        kernel: &Kernel,
        account: AccountId,
    ) -> Result<Option<&Crm>, UnavailableError> {
        if !self.accounts.contains_key(&account) {
            let Some((crm, upto)) = kernel.load::<Crm>(account).await? else {
                return Ok(None);
            };
            if self.accounts.len() >= ACCOUNTS_MAX {
                self.accounts.clear();
            }
            self.accounts.insert(account, CrmState { crm, upto });
        }
        Ok(self.accounts.get(&account).map(|state| &state.crm))
    }
}
