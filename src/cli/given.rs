//! Values that a flag or a variable of the environment gives, with the one that gave them: a refusal names it.

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use clap::builder::TypedValueParser;
use clap::error::{Error, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, Command};

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A flag, as in `--token`.
    Flag(String),
    /// A variable of the environment.
    Variable(String),
    /// A line of the configuration, as in `operator.token`.
    Configuration(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => f.write_str(flag),
            Self::Variable(name) => write!(f, "the variable {name}"),
            Self::Configuration(line) => write!(f, "{line} of the configuration"),
        }
    }
}

/// A value with its source.
#[derive(Clone, Debug)]
pub(super) struct Given<T> {
    pub(super) value: T,
    pub(super) source: Source,
}

impl<T> Given<T> {
    /// A value of the configuration.
    pub(super) fn configured(line: &str, value: T) -> Self {
        Self {
            value,
            source: Source::Configuration(line.to_owned()),
        }
    }

    /// Returns whether a flag gave the value.
    pub(super) const fn is_flag(&self) -> bool {
        matches!(self.source, Source::Flag(_))
    }
}

/// Parses a value that may be shown in an error.
pub(super) fn given<T>(parse: impl Parse<T>) -> GivenParser<T> {
    GivenParser {
        parse: Arc::new(parse),
        is_secret: false,
    }
}

/// Parses a value that no error shows.
pub(super) fn given_secret<T>(parse: impl Parse<T>) -> GivenParser<T> {
    GivenParser {
        parse: Arc::new(parse),
        is_secret: true,
    }
}

/// Parses the text of a value; the error says what to write.
pub(super) trait Parse<T>: Fn(&str) -> Result<T, String> + Send + Sync + 'static {}

impl<T, F: Fn(&str) -> Result<T, String> + Send + Sync + 'static> Parse<T> for F {}

/// The parser of a value with its source.
pub(super) struct GivenParser<T> {
    parse: Arc<dyn Parse<T>>,
    is_secret: bool,
}

impl<T> Clone for GivenParser<T> {
    fn clone(&self) -> Self {
        Self {
            parse: Arc::clone(&self.parse),
            is_secret: self.is_secret,
        }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for GivenParser<T> {
    type Value = Given<T>;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        self.parse_ref_(command, arg, value, ValueSource::CommandLine)
    }

    fn parse_ref_(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
        source: ValueSource,
    ) -> Result<Self::Value, Error> {
        let source = source_of(arg, source);
        let wrong = |shown: &str, why: &str| {
            let message = format!("invalid value{shown} for {source}: {why}\n");
            Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        };
        let Some(text) = value.to_str() else {
            return Err(wrong("", "it is not UTF-8"));
        };
        let quotation = if self.is_secret {
            String::new()
        } else {
            format!(" «{text}»")
        };
        let value = (self.parse)(text).map_err(|why| wrong(&quotation, &why))?;
        Ok(Given { value, source })
    }
}

fn source_of(arg: Option<&Arg>, source: ValueSource) -> Source {
    let variable = arg.and_then(Arg::get_env).and_then(OsStr::to_str);
    match (variable, source) {
        (Some(name), ValueSource::EnvVariable) => Source::Variable(name.to_owned()),
        _ => {
            let flag = arg.and_then(Arg::get_long).unwrap_or("argument");
            Source::Flag(format!("--{flag}"))
        }
    }
}

/// Parses by `FromStr`.
pub(super) fn parsed<T>(text: &str) -> Result<T, String>
where
    T: std::str::FromStr<Err: fmt::Display>,
{
    text.parse().map_err(|why: T::Err| why.to_string())
}
