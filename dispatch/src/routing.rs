//! The names by which a machine orders deliveries and sends them.
//!
//! The machine knows no channel, account or conversation: it orders queues, and gives turns to shares of endpoints. What
//! these are called is the matter of a [`Routing`].

use std::fmt::Debug;

use switchboard_values::id::ConversationId;

/// The names of one kind of deliveries.
pub trait Routing: Clone + Copy + Debug + PartialEq + Eq {
    /// A destination.
    type Endpoint: Clone + Debug + Ord;
    /// A group of queues that can be closed at once.
    type Group: Clone + Debug + Ord;
    /// A queue: its deliveries leave one after the other.
    type Queue: Clone + Debug + Ord;
    /// A queue within its endpoint.
    type Key: Copy + Debug + Ord;
    /// A part of an endpoint that gets its own turns, however many queues it has.
    type Share: Copy + Debug + Ord;

    /// Returns the name of a queue within its endpoint.
    fn key(queue: &Self::Queue) -> Self::Key;

    /// Returns the name of the queue that this endpoint knows by that key.
    fn queue(endpoint: &Self::Endpoint, key: Self::Key) -> Self::Queue;

    /// Returns the share whose turns a queue uses.
    fn share(key: Self::Key) -> Self::Share;

    /// Returns the group of a queue.
    fn group(queue: &Self::Queue) -> Self::Group;

    /// Returns the endpoints that queues of a group may belong to, one after the other.
    fn endpoints(group: &Self::Group) -> Vec<Self::Endpoint>;

    /// Returns whether a queue of one of these endpoints is of the group.
    fn is_of(key: Self::Key, group: &Self::Group) -> bool;

    /// Returns the endpoint that queues of this one may move to, if there is one.
    fn other(endpoint: &Self::Endpoint) -> Option<Self::Endpoint>;

    /// Returns the conversation whose deliveries a queue has, for people.
    fn conversation(key: Self::Key) -> Option<ConversationId>;
}
