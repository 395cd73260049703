//! The page of a rule, in Markdown.

use crate::role::Role;
use crate::rule::Rule;

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
    let is_for_bridges = rule.roles.contains(&Role::Bridge);
    let profile = if is_for_bridges { "" } else { "--profile bot " };
    let sources: Vec<String> = rule.sources.iter().map(ToString::to_string).collect();
    format!(
        "# {number}. {title}\n\nA rule of the [exam](../exam.md), for {}.\n\n\
         **The exam does:** {stimulus}\n\n\
         **It expects:** {expectation}\n\n\
         **Source:** {}.\n\n\
         **The commonest mistake:** {mistake}\n\n\
         **What to do:** {advice}\n\n\
         Try this rule alone: `switchboard exam --command \"…\" {profile}--only {number}`\n",
        rule.audience(),
        sources.join("; "),
    )
}
