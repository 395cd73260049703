//! The place of the configuration: one order for all commands.

use std::path::{Path, PathBuf};

use crate::variables;

/// The file beside which a program is developed.
pub(crate) const CONFIG_FILE: &str = "config.toml";
/// The places that packages and images have it at.
const INSTALLED: [&str; 2] = [
    "etc/switchboard/switchboard.toml",
    "etc/switchboard/config.toml",
];

/// The configuration: the file that is named, else `config.toml` here, else the one of the installation; `None`: there is none.
pub(crate) fn find(named: Option<&Path>) -> Option<PathBuf> {
    find_below(named, Path::new(""), Path::new("/"))
}

/// The flag that lets commands find this configuration: none where they find it by themselves.
pub(crate) fn flag(config: Option<&Path>) -> String {
    let variable = std::env::var_os(variables::CONFIG).map(PathBuf::from);
    let by_itself = find(variable.as_deref());
    match config.filter(|file| by_itself.as_deref() != Some(*file)) {
        Some(file) => format!(" --config {}", file.display()),
        None => String::new(),
    }
}

fn find_below(named: Option<&Path>, here: &Path, root: &Path) -> Option<PathBuf> {
    if let Some(path) = named {
        return Some(path.to_owned());
    }
    let beside = here.join(CONFIG_FILE);
    let installed = INSTALLED.map(|path| root.join(path));
    std::iter::once(beside)
        .chain(installed)
        .find(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_configuration_counts() {
        let place = tempfile::tempdir().unwrap();
        let (here, root) = (place.path().join("here"), place.path().join("root"));
        let find_here = || find_below(None, &here, &root);
        assert_eq!(find_here(), None);
        let write = |path: PathBuf| {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            path
        };
        // That of the image, that of the package, that of the folder.
        for path in [
            root.join("etc/switchboard/config.toml"),
            root.join("etc/switchboard/switchboard.toml"),
            here.join("config.toml"),
        ] {
            let path = write(path);
            assert_eq!(find_here(), Some(path));
        }
        let other = Path::new("named.toml");
        assert_eq!(
            find_below(Some(other), &here, &root).as_deref(),
            Some(other)
        );
    }
}
