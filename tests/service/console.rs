//! The web console in a real browser: Chromium, driven by the cases in `ui/tests/cases`, against the real program.
//!
//! Each file there is one test here. `CASES=words` runs only the cases whose name has these words; pictures of the pages
//! are left in `target/tmp/console`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clients::run;
use crate::support::limit::Limited as _;
use crate::support::server::{OPERATOR_TOKEN, Server, Setup};
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// The paths of the browser on Debian. The one without a window needs little more than half of the processor time.
const CHROMIUM: [&str; 2] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

fn chromium() -> Option<&'static str> {
    CHROMIUM.into_iter().find(|path| Path::new(path).exists())
}

fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")
}

/// Returns the reason for which the cases cannot run here.
fn missing() -> Option<String> {
    let node = Command::new("node").arg("--version").limited_output();
    if !node.is_ok_and(|output| output.status.success()) {
        return Some("there is no node".to_owned());
    }
    if chromium().is_none() {
        return Some(format!("there is no {}", CHROMIUM.join(" and no ")));
    }
    let modules = ui().join("node_modules/playwright-core");
    (!modules.exists()).then(|| "ui/node_modules is not there".to_owned())
}

/// Runs the cases of a file against a service of their own. Blocks: nothing else runs in this process meanwhile.
async fn pass(file: &str) {
    pass_with(Setup::default(), file).await;
}

async fn pass_with(setup: Setup, file: &str) {
    if let Some(why) = missing() {
        return skipped(
            &why,
            "apt-get install nodejs npm chromium-headless-shell, then npm ci --prefix ui (fetches from npm)",
        );
    }
    let _turn = turn().await;
    let server = setup.start().await;
    let output = cases(file, &server);
    // Passed cases are printed too: the list of the cases is what this test promises.
    println!("{output}");
}

fn cases(file: &str, server: &Server) -> String {
    let artifacts = Path::new(env!("CARGO_TARGET_TMPDIR")).join("console");
    let output = Command::new("node")
        .arg(ui().join("tests/cases").join(file))
        .env("SWITCHBOARD_URL", server.url())
        .env("SWITCHBOARD_OPERATOR__TOKEN", OPERATOR_TOKEN)
        .env("SWITCHBOARD_BIN", env!("CARGO_BIN_EXE_switchboard"))
        .env("CONSOLE_ARTIFACTS", artifacts)
        .env("CHROMIUM", chromium().unwrap())
        .test_output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{file}:\n{stdout}\n{complaints}");
    stdout
}

/// Every file of cases is a test of this file.
#[test]
fn no_file_of_cases_is_left_out() {
    let this = include_str!("console.rs");
    for entry in std::fs::read_dir(ui().join("tests/cases")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(this.contains(&format!("\"{name}\")")), "{name}");
    }
}

/// Styles that were fetched stay: what two areas call alike would be drawn by the rules of both.
#[test]
fn a_class_of_the_console_is_styled_by_one_area() {
    let areas = ui().join("src/areas");
    let mut styled: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut folders = vec![areas.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "css") {
                let inner = path.strip_prefix(&areas).unwrap_or(&path);
                let area = inner.iter().next().unwrap_or_default();
                let text = std::fs::read_to_string(&path).unwrap();
                let selectors = text
                    .lines()
                    .map(|line| line.trim_end_matches([' ', '{', ',']));
                for class in selectors.filter_map(|line| line.strip_prefix('.')) {
                    let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
                    if class.chars().all(is_name) {
                        let areas = styled.entry(class.to_owned()).or_default();
                        areas.insert(area.to_string_lossy().into_owned());
                    }
                }
            }
        }
    }
    assert!(styled.len() > 50, "{} classes were found", styled.len());
    let classes: Vec<String> = styled
        .into_iter()
        .filter(|(_, areas)| areas.len() > 1)
        .map(|(class, areas)| format!(".{class} in {areas:?}"))
        .collect();
    let advice = "name the class otherwise in one of the areas, or style it in ui/src/styles";
    assert!(classes.is_empty(), "{advice}: {}", classes.join("; "));
}

#[tokio::test]
async fn the_frame_holds() {
    pass("frame.mjs").await;
}

#[tokio::test]
async fn the_first_page_needs_little_of_a_slow_line() {
    pass("start.mjs").await;
}

#[tokio::test]
async fn users_roles_and_rights_are_administered() {
    pass("people.mjs").await;
}

#[tokio::test]
async fn canned_replies_are_found_inserted_and_managed() {
    pass("canned.mjs").await;
}

#[tokio::test]
async fn views_are_saved_applied_renamed_and_deleted() {
    pass("views.mjs").await;
}

#[tokio::test]
async fn channels_show_their_kind_and_who_has_blocked_them() {
    pass("channel-kinds.mjs").await;
}

#[tokio::test]
async fn the_inbox_shows_and_answers() {
    pass("inbox.mjs").await;
}

#[tokio::test]
async fn the_feed_is_live_and_shows_when_it_is_not() {
    pass("live.mjs").await;
}

#[tokio::test]
async fn a_draft_is_kept_until_it_is_sent() {
    pass("kept.mjs").await;
}

#[tokio::test]
async fn worlds_are_watched_and_their_faults_ended() {
    pass_with(Setup::default().with_worlds(), "worlds.mjs").await;
}

#[tokio::test]
async fn counts_agree_on_every_page() {
    pass("counts.mjs").await;
}

#[tokio::test]
async fn notifications_are_shown_once_switched_on() {
    pass("notifications.mjs").await;
}

#[tokio::test]
async fn a_browser_installs_the_console() {
    pass("install.mjs").await;
}

#[tokio::test]
async fn pushes_are_switched_on_and_shown() {
    pass("pushes.mjs").await;
}

#[tokio::test]
async fn texts_are_shown_as_people_write_them() {
    pass("texts.mjs").await;
}

#[tokio::test]
async fn every_page_keeps_its_layout() {
    pass("layout.mjs").await;
}

#[tokio::test]
async fn leads_are_accepted_and_contacts_edited() {
    pass("leads.mjs").await;
}

#[tokio::test]
async fn pages_look_right_in_every_theme_and_language() {
    pass("pictures.mjs").await;
}

#[tokio::test]
async fn callbacks_are_inspected_and_replayed() {
    pass("callbacks.mjs").await;
}

#[tokio::test]
async fn webhooks_are_administered_and_their_hooks_replayed() {
    pass("webhooks.mjs").await;
}

#[tokio::test]
async fn relays_are_watched_paused_and_replayed() {
    pass("relays.mjs").await;
}

#[tokio::test]
async fn requests_are_explained() {
    pass("requests.mjs").await;
}

#[tokio::test]
async fn channels_are_administered_and_show_their_health() {
    pass("channels.mjs").await;
}

#[tokio::test]
async fn administrators_allow_oauth_clients() {
    pass("oauth.mjs").await;
}

#[tokio::test]
async fn the_operator_manages_oauth_clients() {
    pass("oauth-clients.mjs").await;
}

#[tokio::test]
async fn the_picture_of_the_readme_is_new() {
    pass("readme.mjs").await;
}

#[tokio::test]
async fn the_operator_sets_up_a_service_without_users() {
    pass("setup.mjs").await;
}

#[tokio::test]
async fn the_api_is_read_and_tried() {
    pass("reference.mjs").await;
}

#[tokio::test]
async fn the_page_of_an_exam_is_accessible() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    pass("exam.mjs").await;
}

#[tokio::test]
async fn the_operators_pages_look_right() {
    pass("operator-pictures.mjs").await;
}
