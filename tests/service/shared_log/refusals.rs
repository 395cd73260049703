//! Settings and engines that would not keep what the service promises are refused with a sentence.

use tempfile::tempdir;

use super::Log;
use super::engine_faults::replicated;
use crate::support::server::{ExitError, Setup};

/// Its last line, with the error.
fn error(refusal: &ExitError) -> String {
    assert_eq!(refusal.status.code(), Some(1), "{}", refusal.said);
    let last = refusal.said.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: "), "{}", refusal.said);
    last.to_owned()
}

#[tokio::test]
async fn a_log_in_an_archive_that_is_not_there_is_refused() {
    let setup = Setup::default().setting("shared_log", "to = \"archive\"");
    let failure = setup.start_and_fail().await;
    assert_eq!(failure.status.code(), Some(2));
    assert!(failure.said.contains("archive.to"), "{}", failure.said);
    let setup = Setup::default().setting("shared_log", "to = \"postgres://u:hidden@h:port/d\"");
    let failure = setup.start_and_fail().await;
    assert_eq!(failure.status.code(), Some(2));
    assert!(
        failure.said.contains("postgres://user@db-1,db-2"),
        "{}",
        failure.said
    );
    assert!(!failure.said.contains("hidden"), "{}", failure.said);
    let place = tempdir().unwrap();
    let setup = Setup::default()
        .archive(&place.path().join("archive"))
        .setting("shared_log", "to = \"archive\"")
        .argument("--ephemeral");
    let failure = error(&setup.start_and_fail().await);
    assert!(failure.contains("--ephemeral"), "{failure}");
}

#[tokio::test]
async fn a_node_of_another_installation_is_refused() {
    let place = tempdir().unwrap();
    let archive = crate::archive::Place::directory(&place.path().join("archive"));
    let log = Log::in_archive(archive);
    log.begin("a").await;
    let mut first = log.setup("a", Setup::default()).stand_by();
    first.takes_over().await;
    let mut other = Setup::default().start().await;
    assert_eq!(other.terminate().await, Some(0));
    let setup = log.setup("b", Setup::default().data(&other.data()));
    let failure = error(&setup.start_and_fail().await);
    assert!(
        failure.contains("installation") || failure.contains("history"),
        "{failure}"
    );
    println!("{failure}");
}

#[tokio::test]
async fn a_server_without_a_synchronous_standby_is_refused() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let place = tempdir().unwrap();
    let log = Log::postgres(&servers.primary.url(), &place.path().join("archive"));
    servers
        .primary
        .query(&[
            "ALTER SYSTEM SET synchronous_standby_names = ''",
            "SELECT pg_reload_conf()",
        ])
        .unwrap();
    let failure = error(&log.setup("a", Setup::default()).start_and_fail().await);
    println!("{failure}");
    assert!(failure.contains("synchronous_standby_names"), "{failure}");
    assert!(failure.contains("single_server"), "{failure}");
    // Who accepts that says so.
    let setup = Setup::default().setting("shared_log", "single_server = true");
    let command_output = log.command("a", &["begin"]);
    assert_eq!(command_output.status.code(), Some(1), "{command_output:?}");
    let output = log.command_with(
        "a",
        &["begin"],
        &[("SWITCHBOARD_SHARED_LOG__SINGLE_SERVER", "true")],
    );
    assert!(output.status.success(), "{output:?}");
    let mut server = log.setup("a", setup).stand_by();
    server.takes_over().await;
    assert_eq!(server.terminate().await, Some(0));
}

/// An empty node does not begin a new history where the archive has one.
#[tokio::test]
async fn an_empty_node_does_not_begin_where_an_archive_has_records() {
    let place = tempdir().unwrap();
    let archive = crate::archive::Place::directory(&place.path().join("archive"));
    let mut alone = archive.setup(Setup::default()).start().await;
    alone.client().connect("v2").await;
    crate::archive::archived(&alone).await;
    assert_eq!(alone.terminate().await, Some(0));
    let log = Log::in_archive(archive);
    log.begin("b").await;
    for _ in 0..2 {
        let failure = error(&log.setup("b", Setup::default()).start_and_fail().await);
        assert!(failure.contains("switchboard restore"), "{failure}");
    }
    // The node that has them begins the log with them, once it is ordered to.
    log.begin("a").await;
    let mut first = log
        .setup("a", Setup::default().data(&alone.data()))
        .stand_by();
    first.takes_over().await;
    assert_eq!(crate::archive::archived(&first).await["state"], "current");
}
