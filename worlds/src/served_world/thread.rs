//! The thread of a served world: it takes orders from the thread of the test, and answers requests of the program meanwhile.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::dev::Worlds;
use crate::dev::world_place::WorldPlace;

/// An order and where its answer goes.
struct Order {
    method: String,
    path: String,
    body: Value,
    answer: SyncSender<(u16, Value)>,
}

/// The thread, until this is dropped.
pub(super) struct WorldThread {
    orders: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl WorldThread {
    /// Starts it, and returns when it takes orders. Its worlds have this place; without one, a free port and secrets of their
    /// own.
    ///
    /// # Errors
    /// When no thread, no port or no HTTP client can be had.
    pub(super) fn start(place: Option<WorldPlace>) -> Result<Self> {
        let (orders, asked) = mpsc::channel(1);
        let (ready, reached) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("served world".to_owned())
            .spawn(move || actix::System::new().block_on(serve(place, asked, &ready)))
            .context("no thread for the world")?;
        reached.recv().context("the thread of the world ended")??;
        Ok(Self {
            orders: Some(orders),
            thread: Some(thread),
        })
    }

    /// Gives an order; the path is what follows `/dev/v1/worlds`. Gives the status and the document or text of the answer.
    pub(super) fn order(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let (answer, answered) = sync_channel(1);
        let request = Order {
            method: method.to_owned(),
            path: path.to_owned(),
            body: body.clone(),
            answer,
        };
        let delivery = self.orders.as_ref().map(|it| it.blocking_send(request));
        let answer = match delivery {
            Some(Ok(())) => answered.recv().ok(),
            Some(Err(_)) | None => None,
        };
        answer.unwrap_or_else(|| (503, json!({ "detail": "the thread of the world ended" })))
    }
}

async fn serve(
    place: Option<WorldPlace>,
    mut orders: mpsc::Receiver<Order>,
    ready: &SyncSender<Result<()>>,
) {
    let start = match place {
        Some(place) => Worlds::drawn_at(place).await,
        None => Worlds::drawn(None).await,
    };
    let worlds = match start {
        Ok(worlds) => worlds,
        // A test that has failed does not wait for it.
        Err(why) => return ready.send(Err(why)).unwrap_or_default(),
    };
    ready.send(Ok(())).unwrap_or_default();
    while let Some(order) = orders.recv().await {
        let answer = worlds.order(&order.method, &order.path, &order.body);
        order.answer.send(answer.await).unwrap_or_default();
    }
    worlds.stop().await;
}

impl Drop for WorldThread {
    /// Ends the world, and waits for that.
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread of a served world ended with a panic");
        }
    }
}
