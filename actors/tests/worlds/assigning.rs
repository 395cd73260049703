//! Automatic assignment in a world: shares, presence, restarts and power cuts.

use std::collections::BTreeMap;

use switchboard_actors::domain::account::presence::Presence;
use switchboard_actors::domain::account::users::fields::UserFields;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::UserId;
use switchboard_actors::domain::installation::channels::settings::ChannelChange;
use switchboard_actors::domain::installation::channels::update::UpdateChannel;
use switchboard_actors::system::user_access::UserAccess;
use switchboard_engine::testkit::Dice;
use switchboard_worlds::prelude::*;

const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);

/// A world whose channel assigns automatically, up to this number of open conversations of each user.
fn assigns(limit: i64) -> World {
    let world = World::start();
    let id = world.channel().id;
    let change = ChannelChange {
        auto_assign: Some(true),
        assignment_limit: Some(limit.try_into().unwrap()),
        ..ChannelChange::default()
    };
    let by = By::Operator;
    let update = UpdateChannel { by, id, change };
    let outcome = world.run(async |system| system.update_channel(update).await);
    outcome.unwrap();
    world
}

async fn access(system: &System, token: &str) -> UserAccess {
    let caller = system.caller(token).await.unwrap().unwrap();
    system.user_access(&caller).await.unwrap()
}

/// The user chooses a presence. To choose `here` is a sign.
fn chooses(world: &World, name: &str, presence: Presence) {
    world.user(name).declare();
    let token = world.user(name).token();
    world.run(async |system| {
        let access = access(system, &token).await;
        let change = access.update_me(None, None, None, Some(presence));
        change.await.unwrap();
    });
}

fn is_here(world: &World, name: &str) {
    chooses(world, name, Presence::Here);
}

fn id_of(world: &World, name: &str) -> UserId {
    world.user(name).declare();
    let token = world.user(name).token();
    let caller = world.run(async |system| system.caller(&token).await);
    caller.unwrap().unwrap().user
}

/// The responsible user of the conversation of a customer.
fn owner(world: &World, customer: &str) -> Option<UserId> {
    let conversation = world.conversation(customer).unwrap();
    let ada = world.user("ada").token();
    world.run(async |system| {
        let view = access(system, &ada).await.conversation(conversation).await;
        view.unwrap().unwrap().lead.unwrap().responsible
    })
}

fn closes(world: &World, name: &str, customer: &str) {
    let conversation = world.conversation(customer).unwrap();
    let token = world.user(name).token();
    let outcome = world.run(async |system| {
        let access = access(system, &token).await;
        access.close_conversation(conversation).await
    });
    outcome.unwrap();
}

fn deactivates(world: &World, name: &str) {
    let user = id_of(world, name);
    let account = world.account();
    let fields = UserFields {
        is_active: Some(false),
        ..UserFields::default()
    };
    let update = world.run(async |system| {
        let by = By::Operator;
        let update = system.update_user_of_account(account, by, user, fields);
        update.await
    });
    update.unwrap();
    world.advance(SECOND);
}

/// Each customer who asks goes to a user who has the fewest open conversations of those who are here; when no user is here, the
/// customer waits, and is the first when one comes.
#[test]
fn shares_of_equal_limits_differ_by_at_most_one() {
    const AGENTS: usize = 30;
    let world = assigns(500);
    let names: Vec<String> = (0..AGENTS).map(|number| format!("agent{number}")).collect();
    let ids: Vec<UserId> = names.iter().map(|name| id_of(&world, name)).collect();
    let mut loads = BTreeMap::<UserId, usize>::new();
    let mut present = vec![false; AGENTS];
    let mut dice = Dice::new(7);
    for number in 0..2_000_usize {
        let all_are_here = number >= 1_200;
        let turns = number % 10 == 0 && !all_are_here;
        if number == 1_200 || number % 300 == 0 {
            for (agent, name) in names.iter().enumerate() {
                if all_are_here || present[agent] {
                    is_here(&world, name);
                    present[agent] = true;
                }
            }
        } else if turns {
            let agent = dice.below(AGENTS);
            present[agent] = !present[agent];
            let choice = if present[agent] {
                Presence::Here
            } else {
                Presence::Away
            };
            chooses(&world, &names[agent], choice);
        }
        let customer = format!("c{number}");
        world.customer(&customer).says("Have you any tulips?");
        if !present.contains(&true) {
            assert_eq!(owner(&world, &customer), None, "{number}");
            // The first who comes takes what waits.
            present[0] = true;
            is_here(&world, &names[0]);
        }
        let Some(user) = owner(&world, &customer) else {
            panic!("{number} waits while a user is free: {}", world.journal());
        };
        let load = |id: &UserId| loads.get(id).copied().unwrap_or_default();
        let here = ids.iter().zip(&present).filter(|(_, here)| **here);
        let fewest = here.clone().map(|(id, _)| load(id)).min();
        assert!(here.clone().any(|(id, _)| *id == user), "{number} is away");
        assert_eq!(Some(load(&user)), fewest, "{number}");
        *loads.entry(user).or_default() += 1;
    }
    let (least, most) = (loads.values().min(), loads.values().max());
    assert!(most.unwrap() - least.unwrap() <= 1, "{loads:?}");
    assert_eq!(loads.values().sum::<usize>(), 2_000);
}

#[test]
fn who_is_free_again_takes_the_longest_waiting() {
    let world = assigns(1);
    for customer in ["bo", "cy", "di"] {
        world.customer(customer).says("Hello");
        world.advance(SECOND);
    }
    let owners = || ["bo", "cy", "di"].map(|customer| owner(&world, customer));
    assert_eq!(owners(), [None; 3]);
    let ada = Some(id_of(&world, "ada"));
    is_here(&world, "ada");
    world.advance(SECOND);
    assert_eq!(owners(), [ada, None, None], "the limit is one");
    world.user("ada").replies_to("bo", "Hi");
    world.advance(SECOND);
    assert_eq!(owners(), [ada, ada, None]);
    closes(&world, "ada", "cy");
    world.advance(SECOND);
    assert_eq!(owners(), [ada; 3]);
}

#[test]
fn who_is_away_or_idle_takes_no_conversation() {
    let world = assigns(9);
    is_here(&world, "ada");
    for (name, choice) in [("ben", Presence::Away), ("cat", Presence::AwayGiveBack)] {
        is_here(&world, name);
        chooses(&world, name, choice);
    }
    for customer in ["bo", "cy", "di"] {
        world.customer(customer).says("Hello");
        assert_eq!(owner(&world, customer), Some(id_of(&world, "ada")));
    }
    world.advance(10 * MINUTE);
    world.customer("ed").says("Hello");
    assert_eq!(owner(&world, "ed"), None, "ten minutes without a sign");
    let ben = id_of(&world, "ben");
    is_here(&world, "ben");
    world.advance(SECOND);
    assert_eq!(owner(&world, "ed"), Some(ben));
    // Who is away keeps what they have.
    assert_eq!(owner(&world, "bo"), Some(id_of(&world, "ada")));
}

#[test]
fn who_gives_back_loses_what_waits_after_15_minutes() {
    let world = assigns(9);
    is_here(&world, "ada");
    let ada = Some(id_of(&world, "ada"));
    for customer in ["bo", "cy"] {
        world.customer(customer).says("Hello");
    }
    world.user("ada").replies_to("bo", "Hi");
    chooses(&world, "ada", Presence::AwayGiveBack);
    world.advance(15 * MINUTE - SECOND);
    assert_eq!(owner(&world, "cy"), ada);
    let ben = Some(id_of(&world, "ben"));
    is_here(&world, "ben");
    world.advance(SECOND);
    assert_eq!(owner(&world, "cy"), ben);
    assert_eq!(owner(&world, "bo"), ada, "it waits for the customer");
    // What begins to wait later goes at once.
    world.customer("bo").says("Thanks, and roses?");
    world.advance(SECOND);
    assert_eq!(owner(&world, "bo"), ben);
}

#[test]
fn a_reopened_conversation_goes_to_its_last_user() {
    let world = assigns(1);
    let (ada, ben) = (Some(id_of(&world, "ada")), Some(id_of(&world, "ben")));
    world.advance(MINUTE);
    is_here(&world, "ada");
    for customer in ["bo", "cy"] {
        world.customer(customer).says("Hello");
        closes(&world, "ada", customer);
    }
    is_here(&world, "ben");
    // Whatever the limit.
    for customer in ["bo", "cy"] {
        world.customer(customer).says("And roses?");
        world.advance(SECOND);
        assert_eq!(owner(&world, customer), ada);
        closes(&world, "ada", customer);
    }
    chooses(&world, "ada", Presence::Away);
    world.customer("bo").says("And lilies?");
    world.advance(SECOND);
    assert_eq!(owner(&world, "bo"), ben, "who is away does not get it");
    world.customer("cy").says("And lilies?");
    world.advance(SECOND);
    assert_eq!(owner(&world, "cy"), None, "to the queue: ben has one");
}

#[test]
fn what_a_deactivated_user_has_goes_to_the_queue_at_once() {
    let world = assigns(9);
    is_here(&world, "ben");
    let ben = Some(id_of(&world, "ben"));
    for customer in ["bo", "cy"] {
        world.customer(customer).says("Hello");
        assert_eq!(owner(&world, customer), ben);
    }
    world.user("ben").replies_to("bo", "Hi");
    deactivates(&world, "ben");
    assert_eq!(owner(&world, "cy"), None);
    assert_eq!(owner(&world, "bo"), ben, "it waits for the customer");
    world.customer("bo").says("Thanks, and roses?");
    world.advance(SECOND);
    assert_eq!(owner(&world, "bo"), None);
}

/// Streams are opened again within some seconds after a start: until then no user counts as absent.
#[test]
fn a_start_gives_users_half_a_minute_to_come_back() {
    let world = assigns(9);
    let ada = Some(id_of(&world, "ada"));
    is_here(&world, "ada");
    for customer in ["bo", "cy"] {
        world.customer(customer).says("Hello");
        closes(&world, "ada", customer);
    }
    world.restart();
    for customer in ["bo", "cy"] {
        world.customer(customer).says("And roses?");
    }
    world.advance(29 * SECOND);
    assert_eq!(owner(&world, "bo"), ada);
    is_here(&world, "ada");
    world.advance(2 * SECOND);
    assert_eq!(owner(&world, "bo"), ada, "she came back in time");
    closes(&world, "ada", "bo");
    world.restart();
    world.customer("bo").says("And lilies?");
    world.advance(31 * SECOND);
    assert_eq!(owner(&world, "bo"), None);
}

#[test]
fn what_is_given_back_waits_for_the_end_of_the_start() {
    let world = assigns(9);
    let ada = Some(id_of(&world, "ada"));
    is_here(&world, "ada");
    world.customer("bo").says("Hello");
    chooses(&world, "ada", Presence::AwayGiveBack);
    world.advance(15 * MINUTE - SECOND);
    world.restart();
    world.advance(20 * SECOND);
    assert_eq!(owner(&world, "bo"), ada);
    world.advance(20 * SECOND);
    assert_eq!(owner(&world, "bo"), None);
}

/// Whatever step of an assignment the power meets: the conversation has no user or this one, and has one in the end.
#[test]
fn an_assignment_is_whole_at_any_power_cut() {
    for step in 1..40 {
        let world = assigns(9);
        let ada = id_of(&world, "ada");
        let token = world.user("ada").token();
        world.customer("bo").says("Hello");
        world.cut_power_within(step);
        let outcome = world.exchange(async |system| {
            let access = access(system, &token).await;
            let change = access.update_me(None, None, None, Some(Presence::Here));
            change.await.is_ok()
        });
        world.advance(SECOND);
        let before = owner(&world, "bo");
        assert!(before.is_none_or(|user| user == ada), "step {step}");
        is_here(&world, "ada");
        world.advance(SECOND);
        let after = owner(&world, "bo");
        assert_eq!(
            after,
            Some(ada),
            "step {step}, {outcome:?}: {}",
            world.journal()
        );
        let count = world.leads().len();
        assert_eq!(count, 1, "step {step}");
    }
}

/// The power goes while what waits is taken from a user who is gone: it is done after the start.
#[test]
fn a_give_back_is_whole_at_any_power_cut() {
    for step in 1..20 {
        let world = assigns(9);
        is_here(&world, "ada");
        world.customer("bo").says("Hello");
        chooses(&world, "ada", Presence::AwayGiveBack);
        world.cut_power_within(step);
        world.advance(15 * MINUTE);
        world.advance(MINUTE);
        assert_eq!(
            owner(&world, "bo"),
            None,
            "step {step}: {}",
            world.journal()
        );
    }
}
