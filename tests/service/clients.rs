//! Client libraries that others published, driven unchanged through all their operations, and a tester of interfaces.
//!
//! What they need is locked beside the scripts that drive them, in `tests/clients`, and is installed into the folder of
//! built things when there is Python or Node; without them the tests say that they were skipped.

mod agent;
mod amojowrapper;
mod amotop;
mod install;
mod schemathesis;
mod unchanged;
mod webhook_forms;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::support::limit::{Limit, Limited as _};
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server};

/// The folder of the scripts and their locks.
fn scripts(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/clients")
        .join(language)
}

/// Held while something is installed: tests that need the same have it once.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Returns the folder with the packages of a lock file, installed once for each version of the lock, and only as a
/// whole.
fn installed(
    lock: &Path,
    install: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let digest = crate::support::client::content_md5(&std::fs::read(lock).unwrap());
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let ready = root.join(format!("client-{digest}"));
    let _installing = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    if ready.exists() {
        return Ok(ready);
    }
    let unfinished = tempfile::tempdir_in(root).unwrap();
    install(unfinished.path())?;
    let unfinished = unfinished.keep();
    match std::fs::rename(&unfinished, &ready) {
        Ok(()) => Ok(ready),
        // Another test was faster.
        Err(_) if ready.exists() => {
            std::fs::remove_dir_all(&unfinished).unwrap_or_default();
            Ok(ready)
        }
        Err(error) => Err(format!("{}: {error}", ready.display())),
    }
}

/// Returns the folder of the Python packages that the lock beside these scripts names.
pub(crate) fn python_packages(of: &str) -> Result<PathBuf, String> {
    run(Command::new("python3").args(["-m", "pip", "--version"]))?;
    let lock = scripts(of).join("requirements.txt");
    installed(&lock, |folder| {
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet"]);
        // The locks name all packages that are needed, and no others.
        pip.args([
            "--disable-pip-version-check",
            "--require-hashes",
            "--no-deps",
        ]);
        pip.args(["--retries", "10", "--timeout", "60"]);
        pip.args(["--only-binary", ":all:", "--target"]);
        run(pip.arg(folder).arg("-r").arg(&lock)).map(drop)
    })
}

/// The folder with the packages for Node that the lock beside these scripts names.
fn node_packages(of: &str) -> Result<PathBuf, String> {
    run(Command::new("npm").arg("--version"))?;
    let locks = scripts(of);
    installed(&locks.join("package-lock.json"), |folder| {
        for file in ["package.json", "package-lock.json"] {
            std::fs::copy(locks.join(file), folder.join(file))
                .map_err(|error| error.to_string())?;
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
        npm.args(["--fetch-retries", "5"]);
        run(npm.current_dir(folder)).map(drop)
    })
}

/// Runs a program to its end; says what went wrong when it cannot, or fails.
pub(crate) fn run(command: &mut Command) -> Result<Output, String> {
    let what = format!("{command:?}");
    match command.test_output() {
        Ok(output) if output.status.success() => Ok(output),
        Ok(output) => Err(format!(
            "{what}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) => Err(format!("{what}: {error}")),
    }
}

/// Passes an input to a script and returns its output. The script reaches the service through the proxy if there is one,
/// with the variables that the service prints for it.
fn drive(command: &mut Command, server: &Server, given: &Value) -> Value {
    report(begin(command, server, given))
}

/// Starts a script with an input, as [`drive`] does.
fn begin(command: &mut Command, server: &Server, given: &Value) -> Child {
    match server.ready()["proxy"]["environment"].as_object() {
        Some(variables) => {
            let variables = variables.iter();
            command.envs(variables.map(|(name, value)| (name, value.as_str().unwrap())));
        }
        None => {
            command.env("NO_PROXY", "*").env("no_proxy", "*");
        }
    }
    let mut child = command
        // Some libraries store their tokens where they are started.
        .current_dir(server.directory())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(given.to_string().as_bytes()).unwrap();
    drop(input);
    child
}

/// Waits for the end of a script and returns its output.
fn report(child: Child) -> Value {
    let _limit = Limit::of_a_test(&child);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the script says why, above");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the input of every script; `user` is the account user as the chat knows them. Behind the proxy there is no
/// `url`: the library asks the host that it has built in.
fn given(server: &Server, what: &str, user: &Value) -> Value {
    let is_direct = server.ready()["proxy"].is_null();
    json!({
        "do": what,
        "url": is_direct.then(|| server.url()),
        "channel": CHANNEL,
        "secret": SECRET,
        "account": ACCOUNT,
        "user": user,
        "bot": server.ready()["bots"][0],
    })
}

/// The account user as the chat knows them: who has answered once is known.
async fn chat_user(server: &Server) -> Value {
    let client = server.client();
    client.connect("v2").await;
    let new_message = client
        .sent(&crate::support::client::message("m", "before"))
        .await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let answer = client.reply(conversation, "Yes?").await.is(201);
    answer.json["sender"]["id"].clone()
}
