//! The unit for systemd, and what the service reports to it.

use std::path::Path;
use std::process::Command;

use tokio::net::UnixDatagram;
use tokio::time::timeout;

use super::of_project;
use crate::support::PATIENCE;
use crate::support::limit::Limited as _;
use crate::support::server::Setup;
use crate::support::skip::skipped;

/// The next report of the service.
async fn report(socket: &UnixDatagram) -> String {
    let mut bytes = [0; 4096];
    let datagram = timeout(PATIENCE, socket.recv(&mut bytes)).await;
    let count = datagram.expect("a report of the service").unwrap();
    String::from_utf8_lossy(&bytes[..count]).into_owned()
}

#[tokio::test]
async fn a_supervisor_gets_ready_watchdog_and_stopping() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let setup = Setup::default()
        .variable("NOTIFY_SOCKET", path.to_str().unwrap())
        .variable("WATCHDOG_USEC", "200000");
    let mut server = setup.start().await;
    assert_eq!(report(&socket).await, "READY=1\nWATCHDOG_USEC=200000\n");
    for _ in 0..3 {
        assert_eq!(report(&socket).await, "WATCHDOG=1\n");
    }
    assert_eq!(server.terminate().await, Some(0));
    let last = loop {
        let report = report(&socket).await;
        if report != "WATCHDOG=1\n" {
            break report;
        }
    };
    assert!(
        last.starts_with("STOPPING=1\nEXTEND_TIMEOUT_USEC="),
        "{last}"
    );
}

/// The exposure that systemd computes for the unit, from 0 (best) to 10.
fn exposure(unit: &Path) -> Result<f64, String> {
    let mut analyze = Command::new("systemd-analyze");
    analyze
        .args(["security", "--offline=true", "--no-pager"])
        .arg(unit);
    let output = analyze
        .limited_output()
        .map_err(|error| format!("systemd-analyze: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let level_text = text
        .split("Overall exposure level for ")
        .nth(1)
        .and_then(|rest| rest.split(": ").nth(1)?.split(' ').next());
    let level = level_text.and_then(|level| level.parse().ok());
    level.ok_or_else(|| {
        format!(
            "systemd-analyze: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// The units, each with the program that it starts.
const UNITS: [(&str, &str); 2] = [
    ("packaging/switchboard.service", "/usr/bin/switchboard"),
    (
        "bridges/telegram/packaging/switchboard-telegram.service",
        "/usr/bin/switchboard-telegram",
    ),
];

/// systemd ignores a line that it does not know, and with it a protection.
#[test]
fn systemd_knows_every_line_of_the_units() {
    for (path, program) in UNITS {
        let shipped_unit = std::fs::read_to_string(of_project(path)).unwrap();
        // The program need not be installed where the tests run.
        let unit = shipped_unit.replace(
            &format!("ExecStart={program} "),
            concat!("ExecStart=", env!("CARGO_BIN_EXE_switchboard"), " "),
        );
        let directory = tempfile::tempdir().unwrap();
        let name = Path::new(path).file_name().unwrap();
        let copy = directory.path().join(name);
        std::fs::write(&copy, unit).unwrap();
        let mut analyze = Command::new("systemd-analyze");
        analyze.args(["verify", "--man=no", "--recursive-errors=no"]);
        match analyze.arg(copy).limited_output() {
            Ok(output) => {
                let stderr = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success() && stderr.is_empty(), "{stderr}");
            }
            Err(error) => skipped(&format!("systemd-analyze: {error}"), "install systemd"),
        }
    }
}

#[test]
fn the_units_of_systemd_are_confined() {
    for (path, _) in UNITS {
        match exposure(&of_project(path)) {
            Ok(exposure) => assert!(exposure <= 2.0, "{path}: exposure {exposure}"),
            Err(why) => skipped(&why, "install systemd"),
        }
    }
}
