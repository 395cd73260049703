//! One value, from a sender to a receiver of which each may leave.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use loom::sync::Mutex;

#[derive(Debug)]
struct State<T> {
    value: Option<T>,
    waker: Option<Waker>,
    has_sender: bool,
    has_receiver: bool,
}

#[derive(Debug)]
pub(crate) struct Sender<T>(Arc<Mutex<State<T>>>);

#[derive(Debug)]
pub(crate) struct Receiver<T>(Arc<Mutex<State<T>>>);

/// The sender is gone, and has sent nothing.
#[derive(Debug)]
pub(crate) struct RecvError;

pub(crate) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let state = Arc::new(Mutex::new(State {
        value: None,
        waker: None,
        has_sender: true,
        has_receiver: true,
    }));
    (Sender(Arc::clone(&state)), Receiver(state))
}

impl<T> Sender<T> {
    pub(crate) fn send(self, value: T) -> Result<(), T> {
        let mut state = self.0.lock().unwrap();
        if !state.has_receiver {
            return Err(value);
        }
        state.value = Some(value);
        // The drop of this wakes the receiver.
        Ok(())
    }

    pub(crate) fn is_closed(&self) -> bool {
        !self.0.lock().unwrap().has_receiver
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap();
        state.has_sender = false;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Future for Receiver<T> {
    type Output = Result<T, RecvError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.lock().unwrap();
        match state.value.take() {
            Some(value) => Poll::Ready(Ok(value)),
            None if !state.has_sender => Poll::Ready(Err(RecvError)),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap();
        state.has_receiver = false;
        let (value, waker) = (state.value.take(), state.waker.take());
        drop(state);
        // What was sent is dropped without the lock: it may have something to do.
        drop((value, waker));
    }
}
