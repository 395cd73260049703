//! Scenario files as they are written.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::shown;

/// A file of scenarios.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioFile {
    pub(super) program: Option<TestedProgram>,
    #[serde(default)]
    pub(super) scenarios: Vec<Scenario>,
}

/// The program that is tested: each scenario starts it anew.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TestedProgram {
    pub(super) command: Vec<String>,
    /// The path of its address for callbacks.
    #[serde(default = "root")]
    pub(super) path: String,
}

fn root() -> String {
    "/".to_owned()
}

/// A scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    pub(super) name: String,
    /// As the body of `POST /dev/v1/worlds`.
    #[serde(default)]
    pub(super) world: Map<String, Value>,
    pub(super) steps: Vec<Step>,
}

/// An order, and what has to be answered.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// Method and path behind the address of the world, with a query if there is one.
    pub(super) order: String,
    pub(super) body: Option<Value>,
    /// Without it: any status of success.
    pub(super) status: Option<u16>,
    pub(super) expect: Option<Value>,
}

impl Step {
    pub(super) fn method(&self) -> &str {
        self.order.split_once(' ').map_or("", |(method, _)| method)
    }

    pub(super) fn path(&self) -> &str {
        self.order.split_once(' ').map_or("", |(_, path)| path)
    }
}

/// Reads a file.
///
/// # Errors
/// What is wrong in it: all of it.
pub(super) fn read(path: &Path) -> Result<ScenarioFile, Vec<String>> {
    let name = shown(path);
    let text = std::fs::read_to_string(path).map_err(|why| vec![format!("{name}: {why}")])?;
    let file: ScenarioFile =
        toml::from_str(&text).map_err(|why| vec![format!("{name}: {}", why.to_string().trim())])?;
    let wrong = wrong(&file);
    if wrong.is_empty() {
        return Ok(file);
    }
    let wrong = wrong.into_iter().map(|why| format!("{name}: {why}"));
    Err(wrong.collect())
}

fn wrong(file: &ScenarioFile) -> Vec<String> {
    let mut wrong = Vec::new();
    if file.scenarios.is_empty() {
        wrong.push("there is no [[scenarios]]".to_owned());
    }
    if let Some(program) = &file.program {
        if program.command.is_empty() {
            wrong.push("program.command is empty; write a program and its arguments".to_owned());
        }
        if !program.path.starts_with('/') {
            wrong.push(format!(
                "program.path begins with /, unlike «{}»",
                program.path
            ));
        }
    }
    for scenario in &file.scenarios {
        let name = &scenario.name;
        if file.program.is_some() && scenario.world.contains_key("webhook") {
            let why = "the program receives the callbacks, so world.webhook is not given";
            wrong.push(format!("scenario «{name}»: {why}"));
        }
        if scenario.steps.is_empty() {
            wrong.push(format!("scenario «{name}» has no steps"));
        }
        for (place, step) in scenario.steps.iter().enumerate() {
            let is_order = matches!(step.method(), "GET" | "POST" | "PUT" | "DELETE");
            if !is_order || !step.path().starts_with('/') {
                let number = place.saturating_add(1);
                wrong.push(format!(
                    "scenario «{name}», step {number}: order is a method and a path, as in «POST /customers/bo/say», not «{}»",
                    step.order
                ));
            }
        }
    }
    wrong
}
