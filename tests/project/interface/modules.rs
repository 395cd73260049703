//! The modules of a library: the items of each, with the macros of the project expanded.

#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Ident, Item, ItemMacro, ItemMod, Visibility};

use super::expand::{Rule, expand, rules};

/// A module's path below the library.
pub(super) type ModulePath = Vec<String>;

/// The texts of all files, by their paths.
pub(super) type Files<'f> = BTreeMap<&'f str, &'f str>;

/// A library, by the folder that it lies in.
pub(super) struct Library {
    pub(super) folder: String,
    pub(super) modules: BTreeMap<ModulePath, Vec<Item>>,
}

/// The part of an item before its body.
pub(super) struct Head<'i> {
    pub(super) attributes: &'i [Attribute],
    pub(super) visibility: &'i Visibility,
    pub(super) name: Option<&'i Ident>,
}

/// Returns the head of an item. An `impl` has none, and a macro has its own way out.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a path leads to no other item"
)]
pub(super) fn head(item: &Item) -> Option<Head<'_>> {
    macro_rules! head {
        ($item:ident, $name:expr) => {
            Some(Head {
                attributes: &$item.attrs,
                visibility: &$item.vis,
                name: $name,
            })
        };
    }
    match item {
        Item::Const(it) => head!(it, Some(&it.ident)),
        Item::Enum(it) => head!(it, Some(&it.ident)),
        Item::Fn(it) => head!(it, Some(&it.sig.ident)),
        Item::Mod(it) => head!(it, Some(&it.ident)),
        Item::Static(it) => head!(it, Some(&it.ident)),
        Item::Struct(it) => head!(it, Some(&it.ident)),
        Item::Trait(it) => head!(it, Some(&it.ident)),
        Item::Type(it) => head!(it, Some(&it.ident)),
        Item::Union(it) => head!(it, Some(&it.ident)),
        Item::Use(it) => head!(it, None),
        _ => None,
    }
}

/// Returns whether a public item stands for nothing: it is for tests of the library alone, or its documentation hides it.
pub(super) fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        let parts = text.split(|letter: char| !letter.is_alphanumeric());
        let words: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let has = |word: &str| words.contains(&word);
        match words.first() {
            Some(&"cfg") => has("test") && !has("feature") && !has("not"),
            Some(&"doc") => words == ["doc", "hidden"],
            Some(&word) => word == "test",
            None => false,
        }
    })
}

/// The macros of all libraries: those of each folder, and by an empty one those that are exported.
pub(super) struct Macros(BTreeMap<(String, String), Declared>);

struct Declared {
    rules: Vec<Rule>,
    folder: String,
}

impl Macros {
    pub(super) fn read(folders: &[&str], files: &Files<'_>) -> Self {
        let mut macros = BTreeMap::new();
        for folder in folders {
            let prefix = format!("{folder}/src/");
            let is_own = |path: &str| path.starts_with(&prefix) && !path.contains("/tests");
            for (path, text) in files.iter().filter(|(path, _)| is_own(path)) {
                if !text.contains("macro_rules!") {
                    continue;
                }
                for item in parse(path, text) {
                    let Item::Macro(ItemMacro {
                        ident: Some(name),
                        attrs,
                        mac,
                        ..
                    }) = item
                    else {
                        continue;
                    };
                    let declared = || Declared {
                        rules: rules(mac.tokens.clone()),
                        folder: (*folder).to_owned(),
                    };
                    macros.insert(((*folder).to_owned(), name.to_string()), declared());
                    if is_exported(&attrs) {
                        macros.insert((String::new(), name.to_string()), declared());
                    }
                }
            }
        }
        Self(macros)
    }

    /// Returns the items that an invocation declares; `None` for a macro of another project.
    fn items(&self, folder: &str, invocation: &ItemMacro) -> Option<Vec<Item>> {
        let name = invocation.mac.path.segments.last()?.ident.to_string();
        let declared = [folder, ""]
            .into_iter()
            .find_map(|place| self.0.get(&(place.to_owned(), name.clone())))?;
        let krate = if declared.folder == folder {
            quote!(crate)
        } else {
            format_ident!("switchboard_{}", declared.folder).into_token_stream()
        };
        let tokens = &invocation.mac.tokens;
        let Some(output) = expand(&declared.rules, tokens, &krate) else {
            panic!("no rule of `{name}!` in {folder} matches: {tokens}");
        };
        Some(items(&name, output))
    }
}

pub(super) fn is_exported(attributes: &[Attribute]) -> bool {
    let mut paths = attributes.iter().map(Attribute::path);
    paths.any(|path| path.is_ident("macro_export"))
}

fn items(name: &str, tokens: TokenStream) -> Vec<Item> {
    let text = tokens.to_string();
    let file: syn::File =
        syn::parse2(tokens).unwrap_or_else(|error| panic!("{name}!: {error}: {text}"));
    file.items
}

fn parse(path: &str, text: &str) -> Vec<Item> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    file.items
}

impl Library {
    /// Reads the library in a folder, from its `src/lib.rs` on.
    pub(super) fn read(folder: &str, files: &Files<'_>, macros: &Macros) -> Self {
        let mut reader = Reader {
            files,
            macros,
            library: Self {
                folder: folder.to_owned(),
                modules: BTreeMap::new(),
            },
        };
        reader.read_file(ModulePath::new());
        reader.library
    }
}

struct Reader<'r> {
    files: &'r Files<'r>,
    macros: &'r Macros,
    library: Library,
}

impl Reader<'_> {
    fn read_file(&mut self, at: ModulePath) {
        let name = if at.is_empty() {
            "lib".to_owned()
        } else {
            at.join("/")
        };
        let path = format!("{}/src/{name}.rs", self.library.folder);
        let Some(text) = self.files.get(path.as_str()) else {
            panic!("there is no {path}");
        };
        let items = parse(&path, text);
        self.library.modules.insert(at.clone(), Vec::new());
        self.enter(&at, items);
    }

    fn enter(&mut self, at: &ModulePath, items: Vec<Item>) {
        for item in items {
            if head(&item).is_some_and(|head| is_left_out(head.attributes)) {
                continue;
            }
            if let Item::Mod(module) = item {
                self.enter_module(at, module);
                continue;
            }
            let folder = &self.library.folder;
            let expansion = if let Item::Macro(invocation) = &item
                && invocation.ident.is_none()
            {
                self.macros.items(folder, invocation)
            } else {
                None
            };
            match expansion {
                Some(items) => self.enter(at, items),
                None => self.keep(at, item),
            }
        }
    }

    fn enter_module(&mut self, at: &ModulePath, mut module: ItemMod) {
        let mut child = at.clone();
        child.push(module.ident.to_string());
        match module.content.take() {
            Some((_, items)) => {
                self.library.modules.insert(child.clone(), Vec::new());
                self.enter(&child, items);
            }
            None => self.read_file(child),
        }
        self.keep(at, Item::Mod(module));
    }

    fn keep(&mut self, at: &ModulePath, item: Item) {
        self.library
            .modules
            .entry(at.clone())
            .or_default()
            .push(item);
    }
}
