//! A journal as a test: it passes in each language, with every text as it was said.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::{pass, root};
use crate::clients::{python_packages, run};
use crate::dev::worlds::started;
use crate::dev::worlds::targets::sent;
use crate::dev::worlds::world::World;
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// Characters that one language or another reads as something else.
const TEXT: &str = "It's \"$5\" \\ `x` ${y} #{z} ?>\n</script> 'é' 日本";

/// The journal of a world in which everything was ordered that the kits can order.
async fn journal(form: &str) -> String {
    let server = started().await;
    // The test makes its world with the same ids.
    let settings = json!({
        "name": "test_tulips & more", "seed": 7, "subdomain": format!("{form}-{}", std::process::id()).replace('_', "-"),
        "channel_id": "built-in", "phone_field_id": 264_911,
        "pipelines": [{ "id": 3_177_727, "name": "It's $1", "unsorted_id": 50, "stages": [{ "id": 60, "name": "First" }] }],
        "users": [{ "name": "ada", "id": 8_238_142 }],
        "lead_fields": [{ "id": 1_038_499, "name": "It's $2", "type": "select", "code": "SIZE", "enums": [{ "id": 501, "value": "S" }] }],
        "contact_fields": [{ "id": 1_038_500, "name": "City", "type": "text" }],
        "salesbots": [{ "id": 70_001, "name": "Answer", "kind": "send_field", "field_id": 1_038_499 }],
    });
    let world = World::make(&server, settings).await;
    world.say("bo", TEXT).await;
    let fault = json!({ "on": "callbacks", "do": "status", "status": 503, "match": "Red", "probability": 1, "seed": 7 });
    world.fault(fault).await;
    world.reply("ada", "bo", "Red ones.").await;
    world.post("m-1").await;
    // What one language or another takes for the end of a comment or of the file.
    for target in [
        "/café",
        "/a?b=é",
        "/a?b=\u{2028}throw+1//",
        "/\u{85}\u{7f}\u{1}",
        "/?><?php+1",
        "*",
    ] {
        sent(&world, target.as_bytes()).await;
    }
    sent(&world, b"/\xff\xfe").await;
    let query = "until=callback.delivered&count=1&timeout=7200&match=Red%20ones";
    assert_eq!(world.wait(query).await["met"], true);
    world
        .order("POST", "/advance", json!({ "seconds": 60.5 }))
        .await;
    world
        .order("POST", "/clock", json!({ "mode": "frozen" }))
        .await;
    world.order("POST", "/restart", json!({})).await;
    let hooks = json!({ "url": "http://127.0.0.1:9/it's?k=$1", "settings": ["add_lead"] });
    world.order("PUT", "/hooks", hooks).await;
    world.order("PUT", "/hooks", json!({})).await;
    world.order("DELETE", "/hooks", json!(null)).await;
    let answers = json!({ "do": "answers", "after": 2, "text": TEXT, "times": 3 });
    world.order("PUT", "/users/eve/habits", answers).await;
    let reads = json!({ "do": "reads", "after": 0.5 });
    world.order("PUT", "/customers/bo/habits", reads).await;
    world
        .order("DELETE", "/users/eve/habits", json!(null))
        .await;
    world.order("DELETE", "/habits", json!(null)).await;
    world.order("POST", "/users/ada/consent", json!({})).await;
    world.order("POST", "/snapshots", json!({})).await;
    world.order("DELETE", "/faults", json!(null)).await;
    world.order("PUT", "/webhook", json!({ "url": null })).await;
    let error = world.try_order("POST", "/faults", json!({ "on": "moon", "do": "drop" }));
    assert_eq!(error.await.status, 400);
    let test = world.text(&format!("/journal?form={form}")).await;
    assert!(
        !test.contains("moon"),
        "what was refused is not ordered again: {test}"
    );
    assert!(test.contains("POST /v2/origin/custom/"), "{test}");
    for id in [
        "built-in", "264911", "3177727", "8238142", "1038499", "501", "1038500", "70001",
    ] {
        assert!(test.contains(id), "{id}: {test}");
    }
    test
}

fn written(directory: &Path, name: &str, text: &str) {
    std::fs::write(directory.join(name), text).unwrap();
}

#[tokio::test]
async fn a_journal_is_a_test_for_pytest() {
    let packages = match python_packages("kits") {
        Ok(packages) => packages,
        Err(why) => return skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    };
    let _turn = turn().await;
    let directory = tempfile::tempdir().unwrap();
    written(
        directory.path(),
        "test_journal.py",
        &journal("pytest").await,
    );
    let path = std::env::join_paths([packages, root().join("kits/python")]).unwrap();
    let mut pytest = Command::new("python3");
    pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
    // Another test may install the kit meanwhile, which names the plugin too.
    pytest.args(["-p", "switchboard_testing.pytest_plugin"]);
    pytest.env("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1");
    pytest.env("PYTHONPATH", path);
    pytest.env("PYTHONDONTWRITEBYTECODE", "1");
    pass(&mut pytest, directory.path());
}

#[tokio::test]
async fn a_journal_is_a_test_for_node() {
    if let Err(why) = run(Command::new("node").arg("--version")) {
        return skipped(&why, "install Node 20 or newer");
    }
    let _turn = turn().await;
    let directory = tempfile::tempdir().unwrap();
    let modules = directory.path().join("node_modules");
    std::fs::create_dir(&modules).unwrap();
    let kit = root().join("kits/node");
    std::os::unix::fs::symlink(kit, modules.join("switchboard-testing")).unwrap();
    let text = journal("node_test").await;
    written(directory.path(), "journal.test.mjs", &text);
    pass(Command::new("node").arg("--test"), directory.path());
    // Vitest differs in where `test` comes from.
    let vitest = journal("vitest").await;
    assert!(
        vitest.starts_with("import { test } from 'vitest';\n"),
        "{vitest}"
    );
    let rest = |text: &str| {
        text.lines()
            .skip(1)
            .filter(|line| !line.contains("// "))
            .count()
    };
    assert_eq!(rest(&vitest), rest(&text));
}

#[tokio::test]
async fn a_journal_is_a_test_for_phpunit() {
    if let Err(why) = run(Command::new("phpunit").arg("--version")) {
        return skipped(&why, "apt-get install php-cli phpunit");
    }
    let _turn = turn().await;
    let directory = tempfile::tempdir().unwrap();
    written(
        directory.path(),
        "JournalTest.php",
        &journal("phpunit").await,
    );
    let mut phpunit = Command::new("phpunit");
    phpunit.arg("--include-path").arg(root().join("kits/php"));
    phpunit.args(["--do-not-cache-result", "JournalTest.php"]);
    pass(&mut phpunit, directory.path());
}

#[tokio::test]
async fn a_journal_is_a_scenario_and_a_script() {
    let directory = tempfile::tempdir().unwrap();
    written(directory.path(), "journal.toml", &journal("scenario").await);
    let mut scenario = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    pass(
        scenario.args(["dev", "run", "journal.toml"]),
        directory.path(),
    );
    let script = journal("curl").await;
    written(directory.path(), "journal.sh", &script);
    pass(
        Command::new("sh").args(["-n", "journal.sh"]),
        directory.path(),
    );
    assert!(
        script.contains("order POST \"/$WORLD\"'/advance' '{\"seconds\":60.5}'"),
        "{script}"
    );
}
