//! The bytes of a file on their way: as many as the receiver takes, and never the whole file in memory.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame};
use switchboard_bridge_core::page::BoxError;
use switchboard_telegram::api::Download;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Piece;

/// The pieces that wait for the receiver.
const PIECES: usize = 4;

/// A body whose bytes come through a channel.
pub(crate) struct Passage(Receiver<Piece>);

impl Body for Passage {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let piece = std::task::ready!(self.0.poll_recv(context));
        Poll::Ready(piece.map(|piece| piece.map(Frame::data).map_err(Into::into)))
    }
}

/// Passes a download on. The place is free when it is over, or its receiver has gone.
pub(crate) fn passage(download: Download, place: OwnedSemaphorePermit) -> Passage {
    let (sender, receiver) = channel(PIECES);
    tokio::task::spawn_local(async move {
        pass(download, &sender).await;
        drop(place);
    });
    Passage(receiver)
}

async fn pass(mut download: Download, sender: &Sender<Piece>) {
    while let Some(piece) = download.chunk().await.transpose() {
        let is_over = piece.is_err();
        if sender.send(piece).await.is_err() || is_over {
            return;
        }
    }
}
