//! The configuration file: read as a whole, and not without end.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::problem::{ConfigError, ConfigErrors};

/// No configuration file is larger; a device or a log given by mistake is not read to its end.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Reads the configuration; `file` is its name in what is reported.
pub(super) fn read_file(path: &Path, file: &str) -> Result<String, ConfigErrors> {
    let unreadable = |why: String| {
        ConfigErrors::new(vec![ConfigError {
            code: "unreadable",
            headline: format!("cannot read {file}: {why}"),
            place: None,
            help: "name a TOML file that can be read:  --config FILE, and for the `config` command FILE alone".into(),
        }])
    };
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut text = String::new();
    match file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text) {
        Ok(bytes) if u64::try_from(bytes).is_ok_and(|bytes| bytes <= FILE_BYTES_MAX) => Ok(text),
        Ok(_) => Err(unreadable("it is larger than 1 MiB".into())),
        Err(error) => Err(unreadable(error.to_string())),
    }
}
