//! Finds the judge of what is to be erased.

use crate::domain::erasures::Target;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::account::AccountJudge;
use crate::system::erasures::customer::CustomerJudge;
use crate::system::erasures::judge::{Judge, Scan};
use crate::system::erasures::retention::RetentionJudge;
use crate::system::erasures::survey::survey;
use crate::system::erasures::until::{records, until};
use switchboard_engine::store::Seq;

/// The judge of what is to be erased, up to a record; `None`: of everything. Reads all records up to there several times.
pub(super) fn judge_of(
    target: &Target,
    upto: Option<Seq>,
    scan: Scan<'_>,
) -> Result<Box<dyn Judge>, ErasureFailure> {
    let scan: Scan<'_> = &|| records(scan, upto);
    let judge: Box<dyn Judge> = match target {
        Target::Customer(customer) => Box::new(CustomerJudge::of(customer, scan)?),
        Target::Account { account } => Box::new(AccountJudge::new(survey(*account, scan)?)),
        Target::Messages { rules } => Box::new(RetentionJudge::of(rules, scan)?),
    };
    Ok(until(judge, upto))
}
