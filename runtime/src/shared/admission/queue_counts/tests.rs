use super::*;
use switchboard_domain::id::AccountId;

const NOW: UnixMillis = UnixMillis::from_secs(600);

fn scope(account: u8) -> ScopeId {
    let account = AccountId::from_random([account; 16]);
    ScopeId::new("messenger".parse().unwrap(), account)
}

fn conversation(number: u8) -> ConversationId {
    ConversationId::from_random([number; 16])
}

fn place(scope: &ScopeId, number: u8) -> QueueTarget<'_> {
    QueueTarget {
        scope,
        conversation: conversation(number),
        version: HookVersion::V2,
    }
}

fn row(place: &QueueTarget<'_>, out: u64) -> Vec<u8> {
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
fn fresh() -> QueueCounts {
    let mut counts = QueueCounts::default();
    counts.all_counted();
    counts
}

fn reserve(
    counts: &mut QueueCounts,
    place: &QueueTarget<'_>,
    quotas: &Quotas,
) -> Result<(), QuotaRejection> {
    if !counts.keeps(&place.queue()) {
        counts.keep(&place.queue(), 0);
    }
    counts.reserve(place, quotas, || EndpointState::NoAddress, NOW)
}

fn endpoint(version: HookVersion) -> EndpointId {
    EndpointId {
        channel: "messenger".parse().unwrap(),
        version,
    }
}

#[test]
fn a_reservation_counts_once_until_its_row_is_stored() {
    let (mut counts, scope) = (fresh(), scope(1));
    let (place, quotas) = (place(&scope, 1), quotas(2, 9, 9, 9));
    reserve(&mut counts, &place, &quotas).unwrap();
    reserve(&mut counts, &place, &quotas).unwrap();
    let refusal = reserve(&mut counts, &place, &quotas).unwrap_err();
    assert_eq!((refusal.limit, refusal.queued), (2, 2));
    assert_eq!(refusal.health, EndpointState::NoAddress);
    counts.put(&row(&place, 1));
    counts.put(&row(&place, 2));
    assert!(reserve(&mut counts, &place, &quotas).is_err());
    assert_eq!(counts.queued(), 2);
    counts.delete(&row(&place, 1), NOW);
    reserve(&mut counts, &place, &quotas).unwrap();
    counts.release(&place.queue());
    reserve(&mut counts, &place, &quotas).unwrap();
    assert!(reserve(&mut counts, &place, &quotas).is_err());
}

#[test]
fn a_reservation_is_released_once_and_without_the_others() {
    let (mut counts, scope) = (fresh(), scope(1));
    let (one, two) = (place(&scope, 1), place(&scope, 2));
    let quotas = quotas(9, 2, 9, 9);
    reserve(&mut counts, &one, &quotas).unwrap();
    reserve(&mut counts, &two, &quotas).unwrap();
    counts.release(&one.queue());
    counts.release(&one.queue());
    reserve(&mut counts, &one, &quotas).unwrap();
    assert!(reserve(&mut counts, &two, &quotas).is_err());
}

#[test]
fn each_quota_counts_its_own_rows() {
    let (mut counts, first, second) = (fresh(), scope(1), scope(2));
    for (scope, number) in [(&first, 1), (&first, 2), (&second, 3)] {
        counts.put(&row(&place(scope, number), 1));
    }
    counts.speaks(&first, HookVersion::V2);
    counts.speaks(&second, HookVersion::V1);
    assert_eq!(counts.queued_for(&endpoint(HookVersion::V2)), 2);
    assert_eq!(counts.queued_for(&endpoint(HookVersion::V1)), 1);
    let at = place(&first, 9);
    let quota =
        |counts: &mut QueueCounts, quotas| reserve(counts, &at, &quotas).map_err(|it| it.quota);
    use switchboard_domain::dispatch::quota::Quota;
    let table = [
        (quotas(0, 9, 9, 9), Quota::Queue),
        (quotas(9, 2, 9, 9), Quota::Scope),
        (quotas(9, 9, 2, 9), Quota::Endpoint),
        (quotas(9, 9, 9, 3), Quota::Node),
    ];
    for (quotas, expected) in table {
        assert_eq!(quota(&mut counts, quotas), Err(expected));
    }
    assert_eq!(quota(&mut counts, quotas(9, 3, 3, 4)), Ok(()));
}

#[test]
fn a_changed_callback_version_moves_its_queued_rows() {
    let (mut counts, scope) = (fresh(), scope(1));
    let place = place(&scope, 1);
    counts.put(&row(&place, 1));
    assert_eq!(counts.mute_scopes(), std::slice::from_ref(&scope));
    counts.speaks(&scope, HookVersion::V1);
    counts.speaks(&scope, HookVersion::V2);
    counts.put(&row(&place, 2));
    assert_eq!(counts.mute_scopes(), []);
    assert_eq!(counts.queued_for(&endpoint(HookVersion::V1)), 0);
    assert_eq!(counts.queued_for(&endpoint(HookVersion::V2)), 2);
}

#[test]
fn rows_that_change_during_the_initial_count_count_once() {
    let scope = scope(1);
    let place = place(&scope, 1);
    let rows: Vec<_> = (1..=4).map(|out| row(&place, out)).collect();
    let mut counts = QueueCounts::default();
    // A row behind what is counted will be met, or not: it does not count yet.
    counts.delete(&rows[3], NOW);
    counts.counted(rows[..2].iter().cloned());
    counts.put(&row(&place, 5));
    counts.delete(&rows[0], NOW);
    assert_eq!(counts.queued(), 1);
    counts.counted([rows[2].clone(), row(&place, 5)].into_iter());
    counts.all_counted();
    assert_eq!(counts.queued(), 3);
}

#[test]
fn the_rate_is_that_of_the_last_sixty_seconds() {
    let mut drain = DrainRate::default();
    let at = |secs| UnixMillis::from_secs(secs);
    (0..60).for_each(|_| drain.add(at(60)));
    assert_eq!(drain.per_minute(at(61)), 60);
    assert_eq!(drain.per_minute(at(150)), 30);
    (0..10).for_each(|_| drain.add(at(150)));
    assert_eq!(drain.per_minute(at(150)), 40);
    assert_eq!(drain.per_minute(at(1_000)), 0);
}

/// Only a limited number of conversations is kept, and none with a reservation is dropped.
#[test]
fn cached_conversations_are_bounded_but_reserved_ones_stay() {
    let (mut counts, scope) = (fresh(), scope(1));
    let first = place(&scope, 0);
    reserve(&mut counts, &first, &Quotas::default()).unwrap();
    for number in 0..QUEUES_MAX + 5 {
        counts.keep(&number.to_be_bytes(), 0);
    }
    assert_eq!(counts.queues.len(), QUEUES_MAX);
    assert!(counts.keeps(&first.queue()));
}
