//! Reads the tree key by key, and remembers which keys were requested and what was wrong.
//!
//! A key is known because the code requests it: there is no second list to keep in step. Keys that were never requested
//! are reported at the end, with the known key that each resembles.

use std::collections::BTreeSet;

use super::effective::{SECRET, Setting, Shown, as_written};
use super::kinds::{Choice, ValueError};
use super::problem::{ConfigError, LineExcerpt, SourceLine};
use super::section::{Section, variable};
use super::shown::{shorten, show};
use super::tree::{ConfigNode, Origin, Value};
use switchboard_actors::domain::text::nearest::nearest;

/// The state of the reading: the problems, and the settings that count.
pub(super) struct Reader {
    file: String,
    pub(super) problems: Vec<ConfigError>,
    /// Every key and table asked for, as in `channels.secret`.
    pub(super) known: BTreeSet<String>,
    /// The known paths that are tables.
    pub(super) tables: BTreeSet<String>,
    unknown: Vec<Unknown>,
    /// The settings that count, in the order in which they were read.
    pub(super) settings: Vec<Setting>,
}

struct Unknown {
    /// The section as a person writes it, as in `channels[0].`
    path: String,
    /// The section without indexes, as in `channels.`
    pattern: String,
    key: String,
    origin: Origin,
}

impl Reader {
    pub(super) fn new(file: String, problems: Vec<ConfigError>) -> Self {
        Self {
            file,
            problems,
            known: BTreeSet::new(),
            tables: BTreeSet::new(),
            unknown: Vec::new(),
            settings: Vec::new(),
        }
    }

    /// The tables of the list `[[key]]`, each as a section.
    pub(super) fn list(&mut self, parent: &mut Section, key: &str) -> Vec<Section> {
        let (path, pattern) = self.know_table(parent, key);
        let help = format!("begin each of them with a line  [[{pattern}]]");
        let items = match parent.table.remove(key) {
            None => return Vec::new(),
            Some(ConfigNode {
                value: Value::List(items),
                ..
            }) => items,
            Some(ConfigNode { origin, .. }) => {
                let headline = format!("`{path}` is not a list of tables");
                self.problem("bad-value", &headline, &origin, help);
                return Vec::new();
            }
        };
        let sections = items.into_iter().enumerate().map(|(index, item)| {
            let section = Section::empty(format!("{path}[{index}]"), pattern.clone());
            self.fill(section, item, "is not a table", &help)
        });
        sections.flatten().collect()
    }

    /// The keys of tables of the list `[[key]]`, which are known though there is no such table.
    pub(super) fn know(&mut self, pattern: &str, keys: impl Iterator<Item = &'static str>) {
        self.tables.insert(pattern.to_owned());
        self.known
            .extend(keys.map(|key| format!("{pattern}.{key}")));
    }

    /// The section `[key]`; empty when it is not there.
    pub(super) fn section(&mut self, parent: &mut Section, key: &str) -> Section {
        let (path, pattern) = self.know_table(parent, key);
        let help = format!("begin it with a line  [{pattern}]");
        let empty = || Section::empty(path.clone(), pattern.clone());
        let node = parent.table.remove(key);
        let section = node.and_then(|node| self.fill(empty(), node, "is not a section", &help));
        section.unwrap_or_else(empty)
    }

    /// The names of a table, which is known from now on.
    fn know_table(&mut self, parent: &Section, key: &str) -> (String, String) {
        let (path, pattern) = parent.names(key);
        self.known.insert(pattern.clone());
        self.tables.insert(pattern.clone());
        (path, pattern)
    }

    /// The section with a table in it; `None` when the node is no table, which is then reported.
    fn fill(
        &mut self,
        section: Section,
        node: ConfigNode,
        why: &str,
        help: &str,
    ) -> Option<Section> {
        let origin = node.origin;
        if let Value::Table(table) = node.value {
            return Some(Section {
                table,
                origin: Some(origin),
                ..section
            });
        }
        let headline = format!("`{}` {why}", section.path);
        self.problem("bad-value", &headline, &origin, help.to_owned());
        None
    }

    /// The value of a key that may be left out; `None` also when it is wrong, which is then reported.
    pub(super) fn optional<T>(
        &mut self,
        section: &mut Section,
        key: &str,
        parse: impl FnOnce(&ConfigNode) -> Result<T, ValueError>,
    ) -> Option<T> {
        self.usually(section, key, serde_json::Value::Null, parse)
    }

    /// As [`Self::optional`]; `usual` is shown as what counts when the key is left out.
    pub(super) fn usually<T>(
        &mut self,
        section: &mut Section,
        key: &str,
        usual: serde_json::Value,
        parse: impl FnOnce(&ConfigNode) -> Result<T, ValueError>,
    ) -> Option<T> {
        let (node, value) = self.taken(section, key, parse);
        let value_in_file = node.as_ref().map_or(usual, as_written);
        self.counts(section, key, node.as_ref(), value_in_file);
        value
    }

    /// The value of a key that has a form without a value.
    pub(super) fn choice<T>(
        &mut self,
        section: &mut Section,
        key: &str,
        form: Choice<impl FnOnce(&ConfigNode) -> Result<T, ValueError>>,
    ) -> Option<T> {
        let Choice { unset, parse } = form;
        let value = self.usually(section, key, unset.into(), |node| {
            let word = node.value.as_text();
            if word.is_some() && word == unset {
                return Ok(None);
            }
            parse(node).map(Some)
        });
        value.flatten()
    }

    /// The value of a key that has a default; the default also when it is wrong, which is then reported.
    pub(super) fn or<T: Shown>(
        &mut self,
        section: &mut Section,
        key: &str,
        default: T,
        parse: impl FnOnce(&ConfigNode) -> Result<T, ValueError>,
    ) -> T {
        let (node, value) = self.taken(section, key, parse);
        let value = value.unwrap_or(default);
        self.counts(section, key, node.as_ref(), value.shown());
        value
    }

    /// Takes a key out of a section, and reports a wrong value.
    fn taken<T>(
        &mut self,
        section: &mut Section,
        key: &str,
        parse: impl FnOnce(&ConfigNode) -> Result<T, ValueError>,
    ) -> (Option<ConfigNode>, Option<T>) {
        let (path, pattern) = section.names(key);
        self.known.insert(pattern);
        let Some(node) = section.table.remove(key) else {
            return (None, None);
        };
        match parse(&node) {
            Ok(value) => (Some(node), Some(value)),
            Err(wrong) => {
                self.bad_value(&path, key, &node, wrong);
                (Some(node), None)
            }
        }
    }

    /// Remembers what counts.
    fn counts(
        &mut self,
        section: &Section,
        key: &str,
        node: Option<&ConfigNode>,
        value: serde_json::Value,
    ) {
        let (path, _) = section.names(key);
        let setting = Setting::new(path, key, node, value);
        self.settings.push(setting);
    }

    /// The value of a key that must be there.
    pub(super) fn required<T>(
        &mut self,
        section: &mut Section,
        key: &str,
        example: &str,
        parse: impl FnOnce(&ConfigNode) -> Result<T, ValueError>,
    ) -> Option<T> {
        if !section.table.contains_key(key) {
            let (path, pattern) = section.names(key);
            self.known.insert(pattern);
            let origin = section.origin.clone().unwrap_or(Origin::Line(1));
            let help = format!("add a line  {key} = {example}");
            self.problem(
                "missing-key",
                &format!("`{path}` is missing"),
                &origin,
                help,
            );
            return None;
        }
        self.optional(section, key, parse)
    }

    /// Reports every key that is left in the section as unknown, with a similar key that is known by then.
    pub(super) fn close(&mut self, section: Section) {
        let (path, pattern) = section.names("");
        for (key, node) in section.table {
            self.unknown.push(Unknown {
                path: path.clone(),
                pattern: pattern.clone(),
                key,
                origin: node.origin,
            });
        }
    }

    /// All problems, in the order of the file, then those from elsewhere.
    pub(super) fn finish(mut self) -> Vec<ConfigError> {
        for unknown in std::mem::take(&mut self.unknown) {
            let problem = self.unknown_key(&unknown);
            self.problems.push(problem);
        }
        let line = |problem: &ConfigError| {
            problem
                .place
                .as_ref()
                .map_or(usize::MAX, |place| place.line)
        };
        self.problems.sort_by_key(line);
        self.problems
    }

    /// A problem with a whole table or with something between tables.
    pub(super) fn problem(
        &mut self,
        code: &'static str,
        headline: &str,
        origin: &Origin,
        help: String,
    ) {
        let (headline, place) = match origin.line() {
            Ok(line) => (headline.to_owned(), Some(self.place(line, None))),
            Err(source) => (format!("{source}: {headline}"), None),
        };
        self.problems.push(ConfigError {
            code,
            headline,
            place,
            help,
        });
    }

    fn place(&self, line: usize, excerpt: Option<LineExcerpt>) -> SourceLine {
        SourceLine {
            file: self.file.clone(),
            line,
            excerpt,
        }
    }

    fn bad_value(&mut self, path: &str, key: &str, node: &ConfigNode, wrong: ValueError) {
        let ValueError { why, help } = wrong;
        let value = (!SECRET.contains(&key)).then(|| show(key, &node.value));
        let (headline, place) = match node.origin.line() {
            Ok(line) => {
                let excerpt = value.map(|value| LineExcerpt {
                    before: format!("{key} = "),
                    marked: value,
                    label: String::new(),
                });
                (format!("`{path}` {why}"), Some(self.place(line, excerpt)))
            }
            Err(source) => {
                let value = value.map_or_else(String::new, |value| format!(" = {value}"));
                (format!("{source}{value} {why}"), None)
            }
        };
        self.problems.push(ConfigError {
            code: "bad-value",
            headline,
            place,
            help,
        });
    }

    fn unknown_key(&self, unknown: &Unknown) -> ConfigError {
        let Unknown {
            path,
            pattern,
            key,
            origin,
        } = unknown;
        let siblings: Vec<&str> = self
            .known
            .iter()
            .filter_map(|name| name.strip_prefix(pattern.as_str()))
            .filter(|name| !name.contains('.'))
            .collect();
        let elsewhere = || {
            let ending = format!(".{key}");
            self.known.iter().find(|name| name.ends_with(&ending))
        };
        let meant = nearest(key, siblings.iter().copied())
            .map(|near| (near.to_owned(), format!("{path}{near}")))
            .or_else(|| elsewhere().map(|name| (name.clone(), name.clone())));
        let help = if pattern.is_empty() {
            format!("sections: {}", siblings.join(", "))
        } else {
            format!("keys here: {}", siblings.join(", "))
        };
        let (headline, place) = match origin {
            Origin::Line(line) => {
                let label = match &meant {
                    Some((near, _)) => format!("did you mean `{near}`?"),
                    None => "nothing like it is known".to_owned(),
                };
                let excerpt = LineExcerpt {
                    before: String::new(),
                    marked: shorten(key),
                    label,
                };
                let headline = format!("unknown key `{path}{}`", shorten(key));
                (headline, Some(self.place(*line, Some(excerpt))))
            }
            Origin::Variable(name) => {
                let headline = match &meant {
                    Some((_, near)) => {
                        format!("unknown variable {name}, did you mean {}?", variable(near))
                    }
                    None => format!("unknown variable {name}"),
                };
                (headline, None)
            }
            Origin::Flag(flag) => (format!("unknown key of {flag}"), None),
        };
        ConfigError {
            code: "unknown-key",
            headline,
            place,
            help,
        }
    }
}
