//! Albums.

use telegram_double::orders::{Album, Item};

use crate::stage::Stage;

fn album(count: usize) -> Album {
    let item = |number: usize| Item {
        caption: Some(format!("part {number}")),
        ..Item::photo(9_000)
    };
    Album {
        from: 7,
        items: (0..count).map(item).collect(),
        shuffled: true,
        ..Album::default()
    }
}

fn parts(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("part {number}")).collect()
}

#[test]
fn an_album_in_random_order_arrives_in_its_order() {
    let stage = Stage::start();
    stage.says(7, "Look:");
    stage.until_posted(7, "Look:");
    stage.order(stage.orders().album(&album(10)));
    stage.says(7, "Nice?");
    stage.until_posted(7, "Nice?");
    let mut texts = parts(10);
    texts.insert(0, "Look:".to_owned());
    texts.push("Nice?".to_owned());
    assert_eq!(stage.texts(7), texts);
}

#[test]
fn an_album_that_was_gathered_survives_a_kill() {
    let mut stage = Stage::start();
    stage.order(stage.orders().album(&album(4)));
    stage.until("the confirmation of the album", || {
        let world = stage.shown();
        (world.bots[0].pending == 0).then_some(())
    });
    stage.kill();
    stage.run();
    stage.until_posted(7, "part 3");
    assert_eq!(stage.texts(7), parts(4));
}
