//! The outside: a messenger that only the exam sees.

use std::rc::Rc;
use std::time::Duration;

use hyper::{Method, StatusCode};
use serde_json::Value;

use crate::bridge::Bridge;
use crate::forms::{part, text};

/// The longest delivery, in seconds.
const TAKES_MAX: f64 = 86_400.0;

impl Bridge {
    /// Answers the exam.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub(crate) async fn on_exam(
        self: &Rc<Self>,
        method: &Method,
        path: &str,
        body: &[u8],
    ) -> anyhow::Result<(StatusCode, String)> {
        let order: Value = serde_json::from_slice(body).unwrap_or_default();
        match (method, path) {
            (&Method::GET, "/exam/seen") => {
                // What is not on the disk yet has not happened.
                self.store.flush().await;
                let messages = serde_json::to_string(&self.store.state().shown)?;
                return Ok((StatusCode::OK, messages));
            }
            (&Method::POST, "/exam/outside") => {
                if let Some(seconds) = part(&order, "takes").as_f64() {
                    let seconds = seconds.clamp(0.0, TAKES_MAX);
                    self.takes.set(Duration::from_secs_f64(seconds));
                    return Ok((StatusCode::OK, "{}".to_owned()));
                }
            }
            (&Method::POST, "/exam/say") => {
                let (customer, words) = (text(&order, "from"), text(&order, "text"));
                if !customer.is_empty() && !words.is_empty() {
                    self.say(customer, words).await?;
                    return Ok((StatusCode::CREATED, "{}".to_owned()));
                }
            }
            _ => {}
        }
        Ok((StatusCode::NOT_FOUND, "{}".to_owned()))
    }
}
