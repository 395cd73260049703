//! The names that most tests of an embedder need.

pub use std::time::Duration;

pub use crate::SystemConfig;
pub use crate::domain::chat::delivery::{DeliveryError, DeliveryStatus};
pub use crate::domain::id::{AccountId, ConversationId, MessageId, ScopeId};
pub use crate::error::{Refused, Unavailable};
pub use crate::system::System;
pub use crate::system::inbox::MessageView;
pub use crate::testkit::integration::NotTaken;
pub use crate::testkit::receiver::{Behaviour, Callback, Receiver};
pub use crate::testkit::test_message::TestMessage;
pub use crate::testkit::text::text_of;
pub use crate::testkit::world::{
    Customer, Failed, Habit, LostAnswer, Said, Snapshot, Until, User, World, WorldConfig,
};
