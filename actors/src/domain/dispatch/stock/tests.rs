use super::*;
use crate::domain::id::AccountId;

const NOW: UnixMillis = UnixMillis::from_secs(600);

fn scope(account: u8) -> ScopeId {
    let account = AccountId::from_random([account; 16]);
    ScopeId::new("messenger".parse().unwrap(), account)
}

fn conversation(number: u8) -> ConversationId {
    ConversationId::from_random([number; 16])
}

fn place(scope: &ScopeId, number: u8) -> Place<'_> {
    Place {
        scope,
        conversation: conversation(number),
        version: HookVersion::V2,
    }
}

fn row(place: &Place<'_>, out: u64) -> Vec<u8> {
    keys::queue_row(place.scope, place.conversation, out)
}

fn quotas(queue: u64, scope: u64, endpoint: u64, node: u64) -> Quotas {
    Quotas {
        queue,
        scope,
        endpoint,
        node,
    }
}

/// Nothing was queued before.
fn fresh() -> Stock {
    let mut stock = Stock::default();
    stock.all_counted();
    stock
}

fn promise(stock: &mut Stock, place: &Place<'_>, quotas: &Quotas) -> Result<(), OverQuota> {
    if !stock.keeps(&place.queue()) {
        stock.keep(&place.queue(), 0);
    }
    stock.promise(place, quotas, || EndpointState::NoAddress, NOW)
}

fn endpoint(version: HookVersion) -> EndpointId {
    EndpointId {
        channel: "messenger".parse().unwrap(),
        version,
    }
}

#[test]
fn promises_count_until_their_rows_are_there_and_never_twice() {
    let (mut stock, scope) = (fresh(), scope(1));
    let (place, quotas) = (place(&scope, 1), quotas(2, 9, 9, 9));
    promise(&mut stock, &place, &quotas).unwrap();
    promise(&mut stock, &place, &quotas).unwrap();
    let refusal = promise(&mut stock, &place, &quotas).unwrap_err();
    assert_eq!((refusal.limit, refusal.queued), (2, 2));
    assert_eq!(refusal.health, EndpointState::NoAddress);
    stock.put(&row(&place, 1));
    stock.put(&row(&place, 2));
    assert!(promise(&mut stock, &place, &quotas).is_err());
    assert_eq!(stock.queued(), 2);
    stock.delete(&row(&place, 1), NOW);
    promise(&mut stock, &place, &quotas).unwrap();
    stock.release(&place.queue());
    promise(&mut stock, &place, &quotas).unwrap();
    assert!(promise(&mut stock, &place, &quotas).is_err());
}

#[test]
fn a_promise_is_released_once_and_nobody_elses_with_it() {
    let (mut stock, scope) = (fresh(), scope(1));
    let (one, two) = (place(&scope, 1), place(&scope, 2));
    let quotas = quotas(9, 2, 9, 9);
    promise(&mut stock, &one, &quotas).unwrap();
    promise(&mut stock, &two, &quotas).unwrap();
    stock.release(&one.queue());
    stock.release(&one.queue());
    promise(&mut stock, &one, &quotas).unwrap();
    assert!(promise(&mut stock, &two, &quotas).is_err());
}

#[test]
fn each_quota_sees_its_own_rows() {
    let (mut stock, first, second) = (fresh(), scope(1), scope(2));
    for (scope, number) in [(&first, 1), (&first, 2), (&second, 3)] {
        stock.put(&row(&place(scope, number), 1));
    }
    stock.speaks(&first, HookVersion::V2);
    stock.speaks(&second, HookVersion::V1);
    assert_eq!(stock.queued_for(&endpoint(HookVersion::V2)), 2);
    assert_eq!(stock.queued_for(&endpoint(HookVersion::V1)), 1);
    let at = place(&first, 9);
    let quota = |stock: &mut Stock, quotas| promise(stock, &at, &quotas).map_err(|it| it.quota);
    use crate::domain::dispatch::quota::Quota;
    let table = [
        (quotas(0, 9, 9, 9), Quota::Queue),
        (quotas(9, 2, 9, 9), Quota::Scope),
        (quotas(9, 9, 2, 9), Quota::Endpoint),
        (quotas(9, 9, 9, 3), Quota::Node),
    ];
    for (quotas, expected) in table {
        assert_eq!(quota(&mut stock, quotas), Err(expected));
    }
    assert_eq!(quota(&mut stock, quotas(9, 3, 3, 4)), Ok(()));
}

#[test]
fn a_scope_that_speaks_another_version_takes_its_rows_along() {
    let (mut stock, scope) = (fresh(), scope(1));
    let place = place(&scope, 1);
    stock.put(&row(&place, 1));
    assert_eq!(stock.mute_scopes(), std::slice::from_ref(&scope));
    stock.speaks(&scope, HookVersion::V1);
    stock.speaks(&scope, HookVersion::V2);
    stock.put(&row(&place, 2));
    assert_eq!(stock.mute_scopes(), []);
    assert_eq!(stock.queued_for(&endpoint(HookVersion::V1)), 0);
    assert_eq!(stock.queued_for(&endpoint(HookVersion::V2)), 2);
}

#[test]
fn what_changes_while_the_rows_of_the_start_are_counted_counts_once() {
    let scope = scope(1);
    let place = place(&scope, 1);
    let rows: Vec<_> = (1..=4).map(|out| row(&place, out)).collect();
    let mut stock = Stock::default();
    // A row behind what is counted will be met, or not: it does not count yet.
    stock.delete(&rows[3], NOW);
    stock.counted(rows[..2].iter().cloned());
    stock.put(&row(&place, 5));
    stock.delete(&rows[0], NOW);
    assert_eq!(stock.queued(), 1);
    stock.counted([rows[2].clone(), row(&place, 5)].into_iter());
    stock.all_counted();
    assert_eq!(stock.queued(), 3);
}

#[test]
fn the_rate_is_that_of_the_last_sixty_seconds() {
    let mut drain = Drain::default();
    let at = |secs| UnixMillis::from_secs(secs);
    (0..60).for_each(|_| drain.add(at(60)));
    assert_eq!(drain.per_minute(at(61)), 60);
    assert_eq!(drain.per_minute(at(150)), 30);
    (0..10).for_each(|_| drain.add(at(150)));
    assert_eq!(drain.per_minute(at(150)), 40);
    assert_eq!(drain.per_minute(at(1_000)), 0);
}

#[test]
fn only_so_many_conversations_are_kept_and_none_that_was_promised_something_is_dropped() {
    let (mut stock, scope) = (fresh(), scope(1));
    let first = place(&scope, 0);
    promise(&mut stock, &first, &Quotas::default()).unwrap();
    for number in 0..QUEUES_MAX + 5 {
        stock.keep(&number.to_be_bytes(), 0);
    }
    assert_eq!(stock.queues.len(), QUEUES_MAX);
    assert!(stock.keeps(&first.queue()));
}
