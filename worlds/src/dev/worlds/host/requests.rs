//! Requests to the address of a world.

use std::time::Duration;

use switchboard_actors::domain::text::beginning;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_http::chat;
use switchboard_http::extract::body::too_slow;
use switchboard_http::reply::chat_error::ChatError;
use switchboard_http::reply::problem::Problem;
use switchboard_http::reply::refusal;
use switchboard_loopback::body::DEADLINE;
use switchboard_media as media;

use super::Host;
use crate::dev::problem;
use crate::dev::worlds::clock::{before, http_date, machine_now};
use crate::dev::worlds::fault::AnswerFault;
use crate::dev::worlds::journal::Event;
use crate::dev::worlds::mask;
use crate::dev::worlds::order::{Asked, Given, OrderBodyError};
use crate::http_world::{HttpAnswer, Request};

/// Streams of events never end, and the time of a world does not pass by itself.
const STREAM: &str = "text/event-stream";
/// The length of a target that the journal shows, in bytes.
const TARGET_MAX: usize = 2_048;
const NO_STREAM: &str =
    "a world does not stream events: read the lists, or wait with GET /dev/v1/worlds/{id}/wait";

impl Host {
    /// Answers a request, as far as no fault is ordered for its answer.
    pub(super) fn ask(&mut self, asked: &Asked) -> Given {
        let path = asked.target.split('?').next().unwrap_or_default();
        let what = format!("{} {path}", asked.method);
        let is_media = path.starts_with(media::PREFIX);
        let authorization = asked
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("authorization"))
            .map(|(_, value)| value.as_str());
        let fault = self
            .faults
            .of_answer(&what, is_media, authorization, asked.bytes());
        let event = Event::Request {
            what: beginning(&what, TARGET_MAX).to_owned(),
            status: None,
            request: mask::shown(asked.bytes()),
            answer: String::new(),
        };
        let entry = self.journal.add(self.world.now(), event);
        let response = match (&asked.body, fault) {
            (Err(unread), _) => Given::Whole(unread_body(path, unread)),
            (Ok(_), None) => self.whole(asked),
            (Ok(_), Some(fault)) => self.faulty(asked, fault),
        };
        let (status, answer) = match &response {
            Given::Whole(answer) | Given::Truncated(answer) | Given::Late(answer, _) => {
                (Some(answer.status), mask::shown(&answer.body))
            }
            Given::Lost => (None, String::new()),
        };
        self.journal.answered(entry, status, answer);
        response
    }

    fn faulty(&self, asked: &Asked, fault: AnswerFault) -> Given {
        Given::Whole(match fault {
            AnswerFault::Slow(late) => {
                return self
                    .answered(asked)
                    .map_or(Given::Lost, |answer| Given::Late(answer, late));
            }
            AnswerFault::Truncated => {
                return self.answered(asked).map_or(Given::Lost, Given::Truncated);
            }
            AnswerFault::WrongType => {
                return self
                    .answered(asked)
                    .map_or(Given::Lost, |answer| Given::Whole(as_html(answer)));
            }
            AnswerFault::LostAfterCommit => {
                self.answered(asked);
                return Given::Lost;
            }
            AnswerFault::LostBeforeCommit => return Given::Lost,
            AnswerFault::Revoked => {
                self.revoke_client();
                return self.whole(asked);
            }
            AnswerFault::RefreshRace => {
                self.refresh_before(asked);
                return self.whole(asked);
            }
            AnswerFault::ClockAhead(by) => {
                return self.by_clock(asked, machine_now().plus(by));
            }
            AnswerFault::ClockBehind(by) => {
                return self.by_clock(asked, before(machine_now(), by));
            }
            AnswerFault::Status(status) => {
                problem(status, "Ordered fault", "a fault of this world")
            }
            AnswerFault::TokenExpired(first) => {
                let answer = problem(401, "Unauthorized", "the access token has expired");
                return match first.since(machine_now()) {
                    Duration::ZERO => Given::Whole(answer),
                    wait => Given::Late(answer, wait),
                };
            }
            AnswerFault::AccountUnpaid => {
                problem(402, "Payment Required", "the account is not paid")
            }
            AnswerFault::OverChatLimit => problem(402, "Payment Required", "Over chat API limit"),
            AnswerFault::RateLimited(seconds) => {
                let why = format!("Rate limit exceeded; retry after {seconds} s");
                let mut answer = problem(429, "Too Many Requests", &why);
                let header = ("retry-after".to_owned(), seconds.to_string());
                answer.headers.push(header);
                answer
            }
            AnswerFault::BadGatewayHtml => html(502, "502 Bad Gateway"),
            AnswerFault::IpBlockedHtml => html(403, "403 Forbidden: your address is blocked"),
        })
    }

    fn whole(&self, asked: &Asked) -> Given {
        self.answered(asked).map_or(Given::Lost, Given::Whole)
    }

    /// The answer of a service with this clock, as far as `Date` goes: that of the request, and that of the answer.
    fn by_clock(&self, asked: &Asked, now: UnixMillis) -> Given {
        let request = self.request(asked).signer_clock(now);
        let Some(mut answer) = sent(request) else {
            return Given::Lost;
        };
        answer.headers.retain(|(name, _)| name != "date");
        answer.headers.push(("date".to_owned(), http_date(now)));
        Given::Whole(answer)
    }

    pub(super) fn answered(&self, asked: &Asked) -> Option<HttpAnswer> {
        sent(self.request(asked))
    }

    fn request(&self, asked: &Asked) -> Request<'_> {
        let mut request = self.world.request(&asked.method, &asked.target);
        for (name, value) in &asked.headers {
            request = request.header(name, value);
        }
        request.body(asked.body.clone().unwrap_or_default())
    }

    /// The socket has refused a request whose head it could not read.
    pub(super) fn note_unreadable(&self, line: &str, status: u16) {
        // Without the version, as other requests stand there.
        let what = line.rsplit_once(" HTTP/").map_or(line, |(what, _)| what);
        let event = Event::Request {
            what: beginning(what, TARGET_MAX).to_owned(),
            status: Some(status),
            request: String::new(),
            answer: "the head of the request is not well-formed HTTP/1.1, or did not come in time"
                .to_owned(),
        };
        self.journal.add(self.world.now(), event);
    }
}

/// The answer to a request, unless it has no end; `None`: no answer came.
fn sent(request: Request<'_>) -> Option<HttpAnswer> {
    let answer = request.try_send()?;
    let kind = answer.header("content-type").unwrap_or_default();
    if kind.starts_with(STREAM) {
        return Some(problem(404, "Not Found", NO_STREAM));
    }
    Some(answer)
}

/// The answer to a request whose body was not read.
fn unread_body(path: &str, unread: &OrderBodyError) -> HttpAnswer {
    let (chat, account) = match unread {
        OrderBodyError::TooLarge(most) => (ChatError::TooLarge(*most), Problem::TooLarge(*most)),
        OrderBodyError::TooSlow => {
            let why = too_slow(DEADLINE);
            (ChatError::TooSlow(why.clone()), Problem::TooSlow(why))
        }
        OrderBodyError::BrokenOff(why) => {
            let why = format!("the body cannot be read: {why}");
            (ChatError::NotJson(why.clone()), Problem::BadRequest(why))
        }
    };
    HttpAnswer::of_response(refusal(chat::is_chat(path), chat, account))
}

/// A page, as proxies and gateways before a service answer with.
fn html(status: u16, title: &str) -> HttpAnswer {
    let page = format!(
        "<html><head><title>{title}</title></head><body><center><h1>{title}</h1></center></body></html>\n"
    );
    HttpAnswer {
        status,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: page.into(),
    }
}

/// The same bytes, which are said to be a page.
fn as_html(mut answer: HttpAnswer) -> HttpAnswer {
    for (name, value) in &mut answer.headers {
        if name == "content-type" {
            "text/html".clone_into(value);
        }
    }
    answer
}

fn problem(status: u16, title: &str, detail: &str) -> HttpAnswer {
    let headers = [
        ("content-type", problem::MEDIA_TYPE),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    HttpAnswer {
        status,
        headers: headers.to_vec(),
        body: problem::problem(status, title, detail).to_string().into(),
    }
}
