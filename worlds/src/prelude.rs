//! The names that most tests of an embedder need.

pub use crate::integration::IntegrationError;
pub use crate::receiver::{Behaviour, Callback, Hook, Receiver};
pub use crate::test_message::TestMessage;
pub use crate::text::text_of;
pub use crate::world::{
    Customer, Habit, LostAnswer, PersonError, Said, Snapshot, Until, User, World, WorldConfig,
};
pub use std::time::Duration;
pub use switchboard_actors::SystemConfig;
pub use switchboard_actors::domain::chat::delivery::{DeliveryError, DeliveryStatus};
pub use switchboard_actors::domain::id::{AccountId, ConversationId, MessageId, ScopeId};
pub use switchboard_actors::domain::webhooks::code::WebhookCode;
pub use switchboard_actors::error::{CommandError, UnavailableError};
pub use switchboard_actors::system::System;
pub use switchboard_actors::system::inbox::MessageView;
