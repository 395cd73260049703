//! The files of the development authority, and the ready file, where another user has prepared links.

use std::fs;
use std::os::unix::fs::symlink;

use super::started;

#[tokio::test]
async fn links_are_replaced_and_not_followed() {
    let mut server = started().await;
    let precious = server.directory().join("precious");
    fs::write(&precious, "precious").unwrap();
    server.terminate().await;
    let files = [
        "ready.json",
        "data/dev/ca.pem",
        "data/dev/bundle.pem",
        "data/dev/php/switchboard.ini",
        "data/dev/trust.p12",
    ];
    for name in files {
        let path = server.directory().join(name);
        // The stop has removed that one.
        assert!(path.is_file() || name == "ready.json", "{name}");
        symlink(&precious, path.with_extension("part")).unwrap();
        symlink(&precious, format!("{}.part", path.display())).unwrap();
    }
    server.restart().await;
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    for name in files {
        let about = fs::symlink_metadata(server.directory().join(name)).unwrap();
        assert!(about.is_file(), "{name}");
    }
}
