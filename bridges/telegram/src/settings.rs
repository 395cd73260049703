//! The settings of the bridge. All that is wrong with them is said at once.

mod keys;
mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use switchboard_bridge_core::settings::{JOBS_MAX, Settings as CoreSettings};
use switchboard_telegram::api::{ApiSettings, Token};
use thiserror::Error;
use url::Url;

use self::keys::{
    ACCOUNT, CHANNEL, CLIENT, CLIENT_SECRET, CODE, DIRECTORY, FILE_URL, FORMAT, Key, LINK_DAYS,
    LISTEN, PORT, PUBLIC_URL, RATE, REDIRECT, SECRET, SECRET_NEXT, SERVICE_URL, TAG, TELEGRAM_URL,
    TEST_NETWORK, TOKEN, TOKEN_FILE,
};
use self::source::Source;
use crate::cli::Flags;
use crate::exam::{EXAM_DIRECTORY, ExamSettings, is_loopback};

/// The settings of the demo: those of a start without a file.
pub(crate) const SHIPPED: &str = include_str!("../telegram.toml");
/// The file of settings in the current directory.
const FILE: &str = "telegram.toml";
/// The name of the connection, as account users see it.
const TITLE: &str = "Telegram";

/// The settings.
pub(crate) struct Settings {
    /// The part of the token that is secret, for the filter of the log.
    pub(crate) secret: String,
    token: Token,
    telegram_url: String,
    /// The address of files, when it is another one.
    file_url: Option<String>,
    is_test: bool,
    pub(crate) public_url: String,
    /// Empty: no lead is marked.
    pub(crate) blocked_tag: String,
    pub(crate) file_link_days: u32,
    pub(crate) log_format: LogFormat,
    pub(crate) core: CoreSettings,
    /// The settings of the exam that tries the bridge; `None` at work.
    pub(crate) exam: Option<ExamSettings>,
    /// The sentence for people that says which settings these are.
    pub(crate) origin: String,
}

/// The forms of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// All that is wrong with the settings.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) struct SettingsError {
    pub(crate) problems: Vec<String>,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the settings are wrong:")?;
        self.problems
            .iter()
            .try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl Settings {
    /// The way to the Bot API.
    pub(crate) fn api(&self) -> ApiSettings {
        ApiSettings {
            token: self.token.clone(),
            url: self.telegram_url.clone(),
            file_url: self.file_url.clone(),
            is_test: self.is_test,
        }
    }

    /// Reads the settings of this process.
    ///
    /// # Errors
    /// When any is wrong; it names all of them.
    pub(crate) fn read(flags: &Flags) -> Result<Self, SettingsError> {
        let usual = || Some(PathBuf::from(FILE)).filter(|path| path.exists());
        let path = flags.config.clone().or_else(usual);
        let environment: BTreeMap<String, String> = env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let (text, origin) = match &path {
            None => (
                SHIPPED.to_owned(),
                "the shipped settings, which are those of the demo".to_owned(),
            ),
            Some(path) => (
                read_file(path)?,
                format!("the settings of {}", path.display()),
            ),
        };
        Self::parse(&text, environment, flags, origin)
    }

    /// Reads the text of a file with an environment and flags.
    pub(crate) fn parse(
        text: &str,
        mut environment: BTreeMap<String, String>,
        flags: &Flags,
        origin: String,
    ) -> Result<Self, SettingsError> {
        let exam = ExamSettings::take(&mut environment);
        let file = text.parse().map_err(|error: toml::de::Error| {
            // The error itself shows the line, which may have a secret.
            let start = error.span().map_or(0, |span| span.start);
            let before = text.bytes().take(start);
            let line = before.filter(|byte| *byte == b'\n').count() + 1;
            SettingsError {
                problems: vec![format!(
                    "{origin}: line {line} is no TOML: {}",
                    error.message()
                )],
            }
        })?;
        let mut source = Source {
            file,
            environment,
            flags: by_variable(flags),
            problems: Vec::new(),
        };
        source.check_names();
        let settings = build(&mut source, origin, exam);
        let problems = source.problems;
        match settings {
            Some(settings) if problems.is_empty() => Ok(settings),
            Some(_) | None => Err(SettingsError { problems }),
        }
    }
}

fn read_file(path: &Path) -> Result<String, SettingsError> {
    fs::read_to_string(path).map_err(|error| SettingsError {
        problems: vec![format!(
            "--config: the file {} is not read: {error}",
            path.display()
        )],
    })
}

/// The values of flags, by the variables of their settings.
fn by_variable(flags: &Flags) -> BTreeMap<&'static str, String> {
    let rows = [
        (LISTEN, &flags.listen),
        (PUBLIC_URL, &flags.public_url),
        (DIRECTORY, &flags.directory),
        (SERVICE_URL, &flags.service_url),
        (TELEGRAM_URL, &flags.telegram_url),
        (FORMAT, &flags.log_format),
    ];
    let values = rows.into_iter();
    values
        .filter_map(|(key, value)| Some((key.variable, value.clone()?)))
        .collect()
}

/// Builds the settings; without a token there are none.
fn build(source: &mut Source, origin: String, exam: Option<ExamSettings>) -> Option<Settings> {
    let log_format = match source.text(&FORMAT).as_deref() {
        None | Some("text") => LogFormat::Text,
        Some("json") => LogFormat::Json,
        Some(_) => {
            source.refuse(&FORMAT, "it is «text» or «json»");
            LogFormat::Text
        }
    };
    let text = token_text(source);
    let token = text.as_deref().and_then(|text| token(source, text));
    let (telegram_url, public_url) = (address(source, &TELEGRAM_URL), address(source, &PUBLIC_URL));
    let has_file_url = source.text(&FILE_URL).is_some_and(|text| !text.is_empty());
    let file_url = has_file_url.then(|| address(source, &FILE_URL));
    if exam.is_some() && !is_loopback(&telegram_url) {
        source.refuse(&TELEGRAM_URL, &format!("{EXAM_DIRECTORY} is set, and the exam makes customers write, which only a double of Telegram on this machine lets it do. Name its address, such as http://127.0.0.1:8081, or unset that variable"));
    }
    let exam = exam.map(|exam| ExamSettings {
        url: telegram_url.clone(),
        ..exam
    });
    let file_link_days = number(source, &LINK_DAYS, 7, 365);
    let core = core(source);
    let secret = text.as_deref().and_then(|text| text.split_once(':'));
    Some(Settings {
        secret: secret
            .map(|(_, secret)| secret.trim().to_owned())
            .unwrap_or_default(),
        token: token?,
        telegram_url,
        file_url,
        is_test: flag(source, &TEST_NETWORK),
        public_url,
        blocked_tag: source.text(&TAG).unwrap_or_default(),
        file_link_days,
        log_format,
        core,
        exam,
        origin,
    })
}

fn core(source: &mut Source) -> CoreSettings {
    let secrets = [Some(source.required(&SECRET)), source.text(&SECRET_NEXT)];
    let (account_id, channel_id) = (source.required(&ACCOUNT), source.required(&CHANNEL));
    let state_directory = source.environment.get("STATE_DIRECTORY").cloned();
    let directory = source.text(&DIRECTORY).filter(|text| !text.is_empty());
    CoreSettings {
        listen: listen(source),
        url: address(source, &SERVICE_URL),
        scope_id: format!("{channel_id}_{account_id}"),
        account_id,
        channel_id,
        secrets: secrets
            .into_iter()
            .flatten()
            .filter(|it| !it.is_empty())
            .collect(),
        client_id: source.text(&CLIENT).unwrap_or_default(),
        client_secret: source.text(&CLIENT_SECRET).unwrap_or_default(),
        redirect_uri: source.text(&REDIRECT).unwrap_or_default(),
        code: source.text(&CODE),
        directory: directory
            .or(state_directory)
            .unwrap_or_else(|| ".".to_owned())
            .into(),
        connect: true,
        title: TITLE.to_owned(),
        requests_per_second: usize::try_from(number(source, &RATE, 7, 1_000)).unwrap_or(7),
        jobs_max: JOBS_MAX,
    }
}

/// The text of the token, from the variable or a file.
fn token_text(source: &mut Source) -> Option<String> {
    let count = source.problems.len();
    let by_variable = source.text(&TOKEN);
    let path = source.text(&TOKEN_FILE).filter(|path| !path.is_empty());
    let text = match (by_variable, path) {
        (Some(text), _) => Some(text),
        (None, Some(path)) => source.secret_file(&TOKEN_FILE, Path::new(&path)),
        (None, None) => None,
    };
    if text.is_none() && source.problems.len() == count {
        source.refuse(&TOKEN, "the token of the bot is missing: @BotFather of Telegram gives it. Set the variable, or name a file that has it in telegram.token_file");
    }
    text
}

fn token(source: &mut Source, text: &str) -> Option<Token> {
    match Token::parse(text) {
        Ok(token) => Some(token),
        Err(error) => {
            source.refuse(&TOKEN, &error.to_string());
            None
        }
    }
}

/// An address of HTTP, without a slash at its end.
fn address(source: &mut Source, key: &Key) -> String {
    let text = source.required(key);
    let is_right = Url::parse(&text).is_ok_and(|url| {
        let has_scheme = matches!(url.scheme(), "http" | "https");
        let is_bare = url.query().is_none() && url.fragment().is_none();
        has_scheme && is_bare && url.has_host() && url.username().is_empty()
    });
    if !is_right && !text.is_empty() {
        source.refuse(key, "it is no address of HTTP, such as http://127.0.0.1:8080, without a name, a query or a fragment");
    }
    text.trim_end_matches('/').to_owned()
}

/// A flag, which is false without a value.
fn flag(source: &mut Source, key: &Key) -> bool {
    match source.text(key).as_deref() {
        None | Some("" | "false") => false,
        Some("true") => true,
        Some(_) => {
            source.refuse(key, "it is true or false");
            false
        }
    }
}

fn number(source: &mut Source, key: &Key, default: u32, max: u32) -> u32 {
    let Some(text) = source.text(key) else {
        return default;
    };
    match text.parse() {
        Ok(number) if (1..=max).contains(&number) => number,
        Ok(_) | Err(_) => {
            source.refuse(key, &format!("it is a whole number from 1 to {max}"));
            default
        }
    }
}

fn listen(source: &mut Source) -> SocketAddr {
    let text = source.required(&LISTEN);
    let mut address: SocketAddr = text.parse().unwrap_or_else(|_| {
        if !text.is_empty() {
            source.refuse(
                &LISTEN,
                "it is no IP address with a port, such as 127.0.0.1:9001",
            );
        }
        SocketAddr::from(([127, 0, 0, 1], 9_001))
    });
    if let Some(port) = source.environment.get(PORT.variable).cloned()
        && !source.flags.contains_key(LISTEN.variable)
    {
        match port.parse() {
            Ok(port) => address.set_port(port),
            Err(_) => source.refuse(&PORT, "it is no number of a port"),
        }
    }
    address
}
