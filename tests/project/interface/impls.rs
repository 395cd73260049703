//! The implementations of types: their own public functions, and traits by name.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what has no line is left out"
)]

use syn::{GenericArgument, ImplItem, Item, ItemImpl, PathArguments, PathSegment, Type};

use super::lines::{Lines, generics, signature};
use super::modules::{Library, ModulePath, is_left_out};
use super::names::{Exports, Target, is_public};
use super::tokens::line;

/// A type or a trait, seen from an `impl`.
enum Known {
    /// Programs reach it by this path.
    Public(String),
    Private,
    /// A type parameter, or of another crate.
    Foreign,
}

/// Adds the functions and the traits of the public types.
pub(super) fn add(lines: &mut Lines, library: &Library, exports: &Exports) {
    for (module, items) in &library.modules {
        for item in items {
            let Item::Impl(item) = item else {
                continue;
            };
            if is_left_out(&item.attrs) {
                continue;
            }
            let view = View {
                library,
                exports,
                module,
            };
            match &item.trait_ {
                Some((_, path, _)) => view.add_trait(lines, item, path),
                None => view.add_own(lines, item),
            }
        }
    }
}

struct View<'v> {
    library: &'v Library,
    exports: &'v Exports,
    module: &'v ModulePath,
}

impl View<'_> {
    fn path(&self, path: &syn::Path) -> Known {
        let segments = path.segments.iter();
        let names: Vec<String> = segments.map(|it| it.ident.to_string()).collect();
        match self.library.resolve(self.module, &names) {
            Some(Target::Item(place)) => match self.exports.path(&place) {
                Some(path) => Known::Public(path),
                None => Known::Private,
            },
            Some(Target::Module(_) | Target::Foreign(_)) | None => Known::Foreign,
        }
    }

    fn kind(&self, kind: &Type) -> Known {
        match kind {
            Type::Path(kind) if kind.qself.is_none() => self.path(&kind.path),
            _ => Known::Foreign,
        }
    }

    /// Adds the public functions and constants of a type.
    fn add_own(&self, lines: &mut Lines, item: &ItemImpl) {
        let Known::Public(path) = self.kind(&item.self_ty) else {
            return;
        };
        let condition = condition(item);
        for part in &item.items {
            let (head, name, text) = match part {
                ImplItem::Const(it) => {
                    let text = format!("const {}", line(&it.ty));
                    ((&it.vis, &it.attrs), &it.ident, text)
                }
                ImplItem::Fn(it) => ((&it.vis, &it.attrs), &it.sig.ident, signature(&it.sig)),
                _ => continue,
            };
            if is_public(head.0) && !is_left_out(head.1) {
                lines.add(&format!("{path}::{name}"), &format!("{text}{condition}"));
            }
        }
    }

    /// Adds a trait to what a public type has; or, with a trait of this library, another type to those that have it.
    fn add_trait(&self, lines: &mut Lines, item: &ItemImpl, path: &syn::Path) {
        let known_trait = self.path(path);
        let Some(last) = path.segments.last() else {
            return;
        };
        let name = line(last);
        match (self.kind(&item.self_ty), known_trait) {
            (Known::Private, _) | (_, Known::Private) => {}
            (Known::Public(path), Known::Public(_) | Known::Foreign) => {
                lines.add_trait(&path, name);
            }
            (Known::Foreign, Known::Public(path)) => {
                let parameters = generics(&item.generics);
                let kind = line(&item.self_ty);
                lines.add_trait(&path, format!("for{parameters} {kind}"));
            }
            (Known::Foreign, Known::Foreign) => {
                // `impl From<Own> for String`
                if let Some(Known::Public(path)) = first_argument(last).map(|it| self.kind(it)) {
                    lines.add_trait(&path, format!("{name} for {}", line(&item.self_ty)));
                }
            }
        }
    }
}

fn first_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    }
}

/// The part of a generic type that has these functions: nothing for a type without parameters.
fn condition(item: &ItemImpl) -> String {
    let kind = line(&item.self_ty);
    let has_types = item.generics.type_params().next().is_some() || kind.contains('<');
    if !has_types || item.generics.params.is_empty() && kind.ends_with("<'_>") {
        return String::new();
    }
    format!(" of impl{} {kind}", generics(&item.generics))
}
