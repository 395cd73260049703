//! A thread with an event loop: its relay wakes its waiters, and calls the committer at the end of a turn.

use std::cell::Cell;
use std::future::poll_fn;
use std::task::{Context, Poll, Wake, Waker};

use futures_util::future::LocalBoxFuture;

use super::*;
use crate::sync;

/// The wake-up of one task of a loop. Its lock is one that the checker sees: a task that was woken sees what came before.
struct TaskWaker {
    is_woken: sync::Mutex<bool>,
    event_loop: Waker,
}

impl TaskWaker {
    /// A new task is to be polled.
    fn new(event_loop: Waker) -> Arc<Self> {
        Arc::new(Self {
            is_woken: sync::Mutex::new(true),
            event_loop,
        })
    }

    /// Polls the task if it was woken. Returns whether it goes on.
    fn poll(self: &Arc<Self>, task: &mut LocalBoxFuture<'_, ()>) -> bool {
        if !std::mem::take(&mut *sync::lock(&self.is_woken)) {
            return true;
        }
        let waker = Waker::from(Arc::clone(self));
        task.as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_pending()
    }
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        *sync::lock(&self.is_woken) = true;
        self.event_loop.wake_by_ref();
    }
}

/// Runs tasks on an event loop beside a relay, until all have ended. Each is polled only when it was woken itself.
fn on_a_loop<'a>(journal: &Journal, tasks: impl IntoIterator<Item = LocalBoxFuture<'a, ()>>) {
    let relay: LocalBoxFuture<'a, ()> = Box::pin(journal.wake_relay());
    let tasks = std::iter::once(relay).chain(tasks);
    block_on(async {
        let event_loop = poll_fn(|context| Poll::Ready(context.waker().clone())).await;
        let wakers = tasks.map(|task| (task, TaskWaker::new(event_loop.clone())));
        let mut open: Vec<_> = wakers.collect();
        poll_fn(|_| {
            open.retain_mut(|(task, waker)| waker.poll(task));
            if open.is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    });
}

/// Submits a group and waits until it is on disk. The last one closes the journal, and so ends the relay.
async fn request(journal: &Journal, number: u64, open: &Cell<usize>) {
    let submitted = submit_to(journal, number).unwrap();
    let durability = journal.durable(submitted.last, submitted.epoch);
    assert_eq!(durability.await, Ok(()));
    open.set(open.get() - 1);
    if open.get() == 0 {
        journal.close();
    }
}

#[test]
fn the_groups_of_a_loop_are_stored_and_their_waiters_wake() {
    explore(|| {
        let running = Modelled::new().start();
        let open = Cell::new(2);
        let journal = &running.journal;
        let requests = [1, 2].map(|number| {
            let request: LocalBoxFuture<'_, ()> = Box::pin(request(journal, number, &open));
            request
        });
        on_a_loop(journal, requests);
        assert_eq!(running.ended().len(), 2);
    });
}

/// The relay is dropped while its waiters wait: they look for another one, and the groups of its last turn are called for.
#[test]
fn the_waiters_of_a_relay_that_ends_go_on_without_it() {
    explore(|| {
        let running = Modelled::new().start();
        let journal = &running.journal;
        block_on(async {
            let mut relay = journal.wake_relay();
            assert_eq!((&mut relay).now_or_never(), None);
            let submitted = [1, 2].map(|number| submit_to(journal, number).unwrap());
            let mut waits = submitted.map(|it| journal.durable(it.last, it.epoch));
            let polls = waits.each_mut().map(FutureExt::now_or_never);
            assert!(polls.into_iter().flatten().all(|outcome| outcome.is_ok()));
            drop(relay);
            for wait in waits {
                assert_eq!(wait.await, Ok(()));
            }
        });
        assert_eq!(running.close().len(), 2);
    });
}

/// Another thread answers this one together with a record, while its relay ends.
#[test]
fn an_answer_of_another_thread_runs_once() {
    explore(|| {
        let running = Modelled::new().start();
        let journal = &running.journal;
        let mut relay = journal.wake_relay();
        assert_eq!((&mut relay).now_or_never(), None);
        let runs = Arc::new(AtomicUsize::new(0));
        let other = {
            let here = journal.thread_handle();
            let (journal, runs) = (journal.clone(), Arc::clone(&runs));
            thread::spawn(move || {
                let submitted = submit_to(&journal, 1).unwrap();
                let run = move || _ = runs.fetch_add(1, Ordering::Relaxed);
                journal.once_decided(submitted, &here, run);
            })
        };
        drop(relay);
        other.join().unwrap();
        assert_eq!(running.close().len(), 1);
        assert_eq!(runs.load(Ordering::Relaxed), 1);
    });
}
