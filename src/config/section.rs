//! A table of the tree: where it is, and what has not been read of it.

use super::tree::{ConfigNode, Origin, Table};
use super::variable::PREFIX;

/// One table of the tree while it is read.
pub(super) struct Section {
    pub(super) path: String,
    pub(super) pattern: String,
    pub(super) table: Table,
    pub(super) origin: Option<Origin>,
}

impl Section {
    /// The whole tree.
    pub(super) fn root(table: Table) -> Self {
        let empty = Self::empty(String::new(), String::new());
        Self { table, ..empty }
    }

    /// No key yet.
    pub(super) fn empty(path: String, pattern: String) -> Self {
        Self {
            path,
            pattern,
            table: Table::new(),
            origin: None,
        }
    }

    /// The place of the section, for problems about it as a whole.
    pub(super) fn origin(&self) -> Origin {
        self.origin.clone().unwrap_or(Origin::Line(1))
    }

    /// The section as a person writes it, as in `channels[0]`.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The node of a key that has not been read yet.
    pub(super) fn node(&self, key: &str) -> Option<&ConfigNode> {
        self.table.get(key)
    }

    /// The path of a key as a person writes it, and without indexes.
    pub(super) fn names(&self, key: &str) -> (String, String) {
        let join = |left: &str| match left {
            "" => key.to_owned(),
            _ => format!("{left}.{key}"),
        };
        (join(&self.path), join(&self.pattern))
    }
}

/// The variable that sets the key at this path.
pub(super) fn variable(path: &str) -> String {
    let name = path.replace('[', "__").replace(']', "").replace('.', "__");
    format!("{PREFIX}{}", name.to_uppercase())
}
