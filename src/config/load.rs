//! From the three sources to the settings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::archive::{archive, is_store_variable};
use super::declaration::Declared as _;
use super::declared::{Declarations, accounts, channels, oauth_clients};
use super::effective::Setting;
use super::exposure::Published;
use super::file::read_file;
use super::problem::ConfigErrors;
use super::reader::Reader;
use super::relays::relays;
use super::section::Section;
use super::shared_log::shared_log;
use super::tree;
use super::variable::PREFIX;
use super::{Operator, Overrides, SHIPPED, Server, Settings};

/// The sources that the settings of a service are read from, besides the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsSource {
    /// The configuration; none if the service runs with defaults.
    pub config: Option<PathBuf>,
    /// The flags of the command line.
    pub flags: Overrides,
}

impl SettingsSource {
    /// Reads the settings as they are now.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn load(&self) -> Result<Settings, ConfigErrors> {
        Settings::load(self.config.as_deref(), &environment(), self.flags.clone())
    }
}

impl Settings {
    /// Reads the settings from a file (none: built-in defaults), the environment and flags.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn load(
        path: Option<&Path>,
        env: &BTreeMap<String, String>,
        flags: Overrides,
    ) -> Result<Self, ConfigErrors> {
        Self::load_with_origins(path, env, flags).map(|(settings, _)| settings)
    }

    /// As [`Self::load`], with where each value comes from.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn load_with_origins(
        path: Option<&Path>,
        env: &BTreeMap<String, String>,
        flags: Overrides,
    ) -> Result<(Self, Vec<Setting>), ConfigErrors> {
        let Some(path) = path else {
            return Self::parse_with_origins("", "config.toml", env, flags);
        };
        let file = path.display().to_string();
        let text = read_file(path, &file)?;
        Self::parse_with_origins(&text, &file, env, flags)
    }

    /// As [`Self::load`], of a text; `file` is its name in what is reported.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn parse(
        text: &str,
        file: &str,
        env: &BTreeMap<String, String>,
        flags: Overrides,
    ) -> Result<Self, ConfigErrors> {
        Self::parse_with_origins(text, file, env, flags).map(|(settings, _)| settings)
    }

    /// As [`Self::load_with_origins`], of a text.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn parse_with_origins(
        text: &str,
        file: &str,
        env: &BTreeMap<String, String>,
        flags: Overrides,
    ) -> Result<(Self, Vec<Setting>), ConfigErrors> {
        let (settings, mut reader) = interpret(text, file, env, flags)?;
        let origins = std::mem::take(&mut reader.settings);
        let problems = reader.finish();
        if problems.is_empty() {
            Ok((settings, origins))
        } else {
            Err(ConfigErrors::new(problems))
        }
    }
}

/// The variables that may be ours, from the process's environment.
#[must_use]
pub fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let ours = name.starts_with(PREFIX) || is_store_variable(&name);
            ours.then(|| (name, value.to_string_lossy().into_owned()))
        })
        .collect()
}

/// Every key there is, as in `channels.secret`.
#[must_use]
pub fn keys() -> BTreeSet<String> {
    let (env, flags) = (BTreeMap::new(), Overrides::default());
    let read = interpret(SHIPPED, "config.toml", &env, flags);
    read.map(|(_, reader)| &reader.known - &reader.tables)
        .unwrap_or_default()
}

/// The settings, with defaults for values that are wrong, and the reader that knows of those.
fn interpret(
    text: &str,
    file: &str,
    env: &BTreeMap<String, String>,
    flags: Overrides,
) -> Result<(Settings, Reader), ConfigErrors> {
    let mut table = tree::from_toml(text, file).map_err(ConfigErrors::new)?;
    let mut problems = Vec::new();
    tree::put_environment(&mut table, env, &mut problems);
    if let Some(listen) = flags.listen {
        tree::put_flag(&mut table, "server", "listen", "--listen", listen);
    }
    if let Some(data_dir) = flags.data_dir {
        tree::put_flag(&mut table, "store", "path", "--data-dir", data_dir);
    }
    let mut reader = Reader::new(file.to_owned(), problems);
    let mut root = Section::root(table);
    let mut exposure = Published::default();
    let mut declarations = Declarations::default();
    let server: Server = reader.declared(&mut root);
    let limits = reader.declared(&mut root);
    let store = reader.declared(&mut root);
    let archive = archive(&mut reader, &mut root, env);
    let shared_log = shared_log(&mut reader, &mut root, archive.to.is_some());
    let operator = operator(&mut reader, &mut root, &mut declarations, &mut exposure);
    let actors = reader.declared(&mut root);
    let requests = reader.declared(&mut root);
    let media = reader.declared(&mut root);
    let retention = reader.declared(&mut root);
    let dispatch = reader.declared(&mut root);
    let account_quotas = reader.declared(&mut root);
    let log = reader.declared(&mut root);
    let accounts = accounts(&mut reader, &mut root, &mut declarations, &mut exposure);
    let channels = channels(&mut reader, &mut root, &mut declarations, &mut exposure);
    let oauth_clients = oauth_clients(
        &mut reader,
        &mut root,
        &channels,
        &mut declarations,
        &mut exposure,
    );
    let relays = relays(&mut reader, &mut root, &channels, &mut exposure);
    reader.close(root);
    exposure.guard(&mut reader, &server.listen);
    let settings = Settings {
        server,
        limits,
        store,
        archive,
        shared_log,
        operator,
        actors,
        requests,
        media,
        retention,
        dispatch,
        account_quotas,
        log,
        accounts,
        channels,
        oauth_clients,
        relays,
    };
    Ok((settings, reader))
}

/// Reads the section `[operator]`.
fn operator(
    reader: &mut Reader,
    root: &mut Section,
    seen: &mut Declarations,
    published: &mut Published,
) -> Operator {
    let mut section = reader.section(root, Operator::DECLARATION.name);
    let origin = published.note(&section, "token");
    let operator = Operator::read(reader, &mut section);
    if let (Some(token), Some(origin)) = (&operator.token, origin) {
        seen.token(reader, token, "operator.token", &origin);
    }
    reader.close(section);
    operator
}
