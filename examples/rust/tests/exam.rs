//! The bridge holds all rules of the exam, which a test in Rust calls as a library.

use switchboard_exam::examinee::Examinee;
use switchboard_exam::report::{Tally, headline, lines};
use switchboard_exam::run::{ExamOptions, run};

#[test]
fn the_bridge_holds_all_rules() {
    let bridge = Examinee::from_command_line(env!("CARGO_BIN_EXE_switchboard-bridge")).unwrap();
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
