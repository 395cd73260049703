//! `/bot<token>/<method>` and `/file/bot<token>/<path>`.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Request, Response};
use percent_encoding::percent_decode_str;

use super::answer::{self, AnswerLostError, Content};
use super::{bodies, fetch};
use crate::bounds::{CALL_BODY_MAX, CALL_TEXT_MAX};
use crate::params::Params;
use crate::reply::{ApiError, Reply, envelope};
use crate::shared::Shared;
use crate::state::calls::{METHODS, Step};
use crate::state::faults::{Call, FaultKind};
use crate::state::orders::token_id;

/// A way of an answer that an order has spoilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spoil {
    Lost,
    Half,
}

fn answered(reply: &Reply) -> Response<Content> {
    let (status, body) = envelope(reply);
    answer::json(status, &body)
}

/// Takes a path apart: the token and what follows.
fn parts(rest: &str) -> Option<(String, &str)> {
    let (token, path) = rest.split_once('/')?;
    let token = percent_decode_str(token).decode_utf8().ok()?.into_owned();
    Some((token, path))
}

/// Finds the bot of a token. A malformed token is not found, one that is not registered is not allowed.
fn bot(shared: &Shared, token: &str) -> Result<i64, ApiError> {
    if token_id(token).is_none() {
        return Err(ApiError::not_found());
    }
    let id = shared.quietly(|machine, _| machine.find(token).map(|bot| bot.id));
    id.ok_or_else(ApiError::unauthorized)
}

/// Does a call.
pub(super) async fn call(
    shared: &Arc<Shared>,
    client: &reqwest::Client,
    rest: &str,
    request: Request<Incoming>,
) -> Result<Response<Content>, AnswerLostError> {
    let Some((token, path)) = parts(rest) else {
        return Ok(answered(&Err(ApiError::not_found())));
    };
    let method = path
        .strip_prefix("test/")
        .unwrap_or(path)
        .to_ascii_lowercase();
    let id = match bot(shared, &token) {
        Ok(id) => id,
        Err(error) => return Ok(answered(&Err(error))),
    };
    if !METHODS.contains(&method.as_str()) {
        let error = ApiError::new(404, "Not Found: method not found");
        return Ok(answered(&Err(error)));
    }
    let mut params = match read(shared, request).await {
        Ok(params) => params,
        Err(error) => return Ok(answered(&Err(error))),
    };
    let spoil = match spoilt(shared, id, &method, params.chat()).await? {
        Fate::Refused(error) => return Ok(answered(&Err(error))),
        Fate::Spoilt(spoil) => spoil,
    };
    fetch::fetch(client, &mut params).await;
    let reply = if method == "getupdates" {
        get_updates(shared, id, &params).await
    } else {
        shared.change(|machine, now| machine.call(id, &method, &params, now))
    };
    match spoil {
        None => Ok(answered(&reply)),
        Some(Spoil::Half) => {
            let (status, body) = envelope(&reply);
            Ok(answer::half(status, &body))
        }
        Some(Spoil::Lost) => Err(AnswerLostError),
    }
}

async fn read(shared: &Shared, request: Request<Incoming>) -> Result<Params, ApiError> {
    let (head, body) = request.into_parts();
    if head.method != Method::GET && head.method != Method::POST {
        return Err(ApiError::new(405, "Method Not Allowed"));
    }
    let header = head.headers.get(CONTENT_TYPE);
    let kind = header.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let has_files = kind.to_ascii_lowercase().starts_with("multipart/");
    let most = if has_files {
        CALL_BODY_MAX
    } else {
        CALL_TEXT_MAX
    };
    let body = bodies::read(shared, body, most).await?;
    let query = head.uri.query().unwrap_or_default();
    bodies::params(query, kind, &body)
}

/// The fate that the faults give a call.
enum Fate {
    Refused(ApiError),
    Spoilt(Option<Spoil>),
}

async fn spoilt(
    shared: &Shared,
    bot: i64,
    method: &str,
    chat: Option<i64>,
) -> Result<Fate, AnswerLostError> {
    let call = Call { bot, method, chat };
    let fault = shared.quietly(|machine, now| Some((machine.faults.hit(call, now)?, now)));
    let Some((kind, now)) = fault else {
        return Ok(Fate::Spoilt(None));
    };
    if let Some(error) = kind.refusal() {
        return Ok(Fate::Refused(error));
    }
    match kind {
        FaultKind::Closed => Err(AnswerLostError),
        FaultKind::AnswerLost => Ok(Fate::Spoilt(Some(Spoil::Lost))),
        FaultKind::HalfAnswer => Ok(Fate::Spoilt(Some(Spoil::Half))),
        FaultKind::Slow { millis } => {
            shared.wait_until(now.saturating_add(millis)).await;
            Ok(Fate::Spoilt(None))
        }
        FaultKind::Status { .. } | FaultKind::FileTooBig | FaultKind::FileLinkExpired => {
            Ok(Fate::Spoilt(None))
        }
    }
}

/// Ends a poll when its reader goes.
struct Reader<'s> {
    shared: &'s Shared,
    bot: i64,
    number: u64,
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let (bot, number) = (self.bot, self.number);
        self.shared
            .quietly(|machine, _| machine.leave_poll(bot, number));
    }
}

async fn get_updates(shared: &Shared, bot: i64, params: &Params) -> Reply {
    let number = shared.change(|machine, now| machine.begin_poll(bot, params, now))?;
    let reader = Reader {
        shared,
        bot,
        number,
    };
    let mut changes = shared.changes();
    loop {
        let step = shared.quietly(|machine, now| machine.step_poll(bot, reader.number, now));
        match step {
            Step::Done(reply) => return reply,
            Step::Waits(until) => shared.wait(&mut changes, Some(until)).await,
        }
    }
}

/// Answers a download.
pub(super) async fn download(
    shared: &Arc<Shared>,
    rest: &str,
) -> Result<Response<Content>, AnswerLostError> {
    let Some((token, path)) = parts(rest) else {
        return Ok(answered(&Err(ApiError::not_found())));
    };
    let id = match bot(shared, &token) {
        Ok(id) => id,
        Err(error) => return Ok(answered(&Err(error))),
    };
    let spoil = match spoilt(shared, id, "file", None).await? {
        Fate::Refused(error) => return Ok(answered(&Err(error))),
        Fate::Spoilt(spoil) => spoil,
    };
    let path = percent_decode_str(path.strip_prefix("test/").unwrap_or(path)).decode_utf8_lossy();
    let download = shared.quietly(|machine, now| {
        let bot = machine.bots.get(&id).ok_or_else(ApiError::unauthorized)?;
        bot.files.download(&path, now)
    });
    match (download, spoil) {
        (_, Some(Spoil::Lost)) => Err(AnswerLostError),
        (Err(error), _) => Ok(answered(&Err(error))),
        (Ok(it), spoil) => Ok(answer::file(
            it.content,
            it.mime_type.as_deref(),
            spoil.is_some(),
        )),
    }
}
