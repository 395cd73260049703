//! Both ends of one conversation through the bridge, in Chromium: the inbox of the console, and the page of the double of Telegram.
//!
//! It needs the program of the service, which `cargo test --workspace` builds into the same directory. The pictures are left in
//! `target/tmp/telegram`; `REMAKE_PICTURE=1` also makes the one of the README.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    unreachable_pub,
    reason = "an integration test binary"
)]

#[path = "../../../tests/support/skip.rs"]
mod skip;

use std::path::{Path, PathBuf};
use std::process::Command;

use telegram_double::Double;
use tokio::runtime::Builder;

const TOKEN: &str = "42:AAAA-secret_1";
/// The token of a bot that nothing reads.
const IDLE_TOKEN: &str = "43:BBBB-secret_2";
/// The paths of the browser on Debian.
const CHROMIUM: [&str; 2] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

fn chromium() -> Option<&'static str> {
    CHROMIUM.into_iter().find(|path| Path::new(path).exists())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The reason for which no browser can open the pages here.
fn missing() -> Option<String> {
    if Command::new("node").arg("--version").output().is_err() {
        return Some("there is no node".to_owned());
    }
    if chromium().is_none() {
        return Some(format!("there is no {}", CHROMIUM.join(" and no ")));
    }
    let modules = root().join("ui/node_modules/playwright-core");
    (!modules.exists()).then(|| "ui/node_modules is not there".to_owned())
}

#[test]
fn both_ends_show_one_conversation() {
    if let Some(why) = missing() {
        return skip::skipped(
            &why,
            "apt-get install nodejs npm chromium-headless-shell, then npm ci --prefix ui (fetches from npm)",
        );
    }
    let bridge = env!("CARGO_BIN_EXE_switchboard-telegram");
    let service = Path::new(bridge).with_file_name("switchboard");
    assert!(
        service.is_file(),
        "{} is not there: run `cargo build` first, or `cargo test --workspace`",
        service.display()
    );
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let double = runtime.block_on(Double::start()).unwrap();
    double.register(TOKEN).unwrap();
    double.register(IDLE_TOKEN).unwrap();
    let output = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ends.mjs"))
        .env("DOUBLE_URL", double.url())
        .env("TELEGRAM_BOT_TOKEN", TOKEN)
        .env("BRIDGE_BIN", bridge)
        .env("SWITCHBOARD_BIN", service)
        // The service shows a copy of a customer's picture.
        .env("SWITCHBOARD_MEDIA__POLICY", "mirror")
        .env(
            "CONSOLE_ARTIFACTS",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("telegram"),
        )
        .env("CHROMIUM", chromium().unwrap())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success(), "{text}");
    println!("{text}");
}
