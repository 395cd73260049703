//! The whole group commit: submitters, the committer, the disk and the waiters.

use super::*;

/// Starts a thread that stores a group and, once that is answered, finds it on a disk that lost its power.
fn submitter(running: &Running, number: u64) -> thread::JoinHandle<Result<Submitted, SubmitError>> {
    let (journal, disk) = (running.journal.clone(), running.disk.clone());
    thread::spawn(move || store_on(&disk, &journal, number))
}

fn store_on(disk: &FaultyDisk, journal: &Journal, number: u64) -> Result<Submitted, SubmitError> {
    let submitted = store(journal, number)?;
    let disk_events = events(&disk.crash(number)).unwrap();
    assert!(
        disk_events.contains(&event(number)),
        "{number} was answered: {disk_events:?}"
    );
    Ok(submitted)
}

/// The events of the groups that were stored, in the order of their numbers.
fn in_order<const N: usize>(answers: [(u64, Result<Submitted, SubmitError>); N]) -> Vec<String> {
    let successes = answers
        .into_iter()
        .filter_map(|(number, answer)| Some((answer.ok()?.last, number)));
    let mut numbers: Vec<_> = successes.collect();
    numbers.sort();
    numbers
        .into_iter()
        .map(|(_, number)| event(number))
        .collect()
}

/// Two submitters store a group each; both are stored, in the order of their numbers, and nothing else is.
fn both_are_stored(modelled: Modelled) {
    let running = modelled.start();
    let other = submitter(&running, 1);
    let own = store_on(&running.disk, &running.journal, 2);
    let other = other.join().unwrap();
    assert!(own.is_ok() && other.is_ok());
    assert_eq!(running.close(), in_order([(1, other), (2, own)]));
}

#[test]
fn each_answered_group_is_on_disk_once_and_in_order() {
    explore(|| both_are_stored(Modelled::new()));
}

#[test]
fn a_refused_batch_is_stored_again_by_its_submitters() {
    explore_less(1, || {
        let modelled = Modelled::new();
        modelled.disk.fail_write(1);
        both_are_stored(modelled);
    });
}

#[test]
fn a_failed_sync_wakes_all_waiters() {
    explore(|| {
        let modelled = Modelled::new();
        modelled.disk.fail_sync(1);
        let running = modelled.start();
        let other = submitter(&running, 1);
        let own = store(&running.journal, 2);
        let answers = [own, other.join().unwrap()];
        assert_eq!(answers, [Err(SubmitError::Stopping); 2]);
        running.committer.join().unwrap();
        assert!(lock(&running.batches.0).is_empty());
    });
}

#[test]
fn a_close_answers_every_submitter() {
    explore(|| {
        let running = Modelled::new().start();
        let submitters = [1, 2].map(|number| submitter(&running, number));
        running.journal.close();
        let [first, second] = submitters.map(|submitter| submitter.join().unwrap());
        for answer in [first, second] {
            assert!(matches!(answer, Ok(_) | Err(SubmitError::Stopping)));
        }
        assert_eq!(running.ended(), in_order([(1, first), (2, second)]));
    });
}
