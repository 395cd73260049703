//! One attempt to ask a question: its request is made of what is so now, and stored nowhere.

use std::sync::Arc;

use serde_json::json;

use crate::domain::conversation::Conversation;
use crate::domain::crm::Lead;
use crate::domain::dispatch::outcome::{Class, Outcome};
use crate::domain::id::{AccountId, OauthClientId, SalesbotRunId};
use crate::domain::oauth::clients::OauthClient;
use crate::domain::oauth::grants::Grants;
use crate::domain::oauth::question_token::NewQuestionToken;
use crate::domain::salesbots::note_asked::NoteAsked;
use crate::domain::salesbots::salesbot::{Salesbot, SalesbotAction};
use crate::domain::salesbots::{Question, Run, Salesbots};
use crate::domain::webhooks::destination::Destination;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::port::{CallbackSender, QuestionAttempt};
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::crm_lookup;
use switchboard_runtime::shared::last_message::newest_of_customer;

/// The name of a question: its account, and the run that asks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QuestionId {
    pub(crate) account: AccountId,
    pub(crate) run: SalesbotRunId,
}

/// The place of an attempt among those of its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Its number since the start of the process, from 1.
    pub(super) number: u32,
    /// True when no other one follows.
    pub(super) is_last: bool,
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempted {
    /// Nothing is left to do.
    Settled,
    /// The program did not take the question.
    Failed,
    /// Something could not be read or stored.
    Unstored,
}

/// Asks a question once, unless it was settled meanwhile. A program that does not take it in the last attempt ends the run.
pub(super) async fn attempt(
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    question: QuestionId,
    turn: Turn,
) -> Attempted {
    let result = attempt_stored(&kernel, sender.as_ref(), question, turn).await;
    match result {
        Ok(attempted) => attempted,
        Err(UnavailableError::Stopping) => Attempted::Settled,
        Err(error) => {
            tracing::warn!(account = %question.account, run = question.run.0, %error, "a question of a salesbot waits");
            Attempted::Unstored
        }
    }
}

async fn attempt_stored(
    kernel: &Kernel,
    sender: &dyn CallbackSender,
    question: QuestionId,
    turn: Turn,
) -> Result<Attempted, UnavailableError> {
    let account = question.account;
    let state = kernel.load::<Salesbots>(account).await?;
    let now = kernel.clock.now();
    let open = state.as_ref().and_then(|(bots, _)| {
        let run = bots.waiting(question.run, now)?;
        let bot = bots.get(run.bot)?;
        (run.question == Some(Question::Open)).then_some((run, bot))
    });
    let Some((run, bot)) = open else {
        return Ok(Attempted::Settled);
    };
    let SalesbotAction::AskProgram(address) = &bot.action else {
        return Ok(Attempted::Settled);
    };
    let Some(body) = body(kernel, account, run, bot).await? else {
        return note(kernel, question, false).await;
    };
    let attempt = QuestionAttempt {
        bot: bot.id,
        run: run.id,
        attempt: turn.number,
        url: address.as_str().into(),
        body: body.into(),
        at: now,
        timeout: kernel.shared.config.hook_timeout,
    };
    let (outcome, _) = sender.send_question(attempt).await;
    let is_taken = outcome.class() == Class::Delivered;
    if !is_taken && !turn.is_last {
        return Ok(Attempted::Failed);
    }
    if !is_taken {
        give_up(account, run, address, outcome);
    }
    note(kernel, question, is_taken).await
}

fn give_up(account: AccountId, run: Run, address: &Destination, outcome: Outcome) {
    let host = address.host();
    tracing::warn!(%account, bot = run.bot.0, run = run.id.0, host, ?outcome, "a program did not take the question of a salesbot; the run ended");
}

/// Stores what became of a question.
async fn note(
    kernel: &Kernel,
    question: QuestionId,
    is_taken: bool,
) -> Result<Attempted, UnavailableError> {
    let run = question.run;
    match execute(kernel, &question.account, NoteAsked { run, is_taken }).await {
        Ok(()) => Ok(Attempted::Settled),
        Err(CommandError::Unavailable(error)) => Err(error),
        Err(CommandError::Rejected(never)) => match never {},
    }
}

/// The body of the request; none when the program may not be asked any more.
async fn body(
    kernel: &Kernel,
    account: AccountId,
    run: Run,
    bot: &Salesbot,
) -> Result<Option<String>, UnavailableError> {
    let accounts = kernel.shared.read_cache.accounts();
    let Some(entry) = accounts.get(account) else {
        return Ok(None);
    };
    let client = match bot.client {
        Some(id) => match installed(kernel, account, id).await? {
            Some(client) => Some(client),
            None => return Ok(None),
        },
        None => None,
    };
    let Some(lead) = crm_lookup::lead(kernel, account, run.lead)? else {
        return Ok(None);
    };
    let message = last_message(kernel, &lead).await?;
    let number = kernel.shared.ids.salesbot_return(account, run.id);
    let link = kernel.shared.account_link();
    let token = client.map(|client| {
        let token = NewQuestionToken {
            account_link: link.to_string(),
            account: entry.number,
            subdomain: entry.subdomain().to_string(),
            user: bot.created_by,
            id: format!("{account}-{}", run.id),
            at: kernel.clock.now(),
        };
        token.sign(&client)
    });
    // The counterpart fills in templates, so all values are texts there.
    let data = json!({
        "lead_id": lead.id.to_string(),
        "contact_id": lead.contact.map_or_else(String::new, |contact| contact.to_string()),
        "talk_id": lead.id.to_string(),
        "chat_id": lead.chat.as_ref().map_or_else(String::new, |chat| chat.conversation.to_string()),
        "message": message.unwrap_or_default(),
    });
    let return_url = format!("{link}/api/v4/salesbot/{}/continue/{number}", bot.id);
    let body = json!({
        "token": token.unwrap_or_default(),
        "data": data,
        "return_url": return_url,
    });
    Ok(Some(body.to_string()))
}

/// The OAuth client with this id, if the account has installed it.
async fn installed(
    kernel: &Kernel,
    account: AccountId,
    id: OauthClientId,
) -> Result<Option<OauthClient>, UnavailableError> {
    let grants = kernel.load::<Grants>(account).await?;
    let is_installed = grants.is_some_and(|(grants, _)| grants.get(id).is_some());
    let clients = kernel.shared.read_cache.oauth_clients();
    Ok(clients.get(id).filter(|_| is_installed).cloned())
}

/// The text of the newest message of the customer, among the last ones of the chat of a lead.
async fn last_message(kernel: &Kernel, lead: &Lead) -> Result<Option<String>, UnavailableError> {
    let Some(chat) = &lead.chat else {
        return Ok(None);
    };
    let loaded = kernel.load::<Conversation>(chat.conversation).await?;
    match loaded {
        Some((state, _)) => Ok(newest_of_customer(kernel, &state)?.map(|last| last.text)),
        None => Ok(None),
    }
}
