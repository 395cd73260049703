//! The lines of an interface: one for each item, field, variant and function, in the order of their paths.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what has no line is left out"
)]

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{
    Attribute, Fields, FnArg, Generics, Item, ItemEnum, ItemStruct, ItemTrait, Pat, Signature,
    TraitItem,
};

use super::expand::rules;
use super::impls;
use super::modules::{Library, head, is_exported, is_left_out};
use super::names::{Exports, is_public};
use super::tokens::line;

/// The lines of an item stand in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Item,
    Part,
    Traits,
}

/// The lines of a library.
#[derive(Default)]
pub(super) struct Lines {
    lines: BTreeSet<(String, Rank, String)>,
    /// The implementations of each type.
    traits: BTreeMap<String, BTreeSet<String>>,
}

impl Lines {
    /// Adds `path: text`.
    pub(super) fn add(&mut self, path: &str, text: &str) {
        let line = format!("{path}: {text}");
        self.lines.insert((path.to_owned(), Rank::Item, line));
    }

    /// Adds `path.field: text`.
    fn add_field(&mut self, path: &str, field: &str, text: &str) {
        let line = format!("{path}.{field}: {text}");
        self.lines.insert((path.to_owned(), Rank::Part, line));
    }

    pub(super) fn add_trait(&mut self, path: &str, name: String) {
        self.traits.entry(path.to_owned()).or_default().insert(name);
    }

    fn finish(mut self) -> Vec<String> {
        for (path, traits) in self.traits {
            let traits: Vec<String> = traits.into_iter().collect();
            let line = format!("{path} impl: {}", traits.join("; "));
            self.lines.insert((path, Rank::Traits, line));
        }
        self.lines.into_iter().map(|(_, _, line)| line).collect()
    }
}

/// Returns the lines of a library.
pub(super) fn interface(library: &Library) -> Vec<String> {
    let exports = Exports::read(library);
    let mut lines = Lines::default();
    for (place, paths) in &exports.paths {
        let Some(path) = exports.path(place) else {
            continue;
        };
        let (module, name) = place;
        for item in library.items(module) {
            let is_it = head(item).is_some_and(|head| {
                head.name.is_some_and(|it| it == name) && is_public(head.visibility)
            });
            if is_it {
                add_item(&mut lines, &path, item);
            }
        }
        for other in paths.iter().map(|path| path.join("::")) {
            if other != path {
                lines.add(&other, &format!("use {path}"));
            }
        }
    }
    for (path, target) in &exports.foreign {
        lines.add(&path.join("::"), &format!("use {target}"));
    }
    add_macros(&mut lines, library, &exports);
    impls::add(&mut lines, library, &exports);
    lines.finish()
}

/// Adds the exported macros with what they match, and the invocations of other projects' macros that declare something
/// public.
fn add_macros(lines: &mut Lines, library: &Library, exports: &Exports) {
    for (module, items) in &library.modules {
        for item in items {
            let Item::Macro(item) = item else {
                continue;
            };
            let tokens = &item.mac.tokens;
            match &item.ident {
                Some(name) if is_exported(&item.attrs) && !is_left_out(&item.attrs) => {
                    for rule in rules(tokens.clone()) {
                        lines.add(
                            &format!("{name}!"),
                            &format!("macro ({})", line(&rule.form)),
                        );
                    }
                }
                None if line(tokens).contains("pub ") => {
                    let is_reached = exports.paths.keys().any(|(place, _)| place == module);
                    if is_reached {
                        let path = format!("{} {}!", module.join("::"), line(&item.mac.path));
                        lines.add(&path, &line(tokens));
                    }
                }
                Some(_) | None => {}
            }
        }
    }
}

fn add_item(lines: &mut Lines, path: &str, item: &Item) {
    match item {
        Item::Const(it) => lines.add(path, &format!("const {}", line(&it.ty))),
        Item::Enum(it) => add_enum(lines, path, it),
        Item::Fn(it) => lines.add(path, &signature(&it.sig)),
        Item::Static(it) => lines.add(path, &format!("static {}", line(&it.ty))),
        Item::Struct(it) => add_struct(lines, path, it),
        Item::Trait(it) => add_trait(lines, path, it),
        Item::Type(it) => {
            let text = format!("type{} = {}", generics(&it.generics), line(&it.ty));
            lines.add(path, &text);
        }
        _ => {}
    }
}

fn add_struct(lines: &mut Lines, path: &str, item: &ItemStruct) {
    let shape = match &item.fields {
        Fields::Unit => String::new(),
        Fields::Unnamed(fields) => {
            let kinds = fields.unnamed.iter().map(|field| {
                if is_public(&field.vis) {
                    line(&field.ty)
                } else {
                    "_".to_owned()
                }
            });
            format!("({})", kinds.collect::<Vec<_>>().join(", "))
        }
        Fields::Named(fields) => {
            for field in fields.named.iter().filter(|field| is_public(&field.vis)) {
                let name = field.ident.to_token_stream().to_string();
                lines.add_field(path, &name, &line(&field.ty));
            }
            let is_private = fields.named.iter().any(|field| !is_public(&field.vis));
            (if is_private {
                " { private fields }"
            } else {
                ""
            })
            .to_owned()
        }
    };
    let marks = marks(&item.attrs);
    let generics = generics(&item.generics);
    lines.add(path, &format!("{marks}struct{generics}{shape}"));
    add_derived(lines, path, &item.attrs);
}

fn add_enum(lines: &mut Lines, path: &str, item: &ItemEnum) {
    let marks = marks(&item.attrs);
    lines.add(path, &format!("{marks}enum{}", generics(&item.generics)));
    for variant in &item.variants {
        let texts = variant.fields.iter().map(|field| match &field.ident {
            Some(name) => format!("{name}: {}", line(&field.ty)),
            None => line(&field.ty),
        });
        let fields = texts.collect::<Vec<_>>().join(", ");
        let text = match &variant.fields {
            Fields::Unit => "variant".to_owned(),
            Fields::Unnamed(_) => format!("variant({fields})"),
            Fields::Named(_) => format!("variant {{ {fields} }}"),
        };
        lines.add(&format!("{path}::{}", variant.ident), &text);
    }
    add_derived(lines, path, &item.attrs);
}

fn add_trait(lines: &mut Lines, path: &str, item: &ItemTrait) {
    let bounds = &item.supertraits;
    let mut text = format!("trait{}", generics(&item.generics));
    if !bounds.is_empty() {
        text.push_str(&format!(": {}", line(bounds)));
    }
    lines.add(path, &text);
    for part in &item.items {
        let (name, mut text, is_provided) = match part {
            TraitItem::Const(it) => {
                let text = format!("const {}", line(&it.ty));
                (&it.ident, text, it.default.is_some())
            }
            TraitItem::Fn(it) => (&it.sig.ident, signature(&it.sig), it.default.is_some()),
            TraitItem::Type(it) => {
                let mut text = format!("type{}", generics(&it.generics));
                if !it.bounds.is_empty() {
                    text.push_str(&format!(": {}", line(&it.bounds)));
                }
                (&it.ident, text, it.default.is_some())
            }
            _ => continue,
        };
        if is_provided {
            text.push_str(" (provided)");
        }
        lines.add(&format!("{path}::{name}"), &text);
    }
}

/// The traits that an item derives.
fn add_derived(lines: &mut Lines, path: &str, attributes: &[Attribute]) {
    for attribute in attributes.iter().filter(|it| it.path().is_ident("derive")) {
        let read = attribute.parse_nested_meta(|meta| {
            if let Some(name) = meta.path.segments.last() {
                lines.add_trait(path, name.ident.to_string());
            }
            Ok(())
        });
        assert!(read.is_ok(), "{path}: {read:?}");
    }
}

/// The limits of an item for others.
fn marks(attributes: &[Attribute]) -> String {
    let mut paths = attributes.iter().map(Attribute::path);
    let is_open = paths.any(|path| path.is_ident("non_exhaustive"));
    (if is_open { "non_exhaustive " } else { "" }).to_owned()
}

/// The parameters of an item, with their bounds.
pub(super) fn generics(generics: &Generics) -> String {
    let mut text = line(generics);
    if let Some(clause) = &generics.where_clause {
        text.push_str(&format!(" {}", line(clause)));
    }
    text
}

/// A function without its name.
pub(super) fn signature(signature: &Signature) -> String {
    let mut text = String::new();
    for word in [
        signature.constness.to_token_stream(),
        signature.asyncness.to_token_stream(),
        signature.unsafety.to_token_stream(),
        signature.abi.to_token_stream(),
    ] {
        if !word.is_empty() {
            text.push_str(&format!("{} ", line(&word)));
        }
    }
    let texts = signature.inputs.iter().map(|input| match input {
        FnArg::Receiver(receiver) => line(&receiver).replace("mut self", "self"),
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(name) => format!("{}: {}", name.ident, line(&input.ty)),
            _ => format!("_: {}", line(&input.ty)),
        },
    });
    let inputs = texts.collect::<Vec<_>>().join(", ");
    let generics = line(&signature.generics);
    text.push_str(&format!("fn{generics}({inputs})"));
    let output = line(&signature.output);
    if !output.is_empty() {
        text.push_str(&format!(" {output}"));
    }
    if let Some(clause) = &signature.generics.where_clause {
        text.push_str(&format!(" {}", line(clause)));
    }
    text
}
