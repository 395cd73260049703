//! The salesbots of an account. Administrators define them; whether the caller is one, the caller of these functions has
//! checked. Programs run them, stop them, and answer their questions.

mod run;

use crate::domain::audit::By;
use crate::domain::crm::entity::EntityKind;
use crate::domain::id::{SalesbotId, SalesbotReturnId};
use crate::domain::salesbots::continue_salesbot::ContinueSalesbot;
use crate::domain::salesbots::create::CreateSalesbot;
use crate::domain::salesbots::delete::DeleteSalesbot;
use crate::domain::salesbots::salesbot::{Salesbot, SalesbotAction};
use crate::domain::salesbots::stop::StopSalesbot;
use crate::domain::salesbots::{SalesbotRejection, Salesbots};
use crate::domain::text::{MessageText, Name};
use crate::system::user_access::{AnswerRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::State;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A run that a program asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRequest {
    /// The salesbot.
    pub bot: SalesbotId,
    /// The subject.
    pub subject: RunSubject,
}

/// The lead or contact that a salesbot runs for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSubject {
    /// Its kind.
    pub kind: EntityKind,
    /// Its number.
    pub id: u64,
}

/// The rejection of a run, of its stop or of its answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunRejection {
    /// There is no such lead or contact, or the user may not see it.
    #[error("there is no such {}", .0.singular())]
    UnknownSubject(EntityKind),
    /// The lead did not come from a chat, or the contact has no such lead.
    #[error("there is no chat in which the salesbot could speak; choose a lead that came from one")]
    NoChat,
    /// The field was deleted.
    #[error("the custom field {0} that the salesbot sends was deleted; create the salesbot again")]
    FieldGone(u64),
    /// The lead has no value in the field.
    #[error("the lead has no value in the custom field {0} that the salesbot sends")]
    NoValue(u64),
    /// The account has uninstalled the client that defined the salesbot.
    #[error(
        "the account uninstalled the OAuth client that defined the salesbot; no program is asked"
    )]
    Uninstalled,
    /// The salesbots refuse it.
    #[error(transparent)]
    Salesbot(#[from] SalesbotRejection),
    /// Nothing may be written in the chat.
    #[error(transparent)]
    Answer(#[from] AnswerRejection),
}

/// The rejections of several runs, with their places among them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("none of the runs began")]
pub struct RunsRejection(pub Vec<(usize, RunRejection)>);

impl UserAccess {
    /// The salesbots of the account.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn salesbots(&self) -> Result<Salesbots, UnavailableError> {
        let account = self.caller.account;
        let state = self.system.look::<Salesbots>(&account).await?;
        Ok(state.unwrap_or_else(|| Salesbots::initial(&account)))
    }

    /// Defines a salesbot, with the number that was chosen for it or the next one; answers once that is on disk.
    ///
    /// # Errors
    /// When the account would have too many, another one has the number, or nothing can be stored now.
    pub async fn create_salesbot(
        &self,
        id: Option<SalesbotId>,
        name: Name,
        action: SalesbotAction,
    ) -> Result<Salesbot, CommandError<SalesbotRejection>> {
        let create = CreateSalesbot {
            by: By::from(&self.caller),
            user: self.caller.user,
            id,
            name,
            action,
        };
        execute(self.system.kernel(), &self.caller.account, create).await
    }

    /// Deletes a salesbot, and ends its runs; answers once that is on disk.
    ///
    /// # Errors
    /// When there is none, or nothing can be stored now.
    pub async fn delete_salesbot(
        &self,
        id: SalesbotId,
    ) -> Result<(), CommandError<SalesbotRejection>> {
        let by = By::from(&self.caller);
        let delete = DeleteSalesbot { by, id };
        execute(self.system.kernel(), &self.caller.account, delete).await
    }

    /// Stops a salesbot: a run that waits for an answer ends. Answers once that is on disk.
    ///
    /// # Errors
    /// When the salesbot or the subject is unknown, the user may not write to its talk, or nothing can be stored now.
    pub async fn stop_salesbot(&self, run: RunRequest) -> Result<(), CommandError<RunRejection>> {
        let lead = self.lead_of_run(run.subject).await?;
        match self.open_talk(&lead).await {
            // What waits in a closed talk is stopped as well.
            Ok(_) | Err(CommandError::Rejected(AnswerRejection::TalkClosed)) => {}
            Err(refused) => return Err(in_run(refused)),
        }
        let stop = StopSalesbot {
            bot: run.bot,
            lead: lead.id,
        };
        let result = execute(self.system.kernel(), &self.caller.account, stop).await;
        result.map_err(in_run)
    }

    /// Takes the answer of a program at the address of its question, and sends its texts as the salesbot. Answers once they are
    /// on disk and queued.
    ///
    /// # Errors
    /// When nothing waits for an answer at this address, the user may not write to the talk or it is closed, or nothing can be
    /// stored now. When a text is refused, those before it are sent.
    pub async fn continue_salesbot(
        &self,
        bot: SalesbotId,
        number: SalesbotReturnId,
        texts: Vec<MessageText>,
    ) -> Result<(), CommandError<RunRejection>> {
        let nothing = || CommandError::Rejected(SalesbotRejection::NothingWaits.into());
        let (kernel, account) = (self.system.kernel(), self.caller.account);
        if !kernel.shared.ids.is_salesbot_return(account, number) {
            return Err(nothing());
        }
        let run = number.run();
        let bots = self.salesbots().await?;
        let waiting = bots.waiting(run, self.system.now());
        let id = waiting.ok_or_else(nothing)?.lead;
        let lead = self.lead(id).await?.ok_or_else(nothing)?;
        let talk = self.open_talk(&lead).await.map_err(in_run)?;
        let result = execute(kernel, &account, ContinueSalesbot { bot, run }).await;
        result.map_err(in_run)?;
        for text in texts {
            let result = self.write_as_bot(&talk, text, None).await;
            result.map_err(in_run)?;
        }
        Ok(())
    }
}

/// The rejection of something that a run needs, as that of the run.
fn in_run<R>(refused: CommandError<R>) -> CommandError<RunRejection>
where
    R: std::error::Error + Into<RunRejection>,
{
    refused.map(Into::into)
}
