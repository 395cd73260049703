//! An OAuth client as the operator sees it: never its secret, only the fingerprint that distinguishes it from others.

use switchboard_actors::domain::id::{AccountId, OauthClientId};
use switchboard_actors::domain::oauth::clients;
use switchboard_actors::domain::oauth::clients::settings::OauthClientSettings;
use switchboard_actors::domain::oauth::grants::Grants;
use switchboard_actors::domain::oauth::grants::grant::Grant;

use crate::fields::of_answer;
use crate::oauth::view::GrantView;

view! {
    pub(super) struct OauthClient<'c>(client: &'c clients::OauthClient) {
        id: OauthClientId = client.id,
        #[serde(flatten)]
        #[schemars(schema_with = "of_answer::<OauthClientSettings>")]
        settings: &'c OauthClientSettings = &client.settings,
        /// A fingerprint that distinguishes secrets.
        secret_fingerprint: String = client.secret.fingerprint(),
    }

    /// The secret is there if it was just made: there is no other moment to see it.
    pub(super) struct OauthClientMade<'c>(client: &'c clients::OauthClient, made: bool) {
        #[serde(flatten)]
        client: OauthClient<'c> = OauthClient::new(client),
        /// Shown this once.
        #[schemars(extend("x-secret" = true))]
        secret ?: &'c str = made.then(|| client.secret.expose()),
    }

    #[schemars(inline)]
    pub(super) struct AccountGrant<'g>(grants: &'g Grants, grant: &'g Grant) {
        account_id: AccountId = grants.account,
        #[serde(flatten)]
        grant: GrantView<'g> = GrantView::new(grant),
    }
}
