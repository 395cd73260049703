use super::create::{CreateErasure, CreateErasureRejection};
use super::note_failure::NoteFailure;
use super::*;
use switchboard_engine::state::{Command, Moment};

fn run<C: Command<Of = Erasures>>(
    state: &mut Erasures,
    command: C,
) -> Result<C::Reply, C::Rejection> {
    let mut random = || [9; 16];
    let mut moment = Moment {
        now: UnixMillis::from_secs(7),
        random: &mut random,
        earlier: &[],
    };
    let decision = command.decide(state, &mut moment)?;
    for recorded in &decision.events {
        state.apply(&recorded.event);
    }
    Ok(decision.reply)
}

fn order(contact: u64) -> CreateErasure {
    CreateErasure {
        by: By::Operator,
        target: Target::Customer(CustomerTarget {
            account: AccountId::from_random([1; 16]),
            contact: Some(ContactId(contact)),
            person: None,
        }),
    }
}

#[test]
fn orders_are_counted_and_the_same_one_waits_once() {
    let mut state = Erasures::default();
    assert_eq!(run(&mut state, order(5)).unwrap().number, 1);
    assert_eq!(
        run(&mut state, order(5)),
        Err(CreateErasureRejection::Waits(1))
    );
    assert_eq!(run(&mut state, order(6)).unwrap().number, 2);
    assert_eq!(state.waiting().map(|erasure| erasure.number), Some(1));
    for number in [1, 1] {
        let reason = "no space".to_owned();
        run(&mut state, NoteFailure { number, reason }).unwrap();
    }
    let failed = ErasureState::Failed {
        at: UnixMillis::from_secs(7),
        reason: "no space".to_owned(),
    };
    assert_eq!(state.get(1).unwrap().state, failed);
    assert_eq!(state.waiting().map(|erasure| erasure.number), Some(2));
    assert_eq!(run(&mut state, order(5)).unwrap().number, 3);
}

#[test]
fn too_many_waiting_erasures_are_refused() {
    let mut state = Erasures::default();
    for contact in 1..=100 {
        run(&mut state, order(contact)).unwrap();
    }
    assert_eq!(
        run(&mut state, order(101)),
        Err(CreateErasureRejection::TooMany)
    );
}

/// The record of the order says later what was erased, and names no person.
#[test]
fn a_carried_out_order_has_its_certificate_and_no_person() {
    let mut state = Erasures::default();
    let mut by_person = order(5);
    by_person.target = Target::Customer(CustomerTarget {
        account: AccountId::from_random([1; 16]),
        contact: None,
        person: Some(PersonId::from_random([2; 16])),
    });
    let event = run(&mut state, by_person).unwrap();
    let certificate = Certificate {
        at: UnixMillis::from_secs(9),
        ..Certificate::default()
    }
    .sealed(1, "[[3,4]]", "[]");
    assert_eq!(certificate.hash.len(), 64);
    assert_ne!(
        certificate.hash,
        certificate.clone().sealed(1, "[[3,5]]", "[]").hash
    );
    let mut audit_random = || [8; 16];
    let mut moment = Moment::<ErasuresEvent> {
        now: UnixMillis::from_secs(7),
        random: &mut audit_random,
        earlier: &[],
    };
    let audit = AuditEntry::new(By::Operator, "customer.erase", 1, &mut moment);
    let order = ErasuresEvent::Ordered {
        erasure: Box::new(Erasure {
            target: event.target.without_person(Some(ContactId(5))),
            state: ErasureState::Done {
                certificate: Box::new(certificate),
            },
            ..run(&mut Erasures::default(), order(5)).unwrap()
        }),
        audit: Box::new(audit),
    };
    let mut again = Erasures::default();
    again.apply(&order);
    assert_eq!(again.waiting(), None);
    let json = serde_json::to_string(&order).unwrap();
    assert!(!json.contains(&PersonId::from_random([2; 16]).to_string()));
    assert!(json.contains("\"contact\":5"));
}
