//! A run: each case in a world of its own, several at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use switchboard_values::text::ending;

use crate::case::Case;
use crate::cases::CASES;
use crate::examinee::Examinee;
use crate::role::{Profile, Role};
use crate::rule::Rule;
use crate::stage::{Stage, fixed_variables};
use crate::verdict::{StopError, Verdict};

/// The most characters of a journal or an output in a report: those at the end.
const EVIDENCE_MAX: usize = 20_000;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct ExamOptions {
    /// The roles in which the program is examined.
    pub profile: Profile,
    /// The rules to try; all of the profile without them.
    pub only: Vec<u8>,
    /// The rules that are not tried, each with the reason.
    pub waivers: BTreeMap<u8, String>,
    /// The seed of the worlds.
    pub seed: u64,
    /// The number of cases at once; one for a program that runs already.
    pub jobs: usize,
}

/// The outcome of one rule.
#[derive(Clone, Debug)]
pub struct RuleReport {
    /// The rule.
    pub rule: Rule,
    /// The verdict.
    pub verdict: Verdict,
    /// The real time that it took.
    pub took: Duration,
    /// The events of the case; `None` for a rule that holds, or that was not tried.
    pub evidence: Option<Evidence>,
}

/// The events of a case.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The requests that the exam made itself, with their answers.
    pub exchanges: Vec<String>,
    /// The journal of the world, one line for each entry.
    pub journal: String,
    /// The end of what the program has written.
    pub output: String,
}

/// The rules of the exam, in the order of their numbers.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    CASES.iter().map(|case| &case.rule)
}

/// The variables that a program that runs already has to have, with their values in the worlds of these options.
///
/// # Errors
/// When no world can be had, for example because its port is taken.
pub fn variables(
    examinee: &Examinee,
    options: &ExamOptions,
) -> anyhow::Result<Vec<(&'static str, String)>> {
    fixed_variables(examinee, options.seed)
}

/// Runs the exam; `progress` is called for each rule as it ends. The reports are in the order of the rules.
///
/// # Errors
/// When the exam itself cannot run.
pub fn run(
    examinee: &Examinee,
    options: &ExamOptions,
    progress: impl Fn(&RuleReport) + Sync,
) -> anyhow::Result<Vec<RuleReport>> {
    run_while(examinee, options, || true, progress)
}

/// As [`run`], as long as `goes_on` says so: afterwards no rule begins, and those that are being tried come to their end.
///
/// # Errors
/// When the exam itself cannot run.
pub fn run_while(
    examinee: &Examinee,
    options: &ExamOptions,
    goes_on: impl Fn() -> bool + Sync,
    progress: impl Fn(&RuleReport) + Sync,
) -> anyhow::Result<Vec<RuleReport>> {
    let cases: Vec<&Case> = CASES
        .iter()
        .filter(|case| options.has(&case.rule))
        .collect();
    let next = AtomicUsize::new(0);
    let starts = Starts::default();
    let outcomes = Mutex::new(Vec::new());
    // All worlds of a program that runs already have one address.
    let jobs = match examinee.running() {
        None => options.jobs.clamp(1, cases.len().max(1)),
        Some(_) => 1,
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while goes_on()
                    && let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let report = try_case(case, examinee, options, &starts);
                    match &report {
                        Ok(report) => progress(report),
                        // The others would fail in the same way.
                        Err(_) => next.store(cases.len(), Ordering::Relaxed),
                    }
                    outcomes
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(report);
                }
            });
        }
    });
    let outcomes = outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let mut reports: Vec<RuleReport> = outcomes.into_iter().collect::<anyhow::Result<_>>()?;
    reports.sort_by_key(|report| report.rule.number);
    Ok(reports)
}

impl Default for ExamOptions {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            only: Vec::new(),
            waivers: BTreeMap::new(),
            seed: 1,
            jobs: 8,
        }
    }
}

impl ExamOptions {
    /// The rules that come to a verdict, in the order of their numbers.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        rules().filter(|rule| self.has(rule))
    }

    /// The numbers that name no rule of the profile, each in a sentence.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let numbers = self.only.iter().chain(self.waivers.keys());
        let problem = |number: &u8| match rules().find(|rule| rule.number == *number) {
            Some(rule) if rule.is_in(self.profile) => None,
            Some(rule) => Some(format!(
                "rule {number} is for {}: give the profile, too",
                rule.audience()
            )),
            None => Some(format!("there is no rule {number}")),
        };
        numbers.filter_map(problem).collect()
    }

    fn has(&self, rule: &Rule) -> bool {
        rule.is_in(self.profile) && (self.only.is_empty() || self.only.contains(&rule.number))
    }
}

/// The starts of the program in a run. When the first ones fail, the others are not waited for.
#[derive(Debug, Default)]
struct Starts {
    has_started: AtomicBool,
    failure: OnceLock<String>,
}

impl Starts {
    /// Starts the program, unless it has failed to start and has never started.
    fn try_start<T>(&self, start: impl FnOnce() -> Result<T, StopError>) -> Result<T, StopError> {
        if !self.has_started.load(Ordering::Relaxed)
            && let Some(why) = self.failure.get()
        {
            return Err(StopError::NotTried(why.clone()));
        }
        let outcome = start();
        match &outcome {
            Ok(_) => self.has_started.store(true, Ordering::Relaxed),
            // Of failures at once, one is as good as another.
            Err(StopError::NotTried(why)) => drop(self.failure.set(why.clone())),
            Err(StopError::Breaks(_) | StopError::Failed(_)) => {}
        }
        outcome
    }
}

/// Tries a case in each role of the run; the worst verdict counts.
fn try_case(
    case: &Case,
    examinee: &Examinee,
    options: &ExamOptions,
    starts: &Starts,
) -> anyhow::Result<RuleReport> {
    let start = Instant::now();
    let report = |verdict, evidence| RuleReport {
        rule: case.rule,
        verdict,
        took: start.elapsed(),
        evidence,
    };
    if let Some(reason) = options.waivers.get(&case.rule.number) {
        let reason = reason.clone();
        return Ok(report(Verdict::Waived { reason }, None));
    }
    let roles: Vec<Role> = case.rule.roles_in(options.profile).collect();
    let mut outcomes = Vec::new();
    for role in &roles {
        let stage = starts.try_start(|| Stage::set(examinee, options.seed, *role));
        let (verdict, evidence) = try_role(case, stage)?;
        let is_named = roles.len() > 1;
        let named_verdict = if is_named {
            verdict.in_role(*role)
        } else {
            verdict
        };
        outcomes.push((named_verdict, evidence));
    }
    let worst = outcomes
        .into_iter()
        .min_by_key(|(verdict, _)| verdict.rank());
    let (verdict, evidence) = worst.context("a rule is for no role")?;
    Ok(report(verdict, evidence))
}

/// Tries a case in one role, on a stage of its own.
fn try_role(
    case: &Case,
    stage: Result<Stage, StopError>,
) -> anyhow::Result<(Verdict, Option<Evidence>)> {
    let mut stage = match stage {
        Ok(stage) => stage,
        Err(stop) => return Ok((verdict(stop)?, None)),
    };
    let verdict = match (case.judge)(&mut stage) {
        Ok(verdict) => verdict,
        Err(stop) => verdict(stop)?,
    };
    // What the judge has seen follows from its end.
    let verdict = match stage.excess() {
        Some(why) => Verdict::Breaks {
            why: format!("The program was ended: {why}."),
        },
        None => verdict,
    };
    let evidence = match &verdict {
        Verdict::Holds { .. } | Verdict::Waived { .. } => None,
        Verdict::Breaks { .. } | Verdict::Warns { .. } | Verdict::NotTried { .. } => {
            Some(evidence(&stage))
        }
    };
    match stage.finish() {
        Ok(()) => {}
        Err(StopError::Failed(error)) => return Err(error),
        // What the program does behind its verdict changes none.
        Err(StopError::Breaks(_) | StopError::NotTried(_)) => {}
    }
    Ok((verdict, evidence))
}

/// The verdict of a case that ended before its judge has come to one.
fn verdict(stop: StopError) -> anyhow::Result<Verdict> {
    match stop {
        StopError::Breaks(why) => Ok(Verdict::Breaks { why }),
        StopError::NotTried(why) => Ok(Verdict::NotTried { why }),
        StopError::Failed(error) => Err(error),
    }
}

fn evidence(stage: &Stage) -> Evidence {
    Evidence {
        exchanges: stage.exchanges(),
        journal: end(&stage.journal()),
        output: end(&stage.output()),
    }
}

/// The end of a text, from the beginning of a line.
fn end(text: &str) -> String {
    let tail = ending(text, EVIDENCE_MAX);
    if tail.len() == text.len() {
        return text.to_owned();
    }
    tail.split_once('\n')
        .map_or(tail, |(_, rest)| rest)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_never_started_is_not_started_for_each_rule() {
        let starts = Starts::default();
        let fails = || Err::<(), _>(StopError::NotTried("it does not start".to_owned()));
        let count = AtomicUsize::new(0);
        let start = || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(())
        };
        starts.try_start(start).unwrap();
        starts.try_start(fails).unwrap_err();
        // It has started once: the machine was busy, perhaps.
        starts.try_start(start).unwrap();
        assert_eq!(count.load(Ordering::Relaxed), 2);
        let starts = Starts::default();
        starts.try_start(fails).unwrap_err();
        let stop = starts.try_start(start).unwrap_err();
        assert!(matches!(stop, StopError::NotTried(why) if why == "it does not start"));
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_run_that_does_not_go_on_begins_no_further_rule() {
        let examinee = Examinee::from_command_line("false").unwrap();
        let options = ExamOptions {
            jobs: 1,
            ..ExamOptions::default()
        };
        let count = AtomicUsize::new(0);
        let goes_on = || count.load(Ordering::Relaxed) < 2;
        let progress = |_: &RuleReport| {
            count.fetch_add(1, Ordering::Relaxed);
        };
        let reports = run_while(&examinee, &options, goes_on, progress).unwrap();
        assert_eq!(reports.len(), 2);
    }
}
