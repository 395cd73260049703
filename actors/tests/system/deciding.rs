//! A write that fails between a decision and its group, which no public function brings about.

use switchboard_actors::domain::Decision;
use switchboard_actors::domain::conversation::Conversation;
use switchboard_actors::domain::conversation::customer::Customer;
use switchboard_actors::domain::conversation::send_message::SendMessage;
use switchboard_actors::domain::crm::Crm;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::wire::chat_body::{Rules, send};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::Part;
use switchboard_engine::runtime::owner::Execute;
use switchboard_engine::runtime::shell::{DeclinedError, Shell};
use switchboard_engine::state::{Command, Moment, State};
use switchboard_engine::store::Seq;
use switchboard_worlds::{FaultyDisk, Setup, TestMessage, TestSystem, eventually};

/// The command that the letter becomes once its ids are resolved.
fn receive(test: &TestSystem, test_message: &TestMessage) -> SendMessage {
    let raw = test_message.body();
    let message = send::parse(&raw, Rules::V2019, test.now()).unwrap();
    let ids = &test.kernel().shared.ids;
    let id = message.conversation_id.as_ref().unwrap();
    let conversation = ids.conversation(&test.scope, id);
    let person = ids.person(&test.scope, message.sender.id.as_ref().unwrap());
    SendMessage {
        scope: test.scope.clone(),
        conversation,
        client_conversation: message.conversation_id,
        msgid: message.msgid,
        customer: Customer {
            person,
            client_id: message.sender.id,
            name: message.sender.name.unwrap(),
            avatar: message.sender.avatar,
            phone: message.sender.profile.phone,
            email: message.sender.profile.email,
            profile_link: message.sender.profile_link,
        },
        imported: None,
        nameless: false,
        source: None,
        post: None,
        generation: message.generation,
        written_at: message.timestamp,
        loud: true,
        media_from: None,
        look_at_avatar: false,
        clue: None,
        raw,
    }
}

/// Records that were decided before a failed write are never written after it.
#[actix::test]
async fn decisions_before_a_failed_write_are_not_written_after_it() {
    let disk = FaultyDisk::new();
    let test = Setup::on_disk(disk.clone()).start().await;
    let command = receive(&test, &TestMessage::new("m", "hello"));
    let (conversation, account) = (command.conversation, TestSystem::account_id());
    let blank = Conversation::initial(&conversation);
    let mut shell = Shell::new(conversation, blank, Seq(0), test.kernel().clone());
    let mut prepared = shell.prepare(command).unwrap();
    let news = *prepared.reply.news.clone().unwrap();
    let carried = std::mem::take(&mut prepared.carried);

    // The write of another actor fails, and later writes succeed: what was decided before may rest on lost records.
    disk.fail_write(1);
    test.disconnect(&test.scope).await.unwrap_err();
    eventually(|| test.writable().is_ok()).await;
    let durable = test.counts().durable;
    let late = Execute::at_once(news)
        .submit(test.kernel().clone(), account, carried)
        .await;
    assert!(
        matches!(
            late,
            Err(DeclinedError::Unavailable(UnavailableError::Interrupted))
        ),
        "{late:?}"
    );
    assert_eq!(test.counts().durable, durable);

    test.post(&TestMessage::new("m", "hello")).await.unwrap();
    assert_eq!(test.leads().await.len(), 1);
    test.stop().await;
}

/// A command that cannot even be decided on.
struct Explode;

impl Command for Explode {
    type Of = Crm;
    type Reply = ();
    type Rejection = std::convert::Infallible;

    fn decide(
        self,
        _: &Crm,
        _: &mut Moment<'_, <Crm as State>::Event>,
    ) -> Result<Decision<<Crm as State>::Event, ()>, Self::Rejection> {
        panic!("a panic on order")
    }
}

/// A conversation whose lead book panics reports it to its sender, and the retry opens the lead.
#[actix::test]
async fn a_panic_of_the_lead_book_fails_the_send_and_a_retry_works() {
    let test = TestSystem::start().await;
    let account = TestSystem::account_id();
    test.customer("al").says("hello").await.unwrap();
    let test_message = test.customer("bo").message("hello");
    // Both are on their way to the CRM; the first ends it.
    let exploding = execute(test.kernel(), &account, Explode);
    let (exploded, _) = futures_util::future::join(exploding, test.post(&test_message)).await;
    exploded.unwrap_err();

    let acceptance = test.post(&test_message).await.unwrap();
    assert_eq!(test.counts().deaths, 1);
    assert_eq!(test.leads().await.len(), 2);
    assert_eq!(test.messages_of(acceptance.conversation).await.len(), 1);
    let more = test.customer("bo").says("more").await.unwrap();
    assert_eq!(more.conversation, acceptance.conversation);
    assert_eq!(test.messages_of(acceptance.conversation).await.len(), 2);
    assert_eq!(test.leads().await.len(), 2);
    test.stop().await;
}
