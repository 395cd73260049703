//! The orders, typed, for tests in Rust.

use std::time::Duration;

use reqwest::Method;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::orders::{
    Advance, Album, AlbumSaid, ClockState, Comparison, ConfirmedList, Delete, Done, EditMessage,
    Group, InChat, MessageRef, NewBot, Opened, OrderError, Press, Pressed, Problems, React,
    Registered, Said, Say, ShareContact, Start, Unposted, WithPerson, World,
};
use crate::state::buckets::Rates;
use crate::state::faults::{Fault, FaultState};
use crate::state::people::Person;

/// Gives orders to a double, in this process or another one.
#[derive(Debug, Clone)]
pub struct Orders {
    base: String,
    client: reqwest::Client,
}

#[derive(Deserialize)]
struct Id {
    id: u64,
}

type Outcome<T> = Result<T, OrderError>;

/// Declares an order that is posted: its name, its body and its answer.
macro_rules! posted {
    ($($(#[$doc:meta])* $name:ident $path:literal ($body:ty) -> $answer:ty;)*) => {
        impl Orders {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// When the double refuses the order, or gives no answer.
                pub async fn $name(&self, order: &$body) -> Outcome<$answer> {
                    self.send(Method::POST, $path, Some(order)).await
                }
            )*
        }
    };
}

posted! {
    /// Registers a bot.
    register "bots" (NewBot) -> Registered;
    /// Adds a person. The answer has the id.
    add_person "people" (Person) -> Person;
    /// Lets a person send a message.
    say "say" (Say) -> Said;
    /// Lets a person send an album.
    album "album" (Album) -> AlbumSaid;
    /// Lets a person change a message.
    edit "edit" (EditMessage) -> Done;
    /// Lets a message disappear.
    delete "delete" (Delete) -> Done;
    /// Lets a person set reactions.
    react "react" (React) -> Done;
    /// Lets a person press a button.
    press "press" (Press) -> Pressed;
    /// Lets a person share a phone number.
    share_contact "share_contact" (ShareContact) -> Said;
    /// Lets a person open the chat with a bot, or free it again.
    start "start" (Start) -> Done;
    /// Lets a person block a bot.
    block "block" (Start) -> Done;
    /// Ends the account of a person.
    deactivate "deactivate" (Start) -> Done;
    /// Opens a group.
    open_group "groups" (Group) -> Opened;
    /// Lets a person into a group.
    join "join" (WithPerson) -> Done;
    /// Lets a person leave a group.
    leave "leave" (WithPerson) -> Done;
    /// Lets a person remove the bot from a group.
    kick "kick" (WithPerson) -> Done;
    /// Lets a person add the bot to a group again.
    let_in "return" (WithPerson) -> Done;
    /// Makes a supergroup of a group. The answer has its new id.
    upgrade "upgrade" (InChat) -> Opened;
    /// Sets the rates of sending.
    set_rates "rates" (Rates) -> Rates;
    /// Holds, runs or moves the clock.
    set_clock "clock" (Advance) -> ClockState;
    /// Compares the confirmed messages with those of the bot's service.
    compare "unposted" (Unposted) -> Comparison;
}

impl Orders {
    /// Speaks to the double at an address, such as `http://127.0.0.1:8081`.
    pub fn new(base: &str) -> Self {
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(60))
            .build();
        Self {
            base: base.trim_end_matches('/').to_owned(),
            client: client.unwrap_or_default(),
        }
    }

    /// Stops the clock.
    ///
    /// # Errors
    /// When the double gives no answer.
    pub async fn hold_clock(&self) -> Outcome<ClockState> {
        let order = Advance {
            hold: Some(true),
            ..Advance::default()
        };
        self.set_clock(&order).await
    }

    /// Moves the clock forward. All that waits wakes by it.
    ///
    /// # Errors
    /// When the time is beyond the bound, or the double gives no answer.
    pub async fn advance(&self, time: Duration) -> Outcome<ClockState> {
        let order = Advance {
            advance_millis: Some(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)),
            ..Advance::default()
        };
        self.set_clock(&order).await
    }

    /// Returns the clock.
    ///
    /// # Errors
    /// When the double gives no answer.
    pub async fn clock(&self) -> Outcome<ClockState> {
        self.get("clock").await
    }

    /// Adds a fault. Returns its number.
    ///
    /// # Errors
    /// When the double refuses it, or gives no answer.
    pub async fn add_fault(&self, fault: &Fault) -> Outcome<u64> {
        let answer: Id = self.send(Method::POST, "faults", Some(fault)).await?;
        Ok(answer.id)
    }

    /// Lists the faults with their hits.
    ///
    /// # Errors
    /// When the double gives no answer.
    pub async fn faults(&self) -> Outcome<Vec<FaultState>> {
        self.get("faults").await
    }

    /// Ends all faults.
    ///
    /// # Errors
    /// When the double gives no answer.
    pub async fn clear_faults(&self) -> Outcome<()> {
        let answer: Outcome<serde_json::Value> =
            self.send(Method::DELETE, "faults", None::<&()>).await;
        answer.map(drop)
    }

    /// Ends the faults that name a bot.
    ///
    /// # Errors
    /// When the double gives no answer.
    pub async fn clear_faults_of(&self, bot: i64) -> Outcome<()> {
        let path = format!("faults?bot={bot}");
        let answer: Outcome<serde_json::Value> =
            self.send(Method::DELETE, &path, None::<&()>).await;
        answer.map(drop)
    }

    /// Returns the world: chats with their messages, edits, reactions and times.
    ///
    /// # Errors
    /// When the double gives no answer.
    pub async fn state(&self) -> Outcome<World> {
        self.get("state").await
    }

    /// Lists the updates that a bot has confirmed.
    ///
    /// # Errors
    /// When the bot is not registered, or the double gives no answer.
    pub async fn confirmed(&self, bot: i64) -> Outcome<ConfirmedList> {
        self.get(&format!("confirmed?bot={bot}")).await
    }

    /// Compares the confirmed messages of the only bot with those that its service has.
    ///
    /// # Errors
    /// When there are several bots, or the double gives no answer.
    pub async fn unposted(&self, posted: &[MessageRef]) -> Outcome<Comparison> {
        let order = Unposted {
            posted: posted.to_vec(),
            ..Unposted::default()
        };
        self.compare(&order).await
    }

    /// Forgets everything but the clock.
    ///
    /// # Errors
    /// When the double gives no answer.
    pub async fn reset(&self) -> Outcome<()> {
        let answer: Outcome<serde_json::Value> =
            self.send(Method::POST, "reset", Some(&json!({}))).await;
        answer.map(drop)
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Outcome<T> {
        self.send(Method::GET, path, None::<&()>).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&impl Serialize>,
    ) -> Outcome<T> {
        let unreachable =
            |error: &dyn std::fmt::Display| OrderError::Unreachable(error.to_string());
        let mut request = self
            .client
            .request(method, format!("{}/double/{path}", self.base));
        if let Some(body) = body {
            let text = serde_json::to_string(body).map_err(|error| unreachable(&error))?;
            request = request
                .header("Content-Type", "application/json")
                .body(text);
        }
        let response = request.send().await.map_err(|error| unreachable(&error))?;
        let is_refused = response.status().is_client_error();
        let body = response
            .bytes()
            .await
            .map_err(|error| unreachable(&error))?;
        if is_refused {
            let problems: Problems =
                serde_json::from_slice(&body).map_err(|error| unreachable(&error))?;
            return Err(OrderError::Refused(problems));
        }
        serde_json::from_slice(&body).map_err(|error| unreachable(&error))
    }
}
