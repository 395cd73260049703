//! The OAuth client of a world: codes and tokens by the world's clock.

use switchboard_worlds::prelude::*;

/// Returns the reason for which tokens are refused.
fn hint<T>(refused: Result<T, impl std::error::Error>) -> String {
    let error = refused.err();
    error.unwrap().to_string()
}

#[test]
fn codes_and_tokens_are_valid_by_the_clock_of_the_world() {
    let world = World::start();
    let late = world.user("ada").consents();
    world.advance(Duration::from_secs(20 * 60));
    assert!(hint(world.exchanges(&late)).contains("expired"));
    let code = world.user("ada").consents();
    let tokens = world.exchanges(&code).unwrap();
    assert!(hint(world.exchanges(&code)).contains("was used"));
    let acts =
        |token: &str| world.run(async |system| system.caller(token).await.unwrap().is_some());
    assert!(acts(&tokens.access_token));
    world.advance(Duration::from_secs(86_400));
    assert!(!acts(&tokens.access_token), "it expires after a day");
    let next = world.refreshes(&tokens.refresh_token).unwrap();
    assert!(acts(&next.access_token));
    world.restart();
    world.advance(Duration::from_secs(90 * 86_400));
    assert!(hint(world.refreshes(&next.refresh_token)).contains("90 days"));
}

/// The refusal names the program that was faster.
#[test]
fn a_refresh_token_that_another_program_used_is_refused() {
    let world = World::start();
    let tokens = world.exchanges(&world.user("ada").consents()).unwrap();
    world
        .refreshes_as("cron/2.0", &tokens.refresh_token)
        .unwrap();
    let hint = hint(world.refreshes(&tokens.refresh_token));
    assert!(hint.contains("by cron/2.0 from 127.0.0.1"), "{hint}");
}

#[test]
fn a_client_that_is_uninstalled_gets_nothing() {
    let world = World::start();
    let tokens = world.exchanges(&world.user("ada").consents()).unwrap();
    world.user("ada").try_uninstalls().unwrap();
    assert!(hint(world.refreshes(&tokens.refresh_token)).contains("uninstalled"));
    assert!(world.user("ada").try_uninstalls().is_err());
    let again = world.user("eve").consents();
    world.exchanges(&again).unwrap();
}
