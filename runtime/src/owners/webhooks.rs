//! The owner of an account's webhooks, and what it decides on together with the owner of the account's grants: a webhook
//! of an OAuth client is there only while the client is installed.

use std::convert::Infallible;

use crate::shared::Shared;
use switchboard_domain::id::{AccountId, OauthClientId};
use switchboard_domain::oauth::grants::require::{RequireGrant, RequireGrantRejection};
use switchboard_domain::oauth::grants::revoke::{RevokeGrant, RevokeGrantRejection};
use switchboard_domain::webhooks::create::CreateWebhook;
use switchboard_domain::webhooks::delete_of_client::DeleteWebhooksOfClient;
use switchboard_domain::webhooks::subscription::Subscription;
use switchboard_domain::webhooks::{WebhookRejection, Webhooks};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{Joint, RejectedBy};
use switchboard_engine::runtime::owner::{Execute, Owned};

impl Owned<Shared> for Webhooks {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.webhooks
    }
}

/// The part of the webhooks in a change of both, with the account that it is about.
#[derive(Debug)]
pub struct OfAccount<C> {
    account: AccountId,
    command: C,
}

/// An account uninstalls a client: its grant and its webhooks end at once.
#[derive(Debug)]
pub struct RevokeWithWebhooks {
    /// The account that uninstalls the client.
    pub account: AccountId,
    /// The end of the grant.
    pub revoke: RevokeGrant,
}

impl Joint for RevokeWithWebhooks {
    type Product = Shared;
    type First = RevokeGrant;
    type Second = Execute<DeleteWebhooksOfClient>;
    type SecondInput = OfAccount<DeleteWebhooksOfClient>;
    type Reply = ();
    type Rejection = RevokeGrantRejection;

    fn first(self) -> (RevokeGrant, OfAccount<DeleteWebhooksOfClient>) {
        let command = DeleteWebhooksOfClient {
            by: self.revoke.by.clone(),
            client: self.revoke.client,
        };
        let account = self.account;
        (self.revoke, OfAccount { account, command })
    }

    fn second(
        webhooks: OfAccount<DeleteWebhooksOfClient>,
        _: &(),
    ) -> Option<(AccountId, Execute<DeleteWebhooksOfClient>)> {
        Some((webhooks.account, Execute::at_once(webhooks.command)))
    }

    fn reply(revoked: Option<()>, _: Option<()>) -> Option<()> {
        revoked
    }

    fn rejection(by: RejectedBy<RevokeGrantRejection, Infallible>) -> RevokeGrantRejection {
        by.first()
    }
}

/// A client that acts for a user creates a webhook, if it is installed.
#[derive(Debug)]
pub struct CreateThroughClient {
    /// The account that gets the webhook.
    pub account: AccountId,
    /// The client, which has to be installed there.
    pub client: OauthClientId,
    /// The webhook.
    pub create: CreateWebhook,
}

impl Joint for CreateThroughClient {
    type Product = Shared;
    type First = RequireGrant;
    type Second = Execute<CreateWebhook>;
    type SecondInput = OfAccount<CreateWebhook>;
    type Reply = Subscription;
    type Rejection = WebhookRejection;

    fn first(self) -> (RequireGrant, OfAccount<CreateWebhook>) {
        let (account, command) = (self.account, self.create);
        let client = self.client;
        (RequireGrant { client }, OfAccount { account, command })
    }

    fn second(
        webhooks: OfAccount<CreateWebhook>,
        _: &(),
    ) -> Option<(AccountId, Execute<CreateWebhook>)> {
        Some((webhooks.account, Execute::at_once(webhooks.command)))
    }

    fn reply(_: Option<()>, subscription: Option<Subscription>) -> Option<Subscription> {
        subscription
    }

    fn rejection(by: RejectedBy<RequireGrantRejection, WebhookRejection>) -> WebhookRejection {
        match by {
            RejectedBy::First(RequireGrantRejection) => WebhookRejection::Uninstalled,
            RejectedBy::Second(rejection) => rejection,
        }
    }
}
