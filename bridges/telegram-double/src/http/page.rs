//! The page of a chat for people, who see on it what a customer sees on the phone. Nothing on it changes anything.

use hyper::Response;
use hyper::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};

use super::answer::{self, Content};
use crate::orders::OrderError;
use crate::shared::Shared;

const STYLE: &str = include_str!("page/chat.css");
const SCRIPT: &str = include_str!("page/chat.js");
/// The page loads nothing but its own parts, and sends nothing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers a request for a part of the page. None when the name is of no part.
pub(super) fn part(
    shared: &Shared,
    name: &str,
    query: &str,
) -> Option<Result<Response<Content>, OrderError>> {
    Some(match name {
        "chat" => page(shared, query),
        "picture" => picture(shared, query),
        "chat.css" => Ok(answer::text("text/css; charset=utf-8", STYLE.to_owned())),
        "chat.js" => Ok(answer::text(
            "text/javascript; charset=utf-8",
            SCRIPT.to_owned(),
        )),
        _ => return None,
    })
}

fn page(shared: &Shared, query: &str) -> Result<Response<Content>, OrderError> {
    let (bot, id) = (number(query, "bot")?, number(query, "id")?);
    let html = shared.quietly(|machine, _| {
        let bot = machine.bot_id(bot)?;
        match id {
            Some(id) => machine.chat_page(bot, id),
            None => machine.chats_page(bot),
        }
    })?;
    let mut response = answer::text("text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

fn picture(shared: &Shared, query: &str) -> Result<Response<Content>, OrderError> {
    let bot = number(query, "bot")?;
    let id = value(query, "id").unwrap_or_default();
    let (bytes, kind) = shared.quietly(|machine, _| {
        let bot = machine.bot_id(bot)?;
        let picture = machine.bots.get(&bot).and_then(|it| it.files.picture(&id));
        picture.ok_or_else(|| OrderError::one("id", "no picture has this id"))
    })?;
    let mut response = answer::bytes(kind, bytes);
    response
        .headers_mut()
        .insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

fn value(query: &str, name: &str) -> Option<String> {
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    let (_, text) = pairs.find(|(key, _)| key == name)?;
    Some(text.into_owned())
}

/// Reads a number of the query.
pub(super) fn number(query: &str, name: &str) -> Result<Option<i64>, OrderError> {
    let Some(text) = value(query, name) else {
        return Ok(None);
    };
    let id = text.parse().map(Some);
    id.map_err(|error| OrderError::one(name, format!("{text:?} is no id: {error}")))
}
