//! The rights over one kind of entity: leads, contacts, companies.

use serde::{Deserialize, Serialize};

use crate::account::rights::{
    EntityAction, Grant, Right, RightsExcessError, StoredRightsError, excesses,
};

/// Five rights as requested. They may still contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityLevels {
    /// To see.
    pub view: Right,
    /// To change.
    pub edit: Right,
    /// To make new ones.
    pub add: Grant,
    /// To take away.
    pub delete: Right,
    /// To carry out of the service.
    pub export: Right,
}

impl EntityLevels {
    /// Nothing is allowed.
    pub const DENIED: Self = Self {
        view: Right::Denied,
        edit: Right::Denied,
        add: Grant::Denied,
        delete: Right::Denied,
        export: Right::Denied,
    };

    /// Everything is allowed.
    pub const ALL: Self = Self {
        view: Right::All,
        edit: Right::All,
        add: Grant::Allowed,
        delete: Right::All,
        export: Right::All,
    };

    /// The right to do this.
    #[must_use]
    pub fn right(&self, action: EntityAction) -> Right {
        match action {
            EntityAction::View => self.view,
            EntityAction::Edit => self.edit,
            EntityAction::Add => self.add.into(),
            EntityAction::Delete => self.delete,
            EntityAction::Export => self.export,
        }
    }
}

/// The rights over one kind of entity: edit, delete and export reach no further than view, and delete no further than
/// edit. Stored as five letters in the order of [`EntityAction::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EntityRights(EntityLevels);

impl EntityRights {
    /// Nothing is allowed.
    pub const DENIED: Self = Self(EntityLevels::DENIED);
    /// Everything is allowed.
    pub const ALL: Self = Self(EntityLevels::ALL);

    /// These rights, if they do not contradict each other.
    ///
    /// # Errors
    /// Every right that is too wide.
    pub fn new(levels: EntityLevels) -> Result<Self, Vec<RightsExcessError>> {
        let excesses = excesses(&EntityAction::ALL, |action| levels.right(action));
        if excesses.is_empty() {
            Ok(Self(levels))
        } else {
            Err(excesses)
        }
    }

    /// The five rights.
    #[must_use]
    pub fn levels(&self) -> EntityLevels {
        self.0
    }

    /// The right to do this.
    #[must_use]
    pub fn right(&self, action: EntityAction) -> Right {
        self.0.right(action)
    }

    /// Returns the right to create new objects.
    #[must_use]
    pub fn add(&self) -> Grant {
        self.0.add
    }
}

impl From<EntityRights> for String {
    fn from(rights: EntityRights) -> Self {
        let letter = |action: EntityAction| rights.right(action).letter();
        EntityAction::ALL.into_iter().map(letter).collect()
    }
}

impl TryFrom<String> for EntityRights {
    type Error = StoredRightsError;
    fn try_from(text: String) -> Result<Self, StoredRightsError> {
        const EXPECTED: StoredRightsError =
            StoredRightsError("five letters of the rights over an entity");
        let mut letters = text.chars();
        let mut next = || letters.next().and_then(Right::of_letter).ok_or(EXPECTED);
        let (view, edit, add) = (next()?, next()?, next()?);
        let (delete, export) = (next()?, next()?);
        let levels = EntityLevels {
            view,
            edit,
            add: Grant::of_letter(add.letter()).ok_or(EXPECTED)?,
            delete,
            export,
        };
        match (letters.next(), Self::new(levels)) {
            (None, Ok(rights)) => Ok(rights),
            (Some(_), _) | (None, Err(_)) => Err(EXPECTED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known counterpart's table: for each view and edit, the letters that delete and export may have.
    const TABLE: [(char, char, &str, &str); 10] = [
        ('A', 'A', "AGMD", "AGMD"),
        ('A', 'G', "GMD", "AGMD"),
        ('A', 'M', "MD", "AGMD"),
        ('A', 'D', "D", "AGMD"),
        ('G', 'G', "GMD", "GMD"),
        ('G', 'M', "MD", "GMD"),
        ('G', 'D', "D", "GMD"),
        ('M', 'M', "MD", "MD"),
        ('M', 'D', "D", "MD"),
        ('D', 'D', "D", "D"),
    ];

    fn in_the_table(levels: &EntityLevels) -> bool {
        TABLE.iter().any(|(view, edit, delete, export)| {
            levels.view.letter() == *view
                && levels.edit.letter() == *edit
                && delete.contains(levels.delete.letter())
                && export.contains(levels.export.letter())
        })
    }

    fn every_combination() -> Vec<EntityLevels> {
        let mut all = Vec::new();
        for view in Right::ALL {
            for edit in Right::ALL {
                for delete in Right::ALL {
                    for export in Right::ALL {
                        all.extend(Grant::ALL.map(|add| EntityLevels {
                            view,
                            edit,
                            add,
                            delete,
                            export,
                        }));
                    }
                }
            }
        }
        all
    }

    #[test]
    fn only_combinations_of_the_dependency_table_are_valid() {
        let all = every_combination();
        assert_eq!(all.len(), 4 * 4 * 4 * 4 * 2);
        let mut count = 0;
        for levels in all {
            let rights = EntityRights::new(levels);
            assert_eq!(rights.is_ok(), in_the_table(&levels), "{levels:?}");
            count += usize::from(rights.is_ok());
        }
        assert_eq!(count, 130);
    }

    /// Every right that is too wide is named once, and narrowing those is enough.
    #[test]
    fn every_too_wide_right_is_named_once_and_narrowing_is_enough() {
        for levels in every_combination() {
            let Err(excesses) = EntityRights::new(levels) else {
                continue;
            };
            let mut actions: Vec<_> = excesses.iter().map(|excess| excess.action).collect();
            actions.dedup();
            assert_eq!(actions.len(), excesses.len(), "{levels:?}");
            let mut narrowed = levels;
            for excess in &excesses {
                assert!(levels.right(excess.action) > excess.limit);
                match excess.action {
                    EntityAction::Edit => narrowed.edit = excess.limit,
                    EntityAction::Delete => narrowed.delete = excess.limit,
                    EntityAction::Export => narrowed.export = excess.limit,
                    EntityAction::View | EntityAction::Add => panic!("these depend on nothing"),
                }
            }
            // Only what depends on a right that was too wide itself can be left.
            let excesses = EntityRights::new(narrowed).err().unwrap_or_default();
            assert!(
                excesses
                    .iter()
                    .all(|excess| excess.action == EntityAction::Delete)
            );
        }
    }

    /// Rights are stored as five letters, and read back only if they are allowed.
    #[test]
    fn rights_are_stored_as_five_letters_and_validated_on_reading() {
        for levels in every_combination() {
            let letters: String = EntityAction::ALL
                .into_iter()
                .map(|action| levels.right(action).letter())
                .collect();
            let json = format!("\"{letters}\"");
            let read: Result<EntityRights, _> = serde_json::from_str(&json);
            match EntityRights::new(levels) {
                Ok(rights) => {
                    assert_eq!(serde_json::to_string(&rights).unwrap(), json);
                    assert_eq!(read.unwrap(), rights);
                }
                Err(_) => assert!(read.is_err(), "{json}"),
            }
        }
        for text in ["", "\"AAAA\"", "\"AAAAAA\"", "\"AAGAA\"", "\"aaaaa\"", "{}"] {
            assert!(
                serde_json::from_str::<EntityRights>(text).is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_right_that_is_too_wide_is_reported_in_one_sentence() {
        let levels = EntityLevels {
            view: Right::Main,
            edit: Right::All,
            ..EntityLevels::DENIED
        };
        let excesses = EntityRights::new(levels).unwrap_err();
        let texts: Vec<String> = excesses.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["edit may not reach further than view, which is M"]);
    }
}
