//! Snapshots that checkpoints take from the states of owners.

use std::sync::Arc;

use super::states::{Talk, TalkEvent};
use super::world::{Happening, World};
use crate::runtime::live_state::LiveState;
use crate::state::State;
use crate::store::Seq;
use crate::store::index::Index;

const ID: u32 = 1;

fn said(word: &str) -> TalkEvent {
    TalkEvent::Said {
        word: word.to_owned(),
        at: 7,
    }
}

/// An owner whose state can be distinguished from what the records make.
fn owner() -> Arc<LiveState<Talk>> {
    let mut talk = Talk::initial(&ID);
    talk.words.push("in memory".to_owned());
    Arc::new(LiveState::new(talk))
}

/// Has the index take in the record of a change that `owner` is to make.
fn post(world: &mut World, index: &Index, owner: &Arc<LiveState<Talk>>, word: &str) {
    let mut batch = world.store(vec![Happening::Talk(ID, said(word))]);
    for record in &mut batch.records {
        record.entries.state = Some(owner.lock().after(1, owner));
    }
    index.add(batch.records, || {});
}

/// The words of the talk that the checkpoint wrote, and its last record.
fn stored(index: &Index) -> (Vec<String>, Seq) {
    index.checkpoint_now().unwrap();
    let (talk, seq) = index.load::<Talk>(&ID).unwrap().unwrap();
    (talk.words, seq)
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_checkpoint_takes_the_state_of_an_owner() {
    let mut world = World::new(1_000);
    let (index, _) = world.open().unwrap();
    let owner = owner();
    post(&mut world, &index, &owner, "one");
    owner.lock().apply(&said("one"));
    assert_eq!(stored(&index), (words(&["in memory", "one"]), Seq(1)));
    // It stays readable when the owner has left memory.
    post(&mut world, &index, &owner, "two");
    owner.lock().apply(&said("two"));
    drop(owner);
    assert_eq!(stored(&index).0, words(&["in memory", "one", "two"]));
}

/// An owner that has not made the change yet, is ahead, or died in the middle of a change, is not asked.
#[test]
fn a_checkpoint_reads_records_when_an_owner_has_another_state() {
    for (changes, dies) in [(0, false), (2, false), (1, true)] {
        let mut world = World::new(1_000);
        let (index, _) = world.open().unwrap();
        let owner = owner();
        post(&mut world, &index, &owner, "one");
        for _ in 0..changes {
            owner.lock().apply(&said("one"));
        }
        if dies {
            let dying = Arc::clone(&owner);
            let died = std::thread::spawn(move || {
                let _live = dying.lock();
                panic!("a panic on order");
            });
            died.join().unwrap_err();
        }
        assert_eq!(stored(&index), (words(&["one"]), Seq(1)));
    }
}

/// A record that comes back from the journal says nothing of an owner, even behind one that does.
#[test]
fn the_newest_record_decides_whether_an_owner_is_asked() {
    let mut world = World::new(1_000);
    let (index, _) = world.open().unwrap();
    let owner = owner();
    post(&mut world, &index, &owner, "one");
    owner.lock().apply(&said("one"));
    world.post(&index, vec![Happening::Talk(ID, said("two"))]);
    assert_eq!(stored(&index), (words(&["one", "two"]), Seq(2)));
}

/// The remains of a snapshot in several pieces are known only to those who read it.
#[test]
fn a_snapshot_in_several_pieces_is_replaced_from_records() {
    let mut world = World::new(1_000);
    let (index, _) = world.open().unwrap();
    let first = owner();
    let long = "x".repeat(150_000);
    post(&mut world, &index, &first, &long);
    first.lock().apply(&said(&long));
    assert_eq!(stored(&index).0, words(&["in memory", &long]));
    let second = owner();
    post(&mut world, &index, &second, "two");
    second.lock().apply(&said("two"));
    assert_eq!(stored(&index).0, words(&["in memory", &long, "two"]));
}
