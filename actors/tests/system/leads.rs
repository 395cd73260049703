//! A lead for each conversation that has news, in one group with the message that brought it.
use crate::images::PicturedDisk;
use futures_util::future::join_all;
use switchboard_actors::Threads;
use switchboard_actors::domain::id::ContactId;
use switchboard_worlds::{Setup, TestMessage, TestSystem};

#[actix::test]
async fn a_silent_message_opens_no_lead_and_the_next_other_one_does() {
    let test = TestSystem::start().await;
    let bo = test.customer("bo");
    bo.imports("hello from 2019").await.unwrap();
    assert_eq!(test.leads().await, []);
    let loud = bo.says("hello").await.unwrap();
    bo.says("hello?").await.unwrap();
    let leads = test.leads().await;
    assert_eq!(leads.len(), 1);
    let conversation = leads.first().unwrap().conversation();
    assert_eq!(conversation, Some(loud.conversation));
    assert_eq!(test.messages_of(loud.conversation).await.len(), 3);
    test.stop().await;
}

#[actix::test]
async fn sixteen_concurrent_messages_open_one_lead() {
    for threads in [Threads::Here, Threads::Own(2)] {
        let mut setup = Setup::default();
        setup.config.threads = threads;
        let test = setup.start().await;
        for round in 1..=10_usize {
            let name = format!("bo-{round}");
            let bo = test.customer(&name);
            let test_messages: Vec<_> = (0..16).map(|n| bo.message(&format!("{n}"))).collect();
            let answers = join_all(
                test_messages
                    .iter()
                    .map(|test_message| test.post(test_message)),
            )
            .await;
            let conversation = answers.first().unwrap().as_ref().unwrap().conversation;
            assert!(answers.iter().all(Result::is_ok));
            assert_eq!(test.messages_of(conversation).await.len(), 16);
            assert_eq!(test.leads().await.len(), round);
        }
        test.stop().await;
    }
}

#[actix::test]
async fn many_conversations_of_one_person_share_the_contact() {
    let test = TestSystem::start().await;
    let test_messages: Vec<_> = (0..20)
        .map(|n| {
            let test_message = TestMessage::new(&format!("m-{n}"), "hello").by("bo");
            test_message
                .in_conversation(&format!("c-{n}"))
                .with_phone("+1 555")
        })
        .collect();
    let answers = join_all(
        test_messages
            .iter()
            .map(|test_message| test.post(test_message)),
    )
    .await;
    assert!(answers.iter().all(Result::is_ok));
    let crm = test.whole().crm().await.unwrap();
    assert_eq!((crm.leads, crm.contacts), (20, 1));
    let contact = test.whole().contact(ContactId(1)).await.unwrap().unwrap();
    assert_eq!(contact.phones.first().unwrap().as_str(), "+1 555");
    test.stop().await;
}

/// After every crash, message, contact and lead are there together or not at all.
#[actix::test]
async fn message_contact_and_lead_are_stored_together_or_not_at_all() {
    let disk = PicturedDisk::default();
    let test = Setup::on_disk(disk.clone()).start().await;
    let first = test.customer("al").says("stored before").await.unwrap();
    disk.watch();
    test.customer("bo").says("hello").await.unwrap();
    let pictures = disk.pictures();
    test.stop().await;
    let (mut there, mut missing) = (0, 0);
    for picture in pictures {
        let test = Setup::on_disk(picture).start_bare().unwrap();
        assert_eq!(test.messages_of(first.conversation).await.len(), 1);
        let conversations = test.whole().conversations().await.unwrap();
        let crm = test.whole().crm().await.unwrap();
        let count = conversations.len();
        assert_eq!(test.leads().await.len(), count);
        assert_eq!(crm.contacts, u64::try_from(count).unwrap());
        for view in &conversations {
            assert!(view.lead.is_some() && view.state.lead && view.last_message.is_some());
        }
        there += usize::from(count == 2);
        missing += usize::from(count == 1);

        // It goes on as if nothing had been.
        test.customer("bo").says("and now?").await.unwrap();
        assert_eq!(test.leads().await.len(), 2);
        test.stop().await;
    }
    assert!(
        there > 0 && missing > 0,
        "both ends were seen: {there}, {missing}"
    );
}
