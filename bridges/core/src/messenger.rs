//! A messenger: what a bridge adds to the core.

use std::future::Future;
use std::rc::Rc;

use serde_json::Value;

use crate::answer::Answer;
use crate::bridge::Bridge;
use crate::lanes::Outcome;
use crate::page::{PageRequest, PageResponse};
use crate::state::{Change, Job, Lane};

/// The other side of a bridge. Everything runs on one thread, in a `LocalSet`.
pub trait Messenger: Sized + 'static {
    /// Returns the lane of a callback that is a job, of the kind [`Deliver`](crate::state::Kind::Deliver): a message or a
    /// reaction. `None`: there is nothing to do that a kill must not lose, and the callback goes to
    /// [`on_ephemeral`](Self::on_ephemeral).
    fn lane(bridge: &Rc<Bridge<Self>>, event: &Value) -> Option<Lane>;

    /// Takes a callback that is not stored, such as typing. It must not wait: work goes into a task of its own.
    fn on_ephemeral(_bridge: &Rc<Bridge<Self>>, _event: &Value) {}

    /// Does a job of the kind [`Deliver`](crate::state::Kind::Deliver) or [`Contact`](crate::state::Kind::Contact), after so many
    /// attempts. It ends the job in a commit of its own, together with what it has to remember, and returns [`Outcome::Over`]; or
    /// it returns [`Outcome::Later`], and the job is tried again.
    fn work(bridge: &Rc<Bridge<Self>>, job: &Job, tries: u32) -> impl Future<Output = Outcome>;

    /// Returns the changes of the commit that ends a post. The answer is `None` when the service refuses the post, or was not
    /// there for a day.
    fn posted(_bridge: &Rc<Bridge<Self>>, _job: &Job, _answer: Option<&Answer>) -> Vec<Change> {
        Vec::new()
    }

    /// Answers a request for one of the messenger's own pages. `None`: the core answers, for it is a callback, a browser with a
    /// code, or the report of an uninstallation.
    fn page(
        _bridge: &Rc<Bridge<Self>>,
        _request: PageRequest<'_>,
    ) -> impl Future<Output = Option<PageResponse>> {
        std::future::ready(None)
    }
}
