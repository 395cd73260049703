//! `switchboard exam`: it finds what is wrong with a program, and nothing in programs that are right.

mod public_programs;
mod reports;
mod running;
mod schema;
mod wrong_programs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::clients::run;
use crate::support::limit::Limited as _;
use crate::support::random::{Random, times};
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// The planted programs that are examined at once.
const PLANTED_AT_ONCE: usize = 4;

/// The exam of a command; the document of the report, and the output of the command.
fn exam(command: &str, flags: &[&str]) -> (Value, Output) {
    report(exam_command(command), flags)
}

/// The report of an exam with these flags, and its output.
fn report(mut exam: Command, flags: &[&str]) -> (Value, Output) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("exam.json");
    let output = exam
        .args(flags)
        .arg("--json")
        .arg(&file)
        .test_output()
        .unwrap();
    let text = std::fs::read_to_string(file);
    let document = text.map(|text| serde_json::from_str(&text).unwrap());
    (document.unwrap_or_default(), output)
}

fn exam_command(command: &str) -> Command {
    let mut exam = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    // Other tests run beside it.
    exam.args(["exam", "--jobs", "4", "--command", command]);
    exam.current_dir(env!("CARGO_MANIFEST_DIR"));
    exam
}

/// The rules with this verdict.
fn rules_with(document: &Value, verdict: &str) -> Vec<u64> {
    let rules = document["rules"].as_array().into_iter().flatten();
    let same = rules.filter(|rule| rule["verdict"] == verdict);
    same.map(|rule| rule["number"].as_u64().unwrap()).collect()
}

/// The rules for bridges, and those for bots.
pub(crate) const RULES_FOR_BRIDGES: usize = 41;
const RULES_FOR_BOTS: usize = 15;

/// A reference program holds all rules of its profile.
async fn a_program_holds_all(
    command: impl Into<String>,
    flags: &'static [&'static str],
    count: usize,
) {
    let _turn = turn().await;
    let command = command.into();
    let flags = [&["--strict"], flags].concat();
    let report = tokio::task::spawn_blocking(move || exam(&command, &flags));
    let (document, output) = report.await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert_eq!(rules_with(&document, "holds").len(), count, "{text}");
}

/// The reference bridge in this language holds all rules.
async fn a_bridge_holds_all(command: &'static str) {
    a_program_holds_all(command, &["--profile", "bridge"], RULES_FOR_BRIDGES).await;
}

#[tokio::test]
async fn the_bot_in_python_holds_all_rules() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let flags = &["--profile", "bot"];
    a_program_holds_all("python3 examples/python/bot.py", flags, RULES_FOR_BOTS).await;
}

#[tokio::test]
async fn the_bridge_in_python_holds_all_rules() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    a_bridge_holds_all("python3 examples/python/bridge.py").await;
}

/// A relay between the exam and a bridge takes nothing away: the same bridge holds all rules behind one.
#[tokio::test]
async fn the_bridge_in_python_holds_all_rules_behind_a_relay() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let launcher = "python3 tests/clients/exam/behind_relay.py";
    let program = env!("CARGO_BIN_EXE_switchboard");
    a_program_holds_all(
        format!("{launcher} {program} python3 examples/python/bridge.py"),
        &["--path", "/relay/exam/:scope_id"],
        RULES_FOR_BRIDGES,
    )
    .await;
}

#[tokio::test]
async fn the_bridge_in_node_holds_all_rules() {
    if let Err(why) = run(Command::new("node").arg("--version")) {
        return skipped(&why, "install Node 20 or newer");
    }
    a_bridge_holds_all("node examples/node/bridge.mjs").await;
}

#[tokio::test]
async fn the_bridge_in_php_holds_all_rules() {
    if let Err(why) = run(Command::new("php").arg("--version")) {
        return skipped(&why, "apt-get install php-cli");
    }
    a_bridge_holds_all("php examples/php/bridge.php").await;
}

/// A program that is made for one rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RuleProgram {
    profile: &'static str,
    /// The number of the rule.
    number: u64,
    path: PathBuf,
}

/// The planted programs, each with one mistake: `b09.py` is a bridge, `a45.py` is a bot, `b42_late.py` another bridge of its rule.
fn planted() -> Vec<RuleProgram> {
    programs_in("exam/planted")
}

fn programs_in(folder: &str) -> Vec<RuleProgram> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    // Those without a number are what the others change.
    let program = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.strip_suffix(".py")?;
        let (profile, number) = match name.split_at_checked(1)? {
            ("b", number) => ("bridge", number),
            ("a", number) => ("bot", number),
            _ => return None,
        };
        let number = number.split('_').next()?.parse().ok()?;
        Some(RuleProgram {
            profile,
            number,
            path,
        })
    };
    let mut programs: Vec<_> = files.filter_map(program).collect();
    programs.sort();
    programs
}

/// The number of planted programs that a run examines, unless `PLANTED` says otherwise; the seed chooses them.
const PLANTED: u64 = 10;

/// A rule that holds was able to fail: for each of them, in each role, there is a program with one mistake.
#[tokio::test]
async fn each_rule_has_a_planted_program() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let _turn = turn().await;
    let planted = planted();
    for (profile, waivers) in [
        // Number 5 has no wrong answer.
        ("bridge", &["--waive", "5=it has no wrong answer"][..]),
        ("bot", &[][..]),
    ] {
        let of_profile = planted.iter().filter(|it| it.profile == profile);
        let mut rules: Vec<u64> = of_profile.map(|it| it.number).collect();
        rules.dedup();
        let flags = [&["--profile", profile][..], waivers].concat();
        let (document, _) = exam("python3 -c pass", &flags);
        assert_eq!(rules_with(&document, "not_tried"), rules);
    }
}

/// Returns the report of a program of which its rule has another verdict than this.
fn misjudged(program: &RuleProgram, verdict: &str) -> Option<String> {
    let command = format!("python3 {}", program.path.display());
    let number = program.number.to_string();
    let flags = ["--profile", program.profile, "--only", &number];
    let (document, output) = exam(&command, &flags);
    let code = i32::from(verdict == "breaks");
    let is_right = rules_with(&document, verdict) == [program.number];
    let report = String::from_utf8_lossy(&output.stdout);
    (!is_right || output.status.code() != Some(code)).then(|| format!("{command}:\n{report}"))
}

/// Programs that hold a rule in another way than those that are models.
#[tokio::test]
async fn programs_that_are_right_in_another_way_hold_their_rules() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let _turn = turn().await;
    let right = programs_in("exam/right");
    assert_eq!(right.len(), 4);
    let task = tokio::task::spawn_blocking(move || -> Vec<String> {
        let reports = right.iter().filter_map(|it| misjudged(it, "holds"));
        reports.collect()
    });
    let reports = task.await.unwrap();
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

/// A messenger without a key against duplicates: a message whose answer was lost comes again.
#[tokio::test]
async fn a_repeat_after_a_lost_answer_is_remarked_upon() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let _turn = turn().await;
    let (document, output) = exam("python3 exam/right/b42.py", &["--only", "42"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(rules_with(&document, "holds"), [42], "{text}");
    let remark = document["rules"][0]["remark"].as_str().unwrap_or_default();
    assert!(
        remark.starts_with("1 of 10 messages came to the customer twice"),
        "{text}"
    );
}

#[tokio::test]
async fn planted_programs_break_their_rules() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let _turn = turn().await;
    let mut random = Random::of_this_run();
    let mut planted = planted();
    let mut sample = Vec::new();
    while !planted.is_empty() && sample.len() < count(times("PLANTED", PLANTED)) {
        let index = random.below(u64::try_from(planted.len()).unwrap());
        sample.push(planted.swap_remove(count(index)));
    }
    let mut unseen_mistakes = Vec::new();
    for some in sample.chunks(PLANTED_AT_ONCE) {
        let programs = some.iter().cloned();
        let exams = programs
            .map(|program| tokio::task::spawn_blocking(move || misjudged(&program, "breaks")));
        for exam in exams.collect::<Vec<_>>() {
            unseen_mistakes.extend(exam.await.unwrap());
        }
    }
    assert!(unseen_mistakes.is_empty(), "{}", unseen_mistakes.join("\n"));
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap()
}
