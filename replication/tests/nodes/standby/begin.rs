//! A log begins by an order, and one that is gone is waited for.

use switchboard_replication::position::Position;
use switchboard_replication::shared_log::{BeginError, Beginning, TakeoverError, begin, beginning};

use super::{Node, TAKEOVER, a_clock, catch_up, log_for, own};
use crate::memory_log::{Attempts, Faults, MemoryLog};
use crate::node::clock;

/// However long it waits, no node begins a log that is empty, or that another one is to begin.
#[actix::test]
async fn a_log_begins_by_an_order_and_with_the_node_that_it_names() {
    let log = MemoryLog::new(1, Faults::default());
    let (a, b) = (Node::new("a"), Node::new("b"));
    let waits = |node: &Node| {
        let mut standby = node.stand_by(&log).unwrap();
        catch_up(&mut standby, &log).unwrap();
        node.later(TAKEOVER * 10);
        assert!(!standby.may_take_over());
        let outcome = standby.take_over(&mut log.clone(), &mut Attempts(3), &a_clock());
        assert!(
            matches!(outcome, Err(TakeoverError::Taken { .. })),
            "{outcome:?}"
        );
    };
    waits(&a);
    assert_eq!(beginning(&mut log.clone()).unwrap(), Beginning::Empty);
    let order = |node| begin(&mut log.clone(), &mut Attempts(3), node, &clock());
    order("b").unwrap();
    waits(&a);
    // A later order replaces it, and the same one again adds nothing.
    order("a").unwrap();
    order("a").unwrap();
    assert_eq!(log.len(), 2);
    let node = "a".to_owned();
    assert_eq!(
        beginning(&mut log.clone()).unwrap(),
        Beginning::Ordered { node }
    );
    waits(&b);
    // What this node has read of the orders is no reason to read them no more.
    waits(&b);
    let owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    assert_eq!((owner.end().position, owner.end().epoch), (Position(3), 1));
    let error = order("b").unwrap_err();
    assert!(
        matches!(&error, BeginError::Begun { owner } if owner.contains("node a")),
        "{error:?}"
    );
    // The other one gets the secret of the first claim, whatever it had made up before.
    let mut second = b.stand_by(&log).unwrap();
    catch_up(&mut second, &log).unwrap();
    assert_eq!(second.end().owner, Some(a.claimant()));
}

/// A share that is not mounted looks like a log without entries: a node that has followed it waits.
#[actix::test]
async fn a_log_that_is_gone_is_waited_for() {
    let log = log_for("a", 1);
    let (a, b) = (Node::new("a"), Node::new("b"));
    let owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    a.serve(owner, 0..2, false).await;
    let mut second = b.stand_by(&log).unwrap();
    catch_up(&mut second, &log).unwrap();
    let away = MemoryLog::new(2, Faults::default());
    b.later(TAKEOVER);
    let outcome = second.take_over(&mut away.clone(), &mut Attempts(3), &a_clock());
    let Err(TakeoverError::Follow(error)) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(error.passes(), "{error}");
    assert!(error.to_string().contains("is its disk mounted"), "{error}");
    // It goes on when the share is back. One that has lost its newest entries is another matter.
    catch_up(&mut second, &log).unwrap();
    let short = log_for("a", 3);
    b.later(TAKEOVER);
    let outcome = second.take_over(&mut short.clone(), &mut Attempts(3), &a_clock());
    assert!(
        matches!(&outcome, Err(TakeoverError::Follow(error)) if !error.passes()),
        "{outcome:?}"
    );
}
