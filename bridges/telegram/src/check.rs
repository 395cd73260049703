//! `switchboard-telegram check`: everything that keeps the bridge from its work, at once.

mod bot;
mod neighbour;
mod service;

use std::process::ExitCode;

use switchboard_telegram::api::Api;

use self::neighbour::Neighbour;
use crate::settings::Settings;

/// Says what is wrong, and what is right.
pub(crate) async fn run(settings: &Settings) -> ExitCode {
    let mut findings = Findings::default();
    findings.note(format!("the check reads {}", settings.origin));
    let neighbour = Neighbour::find(settings.core.listen).await;
    match Api::new(settings.api()) {
        Ok(api) => bot::check(&api, &neighbour, &mut findings).await,
        Err(error) => findings.problem(format!("telegram.url: {error}")),
    }
    service::check(settings, &neighbour, &mut findings).await;
    print(&findings.lines);
    if findings.problems == 0 {
        return ExitCode::SUCCESS;
    }
    ExitCode::FAILURE
}

/// The findings of a check, in their order.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    lines: Vec<String>,
    problems: usize,
}

impl Findings {
    /// Adds what is right or good to know.
    fn note(&mut self, sentence: impl Into<String>) {
        self.lines.push(format!("{:<9}{}", "ok", sentence.into()));
    }

    /// Adds what is wrong.
    fn problem(&mut self, sentence: impl Into<String>) {
        self.problems += 1;
        self.lines.push(format!("PROBLEM  {}", sentence.into()));
    }
}

#[expect(clippy::print_stdout, reason = "the answer of a command")]
fn print(lines: &[String]) {
    for line in lines {
        println!("{line}");
    }
}
