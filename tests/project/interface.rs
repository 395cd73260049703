//! The public interface of the libraries, as it is committed: each change of it shows in a diff.
//!
//! `tests/data/interface` has a file for each library, with a line for each item that a program can name: what `pub mod`
//! and `pub use` lead to from `lib.rs`, also where it is declared in a private module. The files show all features, without
//! what is for tests of the library alone and what the documentation hides. Types stand there as they are written, so a type
//! that keeps its name and becomes another one does not show. Nor do values of constants, and types that no path leads to.
//!
//! Many items are declared by macros of this project. The reader applies their rules, as the compiler does, so a new variant
//! in `words!` shows like any other. A macro of another project that declares something public stands there as it is called.

mod difference;
mod expand;
mod impls;
mod lines;
mod modules;
mod names;
mod pattern;
mod planted;
mod tokens;

use std::path::PathBuf;

use difference::difference;
use lines::interface;
use modules::{Files, Library, Macros};

use super::{Source, crates, none, sources};

/// Reads the interfaces of the libraries in these folders.
fn interfaces(folders: &[&'static str], files: &Files<'_>) -> Vec<(&'static str, Vec<String>)> {
    let macros = Macros::read(folders, files);
    let read = |folder: &&'static str| {
        let library = Library::read(folder, files, &macros);
        (*folder, interface(&library))
    };
    folders.iter().map(read).collect()
}

fn file(folder: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.join(format!(
        "tests/data/interface/{}.txt",
        folder.replace('/', "-")
    ))
}

#[test]
fn the_interface_of_each_library_is_the_one_that_is_committed() {
    let sources = sources();
    let pair = |source: &'_ Source| (source.path.clone(), source.text.clone());
    let texts: Vec<(String, String)> = sources.iter().map(pair).collect();
    let files: Files<'_> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let folders: Vec<&str> = crates::folders().collect();
    let mut changes = Vec::new();
    for (folder, now) in interfaces(&folders, &files) {
        assert!(now.len() > 20, "{folder} has {} lines", now.len());
        let file = file(folder);
        if std::env::var_os("REMAKE_INTERFACE").is_some() {
            std::fs::write(&file, now.join("\n") + "\n").unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        let before: Vec<String> = committed.lines().map(str::to_owned).collect();
        let difference = difference(&before, &now);
        changes.extend(
            difference
                .into_iter()
                .map(|line| format!("{folder}: {line}")),
        );
    }
    none(
        &changes,
        "the public interface of a library has changed. If that is meant, announce what is removed or changed in \
         CHANGELOG.md, run `REMAKE_INTERFACE=1 cargo test --workspace --test project interface`, and commit \
         tests/data/interface",
    );
}
