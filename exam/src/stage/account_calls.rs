//! What the program does on the account side, with its tokens.

use crate::role::Role;
use crate::stage::{ProgramRequest, Stage};
use crate::verdict::{StopError, not_tried};

impl Stage {
    /// The reason why nothing can be judged without calls of the account side.
    pub(crate) fn no_call(&self) -> &'static str {
        match self.role() {
            Role::Bridge => {
                "the program makes no call of the account side when a new customer writes (POST /exam/say): nothing shows \
                 how it treats its tokens"
            }
            Role::Bot => {
                "the program makes no call of the account side for the message of a new customer: nothing shows how it \
                 treats its tokens"
            }
        }
    }

    /// The calls of the account side, oldest first.
    pub(crate) fn account_calls(&self) -> Result<Vec<ProgramRequest>, StopError> {
        let requests = self.program_requests()?.into_iter();
        Ok(requests.filter(ProgramRequest::is_account_call).collect())
    }

    /// The requests for tokens but for the first one, which exchanges the code.
    pub(crate) fn refreshes(&self) -> Result<Vec<ProgramRequest>, StopError> {
        let requests = self.program_requests()?.into_iter();
        Ok(requests.filter(ProgramRequest::is_refresh).collect())
    }

    /// Lets a new customer write, and waits until there is such a call of the account side.
    pub(crate) fn until_account_call(
        &mut self,
        customer: &str,
        is_match: impl Fn(&ProgramRequest) -> bool,
    ) -> Result<Option<ProgramRequest>, StopError> {
        self.says(customer, "Good morning")?;
        self.until(|stage| {
            let calls = stage.account_calls()?;
            Ok(calls.into_iter().find(|call| is_match(call)))
        })
    }

    /// Lets a new customer write, and waits until the program has called the account side.
    ///
    /// # Errors
    /// When it makes no call that the service takes: nothing could be judged then.
    pub(crate) fn prove_account_calls(&mut self) -> Result<(), StopError> {
        match self.until_account_call("greta", ProgramRequest::is_accepted)? {
            Some(_) => Ok(()),
            None => not_tried(self.no_call()),
        }
    }
}
