//! Scenario files: tests of an integration without a test framework. A scenario makes a world, starts the program that is
//! tested, gives orders and compares their answers.

mod expected;
mod file;
mod junit;
pub(crate) mod program;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use self::expected::difference;
use self::file::{Scenario, ScenarioFile, Step};
use self::program::Program;
use crate::dev::problem::detail;
use crate::dev::worlds::Worlds;
use crate::dev::worlds_key::WorldsKey;

pub use self::junit::junit;
pub use self::program::WORLD_VARIABLES;

/// The results of the scenarios of a file.
pub struct FileReport {
    pub path: PathBuf,
    pub scenarios: Vec<ScenarioReport>,
}

/// The result of a scenario.
pub struct ScenarioReport {
    pub name: String,
    /// Its duration, in real time.
    pub took: Duration,
    pub failure: Option<ScenarioError>,
}

/// The reason why a scenario failed, with the journal of its world.
pub struct ScenarioError {
    pub why: String,
    pub journal: String,
}

/// Scenarios that were read and have no error.
pub struct Scenarios {
    files: Vec<(PathBuf, ScenarioFile)>,
}

impl Scenarios {
    /// Reads the files.
    ///
    /// # Errors
    /// What is wrong in them: all of it, each with its file.
    pub fn read(paths: &[PathBuf]) -> Result<Self, Vec<String>> {
        let (mut files, mut errors) = (Vec::new(), Vec::new());
        for path in paths {
            match file::read(path) {
                Ok(file) => files.push((path.clone(), file)),
                Err(wrong) => errors.extend(wrong),
            }
        }
        if errors.is_empty() {
            Ok(Self { files })
        } else {
            Err(errors)
        }
    }

    /// Runs them one after the other, each in a world of its own; `say` hears of each scenario at its end. The secrets of
    /// the worlds follow from the key; without one, from chance.
    ///
    /// # Errors
    /// When no world can be had.
    pub fn run(
        self,
        key: Option<WorldsKey>,
        say: impl Fn(&ScenarioReport),
    ) -> Result<Vec<FileReport>> {
        actix::System::new().block_on(async {
            let worlds = Worlds::drawn(key).await?;
            let mut reports = Vec::new();
            for (path, file) in self.files {
                let mut scenarios = Vec::new();
                for scenario in &file.scenarios {
                    let report = run(&worlds, &file, scenario).await;
                    say(&report);
                    scenarios.push(report);
                }
                reports.push(FileReport { path, scenarios });
            }
            worlds.stop().await;
            Ok(reports)
        })
    }
}

async fn run(worlds: &Worlds, file: &ScenarioFile, scenario: &Scenario) -> ScenarioReport {
    let start = Instant::now();
    let failure = match Run::begin(worlds, file, scenario).await {
        Ok(run) => run.steps(&scenario.steps).await,
        Err(why) => Some(ScenarioError {
            why: format!("{why:#}"),
            journal: String::new(),
        }),
    };
    ScenarioReport {
        name: scenario.name.clone(),
        took: start.elapsed(),
        failure,
    }
}

/// A scenario while it runs.
struct Run<'w> {
    worlds: &'w Worlds,
    world: String,
    program: Option<Program>,
}

impl<'w> Run<'w> {
    async fn begin(worlds: &'w Worlds, file: &ScenarioFile, scenario: &Scenario) -> Result<Self> {
        let mut options = scenario.world.clone();
        options.insert("name".to_owned(), scenario.name.clone().into());
        let port = match &file.program {
            Some(program) => {
                let port = program::free_port()?;
                let webhook = format!("http://127.0.0.1:{port}{}", program.path);
                options.insert("webhook".to_owned(), webhook.into());
                Some((program, port))
            }
            None => None,
        };
        let (status, world) = worlds.order("POST", "", &Value::Object(options)).await;
        anyhow::ensure!(status == 201, "the world is not made: {}", detail(&world));
        let id = world.get("id").and_then(Value::as_str).unwrap_or_default();
        let mut run = Self {
            worlds,
            world: id.to_owned(),
            program: None,
        };
        if let Some((program, port)) = port {
            match Program::start(program, port, &world).await {
                Ok(started) => run.program = Some(started),
                Err(why) => {
                    run.end().await;
                    return Err(why);
                }
            }
        }
        Ok(run)
    }

    async fn steps(mut self, steps: &[Step]) -> Option<ScenarioError> {
        let mut failure = None;
        for (place, step) in steps.iter().enumerate() {
            let mut why = self.step(step).await;
            if let Some(end) = self.program.as_mut().and_then(Program::ended) {
                why = Some(why.map_or_else(|| end.clone(), |why| format!("{why}; {end}")));
            }
            if let Some(why) = why {
                let number = place.saturating_add(1);
                let why = format!("step {number} ({}): {why}", step.order);
                let journal = self.journal().await;
                failure = Some(ScenarioError { why, journal });
                break;
            }
        }
        self.end().await;
        failure
    }

    /// Runs a step. Returns the reason if it fails.
    async fn step(&self, step: &Step) -> Option<String> {
        let target = format!("/{}{}", self.world, step.path());
        let body = step.body.clone().unwrap_or_else(|| json!({}));
        let (status, answer) = self.worlds.order(step.method(), &target, &body).await;
        let is_as_wanted = match step.status {
            Some(wanted) => status == wanted,
            None => (200..300).contains(&status),
        };
        if !is_as_wanted {
            return Some(format!("answered {status}: {}", detail(&answer)));
        }
        let expectation = step.expect.as_ref()?;
        let difference = difference(expectation, &answer)?;
        let near = [("why", "; why: "), ("near", "; near: ")].map(|(name, words)| {
            let value = answer.get(name).filter(|value| !value.is_null());
            value.map(|value| format!("{words}{value}"))
        });
        Some(difference + &near.into_iter().flatten().collect::<String>())
    }

    async fn journal(&self) -> String {
        let target = format!("/{}/journal?form=text", self.world);
        let (_, journal) = self.worlds.order("GET", &target, &Value::Null).await;
        journal.as_str().map(str::to_owned).unwrap_or_default()
    }

    async fn end(self) {
        drop(self.program);
        let target = format!("/{}", self.world);
        // A world that has ended by itself needs no end.
        drop(self.worlds.order("DELETE", &target, &Value::Null).await);
    }
}

/// The path of a file, as reports show it.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}
