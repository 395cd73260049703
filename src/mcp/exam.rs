//! The exam as a tool: a run on a thread of its own, and an answer that an agent can read as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};
use switchboard_actors::domain::text::{beginning, ending};
use switchboard_exam::examinee::Examinee;
use switchboard_exam::report::{EXAM_VERSION, Tally, headline, rule_page, worst_first};
use switchboard_exam::role::Profile;
use switchboard_exam::run::{Evidence, ExamOptions, RuleReport, rules, run_while};
use switchboard_exam::verdict::Verdict;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::timeout;

use crate::mcp::answer::{Answer, TEXT_MAX, document};
use crate::mcp::parameter::Arguments;
use crate::mcp::tools::{COMMAND, PROFILE};

/// The longest sentence of a verdict, in bytes: that of a program that does not start has its output.
const WHY_MAX: usize = 1_000;
/// The same in an answer that has no room for evidence.
const WHY_LEAST: usize = 100;
/// The evidence of all rules together, in bytes, before it is written as JSON.
const EVIDENCE_MAX: usize = 40 << 10;
/// The most verdicts that wait to be reported: more than there are rules.
const LINES_MAX: usize = 256;
/// The longest time that the end of the server waits for the rules that are being tried.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// The program that this server examines, as its flags say.
#[derive(Clone, Debug)]
pub(crate) struct ExamProgram {
    pub(crate) command: Option<String>,
    /// The path of its address for callbacks.
    pub(crate) path: String,
    /// The path and perhaps the query of its address for hooks.
    pub(crate) hooks_path: String,
    /// True when an agent may name another program.
    pub(crate) takes_commands: bool,
}

/// The exam of a server: one run at a time.
pub(super) struct Exam {
    program: ExamProgram,
    turn: Arc<Mutex<()>>,
    is_ending: Arc<AtomicBool>,
}

/// A rule that has come to its verdict.
pub(super) struct Step {
    pub(super) count: u32,
    pub(super) total: u32,
    pub(super) line: String,
}

/// A run. When it is dropped before its end, no further rule begins.
pub(super) struct ExamRun {
    lines: mpsc::Receiver<String>,
    count: u32,
    total: u32,
    reports: oneshot::Receiver<anyhow::Result<Vec<RuleReport>>>,
    is_left: Arc<AtomicBool>,
    is_strict: bool,
}

impl Exam {
    pub(super) fn new(program: ExamProgram) -> Self {
        Self {
            program,
            turn: Arc::default(),
            is_ending: Arc::default(),
        }
    }

    /// Returns whether an agent may name the program.
    pub(super) fn takes_commands(&self) -> bool {
        self.program.takes_commands
    }

    /// Begins a run, after the one that is under way.
    ///
    /// # Errors
    /// When no program is named, or a rule is not known.
    pub(super) async fn begin(&self, arguments: &Arguments) -> Result<ExamRun, String> {
        let examinee = self.examinee(arguments)?;
        let options = options(arguments)?;
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let (line_sender, lines) = mpsc::channel(LINES_MAX);
        let total = u32::try_from(options.rules().count()).unwrap_or(u32::MAX);
        let (report_sender, reports) = oneshot::channel();
        let is_left = Arc::new(AtomicBool::new(false));
        let flags = [Arc::clone(&is_left), Arc::clone(&self.is_ending)];
        let thread = std::thread::Builder::new().name("exam".to_owned());
        let run = move || {
            let goes_on = || flags.iter().all(|flag| !flag.load(Ordering::Acquire));
            // A run that was left has no reader.
            let progress = |it: &RuleReport| drop(line_sender.try_send(line(it)));
            let reports = run_while(&examinee, &options, goes_on, progress);
            drop(line_sender);
            // An agent that has gone reads no reports.
            drop(report_sender.send(reports));
            drop(turn);
        };
        thread
            .spawn(run)
            .map_err(|why| format!("the exam has no thread: {why}"))?;
        Ok(ExamRun {
            lines,
            count: 0,
            total,
            reports,
            is_left,
            is_strict: arguments.flag("strict"),
        })
    }

    /// Lets no further rule begin, and waits for those that are being tried: programs end with their rules.
    pub(super) async fn end(&self) {
        self.is_ending.store(true, Ordering::Release);
        // Programs that are left end with this process.
        drop(timeout(ENDS_WITHIN, self.turn.lock()).await);
    }

    fn examinee(&self, arguments: &Arguments) -> Result<Examinee, String> {
        let ExamProgram {
            command,
            path,
            hooks_path,
            ..
        } = &self.program;
        let candidate = arguments.text(COMMAND).or(command.as_deref());
        let line = candidate.ok_or(
            "this server knows no program: its owner starts it as «switchboard mcp --command \"python3 bridge.py\"»",
        )?;
        let program = Examinee::from_command_line(line)
            .ok_or_else(|| format!("{COMMAND}: names no program"))?;
        Ok(Examinee {
            path: path.clone(),
            hooks_path: hooks_path.clone(),
            ..program
        })
    }
}

/// A verdict in one line.
fn line(report: &RuleReport) -> String {
    let rule = &report.rule;
    format!("{} {}: {}", report.verdict.word(), rule.number, rule.title)
}

impl ExamRun {
    /// Waits for the next verdict; `None` when there are no more.
    pub(super) async fn step(&mut self) -> Option<Step> {
        let line = self.lines.recv().await?;
        self.count = self.count.saturating_add(1);
        Some(Step {
            count: self.count,
            total: self.total,
            line,
        })
    }

    /// Returns the report, at the end of the run.
    pub(super) async fn report(mut self) -> Answer {
        match (&mut self.reports).await {
            Ok(Ok(reports)) => Ok(report(&reports, self.is_strict)),
            Ok(Err(why)) => Err(format!("the exam cannot run: {why:#}")),
            Err(_) => Err("the exam has ended with a panic: please report it".to_owned()),
        }
    }
}

impl Drop for ExamRun {
    fn drop(&mut self) {
        self.is_left.store(true, Ordering::Release);
    }
}

fn options(arguments: &Arguments) -> Result<ExamOptions, String> {
    let mut wrong = Vec::new();
    let only: Vec<u8> = arguments
        .value("only")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|number| rule("only", &number.to_string(), &mut wrong))
        .collect();
    let waivers: BTreeMap<u8, String> = arguments
        .value("waive")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(number, reason)| {
            let number = rule("waive", number, &mut wrong)?;
            Some((number, reason.as_str().unwrap_or_default().to_owned()))
        })
        .collect();
    let usual = ExamOptions::default();
    let jobs = arguments
        .whole("jobs")
        .and_then(|jobs| usize::try_from(jobs).ok());
    let word = arguments.text(PROFILE);
    let profile = word.and_then(|word| word.parse().ok());
    let options = ExamOptions {
        profile: profile.unwrap_or(usual.profile),
        only,
        waivers,
        seed: arguments.whole("seed").unwrap_or(usual.seed),
        jobs: jobs.unwrap_or(usual.jobs),
    };
    wrong.extend(options.problems());
    if wrong.is_empty() {
        return Ok(options);
    }
    for profile in [Profile::Bridge, Profile::Bot] {
        let rules = rules().filter(|rule| rule.is_in(profile));
        let numbers: BTreeSet<u8> = rules.map(|rule| rule.number).collect();
        wrong.push(format!("there are the rules {numbers:?} with {profile}"));
    }
    Err(wrong.join("\n"))
}

/// The number of a rule, if the text is one.
fn rule(name: &str, number: &str, wrong: &mut Vec<String>) -> Option<u8> {
    let rule = number.parse().ok();
    if rule.is_none() {
        wrong.push(format!("{name}: there is no rule {number}"));
    }
    rule
}

/// The report: rules that do not hold with what to do, worst first, and as much evidence as an answer has room for.
fn report(reports: &[RuleReport], is_strict: bool) -> String {
    let with_evidence = reports.iter().filter(|it| it.evidence.is_some()).count();
    let mut room = EVIDENCE_MAX / with_evidence.max(1);
    loop {
        let text = document(&report_with(reports, is_strict, room));
        // What JSON adds to texts is not known before.
        if text.len() <= TEXT_MAX || room == 0 {
            return text;
        }
        room /= 2;
    }
}

fn report_with(reports: &[RuleReport], is_strict: bool, room: usize) -> Value {
    let tally = Tally::count(reports);
    let is_plain = |report: &&RuleReport| report.verdict == Verdict::holds();
    let holds: Vec<u8> = reports
        .iter()
        .filter(is_plain)
        .map(|report| report.rule.number)
        .collect();
    let others = worst_first(reports).into_iter().filter(|it| !is_plain(it));
    json!({
        "exam_version": EXAM_VERSION,
        "headline": headline(reports),
        "passes": tally.passes(is_strict),
        "counts": tally,
        "rules": others.map(|it| rule_with(it, room)).collect::<Vec<_>>(),
        "holds": holds,
    })
}

fn rule_with(report: &RuleReport, room: usize) -> Value {
    let rule = &report.rule;
    let sentence = report.verdict.sentence().unwrap_or_default();
    let why_max = if room == 0 { WHY_LEAST } else { WHY_MAX };
    let mut fields = Map::from_iter([
        ("number".to_owned(), json!(rule.number)),
        ("title".to_owned(), json!(rule.title)),
        ("verdict".to_owned(), json!(report.verdict.word())),
        ("why".to_owned(), json!(beginning(sentence, why_max))),
    ]);
    let is_wrong = matches!(
        report.verdict,
        Verdict::Breaks { .. } | Verdict::Warns { .. } | Verdict::NotTried { .. }
    );
    if is_wrong {
        fields.insert("advice".to_owned(), rule.advice.into());
        fields.insert("page".to_owned(), rule_page(rule.number).into());
    }
    if is_wrong && room > 0 {
        for (name, text) in [
            ("stimulus", rule.stimulus),
            ("expectation", rule.expectation),
            ("mistake", rule.mistake),
        ] {
            fields.insert(name.to_owned(), text.into());
        }
    }
    if let Some(evidence) = report.evidence.as_ref().filter(|_| room > 0) {
        fields.insert("evidence".to_owned(), shown(evidence, room));
    }
    fields.into()
}

/// The ends of the evidence, which are the moments before the verdict.
fn shown(evidence: &Evidence, room: usize) -> Value {
    let lines = |text: &str, room: usize| -> Vec<String> {
        let lines = ending(text, room).lines();
        lines.map(str::to_owned).collect()
    };
    json!({
        "journal": lines(&evidence.journal, room / 2),
        "exchanges": lines(&evidence.exchanges.join("\n"), room / 4),
        "output": lines(&evidence.output, room / 4),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(evidence_of_each: usize) -> Vec<RuleReport> {
        let text = "\"\u{1}".repeat(evidence_of_each / 2);
        rules()
            .map(|rule| RuleReport {
                rule: *rule,
                verdict: Verdict::NotTried { why: text.clone() },
                took: Duration::ZERO,
                evidence: Some(Evidence {
                    exchanges: vec![text.clone()],
                    journal: text.clone(),
                    output: text.clone(),
                }),
            })
            .collect()
    }

    #[test]
    fn the_report_of_the_worst_program_has_room_in_an_answer() {
        for evidence in [0, 100, 20_000] {
            let text = report(&broken(evidence), false);
            assert!(text.len() <= TEXT_MAX, "{} bytes", text.len());
            let document: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(document["rules"].as_array().unwrap().len(), rules().count());
        }
    }

    #[test]
    fn fewer_rules_have_more_evidence() {
        let reports = broken(20_000);
        let length = |reports: &[RuleReport]| {
            let document: Value = serde_json::from_str(&report(reports, false)).unwrap();
            document["rules"][0]["evidence"]["journal"]
                .to_string()
                .len()
        };
        assert!(length(&reports[..1]) > 4 * length(&reports[..10]));
    }
}
