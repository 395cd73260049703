//! A message to the actor that owns a conversation, and its answer.

use std::time::Instant;

use criterion::{Criterion, Throughput};
use switchboard_actors::{SystemConfig, Threads};
use switchboard_worlds::{Setup, TestSystem};

pub(crate) fn hop(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hop");
    group.throughput(Throughput::Elements(1));
    for (name, threads) in [
        ("same thread", Threads::Here),
        ("other thread", Threads::Own(1)),
    ] {
        let runner = actix::System::new();
        let setup = Setup {
            config: SystemConfig {
                threads,
                ..SystemConfig::default()
            },
            ..Setup::default()
        };
        let (test, conversation) = runner.block_on(story(&setup));
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                runner.block_on(async {
                    let start = Instant::now();
                    for _ in 0..times {
                        let messages = test.hop(conversation).await;
                        assert_eq!(messages.expect("the owner answers"), 1);
                    }
                    start.elapsed()
                })
            });
        });
        runner.block_on(test.stop());
    }
    group.finish();
}

async fn story(setup: &Setup) -> (TestSystem, switchboard_actors::domain::id::ConversationId) {
    let test = setup.start().await;
    let message = test.customer("robin").says("Hello").await;
    let conversation = message.expect("the message is accepted").conversation;
    (test, conversation)
}
