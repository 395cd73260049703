//! The bridge holds all rules of the exam, with the double as the messenger.

use switchboard_exam::examinee::Examinee;
use switchboard_exam::report::{Tally, headline, lines};
use switchboard_exam::run::{ExamOptions, run};
use telegram_double::{Double, Rates};
use tokio::runtime::Builder;

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
    let options = ExamOptions {
        // Other tests run beside it.
        jobs: 4,
        ..ExamOptions::default()
    };
    let reports = run(&bridge, &options, |_| {}).unwrap();
    let text = format!("{}\n{}", headline(&reports), lines(&reports).join("\n"));
    assert_eq!(
        Tally::count(&reports).holds,
        options.rules().count(),
        "{text}"
    );
}
