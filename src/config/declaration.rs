//! `settings!`: a section of the configuration, with a line for each setting.
//!
//! The line has the field, the type, the default and the form of the setting, with its range; the comment above it is the
//! sentence that `config.toml` has. The structure, the reader, the output of `switchboard config show` and the section of
//! `config.toml` follow: a test compares that file with [`sections`](super::all_sections::sections).

use super::reader::Reader;
use super::section::Section;

/// A section as its declaration describes it.
#[derive(Clone, Copy, Debug)]
pub struct SectionDeclaration {
    /// The name, as in `[server]`.
    pub name: &'static str,
    /// The lines of the comment below the name.
    pub introduction: &'static [&'static str],
    /// The settings, in their order in `config.toml`.
    pub settings: &'static [SettingDeclaration],
}

/// A setting as its declaration describes it.
#[derive(Clone, Copy, Debug)]
pub struct SettingDeclaration {
    /// The key in its section.
    pub key: &'static str,
    /// The lines of the comment above the key; none if the comment of the setting before holds for both.
    pub comment: &'static [&'static str],
}

/// A structure that `settings!` declares.
pub(super) trait Declared: Sized {
    /// The section.
    const DECLARATION: SectionDeclaration;

    /// Reads all settings of the section.
    fn read(reader: &mut Reader, section: &mut Section) -> Self;
}

impl Reader {
    /// The section of a declaration.
    pub(super) fn declared<T: Declared>(&mut self, parent: &mut Section) -> T {
        let mut section = self.section(parent, T::DECLARATION.name);
        let settings = T::read(self, &mut section);
        self.close(section);
        settings
    }
}

/// Declares the structure of a section.
///
/// ```text
/// settings! {
///     /// A comment below the name of the section.
///     pub struct Cellar in "cellar" {
///         /// The number of bottles.
///         bottles: u32 = 12, whole(0..=1_000);
///         /// The time of a visit.
///         visit ("visit_minutes"): Duration = 5, whole(1..=60) => minutes;
///         /// The way out. "none": visitors stay.
///         exit: Option<PathBuf>, or_none(directory);
///     }
/// }
/// ```
///
/// This declares `struct Cellar { pub bottles: u32, pub visit: Duration, pub exit: Option<PathBuf> }` and how it is read:
/// the key `visit_minutes` has the default 5, and `minutes` makes a `Duration` of its value; `exit` has no default, and the
/// word for no value. `config.toml` has, below `[cellar]`, the comments and the lines `# bottles = 12`,
/// `# visit_minutes = 5` and `# exit = "none"`.
macro_rules! settings {
    (
        $(#[doc = $introduction:literal])*
        $(#[derive($derived:ident)])?
        $visibility:vis struct $Section:ident in $name:literal {
            $(
                $(#[doc = $first:literal] $(#[doc = $further:literal])*)?
                $field:ident $(($key:literal))?: $type:ty $(= $default:expr)?, $form:expr $(=> $convert:expr)?;
            )*
        }
    ) => {
        #[doc = concat!("`[", $name, "]`")]
        #[derive(Clone, Debug, PartialEq, Eq $(, $derived)?)]
        $visibility struct $Section {
            $(
                #[doc = concat!("`", settings!(@key $field $($key)?), "` of the configuration")]
                $(
                    #[doc = "```text"]
                    #[doc = $first]
                    $(#[doc = $further])*
                    #[doc = "```"]
                )?
                $visibility $field: $type,
            )*
        }

        impl $crate::config::declaration::Declared for $Section {
            const DECLARATION: $crate::config::declaration::SectionDeclaration =
                $crate::config::declaration::SectionDeclaration {
                    name: $name,
                    introduction: &[$($introduction),*],
                    settings: &[$(
                        $crate::config::declaration::SettingDeclaration {
                            key: settings!(@key $field $($key)?),
                            comment: &[$($first $(, $further)*)?],
                        },
                    )*],
                };

            fn read(
                reader: &mut $crate::config::reader::Reader,
                section: &mut $crate::config::section::Section,
            ) -> Self {
                Self {
                    $($field: {
                        let key = settings!(@key $field $($key)?);
                        let value = settings!(@read reader section key; [$($default)?] $form);
                        settings!(@convert value; $($convert)?)
                    },)*
                }
            }
        }
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    (@read $reader:ident $section:ident $key:ident; [] $form:expr) => {
        $reader.choice($section, $key, $form)
    };
    (@read $reader:ident $section:ident $key:ident; [$default:expr] $form:expr) => {
        $reader.or($section, $key, $default, $form)
    };
    (@convert $value:ident; ) => { $value };
    (@convert $value:ident; $convert:expr) => { $convert($value) };
}

pub(super) use settings;
