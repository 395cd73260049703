//! A webhook of an OAuth client is there only while the account has installed the client.

use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::webhooks::WebhookRejection;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::UserAccess;
use switchboard_worlds::prelude::*;

async fn subscribes(
    access: &UserAccess,
    path: &str,
) -> Result<u64, CommandError<WebhookRejection>> {
    let destination = format!("https://hooks.example/{path}").parse().unwrap();
    let codes = vec![WebhookCode::AddMessage];
    let subscription = access.create_webhook(destination, codes, 10).await?;
    Ok(subscription.id.0)
}

/// The client was let in before it was uninstalled, and its request is carried out behind that.
#[test]
fn a_client_that_is_uninstalled_meanwhile_subscribes_nothing() {
    let world = World::start();
    let tokens = world.exchanges(&world.user("ada").consents()).unwrap();
    let token = tokens.access_token.clone();
    let caller = world.run(async move |system| system.caller(&token).await.unwrap().unwrap());
    let client = caller.client.clone().unwrap().id;
    let account = caller.account;
    let result = world.run(async move |system| {
        let access = system.user_access(&caller).await.unwrap();
        assert_eq!(subscribes(&access, "1").await, Ok(1));
        // Again, which stores nothing.
        assert_eq!(subscribes(&access, "1").await, Ok(1));
        let by = By::from(&caller);
        system.revoke_grant(by, account, client).await.unwrap();
        assert_eq!(system.webhooks(account).await.unwrap().iter().count(), 0);
        subscribes(&access, "2").await
    });
    let rejection = WebhookRejection::Uninstalled;
    assert_eq!(result, Err(CommandError::Rejected(rejection)));
    world.restart();
    let count = world.run(async move |system| {
        let webhooks = system.webhooks(account).await.unwrap();
        webhooks.iter().count()
    });
    assert_eq!(count, 0);
}
