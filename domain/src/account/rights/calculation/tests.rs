//! The calculation against a reference that was written from the rules alone, in another way: it never compares two
//! rights, it asks of each single action whether this user reaches this lead with it.

use super::*;
use crate::account::rights::Grant;
use crate::account::rights::entity::{EntityLevels, EntityRights};
use crate::account::rights::stage::{StageRights, StageRules};
use crate::account::rights::task::TaskRights;

const CASES: usize = 200_000;
const PIPELINE: PipelineId = PipelineId(1);

/// Small random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(sides).unwrap()).unwrap()
    }

    fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    fn entity(&mut self) -> EntityRights {
        loop {
            let levels = EntityLevels {
                view: self.choose(&Right::ALL),
                edit: self.choose(&Right::ALL),
                add: self.choose(&Grant::ALL),
                delete: self.choose(&Right::ALL),
                export: self.choose(&Right::ALL),
            };
            if let Ok(rights) = EntityRights::new(levels) {
                return rights;
            }
        }
    }

    fn stage(&mut self) -> StageRights {
        loop {
            let [view, edit, delete] = [0; 3].map(|_| self.choose(&Grant::ALL));
            let export = self.choose(&[None, Some(Grant::Denied), Some(Grant::Allowed)]);
            let rights = if self.flip() {
                StageRights::sorted(view, edit, delete, export)
            } else {
                StageRights::unsorted(view, edit, delete)
            };
            if let Ok(rights) = rights {
                return rights;
            }
        }
    }

    fn rights(&mut self) -> Rights {
        let mut stages = StageRules::default();
        for stage in 1..=3 {
            if self.flip() {
                assert!(stages.add(PIPELINE, StageId(stage), self.stage()));
            }
        }
        let edit = self.choose(&Right::ALL);
        let narrower: Vec<_> = Right::ALL.into_iter().filter(|r| *r <= edit).collect();
        Rights {
            leads: self.entity(),
            contacts: self.entity(),
            companies: self.entity(),
            tasks: TaskRights::new(edit, self.choose(&narrower)).unwrap(),
            mail_access: self.flip(),
            catalog_access: self.flip(),
            stages,
        }
    }

    fn operation(&mut self) -> Operation {
        let action = self.choose(&EntityAction::ALL);
        match self.below(10) {
            0 => Operation::Contacts(action),
            1 => Operation::Companies(action),
            2 => Operation::Buyers(action),
            3 => Operation::Tasks(self.choose(&[TaskAction::Edit, TaskAction::Delete])),
            4 => self.choose(&[Operation::Mail, Operation::Catalogs]),
            _ => Operation::Leads(action),
        }
    }

    fn circumstances(&mut self) -> Circumstances {
        let stage = self.below(4);
        Circumstances {
            relation: self.choose(&[Relation::Own, Relation::SameGroup, Relation::Other]),
            stage: (stage > 0).then(|| (PIPELINE, StageId(u64::try_from(stage).unwrap()))),
            subscriber: self.flip(),
        }
    }
}

/// Returns whether this letter lets a user reach an object of a responsible user with this relation.
fn reaches(letter: char, relation: Relation) -> bool {
    match relation {
        Relation::Own => "AGM".contains(letter),
        Relation::SameGroup => "AG".contains(letter),
        Relation::Other => letter == 'A',
    }
}

fn naive(rights: &Rights, operation: Operation, on: &Circumstances) -> bool {
    let general = |entity: &EntityRights, action: EntityAction| {
        let place = EntityAction::ALL.iter().position(|known| *known == action);
        String::from(*entity).chars().nth(place.unwrap()).unwrap()
    };
    match operation {
        Operation::Mail => rights.mail_access,
        Operation::Catalogs => rights.catalog_access,
        Operation::Tasks(TaskAction::Edit) => reaches(rights.tasks.edit().letter(), on.relation),
        Operation::Tasks(TaskAction::Delete) => {
            reaches(rights.tasks.delete().letter(), on.relation)
        }
        Operation::Contacts(action) => reaches(general(&rights.contacts, action), on.relation),
        Operation::Companies(action) => reaches(general(&rights.companies, action), on.relation),
        Operation::Buyers(action) => reaches(general(&rights.leads, action), on.relation),
        Operation::Leads(action) => {
            let alone = |action: EntityAction| {
                let letter = match (on.stage, action) {
                    (
                        Some(stage),
                        EntityAction::View
                        | EntityAction::Edit
                        | EntityAction::Delete
                        | EntityAction::Export,
                    ) => {
                        let rule = rights.stages.iter().find(|(p, s, _)| (*p, *s) == stage);
                        let grant = rule.and_then(|(_, _, rule)| rule.grant(action));
                        grant.map_or(general(&rights.leads, action), Grant::letter)
                    }
                    _ => general(&rights.leads, action),
                };
                reaches(letter, on.relation)
            };
            match action {
                EntityAction::View => alone(EntityAction::View) || on.subscriber,
                EntityAction::Add => alone(EntityAction::Add),
                EntityAction::Edit => alone(EntityAction::Edit) && alone(EntityAction::View),
                EntityAction::Export => alone(EntityAction::Export) && alone(EntityAction::View),
                EntityAction::Delete => {
                    alone(EntityAction::Delete)
                        && alone(EntityAction::Edit)
                        && alone(EntityAction::View)
                }
            }
        }
    }
}

#[test]
fn the_calculation_agrees_with_a_naive_reference() {
    let mut dice = Dice(1);
    let mut permissions = 0;
    for number in 0..CASES {
        let (rights, operation, on) = (dice.rights(), dice.operation(), dice.circumstances());
        let source = if dice.flip() {
            Source::Own(&rights)
        } else {
            Source::Role(RoleId(7), &rights)
        };
        let ruling = authorize(source, operation, &on);
        let prediction = naive(&rights, operation, &on);
        assert_eq!(
            ruling.allowed, prediction,
            "{number}: {rights:?} {operation:?} {on:?}"
        );
        permissions += usize::from(ruling.allowed);
    }
    // A reference that denies or allows nearly everything would prove little.
    assert!(
        (CASES / 5..CASES / 5 * 4).contains(&permissions),
        "{permissions}"
    );
}

/// The same rights with one of them narrower; `None` when there is nothing left to take away there.
fn without_something(rights: &Rights, dice: &mut Dice) -> Option<Rights> {
    let narrower = |right: Right| Right::ALL.into_iter().rev().find(|less| *less < right);
    let entity = |entity: EntityRights, dice: &mut Dice| {
        let mut levels = entity.levels();
        match dice.choose(&EntityAction::ALL) {
            EntityAction::View => levels.view = narrower(levels.view)?,
            EntityAction::Edit => levels.edit = narrower(levels.edit)?,
            EntityAction::Add => levels.add = Grant::Denied,
            EntityAction::Delete => levels.delete = narrower(levels.delete)?,
            EntityAction::Export => levels.export = narrower(levels.export)?,
        }
        EntityRights::new(levels).ok()
    };
    let mut less = rights.clone();
    match dice.below(6) {
        0 => less.leads = entity(rights.leads, dice)?,
        1 => less.contacts = entity(rights.contacts, dice)?,
        2 => less.companies = entity(rights.companies, dice)?,
        3 => {
            less.tasks =
                TaskRights::new(rights.tasks.edit(), narrower(rights.tasks.delete())?).ok()?
        }
        4 => {
            less.mail_access = false;
            less.catalog_access = false;
        }
        _ => {
            less.stages = StageRules::default();
            for (pipeline, stage, said) in rights.stages.iter() {
                let denied = if said.is_unsorted() {
                    StageRights::UNSORTED_DENIED
                } else {
                    let no = Grant::Denied;
                    StageRights::sorted(no, no, no, Some(no)).unwrap()
                };
                assert!(less.stages.add(pipeline, stage, denied));
            }
        }
    }
    Some(less)
}

#[test]
fn removing_a_right_never_grants_access() {
    let mut dice = Dice(2);
    let mut compared = 0;
    while compared < CASES {
        let rights = dice.rights();
        let Some(less) = without_something(&rights, &mut dice) else {
            continue;
        };
        let (operation, on) = (dice.operation(), dice.circumstances());
        let (before, after) = (
            authorize(Source::Own(&rights), operation, &on),
            authorize(Source::Own(&less), operation, &on),
        );
        assert!(
            before.allowed || !after.allowed,
            "{rights:?} {less:?} {operation:?} {on:?}"
        );
        assert!(after.right <= before.right);
        let mut further = on;
        further.relation = match on.relation {
            Relation::Own => Relation::SameGroup,
            Relation::SameGroup | Relation::Other => Relation::Other,
        };
        further.subscriber = false;
        let further = authorize(Source::Own(&rights), operation, &further);
        assert!(
            before.allowed || !further.allowed,
            "{rights:?} {operation:?} {on:?}"
        );
        compared += 1;
    }
}

#[test]
fn flags_are_decided_before_rights() {
    let mut dice = Dice(3);
    for _ in 0..10_000 {
        let (operation, on) = (dice.operation(), dice.circumstances());
        assert!(authorize(Source::Administrator, operation, &on).allowed);
        assert!(!authorize(Source::Free, operation, &on).allowed);
        assert!(!authorize(Source::Inactive, operation, &on).allowed);
    }
}

#[test]
fn a_responsible_user_is_checked_before_their_group() {
    let member = |user, group| GroupMember {
        user: UserId(user),
        group: GroupId(group),
    };
    let user = member(1, 1);
    let same = Some(member(2, 1));
    assert_eq!(Relation::between(user, Some(user)), Relation::Own);
    assert_eq!(Relation::between(user, same), Relation::SameGroup);
    let elsewhere = Some(member(2, 2));
    assert_eq!(Relation::between(user, elsewhere), Relation::Other);
    assert_eq!(Relation::between(user, None), Relation::Other);
}

fn said(rights: &Rights, operation: Operation, on: &Circumstances) -> Vec<String> {
    let ruling = authorize(Source::Role(RoleId(7), rights), operation, on);
    ruling.steps.iter().map(ToString::to_string).collect()
}

#[test]
fn a_ruling_lists_the_steps_that_led_to_it() {
    let mut rights = Rights::denied(&[]);
    rights.leads = EntityRights::new(EntityLevels {
        view: Right::Group,
        edit: Right::Main,
        export: Right::Group,
        ..EntityLevels::DENIED
    })
    .unwrap();
    let stage = StageRights::sorted(Grant::Denied, Grant::Denied, Grant::Denied, None).unwrap();
    assert!(rights.stages.add(PIPELINE, StageId(2), stage));
    let on = Circumstances {
        relation: Relation::SameGroup,
        stage: Some((PIPELINE, StageId(2))),
        subscriber: true,
    };
    assert_eq!(
        said(&rights, Operation::Leads(EntityAction::View), &on),
        [
            "the role 7 gives G",
            "the stage 2 of pipeline 1 makes it D",
            "a subscriber of the chat sees the lead: A",
            "a user of the same group is responsible: allowed",
        ]
    );
    assert_eq!(
        said(&rights, Operation::Leads(EntityAction::Export), &on),
        [
            "the role 7 gives G",
            "view limits it to D",
            "a user of the same group is responsible: denied",
        ]
    );
    assert_eq!(
        said(&rights, Operation::Buyers(EntityAction::View), &on),
        [
            "the role 7 gives G",
            "buyers inherit it from leads",
            "a user of the same group is responsible: allowed",
        ]
    );
    let ruling = authorize(Source::Free, Operation::Mail, &Circumstances::NONE);
    assert_eq!(
        serde_json::to_value(&ruling.steps).unwrap(),
        serde_json::json!([
            { "step": "flag", "flag": "free", "right": "D" },
            { "step": "reach", "relation": "other", "allowed": false },
        ])
    );
}
