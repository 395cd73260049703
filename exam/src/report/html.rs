//! The report as one page, which needs nothing else.

use std::fmt::Write as _;

use switchboard_worlds::dev::xml::escaped;

use crate::report::{EXAM_VERSION, headline, worst_first};
use crate::run::RuleReport;
use crate::verdict::Verdict;

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1a1a1a;background:#fff}
section{border-top:1px solid #767676;padding:.5rem 0}h2{font-size:1.1rem}
.breaks{color:#a30000}.warns{color:#7a4b00}.holds{color:#0a5c2a}.not-tried,.waived{color:#4a4a4a}
pre{background:#f3f3f3;padding:.5rem;overflow:auto;white-space:pre-wrap}code,dd,p{overflow-wrap:anywhere}dt{font-weight:600}dd{margin:0 0 .4rem}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}section{border-color:#8a8a8a}pre{background:#262626}
.breaks{color:#ff9a9a}.warns{color:#ffc56b}.holds{color:#7fd6a0}.not-tried,.waived{color:#c4c4c4}}";

/// The report as a page.
#[must_use]
pub fn html(program: &str, reports: &[RuleReport]) -> String {
    let headline = escaped(&headline(reports));
    let sections: String = worst_first(reports).into_iter().map(section).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Exam: {headline}</title>\n<style>{STYLE}</style></head>\n<body><main>\n<h1>{headline}</h1>\n\
         <p>Exam of <code>{}</code>, version {EXAM_VERSION} of the rules.</p>\n{sections}</main></body></html>\n",
        escaped(program)
    )
}

fn section(report: &RuleReport) -> String {
    let rule = &report.rule;
    let word = report.verdict.word();
    let mut page = format!(
        "<section id=\"rule-{0}\"><h2>{0}. {1}: <span class=\"{2}\">{word}</span></h2>\n",
        rule.number,
        escaped(rule.title),
        word.replace(' ', "-")
    );
    if let Some(sentence) = report.verdict.sentence() {
        paragraph(&mut page, sentence);
    }
    if !matches!(report.verdict, Verdict::Holds { .. }) {
        let sources: Vec<String> = rule.sources.iter().map(ToString::to_string).collect();
        page.push_str("<dl>");
        for (term, text) in [
            ("What the exam does", rule.stimulus),
            ("What it expects", rule.expectation),
            ("Source", &sources.join("; ")),
            ("The commonest mistake", rule.mistake),
            ("What to do", rule.advice),
        ] {
            // Writing to a text cannot fail.
            write!(page, "<dt>{term}</dt><dd>{}</dd>", escaped(text)).unwrap_or_default();
        }
        page.push_str("</dl>\n");
    }
    if let Some(evidence) = &report.evidence {
        block(
            &mut page,
            "Requests of the exam",
            &evidence.exchanges.join("\n\n"),
        );
        block(&mut page, "Journal", &evidence.journal);
        block(&mut page, "Output of the program", &evidence.output);
    }
    page.push_str("</section>\n");
    page
}

fn paragraph(page: &mut String, text: &str) {
    writeln!(page, "<p>{}</p>", escaped(text)).unwrap_or_default();
}

fn block(page: &mut String, title: &str, text: &str) {
    if !text.is_empty() {
        let (title, text) = (escaped(title), escaped(text));
        writeln!(
            page,
            "<details><summary>{title}</summary><pre tabindex=\"0\">{text}</pre></details>"
        )
        .unwrap_or_default();
    }
}
