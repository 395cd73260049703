//! The command by which a person calls this program. Texts that name a command are to be copied.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The name that is expected on the PATH.
pub const NAME: &str = "switchboard";
/// The command from a clone of the project.
pub const BY_CARGO: &str = "cargo run --";

/// The name of this program, for people elsewhere: they need not know where it lies.
#[must_use]
pub fn named() -> &'static str {
    let by_cargo = std::env::var_os("CARGO").is_some_and(|path| !path.is_empty());
    if by_cargo { BY_CARGO } else { NAME }
}

/// The command that started this program: `cargo run --` if Cargo started it, `switchboard` if the PATH finds it under
/// that name, else the path of the first argument.
#[must_use]
pub fn called() -> &'static str {
    static CALLED: LazyLock<String> = LazyLock::new(|| {
        if named() == BY_CARGO {
            return BY_CARGO.to_owned();
        }
        let this = std::env::current_exe().and_then(std::fs::canonicalize);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let first_argument = std::env::args_os().next().unwrap_or_default();
        from_shell(this.ok().as_deref(), &path, &first_argument)
    });
    &CALLED
}

/// This command of the program, as it is to be typed.
#[must_use]
pub fn command(words: &str) -> String {
    format!("{} {words}", called())
}

fn from_shell(this: Option<&Path>, path: &OsStr, given: &OsStr) -> String {
    let in_path = std::env::split_paths(path)
        .map(|folder| folder.join(NAME))
        .find(|file| file.is_file())
        .and_then(|file| std::fs::canonicalize(file).ok());
    let path = PathBuf::from(given);
    let is_path = path.components().count() > 1;
    if is_path && (in_path.is_none() || in_path.as_deref() != this) {
        return path.display().to_string();
    }
    NAME.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name is enough when `PATH` leads to this program and to no other.
    #[test]
    fn the_short_name_is_shown_if_the_path_finds_this_program() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [ours, other] = folders.each_ref().map(|folder| {
            let file = folder.path().join(NAME);
            std::fs::write(&file, "").unwrap();
            std::fs::canonicalize(file).unwrap()
        });
        let path = |folder: &Path| folder.parent().unwrap().as_os_str().to_owned();
        for (search, given, expected) in [
            (path(&ours), "/somewhere/switchboard", NAME),
            (path(&ours), NAME, NAME),
            (
                path(&other),
                "target/debug/switchboard",
                "target/debug/switchboard",
            ),
            ("/nowhere".into(), "./switchboard", "./switchboard"),
            ("/nowhere".into(), NAME, NAME),
        ] {
            let command = from_shell(Some(&ours), &search, OsStr::new(given));
            assert_eq!(command, expected, "{search:?} {given}");
        }
    }
}
