//! The price of a page: a bounded number of looks, however much there is and however little of it may be seen.
use futures_util::future::join_all;
use switchboard_actors::Caller;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::rights::Right;
use switchboard_actors::domain::account::rights::entity::{EntityLevels, EntityRights};
use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::user::Standing;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::crm::update_lead::LeadChange;
use switchboard_actors::domain::id::{LeadId, UserId};
use switchboard_actors::domain::oauth::scope::OauthScopes;
use switchboard_actors::domain::text::search::Search;
use switchboard_actors::system::inbox::ConversationCursor;
use switchboard_actors::system::user_access::{
    ConversationFilter, EXAMINED_MAX, EntityFilter, PageStart, SearchBudget,
};
use switchboard_actors::system::users::UserToAdd;
use switchboard_worlds::{TestMessage, TestSystem};

const LEADS: usize = EXAMINED_MAX + 100;

/// A user with this right to see leads.
async fn user(test: &TestSystem, name: &str, right: Right) -> Caller {
    let levels = EntityLevels {
        view: right,
        ..EntityLevels::DENIED
    };
    let rights = Rights {
        leads: EntityRights::new(levels).unwrap(),
        ..Rights::denied(&[])
    };
    let user = UserToAdd {
        name: name.parse().unwrap(),
        email: format!("{name}@example.com").parse().unwrap(),
        lang: None,
        standing: Some(Standing::Own(Box::new(rights))),
        group: Group::DEFAULT,
        password: None,
    };
    let account = TestSystem::account_id();
    let answer = test
        .create_user_of_account(account, By::Operator, user)
        .await
        .unwrap();
    Caller {
        account,
        user: answer.id,
        name: answer.name.clone().into(),
        is_admin: false,
        client: None,
        scopes: OauthScopes::all(),
    }
}

#[actix::test]
async fn a_page_of_mostly_hidden_rows_is_short_and_has_a_next_page() {
    let test = TestSystem::start().await;
    let test_messages: Vec<_> = (0..LEADS)
        .map(|n| TestMessage::new(&format!("m-{n}"), "hello").in_conversation(&format!("c-{n}")))
        .collect();
    for batch in test_messages.chunks(100) {
        let answers = join_all(batch.iter().map(|test_message| test.post(test_message))).await;
        assert!(answers.iter().all(Result::is_ok));
    }
    let ada = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
    let mia = user(&test, "Mia", Right::Main).await;
    let gus = user(&test, "Gus", Right::Group).await;
    let last = LeadId(u64::try_from(LEADS).unwrap());
    for id in [last, LeadId(7)] {
        let change = LeadChange {
            responsible: Some(Some(mia.user)),
            ..LeadChange::default()
        };
        let access = test.user_access(&ada).await.unwrap();
        access.update_lead(id, change).await.unwrap();
    }
    // Whose right is about their own has a list of their own, and is shown all of it at once.
    let access = test.user_access(&mia).await.unwrap();
    let page = access
        .leads(&EntityFilter::default(), PageStart::default(), 50)
        .await
        .unwrap();
    let ids: Vec<LeadId> = page.entries.iter().map(|lead| lead.id).collect();
    assert_eq!((ids, page.next), (vec![LeadId(7), last], None));
    let inbox = access
        .conversations(&ConversationFilter::default(), None, 50)
        .await
        .unwrap();
    assert_eq!((inbox.entries.len(), inbox.next), (2, None));
    // Who sees what is the group's goes through all there is, in several pages.
    let access = test.user_access(&gus).await.unwrap();
    let first = access
        .leads(&EntityFilter::default(), PageStart::default(), 50)
        .await
        .unwrap();
    assert_eq!(first.entries.len(), 1);
    let next = first.next.unwrap();
    let second = access
        .leads(&EntityFilter::default(), next, 50)
        .await
        .unwrap();
    assert_eq!(second.entries.first().map(|lead| lead.id), Some(last));
    assert_eq!(second.next, None);
    let mut count = 0;
    let mut pages = 0;
    let mut cursor = None;
    let all = ConversationFilter::default();
    loop {
        let page = access
            .conversations(&all, cursor.as_ref(), 50)
            .await
            .unwrap();
        (count, pages) = (count + page.entries.len(), pages + 1);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((count, pages), (2, 2));
    // The service need not search for the entries that an administrator skips.
    let access = test.user_access(&ada).await.unwrap();
    let far = PageStart {
        after: None,
        skip: last.0 - 1,
    };
    let page = access
        .leads(&EntityFilter::default(), far, 50)
        .await
        .unwrap();
    assert_eq!(page.entries.first().map(|lead| lead.id), Some(last));
    let beyond = PageStart {
        after: None,
        skip: u64::MAX,
    };
    assert_eq!(
        access
            .leads(&EntityFilter::default(), beyond, 50)
            .await
            .unwrap()
            .entries,
        []
    );
    // Who is not there, or not any more, sees nothing.
    let nobody = Caller {
        user: UserId(99),
        ..gus
    };
    let access = test.user_access(&nobody).await.unwrap();
    let page = access
        .leads(&EntityFilter::default(), PageStart::default(), 50)
        .await
        .unwrap();
    assert_eq!((page.entries.len(), page.next), (0, None));
    assert_eq!(access.lead(LeadId(7)).await.unwrap(), None);
    test.stop().await;
}

/// A search goes through all messages, and one page costs no more than another.
#[actix::test]
async fn a_search_covers_all_messages_at_a_bounded_cost_per_page() {
    let test = TestSystem::start().await;
    let conversation = async |name: &str, said: &[String]| {
        for (n, text) in said.iter().enumerate() {
            let loud = TestMessage::new(&format!("m-{n}"), text).in_conversation(name);
            let test_message = if n == 0 { loud } else { loud.silent() };
            test.post(&test_message).await.unwrap();
        }
    };
    let mut long = vec!["Have you any TULIPS?".to_owned()];
    long.extend((0..EXAMINED_MAX).map(|n| format!("number {n}")));
    conversation("old", &long[..1]).await;
    conversation("long", &long).await;
    let ada = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
    let access = test.user_access(&ada).await.unwrap();
    let filter = ConversationFilter {
        search: Search::parse("tulips").unwrap(),
        ..ConversationFilter::default()
    };
    // The first page gets as far as the middle of the long conversation.
    let first = access.conversations(&filter, None, 50).await.unwrap();
    assert!(first.entries.is_empty());
    let next = first.next.unwrap();
    assert_eq!(ConversationCursor::from_text(&next.to_text()), Some(next));
    let second = access
        .conversations(&filter, Some(&next), 50)
        .await
        .unwrap();
    let has_message: Vec<bool> = second
        .entries
        .iter()
        .map(|it| it.message.is_some())
        .collect();
    assert_eq!((has_message, second.next), (vec![true, true], None));
    // A name costs one look, however much was said.
    let filter = ConversationFilter {
        search: Search::parse("OLD").unwrap(),
        ..ConversationFilter::default()
    };
    let page = access.conversations(&filter, None, 1).await.unwrap();
    assert_eq!(page.entries.len(), 1);
    assert_eq!(page.entries[0].message, None);
    test.stop().await;
}

/// A search by key finds its object without a look at anything else, however much there is.
#[actix::test]
async fn an_exact_number_costs_no_look_at_other_conversations() {
    let test = TestSystem::start().await;
    for n in 0..40 {
        let name = format!("n{n}");
        let phone = format!("+790012345{n:02}");
        let test_message = TestMessage::from_customer(&name, &format!("msg-{n}"), "hello");
        test.post(&test_message.with_phone(&phone)).await.unwrap();
    }
    let ada = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
    let access = test.user_access(&ada).await.unwrap();
    let budget = SearchBudget {
        looks: 3,
        ..SearchBudget::default()
    };
    // The oldest one stands at the end of the list.
    for query in ["+7 900 123-45-00", "c-n0", "u-n0", "msg-0"] {
        let filter = ConversationFilter {
            search: Search::parse(query).unwrap(),
            budget,
            ..ConversationFilter::default()
        };
        let page = access.conversations(&filter, None, 50).await.unwrap();
        let phones: Vec<_> = page
            .entries
            .iter()
            .map(|entry| entry.view.state.customer.as_ref()?.phone.as_ref())
            .collect();
        assert_eq!(phones.len(), 1, "{query}");
        assert_eq!(phones[0].unwrap().as_str(), "+79001234500", "{query}");
    }
    // A word costs one for each, and every page says how far it went.
    let filter = ConversationFilter {
        search: Search::parse("nothing-like-it").unwrap(),
        budget,
        ..ConversationFilter::default()
    };
    let (mut cursor, mut pages, mut back_to) = (None, 0, None);
    let end = loop {
        let page = access
            .conversations(&filter, cursor.as_ref(), 50)
            .await
            .unwrap();
        let searched = page.searched.unwrap();
        pages += 1;
        cursor = page.next;
        if cursor.is_none() {
            break searched;
        }
        assert!(page.entries.is_empty() && !searched.complete);
        back_to = back_to.max(searched.back_to);
    };
    assert!(end.complete && back_to.is_some());
    // 40 conversations, then as many with a message each.
    assert!((26..=60).contains(&pages), "{pages}");
    test.stop().await;
}
