//! The configuration before anybody asks what it means: values, each with where it came from.
//!
//! The file makes the tree; the environment and the flags then put their values over it, so that
//! everything after this step reads one tree and never asks which source spoke.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use toml::de::{DeTable, DeValue};

use super::problem::{ConfigError, SourceLine};
use super::variable::{self, PREFIX, SEPARATOR};

pub(super) type Table = BTreeMap<String, ConfigNode>;

/// A value and its source.
#[derive(Clone, Debug)]
pub(super) struct ConfigNode {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Text; from a variable or a flag it may stand for any scalar or list.
    Text(String),
    Whole(i64),
    Switch(bool),
    List(Vec<ConfigNode>),
    Table(Table),
    /// A number with a fraction, a date, a number too large: as written. No setting takes these.
    Foreign(String),
}

impl Value {
    /// The text; `None` for any other kind.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Whole(_) | Self::Switch(_) | Self::List(_) | Self::Table(_) => None,
            Self::Foreign(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// A line of the configuration file, from 1.
    Line(usize),
    /// A variable's name as it was written.
    Variable(String),
    /// A flag of the command line.
    Flag(&'static str),
}

impl Origin {
    /// The line of the file, or the name of the variable or the flag.
    pub(super) fn line(&self) -> Result<usize, &str> {
        match self {
            Self::Line(line) => Ok(*line),
            Self::Variable(name) => Err(name),
            Self::Flag(flag) => Err(flag),
        }
    }
}

/// The tree of a TOML text, or what is wrong with its syntax.
pub(super) fn from_toml(text: &str, file: &str) -> Result<Table, Vec<ConfigError>> {
    let lines = Lines::new(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(lines.table(table.get_ref()));
    }
    let tell = |error: &toml::de::Error| ConfigError {
        code: "syntax",
        headline: error.message().replace('\n', ", "),
        place: Some(SourceLine {
            file: file.to_owned(),
            line: lines.at(error.span().map_or(0, |span| span.start)),
            excerpt: None,
        }),
        help: "the file is TOML: name = \"text\", name = 5, name = true, [section]".into(),
    };
    Err(errors.iter().take(20).map(tell).collect())
}

/// Turns offsets of a text into line numbers, and parsed values into nodes.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(offset, _)| offset).collect())
    }

    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|&end| end < offset) + 1
    }

    fn table(&self, table: &DeTable<'_>) -> Table {
        let node = |(key, value): (&toml::Spanned<_>, &toml::Spanned<_>)| {
            let name: &std::borrow::Cow<'_, str> = key.get_ref();
            let node = self.node(value.get_ref(), key.span().start);
            (name.clone().into_owned(), node)
        };
        table.iter().map(node).collect()
    }

    fn node(&self, value: &DeValue<'_>, offset: usize) -> ConfigNode {
        let value = match value {
            DeValue::String(text) => Value::Text(text.clone().into_owned()),
            DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
                .map_or_else(|_| Value::Foreign(digits.to_string()), Value::Whole),
            DeValue::Boolean(on) => Value::Switch(*on),
            DeValue::Float(digits) => Value::Foreign(digits.as_str().to_owned()),
            DeValue::Datetime(moment) => Value::Foreign(moment.to_string()),
            DeValue::Array(items) => Value::List(
                items
                    .iter()
                    .map(|item| self.node(item.get_ref(), item.span().start))
                    .collect(),
            ),
            DeValue::Table(table) => Value::Table(self.table(table)),
        };
        ConfigNode {
            value,
            origin: Origin::Line(self.at(offset)),
        }
    }
}

/// Puts the variables over the tree.
pub(super) fn put_environment(
    root: &mut Table,
    env: &BTreeMap<String, String>,
    problems: &mut Vec<ConfigError>,
) {
    for variable in variable::ours(env, problems) {
        let name = variable.name;
        let steps: Vec<&str> = variable.path.split(SEPARATOR).collect();
        let node = ConfigNode {
            value: Value::Text(variable.text),
            origin: Origin::Variable(name.to_owned()),
        };
        if let Err((headline, help)) = put(root, &steps, node) {
            problems.push(ConfigError {
                code: "bad-variable",
                headline: format!("{name}: {headline}"),
                place: None,
                help,
            });
        }
    }
}

/// Puts one flag over the tree.
pub(super) fn put_flag(
    root: &mut Table,
    section: &str,
    key: &str,
    flag: &'static str,
    text: String,
) {
    let origin = Origin::Flag(flag);
    let table = root
        .entry(section.to_owned())
        .or_insert_with(|| ConfigNode {
            value: Value::Table(Table::new()),
            origin: origin.clone(),
        });
    if let Value::Table(table) = &mut table.value {
        let value = Value::Text(text);
        table.insert(key.to_owned(), ConfigNode { value, origin });
    }
}

fn put(table: &mut Table, steps: &[&str], node: ConfigNode) -> Result<(), (String, String)> {
    match steps {
        [] => Ok(()),
        [key] => match table.entry((*key).to_owned()) {
            Entry::Vacant(place) => {
                place.insert(node);
                Ok(())
            }
            Entry::Occupied(mut place) => match &place.get().origin {
                Origin::Variable(other) => Err((
                    format!("{other} sets the same key"),
                    "keep one of the two; case is ignored".into(),
                )),
                Origin::Line(_) | Origin::Flag(_) => {
                    place.insert(node);
                    Ok(())
                }
            },
        },
        [key, rest @ ..] => {
            let child = table
                .entry((*key).to_owned())
                .or_insert_with(|| ConfigNode {
                    value: Value::Table(Table::new()),
                    origin: node.origin.clone(),
                });
            match &mut child.value {
                Value::Table(table) => put(table, rest, node),
                Value::List(items) => put_in_list(items, key, rest, node),
                Value::Text(_) | Value::Whole(_) | Value::Switch(_) | Value::Foreign(_) => Err((
                    format!("`{key}` is no section"),
                    format!("name a section and a key: {PREFIX}SERVER{SEPARATOR}LISTEN"),
                )),
            }
        }
    }
}

fn put_in_list(
    items: &mut [ConfigNode],
    key: &str,
    steps: &[&str],
    node: ConfigNode,
) -> Result<(), (String, String)> {
    let declared = items.len();
    let wrong = || {
        (
            format!("the file declares {declared} of `{key}`, counted from 0"),
            format!(
                "declare it in the file; a variable then changes a key of it, as in {PREFIX}CHANNELS{SEPARATOR}0{SEPARATOR}SECRET"
            ),
        )
    };
    let [index, rest @ ..] = steps else {
        return Err(wrong());
    };
    let index = index.parse::<usize>().ok();
    match index
        .and_then(|index| items.get_mut(index))
        .map(|item| &mut item.value)
    {
        Some(Value::Table(table)) if !rest.is_empty() => put(table, rest, node),
        Some(_) | None => Err(wrong()),
    }
}
