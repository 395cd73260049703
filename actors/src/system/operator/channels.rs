//! The operator's changes of channels. A change is on disk, and the dispatcher goes by it, when the answer comes.

use crate::domain::audit::By;
use crate::domain::id::ChannelId;
use crate::domain::installation::channels::create::CreateChannel;
use crate::domain::installation::channels::end_rotation::EndRotation;
use crate::domain::installation::channels::pause::PauseChannel;
use crate::domain::installation::channels::rotate_secret::RotateSecret;
use crate::domain::installation::channels::update::UpdateChannel;
use crate::domain::installation::channels::{Channel, ChannelRejection, Channels};
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::Command;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::dispatch_shell::Wake;

/// The channel as it is now, or why it is not changed.
type Changed = Result<Channel, CommandError<ChannelRejection>>;

impl System {
    /// All channels, once the state they are read from is on disk.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn stored_channels(&self) -> Result<Channels, UnavailableError> {
        Ok(self.look::<Channels>(&()).await?.unwrap_or_default())
    }

    /// Makes a channel.
    ///
    /// # Errors
    /// When there is one with this id, there are too many, or nothing can be stored now.
    pub async fn create_channel(&self, channel: CreateChannel) -> Changed {
        self.change_channels(channel).await
    }

    /// Changes a channel.
    ///
    /// # Errors
    /// When there is none with this id, or nothing can be stored now.
    pub async fn update_channel(&self, change: UpdateChannel) -> Changed {
        self.change_channels(change).await
    }

    /// Gives a channel another secret.
    ///
    /// # Errors
    /// When there is no such channel, a rotation is in progress, the secret is the same, or nothing can be stored now.
    pub async fn rotate_secret(&self, rotate: RotateSecret) -> Changed {
        self.change_channels(rotate).await
    }

    /// Ends a rotation before its time; nothing happens when none is in progress.
    ///
    /// # Errors
    /// When there is no such channel, or nothing can be stored now.
    pub async fn end_rotation(&self, by: By, id: ChannelId) -> Changed {
        self.change_channels(EndRotation { by, id }).await
    }

    /// Holds the callbacks of a channel back, or lets them go again. After a pause no attempt begins any more; those
    /// in progress end as they end.
    ///
    /// # Errors
    /// When there is no such channel, or nothing can be stored now.
    pub async fn pause_channel(&self, by: By, id: ChannelId, paused: bool) -> Changed {
        self.change_channels(PauseChannel { by, id, paused }).await
    }

    async fn change_channels<C>(&self, command: C) -> Changed
    where
        C: Command<Of = Channels, Reply = Channel, Rejection = ChannelRejection>,
    {
        let outcome = execute(self.kernel(), &(), command).await;
        if outcome.is_err() {
            // What could not be written may have been seen by then, and is not what the channels are.
            self.stored_channels().await.map(drop).unwrap_or_default();
        }
        // It hears of every change by itself, but perhaps a moment after the answer. One that has ended sends nothing.
        self.running.dispatcher.send(Wake).await.unwrap_or_default();
        outcome
    }
}
