//! Lists in the order of the last change: right while entries change, and at a bounded cost.

use std::time::Duration;

use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::crm::create_leads::NewLead;
use switchboard_actors::domain::crm::custom_fields::value::FieldValues;
use switchboard_actors::domain::crm::fields::Price;
use switchboard_actors::domain::crm::update_lead::LeadChange;
use switchboard_actors::domain::id::{LeadId, PipelineId, StageId};
use switchboard_actors::system::user_access::{
    EntityFilter, ListOrder, OrderKey, PageStart, Span, UserAccess,
};
use switchboard_worlds::{Setup, TestSystem};

/// More than a list sorts at once.
const MANY: usize = 600;
const STAGES: [StageId; 2] = [StageId(2), StageId(3)];

fn by_change(descending: bool) -> EntityFilter {
    EntityFilter {
        order: Some(ListOrder {
            key: OrderKey::LastChange,
            descending,
        }),
        ..EntityFilter::default()
    }
}

async fn ada(test: &TestSystem) -> UserAccess {
    let ada = test.caller(TestSystem::TOKEN).await.unwrap().unwrap();
    test.user_access(&ada).await.unwrap()
}

async fn add(access: &UserAccess, count: usize) {
    // The first message begins the pipelines of the account.
    let leads = (0..count).map(|number| NewLead {
        name: None,
        price: Price::default(),
        stage: (PipelineId(1), STAGES[number % 2]),
        responsible: None,
        contact: None,
        submission: None,
        tags: Vec::new(),
        values: FieldValues::default(),
    });
    access.create_leads(leads.collect()).await.unwrap();
}

/// Changes a lead a second later.
async fn touch(test: &TestSystem, access: &UserAccess, id: u64) {
    test.setup.clock.advance(Duration::from_secs(1));
    let lead = access.lead(LeadId(id)).await.unwrap().unwrap();
    let change = LeadChange {
        price: Some(Price(lead.price.0 + 1)),
        ..LeadChange::default()
    };
    access.update_lead(LeadId(id), change).await.unwrap();
}

async fn page(
    access: &UserAccess,
    filter: &EntityFilter,
    start: PageStart,
    limit: usize,
) -> (Vec<u64>, Option<PageStart>) {
    let page = access.leads(filter, start, limit).await.unwrap();
    let id = |lead: &Lead| lead.id.0;
    (page.entries.iter().map(id).collect(), page.next)
}

async fn all(access: &UserAccess, filter: &EntityFilter, limit: usize) -> Vec<u64> {
    let (mut seen, mut start) = (Vec::new(), PageStart::default());
    loop {
        let (ids, next) = page(access, filter, start, limit).await;
        seen.extend(ids);
        let Some(next) = next else { return seen };
        start = next;
    }
}

#[actix::test]
async fn leads_are_listed_by_their_last_change() {
    let test = Setup::default().start().await;
    let access = ada(&test).await;
    add(&access, 6).await;
    for id in [2, 5, 1] {
        touch(&test, &access, id).await;
    }
    assert_eq!(all(&access, &by_change(false), 2).await, [3, 4, 6, 2, 5, 1]);
    assert_eq!(all(&access, &by_change(true), 2).await, [1, 5, 2, 6, 4, 3]);
    let filter = EntityFilter {
        ids: [5, 2, 6].into(),
        ..by_change(true)
    };
    assert_eq!(all(&access, &filter, 1).await, [5, 2, 6]);
    let of_stage = EntityFilter {
        stages: [(PipelineId(1), Some(STAGES[0]))].into(),
        ..by_change(false)
    };
    assert_eq!(all(&access, &of_stage, 2).await, [3, 5, 1]);
    let first_change = test.now().get() - 2_000;
    let lately = EntityFilter {
        updated: Span {
            from: Some(switchboard_actors::domain::time::UnixMillis::new(
                first_change,
            )),
            to: None,
        },
        ..by_change(false)
    };
    assert_eq!(all(&access, &lately, 1).await, [2, 5, 1]);
    // The first entries of a page further on are skipped.
    let third = PageStart {
        after: None,
        skip: 4,
    };
    assert_eq!(page(&access, &by_change(false), third, 2).await.0, [5, 1]);
    test.stop().await;
}

#[actix::test]
async fn pages_by_the_last_change_leave_out_nothing_that_stays() {
    let test = Setup::default().start().await;
    let access = ada(&test).await;
    add(&access, 6).await;
    let ascending = by_change(false);
    let (first, next) = page(&access, &ascending, PageStart::default(), 2).await;
    assert_eq!(first, [1, 2]);
    // One that was seen and one that was not move behind all others.
    touch(&test, &access, 1).await;
    touch(&test, &access, 4).await;
    let (second, next) = page(&access, &ascending, next.unwrap(), 2).await;
    assert_eq!(second, [3, 5]);
    let (third, next) = page(&access, &ascending, next.unwrap(), 9).await;
    assert_eq!((third, next), (vec![6, 1, 4], None));
    let descending = by_change(true);
    let (first, next) = page(&access, &descending, PageStart::default(), 2).await;
    assert_eq!(first, [4, 1]);
    touch(&test, &access, 3).await;
    let (second, _) = page(&access, &descending, next.unwrap(), 9).await;
    assert_eq!(second, [6, 5, 2]);
    test.stop().await;
}

#[actix::test]
async fn a_long_stage_is_listed_by_the_last_change_in_bounded_pages() {
    let test = Setup::default().start().await;
    let access = ada(&test).await;
    for _ in 0..MANY / 100 {
        add(&access, 100).await;
    }
    for _ in 0..MANY / 100 {
        add(&access, 100).await;
    }
    touch(&test, &access, 1).await;
    let of_stage = EntityFilter {
        stages: [(PipelineId(1), Some(STAGES[0]))].into(),
        ..by_change(true)
    };
    let ids = all(&access, &of_stage, 250).await;
    let rest = (1..2 * u64::try_from(MANY).unwrap())
        .rev()
        .filter(|id| id % 2 == 1 && *id > 1);
    assert_eq!(ids, std::iter::once(1).chain(rest).collect::<Vec<u64>>());
    test.stop().await;
}
