//! Jobs that send callbacks again by a filter.
use std::time::Duration;

use futures_util::FutureExt;
use switchboard_actors::domain::audit::By;
use switchboard_actors::system::deliveries::DeliveryFilter;
use switchboard_actors::{System, Threads};
use switchboard_worlds::Setup;
use tokio::task::yield_now;
use tokio::time::timeout;

#[actix::test]
async fn a_replay_job_finishes_without_its_caller() {
    let mut setup = Setup::default();
    setup.config.threads = Threads::Stepped;
    let test = setup.start_bare().unwrap();
    let system = System::clone(&test);
    // The worker sees that there is nothing to do, and waits.
    for _ in 0..100 {
        yield_now().await;
    }

    let filter = DeliveryFilter::default();
    let mut begin = Box::pin(test.create_replay(By::Operator, &filter));
    loop {
        let answer = (&mut begin).now_or_never();
        assert!(answer.is_none(), "nothing is on disk yet");
        yield_now().await;
        if system.write_waiting() {
            break;
        }
    }
    drop(begin);

    let writing = actix::spawn(async move {
        loop {
            system.write_waiting();
            yield_now().await;
        }
    });
    let end = async {
        loop {
            let jobs = test.replays().await.unwrap();
            if jobs.first().is_some_and(|job| !job.is_running()) {
                return jobs.len();
            }
            yield_now().await;
        }
    };
    let jobs = timeout(Duration::from_secs(120), end).await;
    assert_eq!(jobs.expect("the job is done some time"), 1);
    writing.abort();
}
