//! Finds the judge of what is to be erased.

use crate::domain::erasures::Target;
use crate::domain::id::AccountId;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::account::AccountJudge;
use crate::system::erasures::customer::CustomerJudge;
use crate::system::erasures::judge::{Judge, Scan};
use crate::system::erasures::names::Names;
use crate::system::erasures::retention::{Cuts, RetentionJudge};
use crate::system::erasures::subject::Subject;
use crate::system::erasures::survey::Survey;

/// The judge of what is to be erased. Reads all records several times.
pub(super) fn judge_of(target: &Target, scan: Scan<'_>) -> Result<Box<dyn Judge>, ErasureFailure> {
    Ok(match target {
        Target::Customer(customer) => {
            let survey = survey(customer.account, scan)?;
            let subject = Subject::of(customer, &survey);
            let mut names = Names::of(customer.account, &subject);
            for record in scan() {
                names.look(&record?)?;
            }
            let masks = names.masks();
            Box::new(CustomerJudge::new(customer.account, subject, masks))
        }
        Target::Account { account } => Box::new(AccountJudge::new(survey(*account, scan)?)),
        Target::Messages { rules } => Box::new(RetentionJudge::new(Cuts::of(rules, scan)?)),
    })
}

/// Who belongs to what in this account.
pub(super) fn survey(account: AccountId, scan: Scan<'_>) -> Result<Survey, ErasureFailure> {
    let mut survey = Survey::of(account);
    for record in scan() {
        survey.look(&record?)?;
    }
    Ok(survey)
}
