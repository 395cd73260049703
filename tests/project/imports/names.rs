//! Modules of a crate, the names that they import, and the files that paths lead to.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::Visit;
use syn::{Attribute, File, ItemMod, ItemUse, Macro, UseTree};

use super::graph::Graph;

/// A module's path below the crate.
type Path = Vec<String>;

#[derive(Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    /// By the name that it has here.
    imports: BTreeMap<String, Path>,
    /// Imports of all names, and paths in code.
    paths: Vec<Path>,
}

/// All modules of a crate.
pub(super) struct Crate {
    modules: BTreeMap<Path, Module>,
}

impl Crate {
    /// Reads files by their paths, of which `root` is the first part.
    pub(super) fn read(root: &str, files: &BTreeMap<&str, &str>) -> Self {
        let mut modules = BTreeMap::new();
        for (file, text) in files {
            let path: Path = file
                .strip_prefix(root)
                .unwrap_or(file)
                .trim_end_matches(".rs")
                .split('/')
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect();
            // The program beside a library is a crate of its own, which names the library by its name.
            if path == ["main"] {
                continue;
            }
            let path = if path == ["lib"] { Path::new() } else { path };
            let tree: File =
                syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
            let mut reader = Reader {
                file,
                at: path,
                modules: &mut modules,
            };
            reader.enter(|reader| reader.visit_file(&tree));
        }
        Self { modules }
    }

    /// The files that each file imports or names. A file composes those of its own room: these arrows are left out.
    pub(super) fn graph(&self) -> Graph {
        let mut graph = Graph::new();
        for (at, module) in &self.modules {
            let arrows = graph.entry(module.file.clone()).or_default();
            let room = room(&module.file);
            let targets = module
                .imports
                .values()
                .chain(&module.paths)
                .filter_map(|path| self.target(at, path, 0));
            let files = targets.filter_map(|target| Some(&self.modules.get(&target)?.file));
            arrows.extend(
                files
                    .filter(|file| **file != module.file && !file.starts_with(&room))
                    .cloned(),
            );
        }
        graph
    }

    /// The module that has what a path names, seen from the module `at`; none for other crates.
    fn target(&self, at: &Path, segments: &[String], depth: usize) -> Option<Path> {
        let module = self.modules.get(at)?;
        let (first, rest) = segments.split_first()?;
        let from = match first.as_str() {
            "crate" => Path::new(),
            "self" => at.clone(),
            "super" => at.split_last()?.1.to_vec(),
            name if module.children.contains(name) => self.child(at, name)?,
            name => {
                let import = module.imports.get(name)?;
                if depth > 8 || import == segments {
                    return None;
                }
                let segments: Path = import.iter().chain(rest).cloned().collect();
                return self.target(at, &segments, depth + 1);
            }
        };
        self.descend(from, rest, depth)
    }

    fn descend(&self, from: Path, segments: &[String], depth: usize) -> Option<Path> {
        let Some((first, rest)) = segments.split_first() else {
            return Some(from);
        };
        if first == "super" {
            return self.descend(from.split_last()?.1.to_vec(), rest, depth);
        }
        let module = self.modules.get(&from)?;
        if let Some(child) = module
            .children
            .contains(first)
            .then(|| self.child(&from, first))
            .flatten()
        {
            return self.descend(child, rest, depth);
        }
        match module.imports.get(first) {
            Some(import) if depth < 8 => {
                let segments: Path = import.iter().chain(rest).cloned().collect();
                self.target(&from, &segments, depth + 1).or(Some(from))
            }
            _ => Some(from),
        }
    }

    fn child(&self, at: &Path, name: &str) -> Option<Path> {
        let mut path = at.clone();
        path.push(name.to_owned());
        self.modules.contains_key(&path).then_some(path)
    }
}

/// The folder of the files that a file composes.
fn room(file: &str) -> String {
    let path = file.trim_end_matches(".rs");
    format!("{}/", path.strip_suffix("/lib").unwrap_or(path))
}

/// Fills in the modules of one file.
struct Reader<'a> {
    file: &'a str,
    at: Path,
    modules: &'a mut BTreeMap<Path, Module>,
}

impl Reader<'_> {
    fn enter(&mut self, read: impl FnOnce(&mut Self)) {
        self.module().file = self.file.to_owned();
        read(self);
    }

    fn module(&mut self) -> &mut Module {
        self.modules.entry(self.at.clone()).or_default()
    }

    fn import(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: &syn::Ident| {
            let mut path = before.to_vec();
            path.push(name.to_string());
            path
        };
        let (name, segments) = match tree {
            UseTree::Path(path) => return self.import(&with(&path.ident), &path.tree),
            UseTree::Group(group) => {
                return group
                    .items
                    .iter()
                    .for_each(|tree| self.import(before, tree));
            }
            UseTree::Glob(_) => return self.module().paths.push(before.to_vec()),
            UseTree::Name(name) if name.ident == "self" => {
                (before.last().cloned().unwrap_or_default(), before.to_vec())
            }
            UseTree::Name(name) => (name.ident.to_string(), with(&name.ident)),
            UseTree::Rename(rename) if rename.ident == "self" => {
                (rename.rename.to_string(), before.to_vec())
            }
            UseTree::Rename(rename) if rename.rename == "_" => {
                return self.module().paths.push(with(&rename.ident));
            }
            UseTree::Rename(rename) => (rename.rename.to_string(), with(&rename.ident)),
        };
        self.module().imports.insert(name, segments);
    }
}

/// Returns whether an item is compiled for tests only.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        if !attribute.path().is_ident("cfg") {
            return attribute.path().is_ident("test");
        }
        let text = attribute
            .meta
            .require_list()
            .map(|list| list.tokens.to_string())
            .unwrap_or_default();
        let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '"');
        words.any(|word| word == "test") && !text.contains("not")
    })
}

/// Visits what is in these items, but for those that are compiled for tests only.
macro_rules! but_for_tests {
    ($($visit:ident: $item:ident,)+) => {$(
        fn $visit(&mut self, item: &'ast syn::$item) {
            if !is_for_tests(&item.attrs) {
                syn::visit::$visit(self, item);
            }
        }
    )+};
}

impl<'ast> Visit<'ast> for Reader<'_> {
    but_for_tests! {
        visit_item_fn: ItemFn,
        visit_item_impl: ItemImpl,
        visit_item_struct: ItemStruct,
        visit_item_const: ItemConst,
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if is_for_tests(&module.attrs) {
            return;
        }
        let name = module.ident.to_string();
        self.module().children.insert(name.clone());
        if module.content.is_some() {
            self.at.push(name);
            self.enter(|reader| syn::visit::visit_item_mod(reader, module));
            self.at.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.import(&[], &item.tree);
        }
    }

    /// `pub(super)` names no item.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        self.module().paths.push(segments);
        syn::visit::visit_path(self, path);
    }

    /// Reads the paths among the tokens, since the grammar of a macro is its own.
    fn visit_macro(&mut self, invocation: &'ast Macro) {
        let text = invocation.tokens.to_string().replace(" :: ", "::");
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        let words = text
            .split(|letter| !is_letter(letter))
            .filter(|word| word.contains("::"));
        let paths = words.map(|word| {
            word.split("::")
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect()
        });
        self.module().paths.extend(paths);
        syn::visit::visit_macro(self, invocation);
    }
}
