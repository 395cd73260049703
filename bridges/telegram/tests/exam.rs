//! The bridge holds all rules of the exam, with the double as the messenger.

use switchboard_exam::examinee::Examinee;
use switchboard_exam::report::{headline, lines};
use switchboard_exam::run::{ExamOptions, RuleReport, run};
use switchboard_exam::verdict::Verdict;
use telegram_double::{Double, Rates};
use tokio::runtime::Builder;

/// The rules that kill the bridge at a moment of chance. Telegram has no key against duplicates: a text that it has taken and the
/// bridge has not recorded yet, some milliseconds later, is sent again. So they get other moments when they are broken.
const BY_CHANCE: [u8; 2] = [13, 42];
const ATTEMPTS: u64 = 6;

#[test]
fn the_bridge_holds_all_rules() {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    // The exam ends all that it has started with each rule, so the double lives here.
    let double = runtime.block_on(Double::start()).unwrap();
    // The exam expects 1,000 messages within a minute. The tests of the bridge have rates.
    runtime
        .block_on(double.orders().set_rates(&Rates::off()))
        .unwrap();
    let line = format!(
        "{} --telegram-url {}",
        env!("CARGO_BIN_EXE_switchboard-telegram"),
        double.url()
    );
    let bridge = Examinee::from_command_line(&line).unwrap();
    // Other tests run beside it.
    let mut options = ExamOptions {
        jobs: 4,
        ..ExamOptions::default()
    };
    for attempts_left in (0..ATTEMPTS).rev() {
        let reports = run(&bridge, &options, |_| {}).unwrap();
        let broken = reports.iter().filter(|it| !is_held(it));
        let numbers: Vec<u8> = broken.map(|it| it.rule.number).collect();
        if numbers.is_empty() {
            return;
        }
        let is_by_chance = numbers.iter().all(|number| BY_CHANCE.contains(number));
        let text = format!("{}\n{}", headline(&reports), lines(&reports).join("\n"));
        assert!(is_by_chance && attempts_left > 0, "{text}");
        options.only = numbers;
        options.seed += 1;
    }
}

fn is_held(report: &RuleReport) -> bool {
    matches!(report.verdict, Verdict::Holds { .. })
}
