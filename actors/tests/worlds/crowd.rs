//! Many worlds in one process.

use std::time::Instant;

use switchboard_worlds::prelude::*;

const WORLDS: u64 = 200;

/// 200 worlds at once on one thread, used in turn: none sees anything of another.
#[test]
fn worlds_do_not_see_each_other() {
    let start = Instant::now();
    let worlds: Vec<World> = (0..WORLDS)
        .map(|seed| {
            World::with(WorldConfig {
                seed,
                ..WorldConfig::default()
            })
        })
        .collect();
    println!("{WORLDS} worlds in {:?}", start.elapsed());
    for (number, world) in worlds.iter().enumerate() {
        world.customer("bo").says(&format!("question {number}"));
        if number % 2 == 0 {
            world.receiver().answer_always(Behaviour::status(500));
        }
    }
    for (number, world) in worlds.iter().enumerate() {
        world.user("ada").replies(&format!("answer {number}"));
    }
    worlds[3].cut_power();
    worlds[4].advance(Duration::from_secs(60));
    for (number, world) in worlds.iter().enumerate() {
        let dialogue = [format!("question {number}"), format!("answer {number}")];
        assert_eq!(world.texts("bo"), dialogue);
        let attempts = world.receiver().attempts();
        let count = if number == 4 { attempts.len() } else { 1 };
        assert_eq!(attempts.len(), count, "{number}");
        assert_eq!(world.is_quiet(), number % 2 == 1, "{number}");
        let texts = world
            .callbacks()
            .iter()
            .map(Callback::text)
            .collect::<Vec<_>>();
        assert!(texts.iter().all(|text| *text == dialogue[1]), "{texts:?}");
    }
    assert!(worlds[4].receiver().attempts().len() > 2);
}

/// Tests run on several threads.
#[test]
fn worlds_live_on_several_threads() {
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for turn in 0..5 {
                    let world = World::start();
                    let text = format!("{thread} {turn}");
                    world.customer("bo").says(&text);
                    world.restart();
                    assert_eq!(world.texts("bo"), [text]);
                }
            });
        }
    });
}
