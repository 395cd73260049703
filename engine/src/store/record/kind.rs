//! The kinds of records, and their numbers in the journal.

const DATA: u8 = 1;
const MARK: u8 = 2;
const ERASED: u8 = 3;
/// Set in the kind of the last record of a group.
const CLOSES: u8 = 0x80;

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// An event of a stream, with more of its group behind it.
    Data,
    /// An event of a stream, the last one of its group.
    LastOfGroup,
    /// The remains of an event that was erased, with more of its group behind it.
    Erased,
    /// The remains of an event that was erased, the last one of its group.
    LastErased,
    /// No event: it only says how far the journal was on disk.
    Mark,
}

impl RecordKind {
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Data => DATA,
            Self::LastOfGroup => DATA | CLOSES,
            Self::Erased => ERASED,
            Self::LastErased => ERASED | CLOSES,
            Self::Mark => MARK,
        }
    }

    pub(super) fn from_code(code: u8) -> Option<Self> {
        [
            Self::Data,
            Self::LastOfGroup,
            Self::Erased,
            Self::LastErased,
            Self::Mark,
        ]
        .into_iter()
        .find(|kind| kind.code() == code)
    }

    /// Returns whether it has a number of its own. A mark repeats that of the record before it.
    #[must_use]
    pub fn is_numbered(self) -> bool {
        self != Self::Mark
    }

    /// Returns whether no group is open behind it.
    #[must_use]
    pub fn closes_group(self) -> bool {
        match self {
            Self::LastOfGroup | Self::LastErased | Self::Mark => true,
            Self::Data | Self::Erased => false,
        }
    }

    /// Returns whether it was an event once.
    #[must_use]
    pub fn is_erased(self) -> bool {
        matches!(self, Self::Erased | Self::LastErased)
    }

    /// Returns its kind once its event is erased; a mark stays one.
    #[must_use]
    pub fn erased(self) -> Self {
        match self {
            Self::Data | Self::Erased => Self::Erased,
            Self::LastOfGroup | Self::LastErased => Self::LastErased,
            Self::Mark => Self::Mark,
        }
    }
}
