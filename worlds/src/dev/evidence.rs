//! Evidence in a request for a host of the counterpart: the account that it is for. Nothing is checked here; the
//! service or the world that answers the request checks it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::Method;
use hyper::header::AUTHORIZATION;
use hyper::http::request::Parts;
use serde::Deserialize;
use switchboard_actors::domain::id::{AccountId, ChannelId, OauthClientId, ScopeId};
use switchboard_http::chat;
use url::form_urlencoded;

/// The longest text that is read as a token.
const TOKEN_MAX: usize = 4_096;
/// The path at which tokens of OAuth clients are issued.
const TOKENS: &str = "/oauth2/access_token";

/// The words of a request about the account that it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// A bearer token of a user.
    pub(super) token: Option<String>,
    /// The OAuth client, which an access token, a query or a body names.
    pub(super) client: Option<OauthClientId>,
    /// The account, which the path or the body of the chat interface names.
    pub(super) account: Option<AccountId>,
    /// The channel in a path of the chat interface.
    pub(super) channel: Option<ChannelId>,
}

/// The claims of an access token that say where it is valid.
#[derive(Deserialize)]
struct Claims {
    aud: OauthClientId,
}

/// The keys of bodies that say whom they are for.
#[derive(Default, Deserialize)]
struct Keys {
    #[serde(default)]
    client_id: Option<String>,
    #[serde(default)]
    account_id: Option<String>,
}

impl Evidence {
    /// That of a request without its body.
    pub(super) fn from_head(head: &Parts) -> Self {
        let mut evidence = Self::default();
        let token = head
            .headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "))
            .map(str::trim)
            .filter(|token| token.len() <= TOKEN_MAX);
        if let Some(token) = token {
            evidence.client = client_of(token);
            evidence.token = evidence.client.is_none().then(|| token.to_owned());
        }
        let path = head.uri.path();
        if let Some(rest) = path.strip_prefix(chat::PREFIX) {
            let word = rest.split('/').next().unwrap_or_default();
            if let Ok(scope) = word.parse::<ScopeId>() {
                evidence.account = Some(scope.account());
                evidence.channel = Some(scope.channel().clone());
            } else {
                evidence.channel = word.parse().ok();
            }
        }
        if evidence.client.is_none() && evidence.token.is_none() {
            let query = head.uri.query().unwrap_or_default();
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            let client = pairs.find(|(name, _)| name == "client_id");
            evidence.client = client.and_then(|(_, id)| id.parse().ok());
        }
        evidence
    }

    /// Returns true if the body says more: the account that a channel is connected to, the client that asks for tokens.
    pub(super) fn is_in_body(&self, head: &Parts) -> bool {
        let is_of_channel = self.channel.is_some() && self.account.is_none();
        head.method != Method::GET && (is_of_channel || head.uri.path() == TOKENS)
    }

    /// Adds what a body says.
    pub(super) fn add_body(&mut self, body: &[u8]) {
        let keys = serde_json::from_slice::<Keys>(body).unwrap_or_else(|_no_json| {
            let mut keys = Keys::default();
            for (name, value) in form_urlencoded::parse(body) {
                if name == "client_id" {
                    keys.client_id = Some(value.into_owned());
                }
            }
            keys
        });
        let parse = |text: Option<String>| text.and_then(|text| text.parse().ok());
        self.client = self.client.or_else(|| parse(keys.client_id));
        if self.channel.is_some() {
            let account = keys.account_id.and_then(|text| text.parse().ok());
            self.account = self.account.or(account);
        }
    }
}

/// The client of an access token, which is a JSON Web Token.
fn client_of(token: &str) -> Option<OauthClientId> {
    let mut parts = token.split('.');
    let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
    let claims = URL_SAFE_NO_PAD.decode(claims).ok()?;
    let Claims { aud } = serde_json::from_slice(&claims).ok()?;
    Some(aud)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    const ID: &str = "c0ffee00-1111-4222-8333-444455556666";

    fn head(method: &str, target: &str, token: Option<&str>) -> Parts {
        let mut request = Request::builder().method(method).uri(target);
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn heads_name_accounts_by_tokens_clients_and_scopes() {
        let user = Evidence::from_head(&head("GET", "/api/v4/account", Some("secret")));
        assert_eq!((user.token.as_deref(), user.client), (Some("secret"), None));
        let claims = URL_SAFE_NO_PAD.encode(format!(r#"{{"aud":"{ID}","x":1}}"#));
        let access = Evidence::from_head(&head("GET", "/", Some(&format!("e30.{claims}.sig"))));
        assert_eq!((access.token, access.client), (None, ID.parse().ok()));
        for no_token in ["a.b", "e30.e30.x", "..", &"x".repeat(TOKEN_MAX + 1)] {
            let evidence = Evidence::from_head(&head("GET", "/", Some(no_token)));
            assert_eq!(evidence.client, None, "{no_token}");
        }
        let evidence = Evidence::from_head(&head(
            "GET",
            &format!("/oauth?state=1&client_id={ID}"),
            None,
        ));
        assert_eq!(evidence.client, ID.parse().ok());
        let scope = Evidence::from_head(&head(
            "POST",
            &format!("/v2/origin/custom/me_{ID}/typing"),
            None,
        ));
        assert_eq!(scope.account, ID.parse().ok());
        assert_eq!(scope.channel, "me".parse().ok());
    }

    #[test]
    fn bodies_name_accounts_and_clients() {
        let connect = head("POST", "/v2/origin/custom/me/connect", None);
        let mut evidence = Evidence::from_head(&connect);
        assert!(evidence.is_in_body(&connect));
        evidence.add_body(format!(r#"{{"account_id":"{ID}","title":"x"}}"#).as_bytes());
        assert_eq!(evidence.account, ID.parse().ok());
        let tokens = head("POST", TOKENS, None);
        for body in [
            format!(r#"{{"client_id":"{ID}"}}"#),
            format!("grant_type=x&client_id={ID}"),
        ] {
            let mut evidence = Evidence::from_head(&tokens);
            assert!(evidence.is_in_body(&tokens));
            evidence.add_body(body.as_bytes());
            assert_eq!(evidence.client, ID.parse().ok(), "{body}");
        }
        let mut evidence = Evidence::from_head(&tokens);
        for body in [&b"\xff"[..], b"[]", b"{\"client_id\":7}", b""] {
            evidence.add_body(body);
            assert_eq!(evidence, Evidence::default());
        }
        let read = head("GET", "/v2/origin/custom/me/connect", None);
        assert!(!Evidence::from_head(&read).is_in_body(&read));
    }
}
