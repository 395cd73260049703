//! Finds the judge of what is to be erased.

use crate::domain::erasures::Target;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::account::AccountJudge;
use crate::system::erasures::customer::CustomerJudge;
use crate::system::erasures::judge::{Judge, Scan};
use crate::system::erasures::retention::RetentionJudge;
use crate::system::erasures::survey::survey;

/// The judge of what is to be erased. Reads all records several times.
pub(super) fn judge_of(target: &Target, scan: Scan<'_>) -> Result<Box<dyn Judge>, ErasureFailure> {
    Ok(match target {
        Target::Customer(customer) => Box::new(CustomerJudge::of(customer, scan)?),
        Target::Account { account } => Box::new(AccountJudge::new(survey(*account, scan)?)),
        Target::Messages { rules } => Box::new(RetentionJudge::of(rules, scan)?),
    })
}
