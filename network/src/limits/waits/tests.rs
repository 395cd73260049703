use std::task::Waker;
use std::time::Duration;

use super::*;

#[cfg(interleavings)]
mod interleavings;

fn pool(size: usize, share: usize) -> Arc<Waits<&'static str>> {
    Arc::new(Waits::new("waits of a test", size, share))
}

fn is_given_up(place: &WaitPlace<&'static str>) -> bool {
    place.is_given_up(&Context::from_waker(Waker::noop()))
}

async fn later() {
    tokio::time::advance(Duration::from_secs(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_full_share_gives_up_its_own_slowest_wait() {
    let pool = pool(10, 2);
    let other = pool.enter("other");
    later().await;
    let first = pool.enter("near");
    later().await;
    let second = pool.enter("near");
    let third = pool.enter("near");
    assert!(is_given_up(&first));
    assert!(![&second, &third, &other].map(is_given_up).contains(&true));
    assert_eq!((pool.count(), pool.given_up()), (3, 1));
    drop((first, second, third, other));
    assert_eq!(pool.count(), 0);
    assert!(
        pool.lock().holders.is_empty(),
        "what has ended is forgotten"
    );
}

#[tokio::test(start_paused = true)]
async fn a_full_pool_gives_up_a_wait_of_the_holder_that_has_the_most() {
    let pool = pool(4, 3);
    let lonely = pool.enter("lonely");
    later().await;
    let crowd = [(); 3].map(|()| pool.enter("crowd"));
    let newcomer = pool.enter("newcomer");
    assert_eq!(crowd.each_ref().map(is_given_up), [true, false, false]);
    assert!(!is_given_up(&lonely) && !is_given_up(&newcomer));
}

/// A thousand holders with one wait each do not keep the next one out, either.
#[tokio::test(start_paused = true)]
async fn of_equal_holders_the_slowest_makes_room() {
    let pool = pool(3, 1);
    let fast = pool.enter("fast");
    let slow = pool.enter("slow");
    later().await;
    let young = pool.enter("young");
    fast.progress(4_096);
    slow.progress(1);
    let newcomer = pool.enter("newcomer");
    assert!(is_given_up(&slow));
    assert!(![&fast, &young, &newcomer].map(is_given_up).contains(&true));
}

#[tokio::test(start_paused = true)]
async fn who_is_given_up_is_woken() {
    let pool = pool(1, 1);
    let first = pool.enter("first");
    let mut waiting = sending_waker();
    assert!(!first.is_given_up(&Context::from_waker(&waiting.1)));
    let _second = pool.enter("second");
    assert!(waiting.0.try_recv().is_ok(), "its task is woken");
    assert!(is_given_up(&first));
}

/// A waker that sends something when it is woken.
fn sending_waker() -> (tokio::sync::mpsc::Receiver<()>, Waker) {
    struct Sends(tokio::sync::mpsc::Sender<()>);
    impl std::task::Wake for Sends {
        fn wake(self: Arc<Self>) {
            self.0.try_send(()).unwrap();
        }
    }
    let (sender, receiver) = tokio::sync::mpsc::channel(8);
    (receiver, Waker::from(Arc::new(Sends(sender))))
}
