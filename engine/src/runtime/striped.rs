//! Values in constant use, one for each of a few threads. A lock or a count that another thread used last has to be
//! fetched from that thread's processor, which takes longer than the work under the lock.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of counters: further threads share them.
const STRIPES: usize = 16;

static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The number of this thread among those that have used one of these.
    static NUMBER: usize = THREADS.fetch_add(1, Ordering::Relaxed);
}

/// One `T` for each of a few threads.
#[derive(Debug)]
pub struct Striped<T>(Box<[Padded<T>]>);

/// Aligned to two cache lines of 64 bytes, which processors fetch together: neighbours share none.
#[derive(Debug)]
#[repr(align(128))]
struct Padded<T>(T);

impl<T> Striped<T> {
    /// One for each of a few threads.
    pub fn new(mut make: impl FnMut() -> T) -> Self {
        Self((0..STRIPES).map(|_| Padded(make())).collect())
    }

    /// The same one for all threads.
    pub fn single(one: T) -> Self {
        Self([Padded(one)].into())
    }

    /// The one of the calling thread.
    pub fn here(&self) -> &T {
        let number = NUMBER.try_with(|number| *number).unwrap_or_default();
        let stripe = number.checked_rem(self.0.len()).unwrap_or_default();
        #[expect(
            clippy::indexing_slicing,
            reason = "the place is a remainder of their number, and there is one at least"
        )]
        &self.0[stripe].0
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|stripe| &stripe.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_its_own_value() {
        let striped = Striped::new(AtomicUsize::default);
        let mine: *const _ = striped.here();
        assert_eq!(mine, &raw const *striped.here());
        let others = std::thread::scope(|scope| {
            let all: Vec<_> = (0..2)
                .map(|_| scope.spawn(|| striped.here().fetch_add(1, Ordering::Relaxed)))
                .collect();
            all.into_iter()
                .map(|one| one.join().unwrap())
                .sum::<usize>()
        });
        assert_eq!(others, 0, "neither found what the other had left");
        let counts = striped.iter().map(|count| count.load(Ordering::Relaxed));
        assert_eq!(counts.sum::<usize>(), 2);
    }

    #[test]
    fn a_shared_value_is_the_same_on_every_thread() {
        let single = Striped::single(AtomicUsize::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| single.here().store(7, Ordering::Relaxed));
        });
        assert_eq!(single.here().load(Ordering::Relaxed), 7);
    }
}
