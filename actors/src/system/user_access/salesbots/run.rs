//! Programs run salesbots.
//!
//! All that a salesbot says goes the way of [`UserAccess::send_talk_message`]: it needs the same right, and counts for the
//! same quota. A run is counted before anything is said, so a program that answers itself ends.

use crate::domain::crm::Lead;
use crate::domain::crm::custom_fields::CustomFields;
use crate::domain::crm::entity::EntityKind;
use crate::domain::id::{ContactId, LeadId};
use crate::domain::salesbots::run::{NewRun, RunSalesbots};
use crate::domain::salesbots::salesbot::{Salesbot, SalesbotAction};
use crate::domain::salesbots::{SalesbotRejection, Salesbots};
use crate::domain::text::MessageText;
use crate::salesbots::{Ask, QuestionId};
use crate::system::user_access::salesbots::{
    RunRejection, RunRequest, RunSubject, RunsRejection, in_run,
};
use crate::system::user_access::send_talk_message::OpenTalk;
use crate::system::user_access::{AnswerRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

/// A run that may begin.
struct ReadyRun {
    new: NewRun,
    talk: OpenTalk,
    /// The text that is sent at once.
    text: Option<MessageText>,
}

impl UserAccess {
    /// Runs a salesbot; answers once its message is on disk and queued, or its question is on disk.
    ///
    /// # Errors
    /// When the salesbot or the subject is unknown, it has no open talk that the user may write to, there is nothing to say,
    /// too many runs began lately, or nothing can be stored now.
    pub async fn run_salesbot(&self, run: RunRequest) -> Result<(), CommandError<RunRejection>> {
        self.run_salesbots(&[run]).await.map_err(|refused| {
            refused.map(|RunsRejection(all)| {
                let first = all.into_iter().next();
                first.map_or(RunRejection::NoChat, |(_, rejection)| rejection)
            })
        })
    }

    /// Runs salesbots: none of them unless all may run. When a message is refused, those before it are sent.
    ///
    /// # Errors
    /// As of [`Self::run_salesbot`], for each of them.
    pub async fn run_salesbots(
        &self,
        runs: &[RunRequest],
    ) -> Result<(), CommandError<RunsRejection>> {
        let bots = self.salesbots().await?;
        let fields = self.crm().await?.custom_fields;
        let (mut ready, mut refused) = (Vec::new(), Vec::new());
        for (place, run) in runs.iter().enumerate() {
            match self.ready(*run, &bots, &fields).await {
                Ok(run) => ready.push(run),
                Err(CommandError::Rejected(why)) => refused.push((place, why)),
                Err(CommandError::Unavailable(error)) => return Err(error.into()),
            }
        }
        if !refused.is_empty() {
            return Err(CommandError::Rejected(RunsRejection(refused)));
        }
        let (kernel, account) = (self.system.kernel(), self.caller.account);
        let first = |why: RunRejection| RunsRejection(vec![(0, why)]);
        let command = RunSalesbots {
            runs: ready.iter().map(|run| run.new).collect(),
        };
        let new_runs = execute(kernel, &account, command)
            .await
            .map_err(|refused| refused.map(|why| first(why.into())))?;
        for run in new_runs.iter().filter(|run| run.question.is_some()) {
            let run = run.id;
            let ask = Ask(QuestionId { account, run });
            if self.system.asker().send(ask).await.is_err() {
                tracing::debug!(%account, run = run.0, "the question is asked after the next start");
            }
        }
        for (place, run) in ready.into_iter().enumerate() {
            if let Some(text) = run.text {
                let result = self.write_as_bot(&run.talk, text, None).await;
                let placed = |why: AnswerRejection| RunsRejection(vec![(place, why.into())]);
                result.map_err(|refused| refused.map(placed))?;
            }
        }
        Ok(())
    }

    /// A run with all that it needs.
    async fn ready(
        &self,
        run: RunRequest,
        bots: &Salesbots,
        fields: &CustomFields,
    ) -> Result<ReadyRun, CommandError<RunRejection>> {
        let rejected = |why: RunRejection| CommandError::Rejected(why);
        let unknown = || rejected(SalesbotRejection::Unknown.into());
        let bot = bots.get(run.bot).ok_or_else(unknown)?;
        let lead = self.lead_of_run(run.subject).await?;
        let talk = self.open_talk(&lead).await.map_err(in_run)?;
        let text = match &bot.action {
            SalesbotAction::SendField(id) => {
                let missing = || rejected(RunRejection::FieldGone(id.0));
                let field = fields.get(EntityKind::Leads, *id).ok_or_else(missing)?;
                let value = lead.values.get(*id);
                let text = value.and_then(|value| field.settings.text(value));
                let message = text.and_then(|text| text.parse().ok());
                Some(message.ok_or_else(|| rejected(RunRejection::NoValue(id.0)))?)
            }
            SalesbotAction::AskProgram(_) => {
                self.may_ask(bot).await?;
                None
            }
        };
        let new = NewRun {
            bot: run.bot,
            lead: lead.id,
        };
        Ok(ReadyRun { new, talk, text })
    }

    /// Checks that the client of a salesbot is installed.
    async fn may_ask(&self, bot: &Salesbot) -> Result<(), CommandError<RunRejection>> {
        let Some(client) = bot.client else {
            return Ok(());
        };
        let grants = self.system.grants(self.caller.account).await?;
        match grants.get(client) {
            Some(_) => Ok(()),
            None => Err(CommandError::Rejected(RunRejection::Uninstalled)),
        }
    }

    /// The lead in whose chat a salesbot speaks: the one that is named, or the newest one of the contact that is named.
    pub(super) async fn lead_of_run(
        &self,
        subject: RunSubject,
    ) -> Result<Lead, CommandError<RunRejection>> {
        let unknown = || CommandError::Rejected(RunRejection::UnknownSubject(subject.kind));
        let newest = match subject.kind {
            EntityKind::Leads => {
                let lead = self.lead(LeadId(subject.id)).await?;
                Some(lead.ok_or_else(unknown)?)
            }
            EntityKind::Contacts => {
                let contact = self.contact(ContactId(subject.id)).await?;
                self.chat_of_contact(contact.ok_or_else(unknown)?.id)
                    .await?
            }
        };
        let lead = newest.filter(|lead| lead.chat.is_some());
        lead.ok_or(CommandError::Rejected(RunRejection::NoChat))
    }
}
