//! Habits of people: they follow the clock of the world, and come to an end.

use switchboard_actors::domain::id::UserId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_worlds::Whole;
use switchboard_worlds::prelude::*;

const SECOND: Duration = Duration::from_secs(1);

/// A world in which Ada answers after 2 seconds, and Bo reads after 10.
fn habitual() -> World {
    let world = World::start();
    world.user("ada").answers(2 * SECOND, "One moment.");
    world.customer("bo").reads(10 * SECOND);
    world
}

fn reports(world: &World) -> Vec<Option<DeliveryStatus>> {
    let messages = world.messages("bo").into_iter();
    let reports = messages.filter_map(|message| match message {
        MessageView::Out { afterwards, .. } => Some(afterwards.status.clone()),
        MessageView::In { .. } => None,
    });
    reports.collect()
}

#[test]
fn a_user_answers_and_a_customer_reads_at_their_moment() {
    let world = habitual();
    world.customer("bo").says("Have you any tulips?");
    assert!(!world.is_quiet(), "an answer is due");
    world.advance(Duration::from_millis(1_900));
    assert_eq!(world.texts("bo"), ["Have you any tulips?"]);
    world.advance(Duration::from_millis(100));
    assert_eq!(world.texts("bo"), ["Have you any tulips?", "One moment."]);
    world.advance(9 * SECOND);
    assert_eq!(reports(&world), [None]);
    world.advance(2 * SECOND);
    assert_eq!(reports(&world), [Some(DeliveryStatus::Read)]);
    assert!(world.is_quiet());
    let journal = world.journal().to_string();
    for words in [
        "user ada       answers \"One moment.\" out of habit",
        "customer bo    reads out of habit",
    ] {
        assert!(journal.contains(words), "{journal}");
    }
}

/// A wait ends with the last habit that is due, and not later.
#[test]
fn a_wait_until_quiet_has_all_that_is_due() {
    let world = habitual();
    world.customer("bo").says("Have you any tulips?");
    let before = world.now();
    world.wait(Until::quiet());
    assert_eq!(reports(&world), [Some(DeliveryStatus::Read)]);
    let took = world.now().since(before);
    assert!(took >= 12 * SECOND && took < 13 * SECOND, "{took:?}");
}

/// Two who always answer would never come to an end.
#[test]
fn a_habit_does_not_answer_a_habit() {
    let world = World::start();
    world.user("ada").answers(2 * SECOND, "One moment.");
    world.customer("bo").answers(3 * SECOND, "Thank you.");
    world.customer("bo").says("Have you any tulips?");
    world.wait(Until::quiet());
    assert_eq!(world.texts("bo"), ["Have you any tulips?", "One moment."]);
    world.user("ada").replies("Red ones.");
    world.wait(Until::quiet());
    assert_eq!(world.texts("bo")[2..], ["Red ones.", "Thank you."]);
    assert_eq!(world.last_conversation(), world.conversation("bo"));
}

/// A message reaches the customer once the receiver accepts it.
#[test]
fn a_customer_answers_what_has_reached_them() {
    let world = World::start();
    world.receiver().answer_times(3, Behaviour::status(500));
    world.customer("bo").answers(SECOND, "Thank you.");
    world.customer("bo").says("Have you any tulips?");
    let message = world.user("ada").replies("Red ones.");
    world.wait(Until::attempts(message.message, 3));
    assert_eq!(world.texts("bo").len(), 2);
    world.wait(Until::quiet());
    assert_eq!(world.texts("bo").last().unwrap(), "Thank you.");
    assert_eq!(world.receiver().attempts().len(), 4);
}

#[test]
fn a_habit_is_kept_so_often_and_until_it_is_ended() {
    let world = World::start();
    world
        .user("ada")
        .keeps(Habit::answers(SECOND, "One moment.").times(2));
    world.user("ben").answers(2 * SECOND, "Hello.");
    for text in ["1", "2", "3"] {
        world.customer("bo").says(text);
    }
    assert_eq!(world.habits().len(), 1, "Ada's two times are over");
    world.wait(Until::quiet());
    let count = |text: &str| world.texts("bo").iter().filter(|it| *it == text).count();
    assert_eq!((count("One moment."), count("Hello.")), (2, 3));
    world.customer("bo").says("4");
    world.user("ben").ends_habits();
    assert!(world.is_quiet(), "what was due is ended, too");
    world.advance(60 * SECOND);
    assert_eq!(count("Hello."), 3);
}

/// A user who reads has read the conversation; a later habit of the same name takes the place of the first.
#[test]
fn a_user_reads_a_conversation() {
    let world = World::start();
    world.user("ada").reads(60 * SECOND);
    world.user("ada").reads(5 * SECOND);
    let message = world.customer("bo").says("Have you any tulips?");
    let unread = |world: &World| {
        let account = world.account();
        world.run(async |system| {
            let whole = Whole::new(system, account);
            let view = whole.conversation(message.conversation).await;
            view.unwrap().unwrap().state.unread
        })
    };
    assert_eq!(unread(&world), 1);
    world.advance(5 * SECOND);
    assert_eq!(unread(&world), 0);
    assert!(world.is_quiet());
}

/// Habits and what is due of them belong to the people, not to the system.
#[test]
fn habits_outlast_restarts_power_cuts_and_snapshots() {
    let world = habitual();
    world.customer("bo").says("Have you any tulips?");
    world.restart();
    world.cut_power();
    let snapshot = world.snapshot();
    for world in [&world, &snapshot.fork(), &snapshot.fork()] {
        world.wait(Until::quiet());
        assert_eq!(world.texts("bo"), ["Have you any tulips?", "One moment."]);
        assert_eq!(reports(world), [Some(DeliveryStatus::Read)]);
        world.customer("bo").says("Are you there?");
        world.wait(Until::quiet());
        assert_eq!(world.texts("bo")[2..], ["Are you there?", "One moment."]);
    }
}

/// A world in which Ada takes over after a second, notes after two and snoozes after three.
fn team() -> (World, ConversationId) {
    let world = World::start();
    let ada = world.user("ada");
    ada.takes_over(SECOND);
    ada.notes(2 * SECOND, "Ask Bo for the size.");
    ada.snoozes(3 * SECOND, 600 * SECOND);
    let conversation = world
        .customer("bo")
        .says("Have you any tulips?")
        .conversation;
    (world, conversation)
}

fn user_of(world: &World, name: &str) -> UserId {
    let token = world.user(name).token();
    world.run(async |system| system.caller(&token).await.unwrap().unwrap().user)
}

/// The responsible user, the texts of the notes, and the end of the snooze.
fn team_state(
    world: &World,
    id: ConversationId,
) -> (Option<UserId>, Vec<String>, Option<UnixMillis>) {
    let (account, token) = (world.account(), world.user("ada").token());
    world.run(async |system| {
        let view = Whole::new(system, account).conversation(id).await;
        let view = view.unwrap().unwrap();
        let caller = system.caller(&token).await.unwrap().unwrap();
        let access = system.user_access(&caller).await.unwrap();
        let page = access.team_notes(id, None, 10).await.unwrap().unwrap();
        let texts = page.notes.iter().flat_map(|note| &note.text);
        let responsible = view.lead.and_then(|lead| lead.responsible);
        let snooze = view.state.snooze.as_deref().map(|snooze| snooze.until);
        let texts = texts.map(ToString::to_string).collect();
        (responsible, texts, snooze)
    })
}

#[test]
fn users_take_over_note_and_snooze() {
    let (world, id) = team();
    let begin = world.now();
    assert_eq!(team_state(&world, id), (None, Vec::new(), None));
    world.wait(Until::quiet());
    let (responsible, texts, until) = team_state(&world, id);
    assert_eq!(responsible, Some(user_of(&world, "ada")));
    assert_eq!(texts, ["Ask Bo for the size."]);
    let until = until.unwrap().since(begin);
    assert!(until >= 602 * SECOND && until <= 604 * SECOND, "{until:?}");
    // A colleague takes it over in the place of Ada, and the customer's word ends the snooze.
    world.end_habits();
    world.user("ben").takes_over(SECOND);
    world.customer("bo").says("Are you there?");
    world.wait(Until::quiet());
    let (responsible, _, until) = team_state(&world, id);
    assert_eq!(responsible, Some(user_of(&world, "ben")));
    assert_eq!(until, None);
    let journal = world.journal().to_string();
    for words in [
        "takes over out of habit",
        "notes \"Ask Bo for the size.\" out of habit",
        "snoozes for 600s out of habit",
    ] {
        assert!(journal.contains(words), "{journal}");
    }
}

/// At whatever step the power goes, the note is there once, and the rest is so.
#[test]
fn acts_of_the_team_are_there_once_whenever_the_power_goes() {
    let mut interrupted = 0;
    for step in 1.. {
        let (world, id) = team();
        let starts = world.starts();
        world.cut_power_within(step);
        world.wait(Until::quiet());
        let (responsible, texts, until) = team_state(&world, id);
        assert_eq!(responsible, Some(user_of(&world, "ada")));
        assert_eq!(texts, ["Ask Bo for the size."]);
        assert!(until.is_some(), "{step}");
        if world.starts() == starts {
            break;
        }
        interrupted += 1;
    }
    assert!(interrupted > 4, "{interrupted}");
}

#[test]
#[should_panic(expected = "only users have this habit: takes over after 1s")]
fn a_customer_does_not_take_over() {
    let world = World::start();
    world.customer("bo").keeps(Habit::takes_over(SECOND));
}

/// At whatever step the power goes, each answer is there once.
#[test]
fn an_answer_is_there_once_whenever_the_power_goes() {
    let mut interrupted = 0;
    for step in 1.. {
        let world = habitual();
        world.customer("bo").says("Have you any tulips?");
        let starts = world.starts();
        world.cut_power_within(step);
        world.wait(Until::quiet());
        assert_eq!(world.texts("bo"), ["Have you any tulips?", "One moment."]);
        assert_eq!(reports(&world), [Some(DeliveryStatus::Read)]);
        if world.starts() == starts {
            break;
        }
        interrupted += 1;
    }
    assert!(interrupted > 4, "{interrupted}");
}

/// A person tries again what the system does not take, five times; the journal has the end.
#[test]
fn what_is_refused_is_tried_again_and_then_given_up() {
    let world = World::start();
    world.user("ada").answers(2 * SECOND, "One moment.");
    for (full_for, answers) in [(4 * SECOND, 1), (60 * SECOND, 1)] {
        world.customer("bo").says("Have you any tulips?");
        world.disk_full();
        world.advance(full_for);
        world.disk_freed();
        world.wait(Until::quiet());
        let texts = world.texts("bo");
        let count = texts.iter().filter(|it| *it == "One moment.").count();
        assert_eq!(count, answers, "{texts:?}");
    }
    let journal = world.journal().to_string();
    assert!(journal.contains("out of habit: refused: "), "{journal}");
}
