//! Requests to the address of a world.

use bytes::Bytes;
use serde_json::json;

use super::Host;
use crate::dev::worlds::fault::AnswerFault;
use crate::dev::worlds::journal::Event;
use crate::dev::worlds::mask;
use crate::dev::worlds::order::{Asked, Given};
use crate::testing::http_world::Answer;

/// Streams of events never end, and the time of a world does not pass by itself.
const STREAM: &str = "/inbox/v1/events";
const NO_STREAM: &str =
    "a world does not stream events: read the lists, or wait with GET /dev/v1/worlds/{id}/wait";
const BAD_GATEWAY: &str = "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>\n";

impl Host {
    /// Answers a request, as far as no fault is ordered for its answer.
    pub(super) fn ask(&mut self, asked: &Asked) -> Given {
        let path = asked.target.split('?').next().unwrap_or_default();
        let what = format!("{} {path}", asked.method);
        let fault = self.faults.of_answer(&what);
        let event = Event::Request {
            what,
            status: None,
            request: mask::shown(&asked.body),
            answer: String::new(),
        };
        let entry = self.journal.add(self.world.now(), event);
        let given = match fault {
            None if path == STREAM => Given::Whole(problem(501, "Not Implemented", NO_STREAM)),
            None => self.answered(asked).map_or(Given::Lost, Given::Whole),
            Some(AnswerFault::Truncated) => {
                self.answered(asked).map_or(Given::Lost, Given::Truncated)
            }
            Some(AnswerFault::LostAfterCommit) => {
                self.answered(asked);
                Given::Lost
            }
            Some(AnswerFault::LostBeforeCommit) => Given::Lost,
            Some(AnswerFault::Status(status)) => {
                Given::Whole(problem(status, "Ordered fault", "a fault of this world"))
            }
            Some(AnswerFault::RateLimited(seconds)) => {
                let why = format!("Rate limit exceeded; retry after {seconds} s");
                let mut answer = problem(429, "Too Many Requests", &why);
                let header = ("retry-after".to_owned(), seconds.to_string());
                answer.headers.push(header);
                Given::Whole(answer)
            }
            Some(AnswerFault::BadGatewayHtml) => Given::Whole(Answer {
                status: 502,
                headers: vec![("content-type".to_owned(), "text/html".to_owned())],
                body: Bytes::from_static(BAD_GATEWAY.as_bytes()),
            }),
        };
        let (status, answer) = match &given {
            Given::Whole(answer) | Given::Truncated(answer) => {
                (Some(answer.status), mask::shown(&answer.body))
            }
            Given::Lost => (None, String::new()),
        };
        self.journal.answered(entry, status, answer);
        given
    }

    fn answered(&self, asked: &Asked) -> Option<Answer> {
        let mut request = self.world.request(&asked.method, &asked.target);
        for (name, value) in &asked.headers {
            request = request.header(name, value);
        }
        request.body(asked.body.clone()).try_send()
    }
}

fn problem(status: u16, title: &str, detail: &str) -> Answer {
    let body = json!({ "type": format!("https://httpstatus.es/{status}"), "title": title, "status": status, "detail": detail });
    let headers = [
        ("content-type", "application/problem+json"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Answer {
        status,
        headers: headers.to_vec(),
        body: body.to_string().into(),
    }
}
