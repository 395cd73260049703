//! `switchboard serve`: from flags to settings. What is done with them is not the command line's.

use std::path::PathBuf;

use clap::Args;

use super::output::{CliError, say};
use crate::config::load::SettingsSource;
use crate::config::program::command;
use crate::config::{Overrides, Settings};
use crate::config_file::{self, CONFIG_FILE};
use crate::ready_file::ReadyFile;
use crate::serve::options::ServeOptions;
use crate::variables;

const EXAMPLES: &str = "Examples:
  switchboard serve --config /etc/switchboard.toml --data-dir /var/lib/switchboard
  switchboard serve --listen 127.0.0.1:0 --ephemeral --ready-file ready.json";

/// Run the service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ServeArgs {
    /// The configuration [default: config.toml, else the one in /etc/switchboard]
    #[arg(long, value_name = "FILE", env = variables::CONFIG)]
    pub(super) config: Option<PathBuf>,
    /// The address to listen on, as in 127.0.0.1:8080; port 0 selects a free port [server.listen]
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) listen: Option<String>,
    /// The data directory [store.path]
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<String>,
    /// Keep nothing when the service ends
    #[arg(long, conflicts_with = "data_dir")]
    pub(super) ephemeral: bool,
    /// Write JSON with the real address and the ids to this file once the service is ready; at the start and at a stop the
    /// service removes the file
    #[arg(long, value_name = "FILE")]
    pub(super) ready_file: Option<PathBuf>,
    /// Serve the web console from this directory (ui/dist), for its development
    #[arg(long, value_name = "DIR")]
    pub(super) ui_dir: Option<PathBuf>,
}

impl ServeArgs {
    /// The settings and options to run with.
    pub(super) fn prepare(self) -> Result<(Settings, ServeOptions), CliError> {
        // Before all that may fail: no failed start leaves the file of an earlier one.
        let ready_file = self.ready_file.as_deref().map(ReadyFile::begin).transpose();
        ready_file.map_err(|why| CliError::Failed(why.to_string()))?;
        let flags = Overrides {
            listen: self.listen,
            data_dir: self.data_dir,
        };
        let path = config_file::find(self.config.as_deref());
        if path.is_none() {
            say(&format!(
                "no {CONFIG_FILE} here: running with defaults; this writes one to begin with:  {}",
                command("init")
            ));
        }
        let source = SettingsSource {
            config: path,
            flags,
        };
        let settings = source.load()?;
        let options = ServeOptions {
            source,
            ephemeral: self.ephemeral,
            ready_file: self.ready_file,
            ui_dir: self.ui_dir,
            can_start_itself: true,
            dev: None,
        };
        Ok((settings, options))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::SHIPPED;

    #[test]
    fn flags_reach_the_settings_and_the_options() {
        let directory = tempfile::tempdir().unwrap();
        let config = directory.path().join("switchboard.toml");
        std::fs::write(&config, SHIPPED).unwrap();
        let args = ServeArgs {
            config: Some(config),
            listen: Some("127.0.0.1:0".into()),
            data_dir: Some("elsewhere".into()),
            ephemeral: false,
            ready_file: Some("ready.json".into()),
            ui_dir: Some("ui/dist".into()),
        };
        let (settings, options) = args.prepare().unwrap();
        assert_eq!(settings.server.listen.port, 0);
        assert_eq!(settings.store.path, Path::new("elsewhere"));
        assert_eq!(settings.channels.len(), 1);
        assert_eq!(options.ready_file.as_deref(), Some(Path::new("ready.json")));
        assert_eq!(options.ui_dir.as_deref(), Some(Path::new("ui/dist")));
    }
}
