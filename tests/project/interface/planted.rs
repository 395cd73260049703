//! Small libraries with a change each: the change shows, and what is private does not.

use super::modules::Files;
use super::{difference, interfaces};

/// A library whose items are declared in each way.
const FILES: [(&str, &str); 5] = [
    (
        "plain/src/lib.rs",
        "mod hidden; pub mod open; pub(crate) mod inner; mod words;
         pub use hidden::Reachable; pub use hidden::shared::*; pub use words::Colour;
         pub use std::time::Duration as Span;",
    ),
    (
        "plain/src/hidden.rs",
        "pub mod shared;
         #[derive(Clone, serde::Serialize)]
         pub struct Reachable { pub size: u8, secret: u8 }
         pub struct Unreachable { pub size: u8 }
         impl Reachable {
             pub const MAX: u8 = 3;
             pub fn size(&self, factor: Option<&'static [u8]>) -> Result<u8, ()> { Ok(self.size) }
             pub(crate) fn internal(&self) {}
             fn private(&self) {}
         }
         impl Secret for Reachable {}
         impl std::fmt::Display for Reachable {}
         impl From<Reachable> for String {}
         trait Secret {}",
    ),
    (
        "plain/src/hidden/shared.rs",
        "pub fn by_glob() {} pub(crate) fn not_by_glob() {}",
    ),
    (
        "plain/src/open.rs",
        "use crate::hidden::Reachable;
         pub struct Pair<T: Copy>(pub T, u8);
         impl<T: Copy> Pair<T> { pub async fn send(mut self, (a, b): (u8, u8)) where T: Send {} }
         pub enum Answer { Yes, No { why: String }, Later(Reachable) }
         pub trait Port: Send { const N: u8; type Of: Copy; fn call(&self) -> impl Fn(u8) -> u8; fn end(self) {} }
         impl Port for u8 {}
         pub const LIMIT: usize = 3;
         pub type Short<'a> = &'a mut dyn for<'b> Fn(&'b str);
         #[cfg(test)] pub fn for_tests() {}
         #[cfg(any(test, feature = \"testkit\"))] pub fn for_kits() {}
         #[doc(hidden)] pub fn hidden() {}",
    ),
    (
        "plain/src/words.rs",
        "#[macro_export]
         macro_rules! words {
             ($($(#[$doc:meta])* pub enum $name:ident { $($case:ident = $word:literal),+ $(,)? })+) => {$(
                 $(#[$doc])* #[derive(Clone)] pub enum $name { $($case),+ }
                 impl $name { pub const WORDS: [&'static str; { [$($word),+].len() }] = [$($word),+]; }
                 impl $crate::open::Port for $name {}
             )+};
         }
         words! { /// A colour.
             pub enum Colour { Red = \"red\", Blue = \"blue\", } }",
    ),
];
const INNER: (&str, &str) = ("plain/src/inner.rs", "pub fn inner() {}");

fn read(change: impl Fn(&str) -> String) -> Vec<String> {
    let texts = FILES.iter().chain([&INNER]);
    let texts: Vec<(&str, String)> = texts.map(|(path, text)| (*path, change(text))).collect();
    let files: Files<'_> = texts
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let mut interfaces = interfaces(&["plain"], &files);
    interfaces.pop().map(|(_, lines)| lines).unwrap_or_default()
}

/// The differences that writing `to` in place of `from` makes.
#[track_caller]
fn changed(from: &str, to: &str) -> Vec<String> {
    let is_there = FILES
        .iter()
        .chain([&INNER])
        .any(|(_, text)| text.contains(from));
    assert!(is_there, "no file has {from}");
    difference::difference(
        &read(str::to_owned),
        &read(|text| text.replacen(from, to, 1)),
    )
}

#[test]
fn an_interface_has_a_line_for_each_public_item() {
    let lines = read(str::to_owned);
    let public = [
        "Colour: enum",
        "Colour impl: Clone; Port",
        "Colour::Blue: variant",
        "Colour::Red: variant",
        "Colour::WORDS: const [&'static str; { [\"red\", \"blue\"].len() }]",
        "Reachable: struct { private fields }",
        "Reachable.size: u8",
        "Reachable impl: Clone; Display; From<Reachable> for String; Serialize",
        "Reachable::MAX: const u8",
        "Reachable::size: fn(&self, factor: Option<&'static [u8]>) -> Result<u8, ()>",
        "Span: use std::time::Duration",
        "by_glob: fn()",
        "open::Answer: enum",
        "open::Answer::Later: variant(Reachable)",
        "open::Answer::No: variant { why: String }",
        "open::Answer::Yes: variant",
        "open::LIMIT: const usize",
        "open::Pair: struct<T: Copy>(T, _)",
        "open::Pair::send: async fn(self, _: (u8, u8)) where T: Send of impl<T: Copy> Pair<T>",
        "open::Port: trait: Send",
        "open::Port impl: for u8",
        "open::Port::N: const u8",
        "open::Port::Of: type: Copy",
        "open::Port::call: fn(&self) -> impl Fn(u8) -> u8",
        "open::Port::end: fn(self) (provided)",
        "open::Short: type<'a> = &'a mut dyn for<'b> Fn(&'b str)",
        "open::for_kits: fn()",
    ];
    let plain: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (macros, items): (Vec<&str>, Vec<&str>) =
        plain.into_iter().partition(|line| line.contains('!'));
    assert_eq!(items, public);
    assert_eq!(macros.len(), 1, "{macros:?}");
    assert!(macros[0].starts_with("words!: macro ($($(#[$doc: meta])*pub enum $name: ident"));
}

/// A text of the planted library, what is written in its place, and the lines of the difference.
type Change = (&'static str, &'static str, &'static [&'static str]);

const ITEM_CHANGES: [Change; 6] = [
    ("pub fn by_glob() {}", "", &["removed  by_glob: fn()"]),
    (
        "factor: Option<&'static [u8]>",
        "factor: u8",
        &[
            "changed  Reachable::size",
            "  before Reachable::size: fn(&self, factor: Option<&'static [u8]>) -> Result<u8, ()>",
            "  now    Reachable::size: fn(&self, factor: u8) -> Result<u8, ()>",
        ],
    ),
    (
        "pub enum Answer { Yes,",
        "pub enum Answer { Yes, Perhaps,",
        &["added    open::Answer::Perhaps: variant"],
    ),
    (
        "pub size: u8, secret: u8",
        "pub size: u8, pub secret: u8",
        &[
            "changed  Reachable",
            "  before Reachable: struct { private fields }",
            "  now    Reachable: struct",
            "added    Reachable.secret: u8",
        ],
    ),
    (
        "pub use hidden::Reachable;",
        "pub use hidden::{Reachable, Unreachable as Again};",
        &["added    Again: struct", "added    Again.size: u8"],
    ),
    (
        "fn end(self) {}",
        "fn end(self);",
        &[
            "changed  open::Port::end",
            "  before open::Port::end: fn(self) (provided)",
            "  now    open::Port::end: fn(self)",
        ],
    ),
];

const TYPE_CHANGES: [Change; 5] = [
    (
        "#[derive(Clone, serde::Serialize)]",
        "#[derive(serde::Serialize)]",
        &[
            "changed  Reachable impl",
            "  before Reachable impl: Clone; Display; From<Reachable> for String; Serialize",
            "  now    Reachable impl: Display; From<Reachable> for String; Serialize",
        ],
    ),
    (
        "pub const LIMIT: usize",
        "pub const LIMIT: u64",
        &[
            "changed  open::LIMIT",
            "  before open::LIMIT: const usize",
            "  now    open::LIMIT: const u64",
        ],
    ),
    (
        "pub(crate) mod inner",
        "pub mod inner",
        &["added    inner::inner: fn()"],
    ),
    (
        "pub(crate) fn not_by_glob",
        "pub fn not_by_glob",
        &["added    not_by_glob: fn()"],
    ),
    (
        "pub struct Pair<T: Copy>",
        "pub struct Pair<T>",
        &[
            "changed  open::Pair",
            "  before open::Pair: struct<T: Copy>(T, _)",
            "  now    open::Pair: struct<T>(T, _)",
        ],
    ),
];

#[test]
fn a_change_of_what_is_public_shows() {
    for (from, to, lines) in ITEM_CHANGES.into_iter().chain(TYPE_CHANGES) {
        assert_eq!(changed(from, to), lines, "{from} → {to}");
    }
}

#[test]
fn a_change_of_what_a_macro_declares_shows() {
    assert_eq!(
        changed("Blue = \"blue\",", "Blue = \"blue\", Green = \"green\","),
        [
            "added    Colour::Green: variant",
            "changed  Colour::WORDS",
            "  before Colour::WORDS: const [&'static str; { [\"red\", \"blue\"].len() }]",
            "  now    Colour::WORDS: const [&'static str; { [\"red\", \"blue\", \"green\"].len() }]",
        ]
    );
    let form = changed("$(,)? })+) =>", "$(,)? })*) =>");
    assert_eq!(form[0], "changed  words!", "{form:?}");
}

#[test]
fn a_change_of_what_is_private_does_not_show() {
    let changes = [
        ("fn private(&self) {}", "fn private(&self, more: u8) {}"),
        (
            "pub(crate) fn internal(&self)",
            "pub(crate) fn internal(&self, more: u8)",
        ),
        (
            "pub struct Unreachable { pub size: u8 }",
            "pub struct Unreachable;",
        ),
        ("secret: u8 }", "secret: u8, more: u8 }"),
        ("pub fn inner() {}", "pub fn inner(more: u8) {}"),
        ("#[cfg(test)] pub fn for_tests() {}", ""),
        ("#[doc(hidden)] pub fn hidden() {}", ""),
        ("trait Secret {}", "trait Secret { fn more(); }"),
        ("impl Secret for Reachable {}", ""),
        ("pub const LIMIT: usize = 3;", "pub const LIMIT: usize = 4;"),
    ];
    for (from, to) in changes {
        assert_eq!(changed(from, to), Vec::<String>::new(), "{from} → {to}");
    }
}
