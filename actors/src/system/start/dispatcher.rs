//! Starts the dispatcher of callbacks, and the threads of its attempts.

use std::sync::Arc;

use actix::{Actor, Arbiter, ArbiterHandle};

use crate::dispatcher::{Dispatcher, WakeHints};
use switchboard_engine::runtime::threads::Threads;
use switchboard_runtime::shared::Kernel;

/// Starts the dispatcher; with it, the threads that it and the attempts of callbacks live on.
pub(super) fn start(
    kernel: &Kernel,
    sender: Arc<dyn switchboard_runtime::port::CallbackSender>,
    hints: &Arc<WakeHints>,
) -> (actix::Addr<Dispatcher>, Vec<Arbiter>) {
    let (here, hints) = (kernel.clone(), Arc::clone(hints));
    let factory = move |posts: &[ArbiterHandle]| Dispatcher::new(here, sender, hints, posts);
    let posts = match kernel.shared.config.threads {
        Threads::Here | Threads::Stepped => {
            return (factory(&[Arbiter::current()]).start(), Vec::new());
        }
        Threads::Own(count) | Threads::Join(count) => count.div_ceil(2),
    };
    let arbiter = Arbiter::new();
    // One thread for the attempts is the dispatcher's own: to pass each attempt there and back would cost more than is
    // gained beside it.
    let apart = if posts > 1 { posts } else { 0 };
    let mut arbiters: Vec<Arbiter> = (0..apart).map(|_| Arbiter::new()).collect();
    let mut posts: Vec<ArbiterHandle> = arbiters.iter().map(Arbiter::handle).collect();
    if posts.is_empty() {
        posts.push(arbiter.handle());
    }
    // Made on its own thread, which it does not leave.
    let addr = Dispatcher::start_in_arbiter(&arbiter.handle(), move |_| factory(&posts));
    arbiters.push(arbiter);
    (addr, arbiters)
}
