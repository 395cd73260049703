//! Options that follow from the fields of the domain, and the bodies that are made of them.

use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use serde_json::{Map, Value, json};
use switchboard_actors::domain::field::{Field, Given, HasFields, NONE, Shape, When, given_when};
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::channels::settings::ALL_ACCOUNTS;
use switchboard_actors::domain::words::WordError;

use super::output::CliError;
use super::table::{NOTHING, text};
use crate::config::program::command;

const ACCOUNT: &str = "account";
const EVERY_ACCOUNT: &str = "all-accounts";

/// The options for the fields of a new resource, or of an update. Required fields of a new resource are arguments
/// without a flag.
#[derive(Clone, Debug)]
pub(super) struct Options<T, const NEW: bool> {
    body: Map<String, Value>,
    of: PhantomData<T>,
}

impl<T, const NEW: bool> Options<T, NEW> {
    /// The body, with these fields too.
    pub(super) fn body<const N: usize>(&self, further: [(&str, Value); N]) -> Value {
        let mut body = self.body.clone();
        body.extend(named(further));
        Value::Object(body)
    }
}

impl<T> Options<T, false> {
    /// The body of an update by this command, which names at least one field.
    pub(super) fn change(&self, words: &str) -> Result<Value, CliError> {
        if self.body.is_empty() {
            return Err(CliError::Usage(format!(
                "nothing to change\n  help: give at least one option; see  {}",
                command(&format!("{words} --help"))
            )));
        }
        Ok(self.body([]))
    }
}

/// The fields of a body that have a value.
pub(super) fn named<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

impl<T: HasFields, const NEW: bool> Args for Options<T, NEW> {
    fn augment_args(command: Command) -> Command {
        let args = given_when::<T>(when(NEW)).flat_map(|field| args_of(field, NEW));
        args.fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: HasFields, const NEW: bool> FromArgMatches for Options<T, NEW> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let pair = |field: &Field| Some((field.name.to_owned(), given(matches, field)?));
        Ok(Self {
            body: given_when::<T>(when(NEW)).filter_map(pair).collect(),
            of: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn when(is_new: bool) -> When {
    if is_new { When::New } else { When::Update }
}

/// The option that a field has: `--admin` for `is_admin`, `--role` for `role_id`.
fn option_of(field: &Field) -> String {
    let adjective = field.name.strip_prefix("is_").unwrap_or(field.name);
    let option = adjective.strip_suffix("_id").unwrap_or(adjective);
    option.replace('_', "-")
}

fn args_of(field: &'static Field, is_new: bool) -> Vec<Arg> {
    if field.shape == Shape::Accounts {
        let one = Arg::new(ACCOUNT)
            .long(ACCOUNT)
            .value_name("ID")
            .value_parser(value_parser!(AccountId))
            .action(ArgAction::Append)
            .conflicts_with(EVERY_ACCOUNT)
            .help("An account that may be connected; several are named one by one");
        let all = Arg::new(EVERY_ACCOUNT)
            .long(EVERY_ACCOUNT)
            .action(ArgAction::SetTrue)
            .help("All accounts may be connected");
        return vec![one, all];
    }
    let bare = Arg::new(field.name)
        .help(help(field))
        .value_parser(parser(field));
    let arg = match field.shape {
        Shape::Address | Shape::Link => bare.value_name("URL"),
        Shape::Switch => bare
            .value_name("true|false")
            .num_args(0..=1)
            .default_missing_value("true"),
        Shape::Whole(..) | Shape::Number => bare.value_name("NUMBER"),
        Shape::Line(_) | Shape::Text | Shape::Words(_) | Shape::Accounts => {
            bare.value_name(field.name.to_uppercase())
        }
    };
    if is_new && field.is_needed() {
        vec![arg.required(true)]
    } else {
        vec![arg.long(option_of(field))]
    }
}

fn help(field: &Field) -> String {
    let says = field.description.trim_end_matches('.');
    if field.nullable {
        format!("{says}; «{}» {}", field.null_word, field.nothing)
    } else {
        says.to_owned()
    }
}

/// Parses one of the words of a set.
pub(super) fn one_of<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = WordError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word: String| word.parse())
}

fn parser(field: &'static Field) -> ValueParser {
    let choice = |words: Vec<&'static str>| {
        let words = PossibleValuesParser::new(words);
        words.try_map(|word: String| read(field, &word)).into()
    };
    match field.shape {
        Shape::Switch => choice(vec!["true", "false"]),
        Shape::Words(words) => {
            let nothing = field.nullable.then_some(field.null_word);
            choice(words.iter().copied().chain(nothing).collect())
        }
        Shape::Line(_) | Shape::Text | Shape::Address | Shape::Link | Shape::Accounts => {
            ValueParser::new(|text: &str| read(field, text))
        }
        Shape::Whole(..) | Shape::Number => ValueParser::new(|text: &str| read(field, text)),
    }
}

/// The value as a body holds it.
fn read(field: &Field, text: &str) -> Result<Value, String> {
    if field.nullable && text == field.null_word {
        return (field.read)(Given::Null);
    }
    let value = match field.shape {
        Shape::Line(_) | Shape::Text | Shape::Address | Shape::Link => Given::Text(text),
        Shape::Words(_) | Shape::Accounts => Given::Text(text),
        Shape::Switch => Given::Switch(text == "true"),
        Shape::Whole(least, most) => Given::Whole(
            text.parse()
                .map_err(|_not_whole| format!("write a whole number from {least} to {most}"))?,
        ),
        Shape::Number => Given::Whole(
            text.parse()
                .ok()
                .filter(|number| *number >= 1)
                .ok_or("write a whole number from 1")?,
        ),
    };
    (field.read)(value)
}

fn given(matches: &ArgMatches, field: &Field) -> Option<Value> {
    if field.shape != Shape::Accounts {
        return matches.get_one(field.name).cloned();
    }
    if matches.get_flag(EVERY_ACCOUNT) {
        return Some(json!([ALL_ACCOUNTS]));
    }
    let accounts: Vec<&AccountId> = matches.get_many(ACCOUNT)?.collect();
    Some(json!(accounts))
}

/// The fields in a response: a name and a text each.
pub(super) fn lines<T: HasFields>(answer: &Value) -> Vec<[String; 2]> {
    let line = |field: &Field| [field.name.replace('_', " "), shown(field, answer)];
    T::FIELDS.iter().map(line).collect()
}

fn shown(field: &Field, answer: &Value) -> String {
    match answer.get(field.name) {
        None | Some(Value::Null) => field.null_word.to_owned(),
        Some(Value::Bool(on)) => if *on { "yes" } else { "no" }.to_owned(),
        Some(Value::String(_)) => text(answer, field.name),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Array(items)) => {
            let items: Vec<_> = items.iter().filter_map(Value::as_str).collect();
            match items.as_slice() {
                [ALL_ACCOUNTS] => "all".to_owned(),
                [] => NONE.to_owned(),
                named => named.join(", "),
            }
        }
        Some(Value::Object(_)) => NOTHING.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use switchboard_actors::domain::installation::channels::settings::ChannelSettings;

    use super::*;

    fn body<const NEW: bool>(args: &[&str]) -> Result<Value, clap::Error> {
        let command = Options::<ChannelSettings, NEW>::augment_args(Command::new("x"));
        let matches = command.try_get_matches_from([&["x"], args].concat())?;
        let options = Options::<ChannelSettings, NEW>::from_arg_matches(&matches)?;
        Ok(options.body([]))
    }

    /// A value of a field, as it is given and as a body holds it.
    fn sample(field: &Field) -> (String, Value) {
        const ID: &str = "00000000-0000-4000-8000-000000000001";
        match field.shape {
            Shape::Line(_) | Shape::Text => ("N".to_owned(), json!("N")),
            Shape::Address => {
                let address = "https://e.com/:scope_id";
                (address.to_owned(), json!(address))
            }
            Shape::Link => {
                let address = "https://e.com/page#top";
                (address.to_owned(), json!(address))
            }
            Shape::Words(words) => (words[0].to_owned(), json!(words[0])),
            Shape::Switch => ("true".to_owned(), json!(true)),
            Shape::Whole(least, _) => (least.to_string(), json!(least)),
            Shape::Number => ("1".to_owned(), json!(1)),
            Shape::Accounts => (ID.to_owned(), json!([ID])),
        }
    }

    fn flag(field: &Field) -> String {
        if field.shape == Shape::Accounts {
            return format!("--{ACCOUNT}");
        }
        format!("--{}", option_of(field))
    }

    #[test]
    fn every_field_can_be_given_and_optional_ones_cleared() {
        Options::<ChannelSettings, false>::augment_args(Command::new("x")).debug_assert();
        for field in ChannelSettings::FIELDS {
            let (given, expected) = sample(field);
            let set = body::<false>(&[&flag(field), &given]).unwrap();
            assert_eq!(set, json!({ field.name: expected }));
            let cleared = body::<false>(&[&flag(field), field.null_word]);
            let emptied = cleared.ok().filter(|_| field.nullable);
            let null = json!({ field.name: null });
            assert_eq!(emptied, field.nullable.then_some(null));
        }
        let all = body::<true>(&["N", "--all-accounts"]).unwrap();
        assert_eq!(all, json!({ "name": "N", "accounts": ["*"] }));
        assert_eq!(body::<false>(&[]).unwrap(), json!({}));
    }

    #[test]
    fn invalid_values_are_refused_before_a_request_is_sent() {
        for (args, expected) in [
            (&["--name", ""][..], "1 to 255 characters"),
            (&["--webhook-v1", "nowhere"], "absolute address"),
            (&["--page", "https://user:p@e.com/"], "without user name"),
            (&["--kind", "icq"], "possible values: telegram, whatsapp"),
            (
                &["--generation", "2020"],
                "possible values: 2019, current, any",
            ),
            (&["--timeout-seconds", "31"], "from 1 to 30"),
            (&["--timeout-seconds", "x"], "from 1 to 30"),
            (
                &["--typing-callbacks", "yes"],
                "possible values: true, false",
            ),
            (&["--account", "x"], "a UUID"),
        ] {
            let error = body::<false>(args).unwrap_err().to_string();
            assert!(error.contains(expected), "{args:?}: {error}");
        }
        let error = body::<true>(&[]).unwrap_err().to_string();
        assert!(error.contains("<NAME>"), "{error}");
    }
}
