//! The sources of settings: flags, over the environment, over the file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::keys::{FILE_KEYS, Key, TEST_NETWORK, TOKEN, names};

/// The longest file of a secret.
const SECRET_FILE_MAX: usize = 4_096;

/// The sources, and the problems that were met.
pub(crate) struct Source {
    pub(crate) file: Table,
    pub(crate) environment: BTreeMap<String, String>,
    /// The values of flags, by the variables of their settings.
    pub(crate) flags: BTreeMap<&'static str, String>,
    pub(crate) problems: Vec<String>,
}

impl Source {
    /// Notes a problem of a setting.
    pub(crate) fn refuse(&mut self, key: &Key, why: &str) {
        let Key {
            section,
            name,
            variable,
        } = key;
        self.problems
            .push(format!("{section}.{name} ({variable}): {why}"));
    }

    /// Returns the text of a setting. An empty variable counts as none.
    pub(crate) fn text(&mut self, key: &Key) -> Option<String> {
        let flag = self.flags.get(key.variable).cloned();
        flag.or_else(|| self.variable(key))
            .or_else(|| self.file_text(key))
    }

    /// Returns the text of a setting that has to be there; without it, a problem is noted.
    pub(crate) fn required(&mut self, key: &Key) -> String {
        let text = self.text(key).unwrap_or_default();
        if text.is_empty() {
            self.refuse(key, "it is missing");
        }
        text
    }

    fn variable(&mut self, key: &Key) -> Option<String> {
        let value = self.environment.get(key.variable);
        if let Some(text) = value.filter(|text| !text.is_empty()) {
            return Some(text.clone());
        }
        let path = self.environment.get(&format!("{}_FILE", key.variable))?;
        if path.is_empty() {
            return None;
        }
        let secret = read_secret(Path::new(path));
        self.accepted(key, secret)
    }

    /// Returns the content of a file that a setting names, without the line end.
    pub(crate) fn secret_file(&mut self, key: &Key, path: &Path) -> Option<String> {
        let secret = read_secret(path);
        self.accepted(key, secret)
    }

    fn accepted(&mut self, key: &Key, secret: Result<String, String>) -> Option<String> {
        match secret {
            Ok(text) => Some(text),
            Err(why) => {
                self.refuse(key, &why);
                None
            }
        }
    }

    fn file_text(&mut self, key: &Key) -> Option<String> {
        let value = self.file.get(key.section)?.get(key.name)?;
        match value {
            Value::String(text) => Some(text.clone()),
            Value::Integer(number) => Some(number.to_string()),
            Value::Boolean(flag) if *key == TEST_NETWORK => Some(flag.to_string()),
            Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_)
            | Value::Table(_) => {
                self.refuse(key, "it is no text and no whole number");
                None
            }
        }
    }

    /// Notes the names in the file that are no settings: a mistake in one would leave the default.
    pub(crate) fn check_names(&mut self) {
        let mut problems = Vec::new();
        for (section, value) in &self.file {
            let list = names(section);
            let Some(table) = value.as_table().filter(|_| !list.is_empty()) else {
                problems.push(format!(
                    "{section}: the file has the sections telegram, service, oauth, bridge and log"
                ));
                continue;
            };
            for name in table.keys() {
                let mut keys = FILE_KEYS.iter();
                if section == TOKEN.section && name == TOKEN.name {
                    let variable = TOKEN.variable;
                    problems.push(format!("{section}.{name}: the token is a secret. Put it into {variable}, or into a file that {section}.token_file names"));
                } else if !keys.any(|key| key.section == section && key.name == name) {
                    problems.push(format!(
                        "{section}.{name}: there is no such setting. The section has {list}"
                    ));
                }
            }
        }
        self.problems.extend(problems);
    }
}

/// Returns the text of a file with a secret.
fn read_secret(path: &Path) -> Result<String, String> {
    let place = path.display();
    let bytes = fs::read(path).map_err(|error| format!("the file {place} is not read: {error}"))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) if text.len() <= SECRET_FILE_MAX => text,
        Ok(_) | Err(_) => {
            return Err(format!(
                "the file {place} is no text of 4,096 bytes at most"
            ));
        }
    };
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(format!("the file {place} is empty"));
    }
    Ok(secret.to_owned())
}
