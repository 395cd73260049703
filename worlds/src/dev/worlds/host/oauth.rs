//! The OAuth client of a world, and what goes wrong with its tokens on order.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::Host;
use super::people::check_user;
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::order::Asked;

/// The program that uses a refresh token first.
const OTHER_PROGRAM: &str = "another-process/1.0";

impl Host {
    /// A user consents to the client of the world. The code is valid for 20 minutes of the world's time, once.
    pub(super) fn consent(&mut self, user: &str) -> Result<Value, DevError> {
        check_user(user)?;
        self.knows(user);
        let redirect = self.wanted.redirect_uri.clone();
        let client = self.world.oauth_client_at(redirect);
        let consented = self.world.user(user).try_consents();
        let code = consented.map_err(|why| {
            let why = format!("{user} cannot consent: {why}");
            DevError::new(StatusCode::SERVICE_UNAVAILABLE, why)
        })?;
        self.code.clone_from(&code);
        if let Some(names) = &self.names {
            names.set_client(client.id);
        }
        let redirect = client.settings.redirect_uri;
        let (id, host) = (client.id.to_string(), self.address.to_string());
        let location = redirect.with(&[
            ("code", &code),
            ("referer", &host),
            ("platform", "1"),
            ("client_id", &id),
        ]);
        Ok(json!({ "code": code, "location": location }))
    }

    /// The client as answers show it, with the newest code.
    pub(super) fn shown_client(&self) -> Value {
        let client = self.world.oauth_client_at(self.wanted.redirect_uri.clone());
        json!({
            "id": client.id,
            "secret": client.secret.expose(),
            "redirect_uri": client.settings.redirect_uri,
            "code": self.code,
        })
    }

    /// The account uninstalls the client before the request comes; nothing happens if it has not installed it.
    pub(super) fn revoke_client(&self) {
        let uninstalled = self.world.user("ada").try_uninstalls();
        let what = match uninstalled {
            Ok(()) => "uninstalls the OAuth client (fault revoked)".to_owned(),
            Err(why) => format!("cannot uninstall the OAuth client (fault revoked): {why}"),
        };
        self.note("user ada", what);
    }

    /// Another program uses the refresh token of this request before it comes.
    pub(super) fn refresh_before(&self, asked: &Asked) {
        let mut first = asked.clone();
        first
            .headers
            .retain(|(name, _)| !name.eq_ignore_ascii_case("user-agent"));
        let agent = ("user-agent".to_owned(), OTHER_PROGRAM.to_owned());
        first.headers.push(agent);
        let answer = self.answered(&first);
        let status = answer.map_or_else(|| "no answer".to_owned(), |it| it.status.to_string());
        let what =
            format!("{OTHER_PROGRAM} uses the refresh token first (fault refresh_race): {status}");
        self.note("world", what);
    }
}
