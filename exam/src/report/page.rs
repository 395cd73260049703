//! The page of a rule, in Markdown.

use crate::rule::{Profile, Rule};

/// The page of a rule: `docs/exam` has one for each.
#[must_use]
pub fn page(rule: &Rule) -> String {
    let Rule {
        number,
        title,
        stimulus,
        expectation,
        mistake,
        advice,
        ..
    } = rule;
    let programs: Vec<&str> = rule
        .profiles
        .iter()
        .map(|profile| plural(*profile))
        .collect();
    let sources: Vec<String> = rule.sources.iter().map(ToString::to_string).collect();
    format!(
        "# {number}. {title}\n\nA rule of the [exam](../exam.md) for {}.\n\n\
         **The exam does:** {stimulus}\n\n\
         **It expects:** {expectation}\n\n\
         **Source:** {}.\n\n\
         **The commonest mistake:** {mistake}\n\n\
         **What to do:** {advice}\n\n\
         Try this rule alone: `switchboard exam --command \"…\" --only {number}`\n",
        programs.join(" and "),
        sources.join("; "),
    )
}

fn plural(profile: Profile) -> &'static str {
    match profile {
        Profile::Bridge => "bridges",
        Profile::Bot => "bots",
    }
}
