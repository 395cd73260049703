//! What the program posts for its customers.

use serde_json::Value;

use crate::stage::{ChatRequest, PATIENCE, Stage};
use crate::verdict::{StopError, breaks, not_tried};

/// A post of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Post {
    /// The program's id of the message.
    pub(crate) msgid: String,
    /// The text.
    pub(crate) text: String,
    /// The status of the answer.
    pub(crate) status: Option<u16>,
    body: Value,
}

impl Post {
    /// A field of the body, such as `/payload/sender/ref_id`; empty when it is not there.
    pub(crate) fn field(&self, pointer: &str) -> &str {
        let value = self.body.pointer(pointer);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns whether the service said that it has it.
    pub(crate) fn is_stored(&self) -> bool {
        self.status == Some(200)
    }
}

impl Stage {
    /// The target of posts, for faults: not that of delivery reports, which begins with it.
    pub(crate) fn send_target(&self) -> String {
        format!("POST /v2/origin/custom/{}$", self.fact("/scope_id"))
    }

    /// Ends a case in which no post came, although the program has posted before: `when` says what happened meanwhile.
    pub(crate) fn no_post<T>(&self, when: &str) -> Result<T, StopError> {
        if self.is_alive() {
            return not_tried("the program posted nothing: offer POST /exam/say");
        }
        breaks(format!("It ended {when}, before it posted a message."))
    }

    /// The posts of the program whose text has this, oldest first.
    pub(crate) fn posts(&self, text: &str) -> Result<Vec<Post>, StopError> {
        let post = |(request, chat_request): (crate::stage::ProgramRequest, ChatRequest)| {
            let ChatRequest::Post(body) = chat_request else {
                return None;
            };
            let field = |pointer: &str| {
                let value = body.pointer(pointer).and_then(Value::as_str);
                value.unwrap_or_default().to_owned()
            };
            Some(Post {
                msgid: field("/payload/msgid"),
                text: field("/payload/message/text"),
                status: request.status,
                body,
            })
        };
        let posts = self.chat_requests()?.into_iter().filter_map(post);
        Ok(posts.filter(|post| post.text.contains(text)).collect())
    }

    /// Makes the program post a message: one of its customers writes, or else an account user, whom it may echo. Gives the text
    /// to look for.
    pub(crate) fn provoke_post(&mut self, text: &str) -> Result<String, StopError> {
        match self.says("cleo", text) {
            Ok(()) => {}
            Err(StopError::NotTried(_)) => {
                self.reply(text)?;
            }
            Err(stop) => return Err(stop),
        }
        Ok(text.to_owned())
    }

    /// Makes the program post a message, and waits until the service has it.
    ///
    /// # Errors
    /// When it posts nothing: nothing could be judged then.
    pub(crate) fn prove_posts(&mut self) -> Result<(), StopError> {
        let text = self.provoke_post("Do you post this?")?;
        let post = self.until(|stage| {
            let posts = stage.posts(&text)?;
            Ok(posts.into_iter().find(Post::is_stored))
        })?;
        if post.is_some() {
            return Ok(());
        }
        if !self.is_alive() {
            return not_tried("the program ended before it posted a message. See its output below");
        }
        let seconds = PATIENCE.as_secs();
        not_tried(format!(
            "the program posted nothing within {seconds} s, neither for a message of its own customer nor for a reply: \
             offer POST /exam/say"
        ))
    }
}
