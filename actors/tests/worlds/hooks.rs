//! The webhooks of an account in a world: attempts by its clock, bots that end, and starts between an event and its hook.

use std::cell::Cell;

use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::webhooks::subscription::DisableReason;
use switchboard_actors::port::HookAttempt;
use switchboard_worlds::http_world::HttpWorld;
use switchboard_worlds::prelude::*;

const URL: &str = "https://bot.example/hooks?secret=1";
const MINUTE: u64 = 60;

/// A world in which a program hears of what customers write.
fn subscribed() -> World {
    let world = World::start();
    world
        .user("ada")
        .subscribes(URL, &[WebhookCode::AddMessage]);
    world
}

/// The receiver answers all hooks with this status from now on.
fn answers(world: &World, status: u16) {
    let hooks = world.receiver().hooks();
    hooks.answer_always(Behaviour::status(status));
}

/// The minutes after the first attempt, when a receiver always behaves so.
fn minutes(behaviour: Behaviour) -> Vec<u64> {
    let world = subscribed();
    world.set_patience(Duration::from_secs(3 * 3_600));
    let hooks = world.receiver().hooks();
    hooks.answer_always(behaviour);
    world.customer("bo").says("Have you any tulips?");
    world.wait(Until::hooks_given_up(1));
    world.advance(Duration::from_secs(86_400));
    let attempts = hooks.attempts();
    let first = attempts.first().unwrap();
    let is_same = |it: &HookAttempt| (it.request, &it.body) == (first.request, &first.body);
    assert!(attempts.iter().all(is_same));
    let seconds = attempts.iter().map(|it| it.at.since(first.at).as_secs());
    seconds.map(|seconds| seconds / MINUTE).collect()
}

/// The table of the published interface, without sleeping.
#[test]
fn attempts_are_made_at_the_minutes_of_the_table() {
    assert_eq!(minutes(Behaviour::status(404)), [0, 5, 20]);
    assert_eq!(minutes(Behaviour::status(503)), [0, 5, 20, 35, 95]);
}

/// A receiver that never answers: each attempt may take two seconds, the third is the last one.
#[test]
fn a_receiver_that_never_answers_has_three_attempts() {
    let limit = Duration::from_secs(2);
    assert_eq!(minutes(Behaviour::hangs().after(limit)), [0, 5, 20]);
    let world = subscribed();
    world.customer("bo").says("Have you any tulips?");
    world.wait(Until::hooks(1));
    assert_eq!(world.hooks()[0].timeout, limit);
}

/// The reason that the only webhook of a world is off.
fn disabled(world: &World) -> Option<DisableReason> {
    let webhooks = world.webhooks();
    let webhook = webhooks.first().unwrap();
    webhook.disabled.map(|disabled| disabled.why)
}

/// With too many hooks waiting, a webhook is switched off. When it is on again it gets what waited, and nothing of what happened
/// meanwhile.
#[test]
fn too_many_waiting_hooks_switch_a_webhook_off() {
    let system = SystemConfig {
        hooks_waiting_max: 3,
        ..SystemConfig::default()
    };
    let world = World::with(WorldConfig {
        system,
        ..WorldConfig::default()
    });
    let webhook = world
        .user("ada")
        .subscribes(URL, &[WebhookCode::AddMessage]);
    answers(&world, 503);
    for name in ["bo", "cy"] {
        world.customer(name).says("Have you any tulips?");
    }
    world.wait(Until::hook_attempts(2));
    assert_eq!(disabled(&world), None, "fewer than three wait");
    world.customer("di").says("Have you any tulips?");
    let is_off = |world: &World| disabled(world).is_some();
    world.wait(Until::holds("the webhook is off", is_off));
    assert_eq!(disabled(&world), Some(DisableReason::Waiting));
    let attempts = || world.receiver().hooks().attempts().len();
    let count = attempts();
    world.customer("ed").says("And roses?");
    world.advance(Duration::from_secs(86_400));
    assert_eq!(attempts(), count, "nothing is sent while it is off");
    answers(&world, 200);
    let account = world.account();
    world.run(async |system| {
        let enabling = system.enable_webhook(By::Service, account, webhook.id);
        enabling.await.unwrap();
    });
    world.wait(Until::quiet());
    assert_eq!(attempts(), count + 3, "each that waited is delivered");
    let hooks = world.hooks();
    assert!(hooks.iter().all(|hook| hook.text() != "And roses?"));
}

#[test]
fn a_hook_is_recorded_with_its_form() {
    let world = subscribed();
    world.customer("bo").says("Have you any tulips?");
    world.wait(Until::hooks(1));
    let [hook] = &world.hooks()[..] else {
        panic!("{}", world.journal());
    };
    assert_eq!((hook.code, hook.attempt), (WebhookCode::AddMessage, 1));
    assert_eq!(&*hook.url, URL);
    assert_eq!(hook.text(), "Have you any tulips?");
    assert_eq!(hook.item()["author"]["type"], "external");
    assert_eq!(hook.form().code().as_deref(), Some("add_message"));
    let (key, _) = &hook.form().fields()[0];
    assert_eq!(key, "account[subdomain]", "the account comes first");
    assert!(world.is_quiet());
    let journal = world.journal().to_string();
    assert!(
        journal.contains("add_message \"Have you any tulips?\", attempt 1: answered with 200"),
        "{journal}"
    );
}

/// Queued hooks count as work, but not for a webhook that is switched off.
#[test]
fn a_world_is_not_quiet_while_hooks_wait() {
    let world = subscribed();
    world.receiver().hooks().answer(Behaviour::loses_answer());
    world.customer("bo").says("Have you any tulips?");
    assert!(!world.is_quiet());
    let before = world.now();
    world.wait(Until::quiet());
    assert!(world.now().since(before) >= Duration::from_secs(5 * MINUTE));
    assert_eq!(world.hooks().len(), 2);
    answers(&world, 503);
    world.customer("bo").says("Hello?");
    assert!(!world.is_quiet());
    let webhook = world.webhooks()[0].id;
    let account = world.account();
    world.run(async |system| {
        let disabled = system.disable_webhook(By::Service, account, webhook).await;
        disabled.unwrap();
    });
    world.advance(Duration::from_secs(1));
    assert!(world.is_quiet());
}

/// An attempt that arrives twice is one hook, with one id.
#[test]
fn a_duplicate_has_the_same_id() {
    let world = subscribed();
    world.receiver().hooks().answer(Behaviour::duplicates());
    world.customer("bo").says("Have you any tulips?");
    world.wait(Until::quiet());
    let hooks = world.hooks();
    assert_eq!(hooks.len(), 2);
    assert_eq!(hooks[0], hooks[1]);
}

/// The power goes between the event and its delivery, or the service is started again: the hook has the same id.
#[test]
fn a_hook_outlives_a_power_cut_and_a_restart() {
    let ways: [fn(&World); 2] = [World::cut_power, World::restart];
    for again in ways {
        let world = subscribed();
        answers(&world, 503);
        world.customer("bo").says("Have you any tulips?");
        again(&world);
        answers(&world, 200);
        world.wait(Until::quiet());
        let attempts = world.receiver().hooks().attempts();
        assert!(attempts.len() >= 2, "{}", world.journal());
        let ids: Vec<_> = attempts.iter().map(|it| (it.request, &it.body)).collect();
        assert!(ids.iter().all(|it| it == &ids[0]));
    }
}

/// Whatever step of a message the power meets: it has one hook if it was acknowledged, and one id.
#[test]
fn each_message_has_its_hook_whenever_the_power_goes() {
    for step in 1.. {
        let world = subscribed();
        let bo = world.customer("bo");
        let message = bo.message("Have you any tulips?");
        world.cut_power_within(step);
        let is_done = bo.try_posts(&message).is_ok();
        if !is_done {
            bo.try_posts(&message).unwrap();
        }
        world.wait(Until::hooks(1));
        world.wait(Until::quiet());
        let hooks = world.hooks();
        assert!(
            hooks.iter().all(|it| it.request == hooks[0].request),
            "step {step}: {}",
            world.journal()
        );
        if is_done {
            break;
        }
    }
}

/// A fork has the webhooks and what is queued for them.
#[test]
fn forks_have_webhooks_and_queued_hooks() {
    let world = subscribed();
    answers(&world, 503);
    world.customer("bo").says("Have you any tulips?");
    let snapshot = world.snapshot();
    let fork = snapshot.fork();
    answers(&fork, 200);
    fork.wait(Until::quiet());
    fork.customer("bo").says("Hello?");
    fork.wait(Until::quiet());
    let hooks = fork.hooks();
    let last: Vec<_> = hooks.iter().rev().take(2).map(Hook::text).collect();
    assert_eq!(last, ["Hello?", "Have you any tulips?"]);
    let first = world.receiver().hooks().attempts()[0].request;
    assert_eq!(hooks[hooks.len() - 2].request, first);
    assert!(!world.is_quiet(), "it waits for its own next attempt");
    assert_eq!(world.webhooks(), fork.webhooks());
}

/// The same seed gives the same ids.
#[test]
fn the_same_seed_gives_the_same_hooks() {
    let hooks = |seed| {
        let world = World::with(WorldConfig {
            seed,
            ..WorldConfig::default()
        });
        world
            .user("ada")
            .subscribes(URL, &[WebhookCode::AddMessage, WebhookCode::AddLead]);
        world.customer("bo").says("Have you any tulips?");
        world.wait(Until::quiet());
        world.receiver().hooks().attempts()
    };
    let (once, other) = (hooks(7), hooks(8));
    assert_eq!(once, hooks(7));
    assert_eq!(once.len(), 2);
    assert_ne!(once[0].body, other[0].body);
}

/// A world without webhooks makes no hook and keeps none.
#[test]
fn without_webhooks_there_are_no_hooks() {
    let world = World::start();
    world.customer("bo").says("Have you any tulips?");
    world.user("ada").subscribes(URL, &[WebhookCode::AddLead]);
    world.customer("bo").says("Hello?");
    world.wait(Until::quiet());
    assert_eq!(world.hooks(), []);
}

/// A bot that answers each hook by `send_message`: it answers at most `most` hooks; gives how many it has answered.
fn bot(ignores_bots: bool, most: usize) -> usize {
    let world = HttpWorld::start();
    let codes = [WebhookCode::AddMessage, WebhookCode::AddOutgoingMessage];
    world.user("ada").subscribes(URL, &codes);
    world.customer("bo").says("Have you any tulips?");
    let (seen, answers) = (Cell::new(0), Cell::new(0));
    loop {
        world.wait(Until::quiet());
        let hooks = world.hooks();
        let Some(hook) = hooks.get(seen.get()) else {
            return answers.get();
        };
        seen.set(seen.get() + 1);
        let item = hook.item();
        let author = item.pointer("/author/type").unwrap();
        if ignores_bots && author == "bot" || answers.get() == most {
            continue;
        }
        let talk = item.get("talk_id").unwrap().as_str().unwrap();
        let path = format!("/api/v4/talks/{talk}/send_message");
        let answer = world.request("POST", &path).user("ada");
        let answer = answer.json(&json!({ "text": "One moment." })).send();
        assert_eq!(answer.status, 202, "{:?}", answer.body);
        answers.set(answers.get() + 1);
    }
}

#[test]
fn a_bot_that_ignores_bots_ends() {
    assert_eq!(bot(true, 20), 1);
    assert_eq!(bot(false, 20), 20, "it answers itself for ever");
}
