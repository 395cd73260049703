//! The test kits for other languages and the examples that use them, each with the test runner of its language.

mod composer;
mod journal;
mod served_world;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clients::{python_packages, run};
use crate::support::skip::skipped;
use crate::support::turn::turn;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the tests of a kit against the program that is tested here.
fn pass(command: &mut Command, directory: &Path) {
    command
        .current_dir(directory)
        .env("SWITCHBOARD_BIN", env!("CARGO_BIN_EXE_switchboard"));
    match run(command) {
        Ok(output) => println!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(why) => panic!("{why}"),
    }
}

#[tokio::test]
async fn the_kit_for_python_and_its_example_work() {
    let packages = match python_packages("kits") {
        Ok(packages) => packages,
        Err(why) => return skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    };
    let _turn = turn().await;
    let (kit, installed) = (root().join("kits/python"), tempfile::tempdir().unwrap());
    let mut install = Command::new("python3");
    install.args(["-m", "pip", "install", "--quiet", "--no-deps"]);
    install.args(["--disable-pip-version-check", "--retries", "10"]);
    install.arg("--target").arg(installed.path()).arg(&kit);
    run(&mut install).unwrap();
    let path = std::env::join_paths([packages.as_path(), installed.path()]).unwrap();
    let mut pytest = Command::new("python3");
    pytest.args(["-m", "pytest", "--quiet", "tests", "../../examples/python"]);
    pytest.env("PYTHONPATH", path);
    pytest.env("PYTHONDONTWRITEBYTECODE", "1");
    pass(&mut pytest, &kit);
}

#[tokio::test]
async fn the_kit_for_node_and_its_example_work() {
    if let Err(why) = run(Command::new("npm").arg("--version")) {
        return skipped(&why, "install Node 20 or newer with npm; fetches from npm");
    }
    let _turn = turn().await;
    let kit = root().join("kits/node");
    let mut install = Command::new("npm");
    install.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    install.args(["--fetch-retries", "5"]).current_dir(&kit);
    run(&mut install).unwrap();
    pass(Command::new("npm").arg("test"), &kit);
    let mut example = Command::new("node");
    pass(example.arg("--test"), &root().join("examples/node"));
}

#[tokio::test]
async fn the_kit_for_php_and_its_example_work() {
    if let Err(why) = run(Command::new("php").arg("--version")) {
        return skipped(&why, "apt-get install php-cli phpunit");
    }
    let _turn = turn().await;
    for script in ["kits/php/tests/run.php", "examples/php/test_echo_bot.php"] {
        pass(Command::new("php").arg(script), &root());
    }
}
