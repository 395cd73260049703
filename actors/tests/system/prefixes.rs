//! After any cut of the journal's end, the system comes up in the state after the last whole group.
use std::collections::BTreeSet;

use switchboard_actors::domain::id::ConversationId;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::disk::faulty::FaultyDisk;
use switchboard_worlds::{Setup, TestMessage, TestSystem};

const SEGMENT: &str = "journal-00000001";

/// Everything that an account sees of its conversations and leads.
async fn shown(test: &TestSystem, conversations: &BTreeSet<ConversationId>) -> String {
    let mut text = format!("{:?}\n", test.leads().await);
    for id in conversations {
        if test.whole().conversation(*id).await.unwrap().is_some() {
            text.push_str(&format!("{id}: {:?}\n", test.messages_of(*id).await));
        }
    }
    text
}

fn length(disk: &FaultyDisk) -> u64 {
    disk.open(SEGMENT).unwrap().length().unwrap()
}

#[actix::test]
async fn a_journal_cut_at_any_byte_recovers_its_last_whole_group() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    let mut conversations = BTreeSet::new();
    let mut states = vec![(length(&disk), shown(&test, &conversations).await)];
    for number in 0..8 {
        let mut test_message = TestMessage::new(&format!("m-{number}"), &format!("text {number}"))
            .in_conversation(&format!("c-{}", number % 3))
            .by(&format!("p-{}", number % 2));
        if number % 3 == 0 {
            test_message = test_message.silent();
        }
        let acceptance = test.post(&test_message).await.unwrap();
        conversations.insert(acceptance.conversation);
        states.push((length(&disk), shown(&test, &conversations).await));
    }
    let whole = disk.copy();
    test.stop().await;
    let (first, last) = (states.first().unwrap().0, states.last().unwrap().0);
    assert!(last - first > 2_000, "{first}..{last}");
    // Every byte of the last groups and around the end of each, and every fifth of the others.
    let near = |cut: &u64| states.iter().any(|(end, _)| end.abs_diff(*cut) <= 2);
    let cuts = (first..=last).filter(|cut| cut % 5 == 0 || near(cut) || last - cut < 1_000);
    for cut in cuts {
        let short = whole.copy();
        short.open(SEGMENT).unwrap().truncate(cut).unwrap();
        let again = Setup::on_disk(short).start_bare().unwrap();
        let before = states.iter().rev().find(|(length, _)| *length <= cut);
        let text = shown(&again, &conversations).await;
        assert_eq!(text, before.unwrap().1, "cut at {cut} of {last}");
        again.stop().await;
    }
}
