//! One scheme of names for errors: `…Error`, and `…Rejection` for what the rules say no to. So a reader knows what a
//! signature can fail with, and one who calls it knows whether to mend the request or to try again.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::Visit;
use syn::{GenericArgument, ImplItemType, ItemEnum, ItemImpl, ItemStruct, PathArguments, Type};

use super::{Source, none, sources};

/// Types that a `Result` fails with though they are named by something else, and why.
const OTHERS: [(&str, &str); 7] = [
    ("ConfigErrors", "all of them at once"),
    ("Problem", "the problem document of RFC 9457"),
    ("Violation", "a mistake in a body, which is answered"),
    ("Violations", "the list of them"),
    ("Report", "the failure of a message as its author sees it"),
    ("AddressKind", "the kind of an address is why it is closed"),
    ("WaitReason", "the state of a node that waits"),
];

/// The types of the sources, by what they are for.
#[derive(Default)]
struct Types {
    /// Declared types, with the file of each.
    declared: BTreeMap<String, String>,
    /// Types that something fails with.
    errors: BTreeSet<String>,
    /// Types that the rules of a command fail with.
    rejections: BTreeSet<String>,
}

struct Reader<'r> {
    file: &'r str,
    types: &'r mut Types,
}

/// The name of a type, whatever its path and parameters are; of a boxed one, that of its content.
fn name(of_type: &Type) -> Option<String> {
    let Type::Path(path) = of_type else {
        return None;
    };
    let last = path.path.segments.last()?;
    match arguments(&last.arguments).first() {
        Some(content) if last.ident == "Box" || last.ident == "Arc" => name(content),
        Some(_) | None => Some(last.ident.to_string()),
    }
}

fn arguments(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return Vec::new();
    };
    let types = arguments.args.iter().filter_map(|argument| {
        let GenericArgument::Type(content) = argument else {
            return None;
        };
        Some(content)
    });
    types.collect()
}

impl Reader<'_> {
    fn declares(&mut self, name: &syn::Ident, attributes: &[syn::Attribute]) {
        let file = self.file.to_owned();
        self.types.declared.insert(name.to_string(), file);
        let derives_error = attributes.iter().any(|attribute| {
            let mut derives = false;
            if attribute.path().is_ident("derive") {
                let outcome = attribute.parse_nested_meta(|meta| {
                    derives |= meta
                        .path
                        .segments
                        .last()
                        .is_some_and(|it| it.ident == "Error");
                    Ok(())
                });
                derives &= outcome.is_ok();
            }
            derives
        });
        if derives_error {
            self.types.errors.insert(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.declares(&item.ident, &item.attrs);
        syn::visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.declares(&item.ident, &item.attrs);
        syn::visit::visit_item_enum(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of_error = item.trait_.as_ref().is_some_and(|(_, path, _)| {
            path.segments
                .last()
                .is_some_and(|last| last.ident == "Error")
        });
        if of_error {
            self.types.errors.extend(name(&item.self_ty));
        }
        syn::visit::visit_item_impl(self, item);
    }

    fn visit_impl_item_type(&mut self, item: &'ast ImplItemType) {
        if item.ident == "Rejection" {
            self.types.rejections.extend(name(&item.ty));
        }
        syn::visit::visit_impl_item_type(self, item);
    }

    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        if segment.ident == "Result"
            && let Some(error) = arguments(&segment.arguments).get(1)
        {
            self.types.errors.extend(name(error));
        }
        syn::visit::visit_path_segment(self, segment);
    }
}

/// The names that break the scheme.
fn outside_the_scheme(sources: &[(&str, &str)]) -> Vec<String> {
    let mut types = Types::default();
    for (file, text) in sources {
        if let Ok(tree) = syn::parse_file(text) {
            Reader {
                file,
                types: &mut types,
            }
            .visit_file(&tree);
        }
    }
    let mut offenders = Vec::new();
    for (name, file) in &types.declared {
        let is_rejection = name.ends_with("Rejection");
        let is_listed = OTHERS.iter().any(|(other, _)| other == name);
        if types.rejections.contains(name) && !is_rejection {
            offenders.push(format!("{file}: {name}: a command is rejected with it"));
        } else if types.errors.contains(name)
            && !is_listed
            && !is_rejection
            && !name.ends_with("Error")
        {
            offenders.push(format!("{file}: {name}: something fails with it"));
        }
    }
    offenders
}

#[test]
fn errors_are_named_by_one_scheme() {
    let sources = sources();
    let product: Vec<(&str, &str)> = sources
        .iter()
        .filter(|source| !source.is_test())
        .map(|source| (source.path.as_str(), source.text.as_str()))
        .collect();
    assert!(product.len() > 300, "{} files", product.len());
    none(
        &outside_the_scheme(&product),
        "name it …Error, or …Rejection where the rules of a command say no",
    );
}

#[test]
fn an_error_of_another_name_is_found() {
    let text = "
        #[derive(Debug, thiserror::Error)] pub struct NoTea;
        pub enum Spilt { Now }
        pub struct Refusal; pub struct Cup; pub struct PourError; pub struct Problem;
        impl Command for Pour { type Rejection = Box<Refusal>; }
        fn pour(cup: Cup) -> std::result::Result<Option<Cup>, Arc<Spilt>> {}
        fn fill() -> Result<Cup, PourError> {}
        fn ask() -> Result<(), Problem> {}
    ";
    let offenders = outside_the_scheme(&[("tea.rs", text)]);
    let names = [
        "tea.rs: NoTea: something fails with it",
        "tea.rs: Refusal: a command is rejected with it",
        "tea.rs: Spilt: something fails with it",
    ];
    assert_eq!(offenders, names);
}

#[test]
fn each_other_name_exists() {
    let sources: Vec<Source> = sources();
    for (name, _) in OTHERS {
        let is_declared = sources.iter().any(|source| {
            ["struct", "enum"]
                .iter()
                .any(|kind| source.text.contains(&format!("pub {kind} {name}")))
        });
        assert!(is_declared, "there is no type {name} any more");
    }
}
