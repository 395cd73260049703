//! The configuration: settings within their ranges, or problems that each name what they are about.

use std::collections::BTreeMap;

use switchboard::config::{Overrides, Settings};

/// Reads the bytes as `config.toml`.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let parse = || Settings::parse(text, "config.toml", &BTreeMap::new(), Overrides::default());
    match parse() {
        Ok(settings) => {
            within_ranges(&settings);
            assert_eq!(parse().unwrap(), settings);
        }
        Err(errors) => {
            assert!(errors.count() > 0, "refused without a reason");
            // A problem begins a line. Its message quotes the file, which may have the same words.
            let report = format!("\n{errors}");
            let problems = report.split("\nerror[config/").skip(1);
            assert!(problems.clone().count() >= errors.count(), "{report}");
            let lines = text.split('\n').count();
            for place in report.split("\n  --> config.toml:").skip(1) {
                let line = place.split('\n').next().unwrap().parse::<usize>();
                assert!((1..=lines).contains(&line.unwrap()), "{report}");
            }
            for problem in problems {
                // A key in back quotes, a line, or both.
                let names = problem.contains('`') || problem.contains("--> config.toml:");
                assert!(names, "it names neither key nor line: {problem}");
                assert!(problem.contains("\n  help: "), "no help: {problem}");
            }
        }
    }
}

fn within_ranges(settings: &Settings) {
    let server = &settings.server;
    assert!((1..=64).contains(&server.workers));
    assert!((1_024..=16_777_216).contains(&server.body_limit_bytes));
    assert!(settings.limits.connections_max >= 1);
    assert!(settings.store.segment_bytes >= 1 << 20);
    assert!(!settings.store.path.as_os_str().is_empty());
    let dispatch = &settings.dispatch;
    assert!((1..=30).contains(&dispatch.timeout.as_secs()));
    assert!(dispatch.attempts_max >= 1 && dispatch.in_flight_max >= 1);
    let ids: Vec<_> = settings.channels.iter().map(|it| &it.id).collect();
    assert!(
        ids.iter()
            .enumerate()
            .all(|(at, id)| !ids[..at].contains(id))
    );
}
