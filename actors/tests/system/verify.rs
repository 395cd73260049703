//! Checks of a data directory that no process uses, file by file: what is right, torn or damaged, where, and whose it
//! was.
use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use switchboard_actors::domain::text::search::Search;
use switchboard_actors::system::user_access::ConversationFilter;
use switchboard_actors::system::verify::MovedIndex;
use switchboard_actors::{System, SystemConfig};
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::verify::{FileState, VerifyReport};
use switchboard_worlds::{Setup, TestMessage, TestSystem};
use tempfile::TempDir;

/// The length of a segment's header: with it damaged, none of the segment's records is read.
const SEGMENT_HEADER_BYTES: usize = 40;

/// The same data at each start from it: small segments, several checkpoints.
fn setup(directory: &Path) -> Setup {
    Setup {
        config: SystemConfig {
            segment_bytes: 20_000,
            checkpoint_records: 60,
            ..SystemConfig::default()
        },
        disk: Arc::new(FileDisk::open(directory).unwrap()),
        tables: Arc::new(SledHome::new(directory.join("tables"))),
        ..Setup::default()
    }
}

/// A directory with some segments and an index, closed.
async fn filled() -> TempDir {
    filled_with(4).await
}

/// The same number of messages, in so many conversations.
async fn filled_with(conversations: u32) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let system = setup(directory.path()).start().await;
    for number in 0..90 {
        let test_message = TestMessage::new(&format!("m-{number}"), "How are you?")
            .in_conversation(&format!("c-{}", number % conversations));
        system.post(&test_message).await.unwrap();
    }
    system.stop().await;
    directory
}

fn verify(directory: &Path) -> VerifyReport {
    System::verify(directory, &mut |_| {}).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn names(directory: &Path, prefix: &str) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(prefix))
        .collect();
    names.sort();
    names
}

fn state_of(report: &VerifyReport, file: &str) -> FileState {
    let mut files = report.files.iter();
    files.find(|it| it.file == file).unwrap().state
}

#[actix::test]
async fn verify_reports_sound_files_and_progress() {
    let directory = filled().await;
    let mut lines = Vec::new();
    let report = System::verify(directory.path(), &mut |at| lines.push(at.clone())).unwrap();
    assert_eq!(report.verdict(), FileState::Sound, "{report:#?}");
    assert!(report.records > 100, "{}", report.records);
    let segments = names(directory.path(), "journal-");
    assert!(segments.len() >= 3, "{segments:?}");
    let runs = names(directory.path(), "keys-");
    for file in segments.iter().chain(&runs) {
        assert_eq!(state_of(&report, file), FileState::Sound);
    }
    for file in ["identity", "manifest", "tables"] {
        assert_eq!(state_of(&report, file), FileState::Sound);
    }
    assert!(lines.iter().any(|at| at.file == segments[1]));
    // It changed nothing that counts.
    assert_eq!(verify(directory.path()), report);
}

/// Every flipped bit of the journal is found at its place, and the other records are still read.
#[test]
fn verify_finds_every_flipped_bit_with_file_and_offset() {
    let directory = actix::System::new().block_on(filled());
    let path = directory.path();
    let all = verify(path).records;
    let segments = names(path, "journal-");
    let sealed = &segments[..segments.len() - 1];
    let mut runner = TestRunner::new(Config::with_cases(120));
    let choice = (0..sealed.len(), any::<prop::sample::Index>(), 0..8_u8);
    let mut with_owner = 0;
    let looked = runner.run(&choice, |(segment, place, bit)| {
        let name = &sealed[segment];
        let file = path.join(name);
        let sound = fs::read(&file).unwrap();
        let offset = place.index(sound.len());
        let mut damaged = sound.clone();
        damaged[offset] ^= 1 << bit;
        fs::write(&file, damaged).unwrap();
        let report = verify(path);
        fs::write(&file, sound).unwrap();
        prop_assert_eq!(report.verdict(), FileState::Damaged);
        prop_assert_eq!(state_of(&report, name), FileState::Damaged);
        let file = report.files.iter().find(|it| it.file == *name).unwrap();
        let at = u64::try_from(offset).unwrap();
        let covers = |it: &switchboard_engine::store::verify::Damage| {
            it.offset <= at && at < it.offset + it.bytes
        };
        prop_assert!(file.damage.iter().any(covers), "{} not in {:#?}", at, file);
        if offset >= SEGMENT_HEADER_BYTES {
            prop_assert!(report.records + 4 >= all, "{} of {}", report.records, all);
        }
        let others = report.files.iter().filter(|it| it.file != *name);
        for other in others {
            prop_assert!(other.state < FileState::Damaged, "{:#?}", other);
        }
        Ok(())
    });
    looked.unwrap();
    // The report names the owner where the name of the stream can still be read.
    let file = path.join(&sealed[1]);
    let sound = fs::read(&file).unwrap();
    for offset in (40..sound.len()).step_by(701) {
        let mut damaged = sound.clone();
        damaged[offset] ^= 1;
        fs::write(&file, damaged).unwrap();
        let report = verify(path);
        let mut touched = report.files.iter().flat_map(|it| &it.damage);
        with_owner += usize::from(touched.any(|it| {
            it.touched.iter().any(|it| {
                it.stream.starts_with("conversation ") && it.owner.is_some() && !it.certain
            })
        }));
    }
    fs::write(&file, sound).unwrap();
    assert!(with_owner > 5, "{with_owner} with the account");
}

#[actix::test]
async fn an_unfinished_end_is_torn_and_the_next_start_cuts_it_off() {
    let directory = filled().await;
    let newest = names(directory.path(), "journal-").pop().unwrap();
    let file = directory.path().join(&newest);
    let sound = fs::read(&file).unwrap();
    let mut page_missing = vec![0; 4_096];
    page_missing.extend([7; 10]);
    for garbage in [&[7; 3][..], &page_missing, &sound[40..90]] {
        fs::write(&file, [&sound, garbage].concat()).unwrap();
        let report = verify(directory.path());
        assert_eq!(state_of(&report, &newest), FileState::Torn, "{report:#?}");
        assert_eq!(report.verdict(), FileState::Torn);
        let torn = &report
            .files
            .iter()
            .find(|it| it.file == newest)
            .unwrap()
            .damage[0];
        assert_eq!(torn.offset, u64::try_from(sound.len()).unwrap());
        assert_eq!(torn.bytes, u64::try_from(garbage.len()).unwrap());
    }
    setup(directory.path()).start().await.stop().await;
    assert_eq!(verify(directory.path()).verdict(), FileState::Sound);
}

#[actix::test]
async fn preallocated_space_is_sound_and_the_next_start_cuts_it_off() {
    let directory = filled().await;
    let newest = names(directory.path(), "journal-").pop().unwrap();
    let file = directory.path().join(&newest);
    let sound = fs::read(&file).unwrap();
    for zeros in [1, 24, 25, 500_000] {
        fs::write(&file, [&sound[..], &vec![0; zeros]].concat()).unwrap();
        let report = verify(directory.path());
        assert_eq!(report.verdict(), FileState::Sound, "{report:#?}");
    }
    setup(directory.path()).start().await.stop().await;
    let behind = fs::read(&file).unwrap().split_off(sound.len());
    assert!(behind.len() < 10_000 && verify(directory.path()).verdict() == FileState::Sound);
}

/// A gap in the journal is found, refused by a start and not forgotten: the index stays, since it knows of the records.
fn assert_lost(path: &Path, file: &str, first: u64, what: &str) {
    let before = names(path, "");
    let report = verify(path);
    assert_eq!(report.verdict(), FileState::Damaged, "{what}: {report:#?}");
    let file_report = report.files.iter().find(|it| it.file == file).unwrap();
    assert_eq!(file_report.state, FileState::Damaged, "{what}: {report:#?}");
    let records = file_report.damage.iter().find_map(|it| it.records).unwrap();
    assert_eq!(records.0.0, first, "{what}: {file_report:#?}");
    // A file that lost records has few lines in the report, and no advice says that nothing is lost.
    for file in &report.files {
        assert!(file.damage.len() <= 2, "{what}: {file:#?}");
        let mut advice = file.damage.iter().map(|it| it.advice);
        assert!(advice.all(|it| it.contains("restore")), "{what}: {file:#?}");
    }
    let error = setup(path).start_bare().err().unwrap().to_string();
    for word in ["journal-", "switchboard verify", "from a backup"] {
        assert!(error.contains(word), "{what}: {error}");
    }
    let folder = System::move_index_aside(path, &mut |_| {}).unwrap();
    let MovedIndex::Kept(damaged) = folder else {
        panic!("{what}: {folder:?}");
    };
    assert!(damaged.iter().any(|it| it == file), "{what}: {damaged:?}");
    assert_eq!(names(path, ""), before, "{what}");
    assert_eq!(verify(path).verdict(), FileState::Damaged, "{what}");
}

/// A journal that ends before what the index has seen is damaged, and the index is left as it is.
#[actix::test]
async fn a_journal_shorter_than_its_index_is_damaged() {
    let directory = filled().await;
    let path = directory.path();
    let sound = verify(path);
    let newest = names(path, "journal-").pop().unwrap();
    let file = path.join(&newest);
    let whole = fs::read(&file).unwrap();
    let older = names(path, "journal-").len() - 1;
    let note = |file: &str| {
        let mut files = sound.files.iter();
        files.find(|it| it.file == file).unwrap().note.clone()
    };
    // «records 97 to 120»
    let first: u64 = note(&newest).split(' ').nth(1).unwrap().parse().unwrap();
    for length in [0, 10, 31, 32, 40] {
        fs::write(&file, &whole[..length]).unwrap();
        assert_lost(
            path,
            &newest,
            first,
            &format!("{length} bytes of the newest"),
        );
    }
    let mut zeroed = whole.clone();
    zeroed[..32].fill(0);
    fs::write(&file, zeroed).unwrap();
    assert_lost(path, &newest, first, "the newest with a zeroed head");
    fs::remove_file(&file).unwrap();
    let last = &names(path, "journal-")[older - 1];
    assert_lost(path, last, first, "the newest is gone");
    // The manifest is not all that knows.
    fs::remove_file(path.join("manifest")).unwrap();
    assert_lost(path, last, first, "the newest and the manifest are gone");
    fs::write(&file, whole).unwrap();
    assert_eq!(verify(path).verdict(), FileState::Rebuildable);
    let folder = System::move_index_aside(path, &mut |_| {}).unwrap();
    assert!(matches!(folder, MovedIndex::Moved(_)), "{folder:?}");
    setup(path).start().await.stop().await;
    let after = verify(path);
    assert_eq!(
        (after.verdict(), after.records),
        (FileState::Sound, sound.records)
    );
}

#[actix::test]
async fn a_journal_without_record_1_is_damaged_and_refused() {
    let directory = filled().await;
    let path = directory.path();
    let segments = names(path, "journal-");
    assert!(segments.len() >= 3, "{segments:?}");
    // One is gone, two are, all but the newest are.
    let (newest, older) = segments.split_last().unwrap();
    for (gone, segment) in (1..).zip(older) {
        fs::remove_file(path.join(segment)).unwrap();
        assert_lost(path, segment, 1, &format!("{gone} are gone"));
    }
    fs::remove_file(path.join(newest)).unwrap();
    let report = verify(path);
    assert_eq!(report.verdict(), FileState::Damaged, "{report:#?}");
    let error = setup(path).start_bare().err().unwrap().to_string();
    assert!(error.contains("from a backup"), "{error}");
}

#[actix::test]
async fn a_damaged_record_marks_its_conversation_and_spares_the_list() {
    let directory = filled_with(90).await;
    let path = directory.path();
    let segments = names(path, "journal-");
    let (mut marked, mut named) = (0, 0);
    for name in &segments[..segments.len() - 1] {
        let file = path.join(name);
        let sound = fs::read(&file).unwrap();
        for offset in (40..sound.len()).step_by(977) {
            let other = tempfile::tempdir().unwrap();
            let data = other.path().join("data");
            copy(path, &data);
            let mut damaged = sound.clone();
            damaged[offset] ^= 1;
            fs::write(data.join(name), damaged).unwrap();
            let system = setup(&data).start_bare().unwrap();
            let ada = system.caller(TestSystem::TOKEN).await.unwrap().unwrap();
            let access = system.user_access(&ada).await.unwrap();
            let all = access
                .conversations(&ConversationFilter::default(), None, 100)
                .await
                .unwrap_or_else(|error| panic!("{name}, {offset}: {error}"));
            assert_eq!(all.entries.len(), 90, "{name}, {offset}");
            for entry in &all.entries {
                let state = &entry.view.state;
                assert!(state.active_at.get() > 0);
                let conversation = access.conversation(state.id).await;
                match conversation {
                    Ok(opened) => assert!(!entry.view.damaged && opened.is_some()),
                    Err(error) => {
                        assert!(entry.view.damaged, "{name}, {offset}: {error}");
                        assert!(error.to_string().contains("at offset"), "{error}");
                        named += usize::from(state.customer.is_some());
                        marked += 1;
                    }
                }
            }
            // What cannot be judged is left out of a search, and nothing else is.
            let search = Search::parse("How are you").unwrap();
            let filter = ConversationFilter {
                search,
                ..ConversationFilter::default()
            };
            let page = access.conversations(&filter, None, 100).await.unwrap();
            let readable = all.entries.iter().filter(|it| !it.view.damaged);
            assert_eq!(page.entries.len(), readable.count(), "{name}, {offset}");
            system.stop().await;
        }
    }
    assert!(marked > 10 && named > 5, "{marked} marked, {named} named");
}

#[actix::test]
async fn a_start_rebuilds_a_damaged_index_within_the_same_start() {
    let directory = filled().await;
    let path = directory.path();
    let mut made_again = 0;
    let runs = names(path, "keys-").into_iter();
    for name in runs.chain(names(path, "rows-")) {
        let length = fs::metadata(path.join(&name)).unwrap().len();
        for offset in (0..usize::try_from(length).unwrap()).step_by(512) {
            let other = tempfile::tempdir().unwrap();
            let data = other.path().join("data");
            copy(path, &data);
            let mut bytes = fs::read(data.join(&name)).unwrap();
            bytes[offset] ^= 1;
            fs::write(data.join(&name), bytes).unwrap();
            let start = setup(&data).start_bare();
            let system = start.unwrap_or_else(|error| panic!("{name}, {offset}: {error}"));
            system.stop().await;
            made_again += usize::from(!names(&data, "manifest.damaged-").is_empty());
        }
    }
    assert!(made_again > 5, "{made_again}");
}

/// A damaged index can be rebuilt; a missing segment or a missing identity cannot.
#[actix::test]
async fn a_damaged_index_is_rebuildable_but_a_lost_segment_is_not() {
    let directory = filled().await;
    let path = directory.path();
    let run = names(path, "keys-").pop().unwrap();
    let segment = names(path, "journal-").swap_remove(1);
    let damages: [(&str, &str, FileState); 5] = [
        (&run, "flip", FileState::Rebuildable),
        ("manifest", "flip", FileState::Rebuildable),
        ("tables", "remove", FileState::Rebuildable),
        (&segment, "remove", FileState::Damaged),
        ("identity", "remove", FileState::Damaged),
    ];
    for (name, what, expected) in damages {
        let other = tempfile::tempdir().unwrap();
        let data = other.path().join("data");
        copy(path, &data);
        let file = data.join(name);
        match what {
            "remove" if file.is_dir() => fs::remove_dir_all(file).unwrap(),
            "remove" => fs::remove_file(file).unwrap(),
            _ => {
                let mut bytes = fs::read(&file).unwrap();
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
                fs::write(file, bytes).unwrap();
            }
        }
        let report = verify(&data);
        assert_eq!(state_of(&report, name), expected, "{name}: {report:#?}");
        assert_eq!(report.verdict(), expected, "{name}: {report:#?}");
    }
}
