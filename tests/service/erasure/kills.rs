//! The program is killed while it erases: all of it is done then or nothing, and the next start does the rest.
//!
//! `ERASURE_KILLS=200` for more kills than the usual ones, `SEED=…` for the same choices again.

use std::time::Duration;

use super::{WORD, done, erased, filled, long_messages, order_hers, traces};
use crate::support::random::{Random, times};
use crate::support::server::Setup;

#[tokio::test]
async fn an_erasure_killed_at_a_random_moment_is_whole_or_not_at_all() {
    let mut random = Random::of_this_run();
    let (mut before, mut after) = (0, 0);
    for round in 0..times("ERASURE_KILLS", 8) {
        let setup = Setup::default().setting("store", "checkpoint_records = 100");
        let mut server = setup.setting("store", "segment_mib = 1").start().await;
        let client = server.client();
        let hers = filled(client, 30).await;
        if round % 2 == 1 {
            // Most of it is prepared beside requests then.
            long_messages(client).await;
        }
        order_hers(client).await;
        // Orders are gathered for a quarter of a second first.
        let most = *random.one_of(&[260, 330, 650]);
        tokio::time::sleep(Duration::from_millis(random.below(most))).await;
        server.kill_9();
        // Completes what counts, and finds nothing wrong.
        let erased_then = erased(&server.data());
        let files = traces(&server.data(), &[WORD]);
        assert_eq!(files.is_empty(), erased_then > 0, "{files:?}");
        if erased_then > 0 {
            after += 1;
        } else {
            before += 1;
        }
        server.restart().await;
        let client = server.client();
        done(client, 1).await;
        client
            .get(&format!("/inbox/v1/conversations/{hers}"))
            .await
            .is(404);
        assert_eq!(client.conversations().await.len(), 1);
        server.kill_9();
        assert_eq!(traces(&server.data(), &[WORD, "next-"]), [""; 0]);
        assert!(erased(&server.data()) >= erased_then.max(30));
    }
    println!("{before} kills came before the erasure counted, {after} after it");
}
