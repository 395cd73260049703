//! States, and what is decided about them: the pure part.
//!
//! Nothing here awaits, reads a clock, draws a random number or touches a disk. A [`Command`] looks at a [`State`] and
//! decides; the events it decides on are applied by [`State::apply`], at once in memory and again, the same way, after
//! every restart.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::entries::{IndexEntries, Keys};
use crate::store::Notice;
use crate::stream::{StreamId, StreamKey, StreamKind};
use crate::time::UnixMillis;

/// The data that one actor owns: rebuilt from a snapshot and the events after it.
pub trait State: Serialize + DeserializeOwned + Send + Sized + 'static {
    /// The id of such a state, which names its stream.
    type Id: StreamId;
    /// A change of the state. Events are facts: variants and fields are added, never edited.
    type Event: Serialize + DeserializeOwned + Clone + Send + 'static;

    /// The notice of a change that listeners get, once it is on disk.
    type Notice: Notice;

    /// The kind of such states.
    const KIND: StreamKind;

    /// The name of the stream that holds the events of the state `id`.
    fn stream(id: &Self::Id) -> StreamKey {
        StreamKey::new(Self::KIND, &id.to_stream_id())
    }

    /// The id in a stream's name, if the name is one of this kind.
    fn id_of(stream: &StreamKey) -> Option<Self::Id> {
        let id = stream.is(Self::KIND).then(|| stream.id())?;
        Self::Id::from_stream_id(id)
    }

    /// The state before its first event.
    fn initial(id: &Self::Id) -> Self;

    /// Takes a stored event in. Cannot fail, log, measure or read the clock.
    fn apply(&mut self, event: &Self::Event);

    /// Under which keys the event's record is found again, and which rows of which lists it changes.
    /// Called with the state as it was *before* the event.
    fn index(&self, event: &Self::Event, entries: &mut IndexEntries);
}

/// An event with the raw bytes that belong to it: signed content is kept as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded<E> {
    /// The event.
    pub event: E,
    /// Raw bytes kept beside the event, often empty.
    pub blob: Bytes,
}

impl<E> From<E> for Recorded<E> {
    fn from(event: E) -> Self {
        Self {
            event,
            blob: Bytes::new(),
        }
    }
}

/// The input of a decision beside the state: the time, randomness, and earlier records of the same stream.
pub struct Moment<'a, E> {
    /// Now.
    pub now: UnixMillis,
    /// Fresh random bytes, for ids.
    pub random: &'a mut dyn FnMut() -> [u8; 16],
    /// The newest record for each key of [`Command::required_keys`], in the same order; `None` where there is none.
    pub earlier: &'a [Option<Recorded<E>>],
}

impl<'a, E> Moment<'a, E> {
    /// Returns the newest record for the key at `index` of [`Command::required_keys`].
    pub fn earlier(&self, index: usize) -> Option<&'a Recorded<E>> {
        self.earlier.get(index)?.as_ref()
    }
}

/// A request to change a state.
pub trait Command: Send + 'static {
    /// The state it is for.
    type Of: State;
    /// The answer when it is accepted.
    type Reply: Send + 'static;
    /// The answer when it is the caller's fault.
    type Rejection: std::error::Error + Send + 'static;

    /// True when the records of another owner that go along with this command are stored also when it changes nothing.
    const OPTIONAL: bool = false;

    /// The keys of the earlier records of the same stream that [`Moment::earlier`] has for the decision.
    fn required_keys(&self, _state: &Self::Of) -> Keys {
        Keys::new()
    }

    /// Decides.
    ///
    /// # Errors
    /// The rejection, when the caller asks for what the rules forbid; nothing is written then.
    fn decide(
        self,
        state: &Self::Of,
        moment: &mut Moment<'_, <Self::Of as State>::Event>,
    ) -> Result<DecisionOf<Self>, Self::Rejection>;
}

/// The decision on a command.
pub type DecisionOf<C> = Decision<
    <<C as Command>::Of as State>::Event,
    <C as Command>::Reply,
    <<C as Command>::Of as State>::Notice,
>;

/// A decision: nothing of it counts before its events are on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<E, R, N = ()> {
    /// The events to store, in this order, all or nothing.
    pub events: Vec<Recorded<E>>,
    /// The notices for listeners, once the events are on disk.
    pub notices: Vec<N>,
    /// The answer to the caller, once it is on disk.
    pub reply: R,
}

impl<E, R, N> Decision<E, R, N> {
    /// One event, and no notice of it.
    pub fn event(event: impl Into<Recorded<E>>, reply: R) -> Self {
        Self::events(vec![event.into()], reply)
    }

    /// These events, and no notice of them.
    pub fn events(events: Vec<Recorded<E>>, reply: R) -> Self {
        Self {
            events,
            notices: Vec::new(),
            reply,
        }
    }

    /// An accepted command that changes nothing, such as a repeat.
    pub fn unchanged(reply: R) -> Self {
        Self::events(Vec::new(), reply)
    }
}
