use bytes::Bytes;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_network::shares::Rank;

use super::upload::Whose;
use super::*;

const HOUR: Duration = Duration::from_secs(3_600);

fn user(account: u8, user: u64) -> Holder {
    Holder {
        account: AccountId::from_random([account; 16]),
        user: user.to_string().parse().unwrap(),
    }
}

fn id(number: u8) -> MediaId {
    MediaId::from_random([number; 16])
}

fn store(directory: &Path) -> MediaStore {
    node(directory, None)
}

/// A store that finds the files of other nodes there.
fn node(directory: &Path, shared: Option<Box<dyn SharedFiles>>) -> MediaStore {
    let limits = MediaLimits {
        file_bytes: 1_000_000,
        uploads: ShareLimits {
            all: 3,
            account: 2,
            user: 1,
        },
        unsent: ShareLimits {
            all: usize::MAX,
            account: 4,
            user: 3,
        },
        unsent_age: HOUR,
        decoder: DecoderPlace::Here,
        low_water_bytes: 0,
    };
    MediaStore::open(&directory.join("media"), limits, shared).unwrap()
}

async fn uploaded(store: &MediaStore, number: u8) -> About {
    let mut upload = store
        .begin(user(1, 1), Rank::User, id(number))
        .await
        .unwrap();
    upload.write(Bytes::from_static(b"%PDF-")).await.unwrap();
    upload.write(Bytes::from_static(b"1.7")).await.unwrap();
    let at = UnixMillis::from_secs(1_000);
    upload
        .finish(clean("a.pdf").unwrap(), None, at)
        .await
        .unwrap()
}

async fn swept(store: &MediaStore, after: Duration) -> usize {
    let now = UnixMillis::from_secs(1_000).plus(after);
    let mut count = 0;
    for shard in 0..=u8::MAX {
        count += store.sweep_shard(shard, now).await.unwrap();
    }
    count
}

#[tokio::test]
async fn unsent_uploads_expire_and_sent_ones_stay() {
    let directory = tempfile::tempdir().unwrap();
    let store = store(directory.path());
    let (sent, unsent) = (uploaded(&store, 1).await, uploaded(&store, 2).await);
    assert!(store.keep(&sent).await.unwrap());
    assert_eq!(swept(&store, HOUR).await, 0, "not yet");
    assert_eq!(swept(&store, HOUR * 2).await, 1);
    assert_eq!(swept(&store, HOUR * 2).await, 0);
    assert_eq!(store.about(sent.id).await.unwrap(), Some(sent.clone()));
    assert_eq!(store.about(unsent.id).await.unwrap(), None);
    assert!(!store.keep(&unsent).await.unwrap(), "too late");
    let (file, _) = store.open_file(&sent, false).await.unwrap();
    assert_eq!(file.metadata().unwrap().len(), 8);
}

#[tokio::test]
async fn an_upload_that_is_cut_short_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let parts = directory.path().join("media/parts");
    let count = || std::fs::read_dir(&parts).unwrap().count();
    let first = store(directory.path());
    let mut upload = first.begin(user(1, 1), Rank::User, id(1)).await.unwrap();
    upload.write(Bytes::from_static(b"x")).await.unwrap();
    assert_eq!(count(), 1);
    drop(upload);
    assert_eq!(count(), 0);
    // As a crash leaves it.
    std::fs::write(parts.join("left"), "x").unwrap();
    let again = store(directory.path());
    assert_eq!(count(), 0);
    assert_eq!(again.about(id(1)).await.unwrap(), None);
}

#[tokio::test]
async fn concurrent_uploads_and_unsent_files_are_limited() {
    let directory = tempfile::tempdir().unwrap();
    let store = store(directory.path());
    let first = store.begin(user(1, 1), Rank::User, id(1)).await.unwrap();
    let full = store.begin(user(1, 1), Rank::User, id(3)).await;
    assert!(matches!(
        full,
        Err(UploadError::TooManyOfYours(Whose::Users(1)))
    ));
    let second = store.begin(user(1, 2), Rank::User, id(2)).await.unwrap();
    let full = store.begin(user(1, 3), Rank::User, id(3)).await;
    assert!(matches!(
        full,
        Err(UploadError::TooManyOfYours(Whose::Accounts(2)))
    ));
    let third = store.begin(user(2, 1), Rank::User, id(3)).await.unwrap();
    let full = store.begin(user(3, 1), Rank::User, id(9)).await;
    assert!(matches!(full, Err(UploadError::Busy)));
    drop((first, second, third));
    let waiting = [
        uploaded(&store, 4).await,
        uploaded(&store, 5).await,
        uploaded(&store, 6).await,
    ];
    let more = store.begin(user(1, 1), Rank::User, id(7)).await;
    assert!(matches!(
        more,
        Err(UploadError::TooManyUnsent(Whose::Users(3)))
    ));
    let colleague = store.begin(user(1, 2), Rank::User, id(7)).await.unwrap();
    let more = store.begin(user(1, 3), Rank::User, id(9)).await;
    assert!(matches!(
        more,
        Err(UploadError::TooManyUnsent(Whose::Accounts(4)))
    ));
    drop(colleague);
    assert!(
        store.begin(user(2, 1), Rank::User, id(7)).await.is_ok(),
        "another account's"
    );
    for about in &waiting {
        store.keep(about).await.unwrap();
        store.keep(about).await.unwrap();
    }
    uploaded(&store, 8).await;
    assert_eq!(store.0.unsent.lock().unwrap().held_by(user(1, 1)), 1);
}

/// Files in memory that the nodes of a test have in common.
#[derive(Clone, Default)]
struct InMemory(Arc<Mutex<std::collections::BTreeMap<String, Vec<u8>>>>);

impl SharedFiles for InMemory {
    fn put(&self, part: &str, bytes: &[u8]) -> io::Result<()> {
        self.0
            .lock()
            .unwrap()
            .insert(part.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn get(&self, part: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.0.lock().unwrap().get(part).cloned())
    }

    fn remove(&self, part: &str) -> io::Result<()> {
        self.0.lock().unwrap().remove(part);
        Ok(())
    }
}

/// One node takes an upload, another one keeps it for a message: neither sweeps it, and what was never sent goes everywhere.
#[tokio::test]
async fn a_file_that_another_node_has_kept_is_not_swept() {
    let places = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let shared = InMemory::default();
    let nodes = places
        .each_ref()
        .map(|place| node(place.path(), Some(Box::new(shared.clone()))));
    let (sent, unsent) = (uploaded(&nodes[0], 1).await, uploaded(&nodes[0], 2).await);
    let about = nodes[1].about(sent.id).await.unwrap();
    assert_eq!(about, Some(sent.clone()));
    assert!(nodes[1].keep(&sent).await.unwrap());
    assert_eq!(swept(&nodes[0], HOUR * 2).await, 1);
    assert_eq!(swept(&nodes[1], HOUR * 2).await, 0);
    for node in &nodes {
        assert_eq!(node.about(unsent.id).await.unwrap(), None);
        let (file, _) = node.open_file(&sent, false).await.unwrap();
        assert_eq!(file.metadata().unwrap().len(), 8);
    }
    let parts = shared.0.lock().unwrap().len();
    assert_eq!(
        parts, 3,
        "content, description and mark of the one that was sent"
    );
}

/// Many requests for a file of another node at once get all of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_file_of_another_node_is_copied_once() {
    let places = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let shared = InMemory::default();
    let nodes = places
        .each_ref()
        .map(|place| node(place.path(), Some(Box::new(shared.clone()))));
    let about = uploaded(&nodes[0], 1).await;
    let requests = (0..20).map(|_| {
        let (node, id) = (nodes[1].clone(), about.id);
        tokio::spawn(async move { node.about(id).await.unwrap() })
    });
    for request in requests.collect::<Vec<_>>() {
        assert_eq!(request.await.unwrap(), Some(about.clone()));
    }
    let (file, _) = nodes[1].open_file(&about, false).await.unwrap();
    assert_eq!(file.metadata().unwrap().len(), 8);
}
