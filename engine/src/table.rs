//! Tables: ordered lists of rows that events change.

use std::cmp::Ordering;
use std::fmt;

use crate::changes::Changes;

/// The first part of a row's key that rows are asked for by; `None` when the key is none of this table.
pub type PrefixOf = fn(&[u8]) -> Option<&[u8]>;

/// An ordered list of rows. Declared with [`tables!`](crate::tables).
#[derive(Clone, Copy)]
pub struct Table(&'static TableDeclaration);

/// The declaration of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableDeclaration {
    /// The stored number, which never changes; not 0.
    pub code: u8,
    /// The stored name.
    pub name: &'static str,
    /// The frequency at which its rows change.
    pub changes: Changes,
    /// For a table that is mostly asked for rows with a prefix of which it mostly has none: filters know it.
    pub prefix: Option<PrefixOf>,
}

/// Snapshots of states that seldom change: stream → snapshot. Written by checkpoints only, never by events.
pub(crate) const SNAPSHOTS: Table = Table(&TableDeclaration {
    code: 1,
    name: "snapshots",
    changes: Changes::Seldom,
    prefix: None,
});

/// Snapshots of states that often change, as [`SNAPSHOTS`].
pub(crate) const BUSY_SNAPSHOTS: Table = Table(&TableDeclaration {
    code: 17,
    name: "busy_snapshots",
    changes: Changes::Often,
    prefix: None,
});

/// The numbers that are not for others' tables.
pub const RESERVED: [u8; 2] = [SNAPSHOTS.0.code, BUSY_SNAPSHOTS.0.code];

impl Table {
    /// The table that is declared so.
    #[must_use]
    pub const fn declared(declaration: &'static TableDeclaration) -> Self {
        Self(declaration)
    }

    /// The stored number of the table.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0.code
    }

    /// The stored name of the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns whether its rows are snapshots of states, which no event writes.
    pub(crate) fn has_snapshots(self) -> bool {
        RESERVED.contains(&self.0.code)
    }

    /// Returns whether its rows are kept in sorted files: one row costs the tables' engine ten times as much.
    pub(crate) fn lies_in_runs(self) -> bool {
        self.0.changes == Changes::Often
    }

    /// Returns the part of its rows' keys that filters know besides the keys.
    pub(crate) fn prefix(self) -> Option<PrefixOf> {
        self.0.prefix
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.0.code == other.0.code
    }
}

impl Eq for Table {}

impl PartialOrd for Table {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Table {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.code.cmp(&other.0.code)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// Declares tables: a constant for each, and `ALL` of them. Two with the same number do not compile, nor do
/// [reserved](crate::table::RESERVED) numbers.
///
/// ```
/// mod tables {
///     switchboard_engine::tables! { pub const;
///         /// Counters by their total.
///         TOTALS: 2, "totals", Often;
///         /// Counters by the first letter of their name.
///         LETTERS: 3, "letters", Often, asked by |key: &[u8]| key.get(..1);
///     }
/// }
/// assert_eq!(tables::ALL, [tables::TOTALS, tables::LETTERS]);
/// ```
#[macro_export]
macro_rules! tables {
    ($visibility:vis const; $($(#[$doc:meta])* $constant:ident: $code:literal, $name:literal, $changes:ident $(, asked by $prefix:expr)?;)+) => {
        $(
            $(#[$doc])*
            $visibility const $constant: $crate::table::Table =
                $crate::table::Table::declared(&$crate::table::TableDeclaration {
                    code: $code,
                    name: $name,
                    changes: $crate::changes::Changes::$changes,
                    prefix: $crate::prefix_of!($($prefix)?),
                });
        )+
        /// All tables.
        $visibility const ALL: &[$crate::table::Table] = &[$($constant),+];
        const _: () = {
            let [first, second] = $crate::table::RESERVED;
            assert!($crate::changes::are_codes_of_their_own(&[first, second, $($code),+]));
        };
    };
}

/// A part of [`tables!`](crate::tables).
#[doc(hidden)]
#[macro_export]
macro_rules! prefix_of {
    () => {
        None
    };
    ($prefix:expr) => {
        Some($prefix)
    };
}
