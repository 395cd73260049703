//! The answers to «does it work»: `/health` for programs, and the page for people. Neither has a secret.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::status::Bot;

/// The state of the bridge at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) bot: Option<Bot>,
    /// The sentences about what keeps the bridge from its work.
    pub(crate) problems: Vec<String>,
    /// True once the service has connected the account to the channel.
    pub(crate) is_connected: bool,
    /// True while the bridge has tokens of the account.
    pub(crate) is_installed: bool,
    /// The address where an administrator installs the bridge; empty without an OAuth client.
    pub(crate) consent_url: String,
    pub(crate) waiting: u64,
    pub(crate) oldest_seconds: u64,
}

impl Report {
    pub(crate) fn is_healthy(&self) -> bool {
        self.problems.is_empty()
    }

    /// The sentences about what would be better, though messages go both ways.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.is_installed && !self.consent_url.is_empty() {
            notes.push(format!(
                "the bridge is not installed in the account, so contacts of new customers keep the names of their messages, and leads of \
                 customers who blocked the bot are not marked. An administrator opens {} and agrees",
                self.consent_url
            ));
        }
        if self.bot.as_ref().is_some_and(|bot| !bot.reads_groups) {
            notes.push(
                "in groups the bot gets only commands and answers to it: /setprivacy of @BotFather changes that".to_owned(),
            );
        }
        notes
    }

    /// The document of `/health`.
    pub(crate) fn json(&self) -> Value {
        json!({
            "status": if self.is_healthy() { "ok" } else { "fails" },
            "bot": self.bot.as_ref().map(|bot| format!("@{}", bot.username)),
            "connected": self.is_connected,
            "installed": self.is_installed,
            "problems": self.problems,
            "notes": self.notes(),
            "waiting_jobs": self.waiting,
            "oldest_job_seconds": self.oldest_seconds,
        })
    }

    /// The page.
    pub(crate) fn html(&self) -> String {
        let bot = match &self.bot {
            Some(bot) => format!(
                "<a href=\"https://t.me/{0}\">@{0}</a>",
                escaped(&bot.username)
            ),
            None => "not known yet".to_owned(),
        };
        let headline = if self.is_healthy() {
            "The bridge works."
        } else {
            "The bridge needs help."
        };
        let mut text = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Telegram bridge</title>\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>{STYLE}</style></head><body><main>\
             <h1>Telegram bridge</h1><p class=\"{}\">{headline}</p><dl>",
            if self.is_healthy() { "good" } else { "bad" }
        );
        let waiting = match self.waiting {
            0 => "none".to_owned(),
            count => format!("{count}, the oldest for {} s", self.oldest_seconds),
        };
        let installed = match (self.is_installed, self.consent_url.as_str()) {
            (true, _) => "yes".to_owned(),
            (false, "") => "no: the settings name no OAuth client".to_owned(),
            (false, url) => format!(
                "no: <a href=\"{}\">install it</a> as an administrator",
                escaped(url)
            ),
        };
        let rows = [
            ("Bot", bot),
            (
                "Connected to the account",
                yes_or_no(self.is_connected).to_owned(),
            ),
            ("Installed in the account", installed),
            ("Waiting jobs", waiting),
            ("Version", env!("CARGO_PKG_VERSION").to_owned()),
        ];
        for (name, value) in rows {
            // A text takes whatever is written.
            write!(text, "<dt>{name}</dt><dd>{value}</dd>").unwrap_or_default();
        }
        text.push_str("</dl>");
        add_list(&mut text, "Problems", &self.problems);
        add_list(&mut text, "Notes", &self.notes());
        text.push_str("<p><a href=\"/health\">health</a> · <a href=\"/metrics\">metrics</a></p></main></body></html>");
        text
    }
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f6f7f9;color:#1d2330}\
    main{max-width:42rem;margin:3rem auto;padding:2rem;background:#fff;border:1px solid #dde1e8;border-radius:.75rem}\
    h1{margin-top:0}dt{color:#5b6474}dd{margin:0 0 .75rem}.good{color:#11703c;font-weight:600}.bad{color:#a8201a;font-weight:600}\
    a{color:#2456c9}";

fn yes_or_no(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

fn add_list(text: &mut String, title: &str, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    text.push_str(&format!("<h2>{title}</h2><ul>"));
    for sentence in sentences {
        text.push_str(&format!("<li>{}</li>", escaped(sentence)));
    }
    text.push_str("</ul>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        Report {
            bot: Some(Bot {
                id: 42,
                username: "shop_bot".to_owned(),
                reads_groups: true,
            }),
            is_connected: true,
            consent_url: "http://127.0.0.1:8080/oauth?client_id=c&state=s".to_owned(),
            ..Report::default()
        }
    }

    #[test]
    fn the_page_leads_to_the_consent_until_it_is_given() {
        let page = report().html();
        assert!(
            page.contains("href=\"http://127.0.0.1:8080/oauth?client_id=c&amp;state=s\""),
            "{page}"
        );
        let installed = Report {
            is_installed: true,
            ..report()
        };
        assert!(!installed.html().contains("/oauth?"));
    }

    #[test]
    fn a_sentence_of_the_page_is_no_markup() {
        let report = Report {
            problems: vec!["<script>\"&".to_owned()],
            ..report()
        };
        let page = report.html();
        assert!(page.contains("&lt;script&gt;&quot;&amp;"), "{page}");
        assert_eq!(report.json()["status"], "fails");
    }
}
