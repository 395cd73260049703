use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use redb::{Database, TableDefinition};
use tempfile::TempDir;

use super::run;
use crate::state::{Change, Kind, Lane};
use crate::store::Store;

const DAY: i64 = 86_400;

fn callback(identity: &str, at: i64) -> Change {
    Change::Callback {
        identity: identity.to_owned(),
        at,
    }
}

fn put(key: &str, value: &str) -> Change {
    Change::put("table", key, value)
}

#[test]
fn a_callback_in_two_commits_at_once_is_taken_once() {
    let directory = TempDir::new().unwrap();
    run(async {
        let store = Store::open(directory.path()).unwrap();
        let job = || store.job(Lane::new(Kind::Deliver, "talk"), 0, "words".to_owned());
        let group = |value| vec![callback("m-1", 1), Change::Begin(job()), put("key", value)];
        let outcome = tokio::join!(store.commit(group("first")), store.commit(group("second")));
        assert_eq!(outcome, (true, false));
        assert_eq!(store.waiting().deliver, 1);
        assert_eq!(store.get("table", "key").as_deref(), Some("first"));
        // And on the disk.
        drop(store);
        let store = Store::open(directory.path()).unwrap();
        assert!(!store.commit(vec![callback("m-1", 2)]).await);
        assert_eq!(store.waiting().deliver, 1);
    });
}

#[test]
fn a_store_remembers_everything_and_reuses_no_id() {
    let directory = TempDir::new().unwrap();
    run(async {
        let lane = Lane::new(Kind::Post, "talk");
        let store = Store::open(directory.path()).unwrap();
        let jobs = [1, 2].map(|rank| store.job(lane.clone(), rank, format!("body {rank}")));
        let [first, second] = jobs;
        let group = vec![Change::Begin(first.clone()), Change::Begin(second.clone())];
        store.commit(group).await;
        store.change_account(|it| it.is_uninstalled = true).await;
        store.commit(vec![Change::End(second.id)]).await;
        drop(store);
        let store = Store::open(directory.path()).unwrap();
        assert!(store.account().is_uninstalled);
        assert_eq!(store.first_job(&lane), Some(first.clone()));
        store.commit(vec![Change::End(first.id)]).await;
        drop(store);
        let store = Store::open(directory.path()).unwrap();
        assert_eq!(store.first_job(&lane), None);
        assert_eq!(store.waiting().bytes, 0);
        assert!(store.job(lane, 0, String::new()).id > second.id);
    });
}

#[test]
fn values_are_read_on_their_way_to_the_disk() {
    let directory = TempDir::new().unwrap();
    run(async {
        let store = Store::open(directory.path()).unwrap();
        store.commit(vec![put("b", "old"), put("d", "last")]).await;
        let other = Change::put("table2", "z", "other");
        let group = vec![put("a", "new"), Change::delete("table", "d"), other];
        let commit = store.commit(group);
        let reads = async {
            assert_eq!(store.get("table", "a").as_deref(), Some("new"));
            assert_eq!(store.get("table", "d"), None);
            let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
            assert_eq!(store.list("table"), [pair("a", "new"), pair("b", "old")]);
            assert_eq!(store.page("table", "a", 1), [pair("b", "old")]);
            assert_eq!(store.page("table", "b", 9), []);
            assert_eq!(store.last("table"), Some(pair("b", "old")));
            assert_eq!(store.last("table2"), Some(pair("z", "other")));
            assert_eq!(store.last("none"), None);
        };
        // The commit is polled first, and the reads before the disk answers.
        tokio::join!(biased; commit, reads);
        assert_eq!(store.list("table").len(), 2);
    });
}

#[test]
fn callbacks_are_forgotten_after_thirty_days() {
    let directory = TempDir::new().unwrap();
    run(async {
        let store = Store::open(directory.path()).unwrap();
        let now = 100 * DAY;
        let old = (0..2_500).map(|number| callback(&format!("old-{number}"), now - 31 * DAY));
        store.commit(old.collect()).await;
        store.commit(vec![callback("recent", now - 29 * DAY)]).await;
        assert_eq!(store.prune(now).await, 2_500);
        assert!(!store.commit(vec![callback("recent", now)]).await);
        assert!(store.commit(vec![callback("old-0", now)]).await);
        assert_eq!(store.prune(now).await, 0);
    });
}

#[test]
fn a_store_in_use_says_so() {
    let directory = TempDir::new().unwrap();
    let _store = Store::open(directory.path()).unwrap();
    let error = Store::open(directory.path()).err().unwrap().to_string();
    assert!(error.contains("another process uses the store"), "{error}");
    assert!(error.contains("bridge.redb: end that process"), "{error}");
}

#[test]
fn a_store_of_a_newer_form_is_refused() {
    let directory = TempDir::new().unwrap();
    drop(Store::open(directory.path()).unwrap());
    let database = Database::create(directory.path().join("bridge.redb")).unwrap();
    let meta: TableDefinition<'_, &str, &str> = TableDefinition::new("meta");
    let transaction = database.begin_write().unwrap();
    transaction
        .open_table(meta)
        .unwrap()
        .insert("form", "2")
        .unwrap();
    transaction.commit().unwrap();
    drop(database);
    let error = Store::open(directory.path()).err().unwrap().to_string();
    assert!(error.contains("has the form 2"), "{error}");
}

#[test]
fn a_file_that_is_no_store_is_refused() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("bridge.redb"), "{}\n".repeat(9_000)).unwrap();
    let error = Store::open(directory.path()).err().unwrap();
    let text = format!("{error:#}");
    assert!(text.contains("bridge.redb cannot be opened"), "{text}");
}

#[test]
fn only_the_user_reads_the_store() {
    let directory = TempDir::new().unwrap();
    let _store = Store::open(directory.path()).unwrap();
    let file = fs::metadata(directory.path().join("bridge.redb")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_flush_of_what_is_on_the_disk_writes_nothing() {
    let directory = TempDir::new().unwrap();
    run(async {
        let store = Store::open(directory.path()).unwrap();
        store.commit(vec![put("key", "value")]).await;
        let files = || {
            let entries = fs::read_dir(directory.path()).unwrap();
            let paths = entries.map(|entry| entry.unwrap().path());
            paths.map(|it| fs::read(it).unwrap()).collect::<Vec<_>>()
        };
        let before = files();
        store.flush().await;
        assert!(files() == before);
    });
}
