//! The configuration declares an OAuth client at each start. What it said at the last start is remembered, as for
//! channels: only what it says otherwise than then is changed.

use std::convert::Infallible;

use crate::Decision;
use crate::audit::By;
use crate::oauth::clients::{
    Declared, OauthClient, OauthClientChanged, OauthClients, OauthClientsEvent,
};
use switchboard_engine::state::{Command, Moment};

/// The configuration declares an OAuth client.
#[derive(Clone, Debug)]
pub struct DeclareOauthClient(pub OauthClient);

impl Command for DeclareOauthClient {
    type Of = OauthClients;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &OauthClients,
        moment: &mut Moment<'_, OauthClientsEvent>,
    ) -> Result<Decision<OauthClientsEvent, ()>, Infallible> {
        let Self(wanted) = self;
        let declared = Declared {
            secret_digest: wanted.secret.digest(),
            settings: wanted.settings.clone(),
        };
        let last = state.declared.get(&wanted.id);
        let before = state.get(wanted.id);
        let after = match before {
            Some(known) => merged(known.clone(), last, &declared, wanted),
            None => wanted,
        };
        if last == Some(&declared) && before == Some(&after) {
            return Ok(Decision::unchanged(()));
        }
        let decision = state.becomes(after, By::Configuration, moment);
        let mut events = decision.events;
        match events.first_mut().map(|recorded| &mut recorded.event) {
            Some(OauthClientsEvent::Changed(changed)) => changed.declared = Some(declared),
            // Only what the configuration says is new: the operator had done the same before.
            Some(OauthClientsEvent::KeyMade(_)) | None => events.push(
                OauthClientsEvent::Changed(Box::new(OauthClientChanged {
                    client: decision.reply,
                    declared: Some(declared),
                    audit: None,
                }))
                .into(),
            ),
        }
        Ok(Decision {
            events,
            notices: Vec::new(),
            reply: (),
        })
    }
}

/// The client as it is, with every field that the configuration says something new of.
fn merged(
    mut client: OauthClient,
    last: Option<&Declared>,
    now: &Declared,
    wanted: OauthClient,
) -> OauthClient {
    let news = now.settings.since(last.map(|last| &last.settings));
    client.settings = client.settings.with(news);
    if last.is_none_or(|last| last.secret_digest != now.secret_digest) {
        client.secret = wanted.secret;
    }
    client
}
