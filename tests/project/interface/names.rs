//! The names of a library: what a path leads to, and the paths by which programs reach each public item.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, UseTree, Visibility};

use super::modules::{Library, ModulePath, head};

/// An item: its module, and its name there.
pub(super) type Place = (ModulePath, String);

/// The target of a path.
pub(super) enum Target {
    Item(Place),
    Module(ModulePath),
    /// The item of another crate.
    Foreign(String),
}

/// More steps than any chain of imports has.
const STEPS_MAX: usize = 16;

/// A name of a `use`: how it is called here (`None` for a glob), and what it stands for.
pub(super) struct Import {
    pub(super) name: Option<String>,
    pub(super) path: Vec<String>,
}

/// Returns the names of a `use`.
pub(super) fn imports(tree: &UseTree) -> Vec<Import> {
    let mut list = Vec::new();
    add_imports(&[], tree, &mut list);
    list
}

fn add_imports(before: &[String], tree: &UseTree, list: &mut Vec<Import>) {
    let with = |name: &syn::Ident| {
        let mut path = before.to_vec();
        if name != "self" || before.is_empty() {
            path.push(name.to_string());
        }
        path
    };
    let (name, path) = match tree {
        UseTree::Path(path) => return add_imports(&with(&path.ident), &path.tree, list),
        UseTree::Group(group) => {
            let trees = group.items.iter();
            return trees.for_each(|tree| add_imports(before, tree, list));
        }
        UseTree::Glob(_) => (None, before.to_vec()),
        UseTree::Name(name) => {
            let path = with(&name.ident);
            (path.last().cloned(), path)
        }
        UseTree::Rename(rename) => (Some(rename.rename.to_string()), with(&rename.ident)),
    };
    list.push(Import { name, path });
}

impl Library {
    pub(super) fn items(&self, module: &ModulePath) -> impl Iterator<Item = &Item> {
        self.modules.get(module).into_iter().flatten()
    }

    fn has(&self, module: &ModulePath, name: &str) -> bool {
        let mut heads = self.items(module).filter_map(head);
        heads.any(|head| head.name.is_some_and(|it| it == name))
    }

    fn child(&self, module: &ModulePath, name: &str) -> Option<ModulePath> {
        let mut path = module.clone();
        path.push(name.to_owned());
        self.modules.contains_key(&path).then_some(path)
    }

    /// Returns what a path leads to, seen from a module.
    pub(super) fn resolve(&self, from: &ModulePath, path: &[String]) -> Option<Target> {
        self.resolve_in(from, path, 0)
    }

    fn resolve_in(&self, from: &ModulePath, path: &[String], step: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        if step > STEPS_MAX {
            return None;
        }
        match first.as_str() {
            "crate" => self.descend(&ModulePath::new(), rest, step),
            "self" => self.descend(from, rest, step),
            "super" => self.descend(from, path, step),
            _ => self
                .descend(from, path, step)
                .or_else(|| Some(Target::Foreign(path.join("::")))),
        }
    }

    fn descend(&self, module: &ModulePath, path: &[String], step: usize) -> Option<Target> {
        let Some((first, rest)) = path.split_first() else {
            return Some(Target::Module(module.clone()));
        };
        if first == "super" {
            return self.descend(&module.split_last()?.1.to_vec(), rest, step);
        }
        let child = self.child(module, first);
        if rest.is_empty() && self.has(module, first) {
            let is_module_only = child.is_some() && !self.has_besides(module, first);
            if !is_module_only {
                return Some(Target::Item((module.clone(), first.clone())));
            }
        }
        if let Some(child) = child {
            return self.descend(&child, rest, step);
        }
        self.imported(module, first, rest, step)
    }

    /// Returns whether an item besides a module has this name.
    fn has_besides(&self, module: &ModulePath, name: &str) -> bool {
        let items = self.items(module);
        let mut others = items.filter(|item| !matches!(item, Item::Mod(_)));
        others.any(|item| head(item).is_some_and(|head| head.name.is_some_and(|it| it == name)))
    }

    /// Follows the imports of a module.
    fn imported(
        &self,
        module: &ModulePath,
        name: &str,
        rest: &[String],
        step: usize,
    ) -> Option<Target> {
        let trees = self.items(module).filter_map(|item| {
            let Item::Use(item) = item else {
                return None;
            };
            Some(imports(&item.tree))
        });
        let all: Vec<Import> = trees.flatten().collect();
        let by_name = all.iter().find(|it| it.name.as_deref() == Some(name));
        if let Some(import) = by_name {
            let path: Vec<String> = import.path.iter().chain(rest).cloned().collect();
            // `use serde;` names a crate.
            if path.first().is_some_and(|first| first == name) && import.path.len() == 1 {
                return Some(Target::Foreign(path.join("::")));
            }
            return self.resolve_in(module, &path, step + 1);
        }
        let mut globs = all.iter().filter(|import| import.name.is_none());
        globs.find_map(|import| {
            if step >= STEPS_MAX || import.path == ["super"] && module.is_empty() {
                return None;
            }
            let Target::Module(target) = self.resolve_in(module, &import.path, step + 1)? else {
                return None;
            };
            let path: Vec<String> = [name.to_owned()]
                .into_iter()
                .chain(rest.iter().cloned())
                .collect();
            self.descend(&target, &path, step + 1)
        })
    }
}

/// The public paths of a library.
#[derive(Default)]
pub(super) struct Exports {
    /// The paths by which each item is reached.
    pub(super) paths: BTreeMap<Place, BTreeSet<ModulePath>>,
    /// The items of other crates, by their paths here.
    pub(super) foreign: BTreeMap<ModulePath, String>,
    visited: BTreeSet<(ModulePath, ModulePath)>,
}

impl Exports {
    pub(super) fn read(library: &Library) -> Self {
        let mut exports = Self::default();
        exports.visit(library, &ModulePath::new(), &ModulePath::new());
        exports
    }

    /// The path of a public item: that of its definition where programs reach it, the shortest otherwise.
    pub(super) fn path(&self, place: &Place) -> Option<String> {
        let paths = self.paths.get(place)?;
        let definition = with(&place.0, &place.1);
        let shortest = paths.iter().min_by_key(|path| path.len());
        let path = paths.get(&definition).or(shortest)?;
        Some(path.join("::"))
    }

    fn visit(&mut self, library: &Library, module: &ModulePath, prefix: &ModulePath) {
        let is_new = self.visited.insert((module.clone(), prefix.clone()));
        if !is_new || prefix.len() > STEPS_MAX {
            return;
        }
        for item in library.items(module) {
            let Some(head) = head(item).filter(|head| is_public(head.visibility)) else {
                continue;
            };
            match (item, head.name) {
                (Item::Use(item), _) => {
                    for import in imports(&item.tree) {
                        self.add(library, module, prefix, &import);
                    }
                }
                (Item::Mod(_), Some(name)) => {
                    let name = name.to_string();
                    self.visit(library, &with(module, &name), &with(prefix, &name));
                }
                (_, Some(name)) => {
                    let name = name.to_string();
                    let path = with(prefix, &name);
                    self.insert((module.clone(), name), path);
                }
                (_, None) => {}
            }
        }
    }

    fn insert(&mut self, place: Place, path: ModulePath) {
        self.paths.entry(place).or_default().insert(path);
    }

    /// Adds what a `pub use` brings.
    fn add(
        &mut self,
        library: &Library,
        module: &ModulePath,
        prefix: &ModulePath,
        import: &Import,
    ) {
        let Some(target) = library.resolve(module, &import.path) else {
            return;
        };
        match (target, &import.name) {
            (Target::Module(target), Some(name)) => {
                self.visit(library, &target, &with(prefix, name));
            }
            (Target::Module(target), None) => self.visit(library, &target, prefix),
            (Target::Item(place), Some(name)) => {
                // A public module may have the name as well, and comes with it.
                let is_module = |item: &&Item| matches!(item, Item::Mod(it) if it.ident == place.1 && is_public(&it.vis));
                if library.items(&place.0).any(|item| is_module(&item)) {
                    self.visit(library, &with(&place.0, &place.1), &with(prefix, name));
                }
                self.insert(place, with(prefix, name));
            }
            (Target::Item((target, item)), None) => {
                let path = with(&target, &item).join("::");
                self.foreign.insert(with(prefix, "*"), format!("{path}::*"));
            }
            (Target::Foreign(path), Some(name)) => {
                self.foreign.insert(with(prefix, name), path);
            }
            (Target::Foreign(path), None) => {
                self.foreign.insert(with(prefix, "*"), format!("{path}::*"));
            }
        }
    }
}

/// Returns whether programs may use it: `pub(crate)` and `pub(super)` are for the library.
pub(super) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn with(path: &ModulePath, name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_owned()]).collect()
}
