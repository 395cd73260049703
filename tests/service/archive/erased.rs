//! An erasure reaches the archive.

use tempfile::tempdir;

use super::{Place, archived, records};
use crate::erasure::{NAME, WORD, contact, filled, sends_a_picture, traces};
use crate::support::operating::{printed_by, run_aside};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, Setup};

#[tokio::test]
async fn an_erased_customer_is_in_no_file_of_the_archive() {
    let receiver = Receiver::start().await;
    let place = tempdir().unwrap();
    let path = place.path().join("archive");
    let archive = Place::directory(&path);
    let mut server = archive
        .setup(Setup::default().webhook(&receiver))
        .start()
        .await;
    let client = server.client();
    let hers = filled(client, 5).await;
    sends_a_picture(client, &hers).await;
    receiver.callbacks(2).await;
    let number = contact(client, NAME).await.to_string();
    assert_eq!(archived(&server).await["files"], 1);
    assert!(!traces(&path, &[NAME, WORD]).is_empty());

    let args = [
        "erase",
        "customer",
        "--account",
        ACCOUNT,
        "--contact",
        &number,
    ];
    printed_by(run_aside(&server, &args).await, &args);
    let state = archived(&server).await;
    assert_eq!(
        (&state["state"], &state["files"]),
        (&"current".into(), &0.into())
    );
    assert_eq!(traces(&path, &[NAME, WORD]), [""; 0]);
    assert_eq!(traces(&server.data(), &[NAME, WORD]), [""; 0]);

    assert_eq!(server.terminate().await, Some(0));
    let entries = archive.verified();
    assert!(entries["replaced"].as_u64().unwrap() > 0, "{entries}");
    let restored = place.path().join("restored");
    archive.restored(&restored);
    assert_eq!(records(&restored), records(&server.data()));
}
