use switchboard_engine::state::{Command, Moment};

use super::create::CreateSavedView;
use super::delete::DeleteSavedView;
use super::saved_view::SavedViewChange;
use super::update::UpdateSavedView;
use super::*;
use crate::conversation::filters::{Among, ConversationFilters};
use crate::time::UnixMillis;

const ADA: UserId = UserId(1);
const BORIS: UserId = UserId(2);

/// The saved views of an account, and the records of them.
struct Test {
    state: SavedViews,
    records: Vec<SavedViewsEvent>,
}

type Outcome = Result<SavedView, SavedViewRejection>;

/// Ada is the administrator.
fn editor(user: UserId) -> SavedViewEditor {
    SavedViewEditor {
        by: By::Operator,
        user,
        is_administrator: user == ADA,
    }
}

fn rename(name: &str) -> SavedViewChange {
    SavedViewChange {
        name: Some(name.parse().unwrap()),
        ..SavedViewChange::default()
    }
}

fn full(bound: SavedViewsFullError) -> Outcome {
    Err(SavedViewRejection::Full(bound))
}

impl Test {
    fn new() -> Self {
        Self {
            state: SavedViews::initial(&AccountId::from_random([1; 16])),
            records: Vec::new(),
        }
    }

    /// Decides, and applies what is stored.
    fn run<C: Command<Of = SavedViews>>(&mut self, command: C) -> Result<C::Reply, C::Rejection> {
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: UnixMillis::from_secs(100),
            random: &mut random,
            earlier: &[],
        };
        let decision = command.decide(&self.state, &mut moment)?;
        for recorded in &decision.events {
            let text = serde_json::to_string(&recorded.event).unwrap();
            let event: SavedViewsEvent = serde_json::from_str(&text).unwrap();
            assert_eq!(event, recorded.event);
            self.state.apply(&event);
            self.records.push(event);
        }
        Ok(decision.reply)
    }

    fn creates(&mut self, user: UserId, name: &str, is_shared: bool) -> Outcome {
        self.run(CreateSavedView {
            editor: editor(user),
            is_shared,
            settings: SavedViewSettings {
                name: name.parse().unwrap(),
                filters: ConversationFilters {
                    state: Some(Among::Unread),
                    ..ConversationFilters::default()
                },
            },
        })
    }

    fn updates(&mut self, user: UserId, id: u64, change: SavedViewChange) -> Outcome {
        self.run(UpdateSavedView {
            editor: editor(user),
            id: SavedViewId(id),
            change,
        })
    }

    fn deletes(&mut self, user: UserId, id: u64) -> Outcome {
        self.run(DeleteSavedView {
            editor: editor(user),
            id: SavedViewId(id),
        })
    }
}

#[test]
fn an_own_view_is_its_authors_and_the_teams_is_administrators() {
    let mut test = Test::new();
    test.creates(BORIS, "Mine", false).unwrap();
    test.creates(ADA, "Mine", true).unwrap();
    let numbers = |user| test.state.iter(user).map(|it| it.id.0).collect::<Vec<_>>();
    assert_eq!((numbers(ADA), numbers(BORIS)), (vec![2], vec![1, 2]));
    let (unknown, of_team) = (
        Err(SavedViewRejection::Unknown),
        Err(SavedViewRejection::OfTeam),
    );
    // An administrator neither.
    assert_eq!(test.updates(ADA, 1, rename("x")), unknown);
    assert_eq!(test.deletes(ADA, 1), unknown);
    assert_eq!(test.creates(BORIS, "New", true), of_team);
    assert_eq!(test.updates(BORIS, 2, rename("x")), of_team);
    assert_eq!(test.deletes(BORIS, 2), of_team);
    let renamed = test.updates(BORIS, 1, rename("Other")).unwrap();
    assert_eq!((renamed.version, renamed.author), (2, BORIS));
    test.deletes(ADA, 2).unwrap();
    test.deletes(BORIS, 1).unwrap();
    assert_eq!(test.creates(BORIS, "New", false).unwrap().id.0, 3);
}

#[test]
fn a_name_is_free_once_among_mine_and_once_among_the_teams() {
    let mut test = Test::new();
    let refusal = Err(SavedViewRejection::NameTaken);
    test.creates(ADA, "Größe", false).unwrap();
    test.creates(BORIS, "größe", false).unwrap();
    test.creates(ADA, "GRÖßE", true).unwrap();
    assert_eq!(test.creates(ADA, "grÖße", false), refusal);
    assert_eq!(test.creates(ADA, "grÖße", true), refusal);
    test.creates(ADA, "Other", false).unwrap();
    assert_eq!(test.updates(ADA, 4, rename("GRÖßE")), refusal);
    test.updates(ADA, 4, rename("OTHER")).unwrap();
}

#[test]
fn the_numbers_of_views_are_bounded() {
    let mut test = Test::new();
    for number in 0..OWN_MAX {
        test.creates(ADA, &format!("n{number}"), false).unwrap();
    }
    assert_eq!(
        test.creates(ADA, "x", false),
        full(SavedViewsFullError::Own)
    );
    test.updates(ADA, 1, rename("x")).unwrap();
    test.creates(BORIS, "x", false).unwrap();
    for number in 0..SHARED_MAX {
        test.creates(ADA, &format!("n{number}"), true).unwrap();
    }
    let outcome = test.creates(ADA, "x", true);
    assert_eq!(outcome, full(SavedViewsFullError::Shared));
    let mut users = (10..).flat_map(|user| (0..OWN_MAX).map(move |at| (UserId(user), at)));
    while test.state.views.len() < ALL_MAX {
        let (user, at) = users.next().unwrap();
        let mut view = test.state.views[&SavedViewId(1)].clone();
        view.id = SavedViewId(test.state.last + 1);
        view.author = user;
        view.settings.name = format!("n{at}").parse().unwrap();
        test.state.apply(&SavedViewsEvent {
            id: view.id,
            now: Some(Box::new(view)),
            audit: None,
        });
    }
    let bytes = serde_json::to_vec(&test.state).unwrap().len();
    assert!(bytes < ALL_MAX << 10, "{bytes}");
    assert_eq!(
        test.creates(BORIS, "y", false),
        full(SavedViewsFullError::All)
    );
    test.updates(BORIS, 51, rename("z")).unwrap();
}

#[test]
fn an_older_page_overwrites_no_newer_version() {
    let mut test = Test::new();
    test.creates(ADA, "One", true).unwrap();
    let based_on = |version, name| SavedViewChange {
        based_on: Some(version),
        ..rename(name)
    };
    assert_eq!(test.updates(ADA, 1, based_on(1, "Two")).unwrap().version, 2);
    let late = test.updates(ADA, 1, based_on(1, "Three"));
    assert_eq!(late, Err(SavedViewRejection::ChangedMeanwhile));
    assert_eq!(test.updates(ADA, 1, rename("Four")).unwrap().version, 3);
    // What changes nothing is no version.
    assert_eq!(test.updates(ADA, 1, rename("Four")).unwrap().version, 3);
    assert_eq!(test.records.len(), 3);
}

#[test]
fn the_audit_log_has_changes_of_the_teams_views_alone() {
    let mut test = Test::new();
    test.creates(ADA, "Mine", false).unwrap();
    test.updates(ADA, 1, rename("Still mine")).unwrap();
    test.creates(ADA, "Ours", true).unwrap();
    test.updates(ADA, 2, rename("Still ours")).unwrap();
    test.deletes(ADA, 2).unwrap();
    let entries = test.records.iter().map(|record| {
        let audit = record.audit.as_ref()?;
        let names = audit.changes.iter().map(|it| it.field.as_str());
        Some((audit.action.as_str(), names.collect::<Vec<_>>()))
    });
    let all = vec!["name", "filters"];
    let expected = [
        None,
        None,
        Some(("view.create", all.clone())),
        Some(("view.update", vec!["name"])),
        Some(("view.delete", all)),
    ];
    assert_eq!(entries.collect::<Vec<_>>(), expected);
}
