//! The result as a picture for a page, which needs nothing else.

use switchboard_worlds::dev::xml::escaped;

use crate::report::{EXAM_VERSION, Tally};
use crate::role::Profile;
use crate::run::{RuleReport, rules};

/// The width of a character, and the space beside a text, in pixels.
const CHARACTER: usize = 7;
const MARGIN: usize = 6;

const GREEN: &str = "#0a5c2a";
const RED: &str = "#a30000";
const GREY: &str = "#4a4a4a";

/// The result as an SVG image: the version of the exam, the profile, the date, and the rules that hold of those that were
/// tried. It is green only when each rule of the profile holds.
#[must_use]
pub fn badge(profile: Profile, date: &str, reports: &[RuleReport]) -> String {
    let tally = Tally::count(reports);
    let count = rules().filter(|rule| rule.is_in(profile)).count();
    let label = format!("exam {EXAM_VERSION} · {profile} · {date}");
    let result = result(tally, count);
    let colour = if tally.breaks > 0 {
        RED
    } else if tally.holds == count {
        GREEN
    } else {
        GREY
    };
    let (left, right) = (width(&label), width(&result));
    let (label, result) = (escaped(&label), escaped(&result));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"20\" role=\"img\" aria-label=\"{label}: {result}\">\n\
         <title>{label}: {result}</title>\n\
         <rect width=\"{left}\" height=\"20\" fill=\"#24292f\"/><rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/>\n\
         <g fill=\"#fff\" font-family=\"Verdana,sans-serif\" font-size=\"11\">\n{1}{2}</g>\n</svg>\n",
        left + right,
        text(&label, 0, left),
        text(&result, left, right),
    )
}

/// The rules that hold of those that were tried; those of the profile that were not tried are named.
fn result(tally: Tally, count: usize) -> String {
    let tried = tally.holds + tally.breaks + tally.warns;
    let untried = count.saturating_sub(tried + tally.waived);
    let mut words = format!("{} of {tried} hold", tally.holds);
    for (number, word) in [(untried, "not tried"), (tally.waived, "waived")] {
        if number > 0 {
            words.push_str(&format!(", {number} {word}"));
        }
    }
    words
}

fn width(text: &str) -> usize {
    text.chars().count() * CHARACTER + 2 * MARGIN
}

/// A text in a box. Its length is set, so that it fits the box in each font.
fn text(escaped_text: &str, x: usize, width: usize) -> String {
    format!(
        "<text x=\"{}\" y=\"14\" textLength=\"{}\">{escaped_text}</text>\n",
        x + MARGIN,
        width - 2 * MARGIN
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::verdict::Verdict;

    /// A report of the rules of the profile, the verdict of each by its place.
    fn reports(profile: Profile, verdict: impl Fn(usize) -> Option<Verdict>) -> Vec<RuleReport> {
        let of_profile = rules().filter(|rule| rule.is_in(profile));
        let report = |(place, rule): (usize, &crate::rule::Rule)| {
            Some(RuleReport {
                rule: *rule,
                verdict: verdict(place)?,
                took: Duration::ZERO,
                evidence: None,
            })
        };
        of_profile.enumerate().filter_map(report).collect()
    }

    #[test]
    fn a_badge_is_an_image_that_needs_nothing_else() {
        let reports = reports(Profile::Bot, |_| Some(Verdict::holds()));
        let expected = r##"<svg xmlns="http://www.w3.org/2000/svg" width="290" height="20" role="img" aria-label="exam 1 · bot · 2026-11-28: 15 of 15 hold">
<title>exam 1 · bot · 2026-11-28: 15 of 15 hold</title>
<rect width="187" height="20" fill="#24292f"/><rect x="187" width="103" height="20" fill="#0a5c2a"/>
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">
<text x="6" y="14" textLength="175">exam 1 · bot · 2026-11-28</text>
<text x="193" y="14" textLength="91">15 of 15 hold</text>
</g>
</svg>
"##;
        assert_eq!(badge(Profile::Bot, "2026-11-28", &reports), expected);
    }

    #[test]
    fn a_badge_says_no_more_than_was_tried() {
        let why = String::new;
        for (words, colour, verdicts) in [
            ("15 of 15 hold", GREEN, vec![]),
            (
                "14 of 15 hold",
                RED,
                vec![Some(Verdict::Breaks { why: why() })],
            ),
            (
                "14 of 15 hold",
                GREY,
                vec![Some(Verdict::Warns { why: why() })],
            ),
            (
                "14 of 14 hold, 1 not tried",
                GREY,
                vec![Some(Verdict::NotTried { why: why() })],
            ),
            (
                "14 of 14 hold, 1 waived",
                GREY,
                vec![Some(Verdict::Waived { reason: why() })],
            ),
            // The caller has chosen other rules.
            ("13 of 13 hold, 2 not tried", GREY, vec![None, None]),
            ("0 of 0 hold, 15 not tried", GREY, vec![None; 15]),
        ] {
            let verdict = |place: usize| {
                let exception = verdicts.get(place).cloned();
                exception.unwrap_or_else(|| Some(Verdict::holds()))
            };
            let image = badge(Profile::Bot, "2026-11-28", &reports(Profile::Bot, verdict));
            assert!(image.contains(&format!(": {words}</title>")), "{image}");
            assert!(image.contains(&format!("fill=\"{colour}\"")), "{image}");
        }
    }

    #[test]
    fn each_text_is_escaped() {
        let image = badge(Profile::Bridge, "<\"&'>", &[]);
        assert!(image.contains("&lt;&quot;&amp;"), "{image}");
        assert!(!image.contains("<\"&"), "{image}");
    }
}
