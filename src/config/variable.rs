//! The variables of the environment that set a key: `SWITCHBOARD_SECTION__KEY` has the value itself,
//! `SWITCHBOARD_SECTION__KEY_FILE` names a file with it, as secret stores of supervisors and containers hand them out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};

use super::problem::ConfigError;

/// The beginning of every variable of this program.
pub(super) const PREFIX: &str = "SWITCHBOARD_";
/// The separator between section and key in the name of a variable.
pub(super) const SEPARATOR: &str = "__";
/// The end of the name of a variable whose value is the path of a file with the setting.
const FILE_SUFFIX: &str = "_file";
/// No value is longer; a device or a log given by mistake is not read to its end.
const FILE_BYTES_MAX: u64 = 64 << 10;

/// A key that the environment sets.
pub(super) struct Variable<'e> {
    /// Its name as it was written.
    pub(super) name: &'e str,
    /// The key, in lower case, with its sections: `operator__token`.
    pub(super) path: String,
    /// The value, or the content of the file that it names.
    pub(super) text: String,
}

/// The variables that set a key. Only names with our prefix and a separator are ours to judge.
pub(super) fn ours<'e>(
    env: &'e BTreeMap<String, String>,
    problems: &mut Vec<ConfigError>,
) -> Vec<Variable<'e>> {
    let mut variables = Vec::new();
    for (name, text) in env {
        let Some(path) = name.strip_prefix(PREFIX).filter(|p| p.contains(SEPARATOR)) else {
            continue;
        };
        let path = path.to_lowercase();
        match path.strip_suffix(FILE_SUFFIX) {
            None => variables.push(Variable {
                name,
                text: text.clone(),
                path,
            }),
            Some(key) => match read(text) {
                Ok(text) => variables.push(Variable {
                    name,
                    path: key.to_owned(),
                    text,
                }),
                Err(error) => problems.push(unreadable(name, text, &error)),
            },
        }
    }
    variables
}

/// The text of a file, without the line end that editors put behind it.
pub(super) fn read(path: &str) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?
        .take(FILE_BYTES_MAX + 1)
        .read_to_string(&mut text)?;
    if u64::try_from(read).is_ok_and(|read| read > FILE_BYTES_MAX) {
        return Err(io::Error::other("it is larger than 64 KiB"));
    }
    let end = text.trim_end_matches(['\r', '\n']).len();
    text.truncate(end);
    Ok(text)
}

/// A variable that names a file which cannot be read.
pub(super) fn unreadable(name: &str, path: &str, error: &io::Error) -> ConfigError {
    ConfigError {
        code: "unreadable",
        headline: format!("{name}: cannot read «{path}»: {error}"),
        place: None,
        help: "name a text file with the value alone, which the service may read".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, text: &str) -> Result<(String, String), String> {
        let env = BTreeMap::from([(name.to_owned(), text.to_owned())]);
        let mut problems = Vec::new();
        match ours(&env, &mut problems).pop() {
            Some(variable) => Ok((variable.path, variable.text)),
            None => Err(problems.pop().unwrap().headline),
        }
    }

    #[test]
    fn a_variable_may_name_a_file_with_its_value() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("token");
        for (written, read) in [("s3cret\n", "s3cret"), ("a b\r\n", "a b"), ("", "")] {
            std::fs::write(&file, written).unwrap();
            let setting = told("SWITCHBOARD_OPERATOR__TOKEN_FILE", file.to_str().unwrap());
            assert_eq!(setting, Ok(("operator__token".to_owned(), read.to_owned())));
        }
        let direct = told("SWITCHBOARD_Operator__Token", "s3cret\n");
        assert_eq!(
            direct,
            Ok(("operator__token".to_owned(), "s3cret\n".to_owned()))
        );
    }

    #[test]
    fn an_unreadable_file_of_a_variable_is_a_problem() {
        let directory = tempfile::tempdir().unwrap();
        let large = directory.path().join("large");
        std::fs::write(&large, vec![b'x'; 70 << 10]).unwrap();
        let binary = directory.path().join("binary");
        std::fs::write(&binary, [0xff, 0xfe]).unwrap();
        let missing = directory.path().join("missing");
        for (path, why) in [
            (&large, "larger than 64 KiB"),
            (&binary, "UTF-8"),
            (&missing, "No such file"),
        ] {
            let path = path.to_str().unwrap();
            let error = told("SWITCHBOARD_OPERATOR__TOKEN_FILE", path).unwrap_err();
            assert!(error.starts_with("SWITCHBOARD_OPERATOR__TOKEN_FILE: cannot read «"));
            assert!(error.contains(why), "{error}");
        }
    }
}
