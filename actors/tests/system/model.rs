//! Thousands of short histories against a naive reference: the same conversations, messages, leads, contacts and
//! delivery states, whatever restarts, crashes and idle times lie between.
mod reference;
mod world;

use self::reference::{Post, Status};
use self::world::World;

use switchboard_engine::testkit::Dice;
use switchboard_worlds::wanted;

const STEPS: usize = 14;
/// The number of histories of each test, from `FIRST_SEED` on, unless `HISTORIES` says otherwise.
const HISTORIES: u64 = 200;

#[derive(Clone, Copy, Debug)]
enum Step {
    Connect,
    Disconnect,
    Receive(Post),
    /// An earlier letter again, by its place.
    Repeat(usize),
    Reply(usize),
    Report(usize, Status),
    ReportOnUnknown,
    BindToUnknown,
    Idle,
    Restart,
    Crash(u64),
}

/// A step that makes sense in this world, with everything in it drawn from few values.
fn draw(dice: &mut Dice, world: &World) -> Step {
    let (threads, people, outs) = world.sizes();
    match dice.below(20) {
        0 | 1 => Step::Connect,
        2 => Step::Disconnect,
        3..=9 => Step::Receive(Post {
            msgid: dice.below(4),
            conversation: dice.below(3),
            sender: dice.below(3),
            text: dice.below(2),
            loud: dice.below(3) > 0,
            conversation_ref: dice.one_in(4).then(|| dice.place(threads)).flatten(),
            sender_ref: dice.one_in(4).then(|| dice.place(people)).flatten(),
        }),
        10 => dice
            .place(world.test_messages())
            .map_or(Step::Connect, Step::Repeat),
        11 | 12 => dice.place(threads).map_or(Step::Connect, Step::Reply),
        13 | 14 => {
            let status = [Status::Delivered, Status::Read, Status::Error][dice.below(3)];
            let out = dice.place(outs);
            out.map_or(Step::ReportOnUnknown, |out| Step::Report(out, status))
        }
        15 => Step::BindToUnknown,
        16 => Step::Idle,
        17 | 18 => Step::Restart,
        _ => Step::Crash(dice.next()),
    }
}

async fn play(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut world = World::new(seed).await;
    for number in 0..STEPS {
        let step = if number == 0 {
            Step::Connect
        } else {
            draw(&mut dice, &world)
        };
        world.note(format!("{step:?}"));
        match step {
            Step::Connect => world.connect().await,
            Step::Disconnect => world.disconnect().await,
            Step::Receive(post) => world.receive(post).await,
            Step::Repeat(test_message) => world.repeat(test_message).await,
            Step::Reply(thread) => world.reply(thread).await,
            Step::Report(out, status) => world.report(out, status).await,
            Step::ReportOnUnknown => world.report_on_unknown().await,
            Step::BindToUnknown => world.bind_to_unknown().await,
            Step::Idle => world.idle().await,
            Step::Restart => world = world.restart().await,
            Step::Crash(seed) => world = world.crash(seed),
        }
        let came_back = matches!(step, Step::Restart | Step::Crash(_) | Step::Idle);
        if came_back {
            world.compare().await;
        }
    }
    world.compare().await;
    world.end().await;
}

async fn play_all(part: u64) {
    if let Some(seed) = wanted("SEED") {
        return play(seed).await;
    }
    let first = wanted("FIRST_SEED").unwrap_or(0) + part * 1_000_000;
    for seed in first..first + wanted("HISTORIES").unwrap_or(HISTORIES) {
        play(seed).await;
    }
}

#[actix::test]
async fn short_histories_1_end_as_the_reference_says() {
    play_all(1).await;
}

#[actix::test]
async fn short_histories_2_end_as_the_reference_says() {
    play_all(2).await;
}

#[actix::test]
async fn short_histories_3_end_as_the_reference_says() {
    play_all(3).await;
}

#[actix::test]
async fn short_histories_4_end_as_the_reference_says() {
    play_all(4).await;
}
