//! An OAuth client from outside: consents of administrators who signed in, and requests for tokens.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::answer::Answer;
use super::client::Client;
use super::server::{ACCOUNT, CHANNEL};

/// The OAuth client of most tests, open to every account.
pub const OAUTH_CLIENT: &str = "0aff1ce0-1111-4222-8333-444455556666";
/// The secret of [`OAUTH_CLIENT`].
pub const OAUTH_SECRET: &str = "secret-of-the-first-client";
/// The redirect address of [`OAUTH_CLIENT`].
pub const REDIRECT: &str = "https://bridge.example/cb?from=here";
/// A second client, open to another account than that of most tests, without channel and hook.
pub const OTHER_CLIENT: &str = "0aff1ce0-1111-4222-8333-777788889999";

/// The clients, for the end of a configuration; the first one reports uninstallations to this address.
pub fn clients(hook: &str, other_account: &str) -> String {
    format!(
        "[[oauth_clients]]\nid = \"{OAUTH_CLIENT}\"\nname = \"Bridge\"\nsecret = \"{OAUTH_SECRET}\"\n\
         redirect_uri = \"{REDIRECT}\"\nuninstall_hook = \"{hook}\"\nchannel = \"{CHANNEL}\"\n\
         [[oauth_clients]]\nid = \"{OTHER_CLIENT}\"\nname = \"Other\"\nsecret = \"{OAUTH_SECRET}\"\n\
         redirect_uri = \"{REDIRECT}\"\naccounts = [\"{other_account}\"]\n"
    )
}

/// An account user who signed in.
pub struct Browser<'c> {
    client: &'c Client,
    cookie: String,
    csrf: String,
}

impl<'c> Browser<'c> {
    /// Signs a user of [`ACCOUNT`] in.
    pub async fn sign_in(client: &'c Client, email: &str) -> Self {
        let body = json!({ "email": email, "password": "Secr3tive", "account_id": ACCOUNT });
        let request = client
            .request("POST", "/inbox/v1/session")
            .header("Content-Type", "application/json");
        let answer = request.body(body.to_string()).send().await.is(201);
        let cookie = answer.header("set-cookie").split(';').next().unwrap();
        Self {
            client,
            cookie: cookie.to_owned(),
            csrf: answer.json["csrf_token"].as_str().unwrap().to_owned(),
        }
    }

    /// The secret of the session.
    pub fn session(&self) -> &str {
        self.cookie.split_once('=').unwrap().1
    }

    /// Asks with the session.
    pub async fn asks(&self, method: &str, target: &str, body: &Value) -> Answer {
        let request = self
            .client
            .request(method, target)
            .header("Cookie", &self.cookie)
            .header("X-CSRF-Token", &self.csrf);
        if body.is_null() {
            return request.send().await;
        }
        let request = request.header("Content-Type", "application/json");
        request.body(body.to_string()).send().await
    }

    /// Decides on the consent to a client.
    pub async fn decides(&self, client: &str, body: &Value) -> Answer {
        let target = format!("/inbox/v1/oauth-clients/{client}/consent");
        self.asks("POST", &target, body).await
    }

    /// Consents to [`OAUTH_CLIENT`]; gives the code.
    pub async fn consents(&self) -> String {
        let answer = self.decides(OAUTH_CLIENT, &json!({ "grant": true })).await;
        parameters(&answer.is(200))["code"].clone()
    }
}

/// The parameters of the redirect in the answer to a decision.
pub fn parameters(answer: &Answer) -> BTreeMap<String, String> {
    let location = answer.json["location"].as_str().unwrap();
    let (base, query) = location.split_once('?').unwrap();
    assert_eq!(base, "https://bridge.example/cb");
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    pairs.into_owned().collect()
}

/// A request for tokens by a program of this name.
pub async fn asks_for_tokens(client: &Client, agent: &str, body: &Value) -> Answer {
    let request = client
        .request("POST", "/oauth2/access_token")
        .header("Content-Type", "application/json")
        .header("User-Agent", agent);
    request.body(body.to_string()).send().await
}

/// The body that exchanges a code.
pub fn exchange(code: &str) -> Value {
    exchange_of(OAUTH_CLIENT, code)
}

fn exchange_of(oauth_client: &str, code: &str) -> Value {
    json!({
        "client_id": oauth_client, "client_secret": OAUTH_SECRET, "grant_type": "authorization_code",
        "code": code, "redirect_uri": REDIRECT,
    })
}

/// The body that uses a refresh token.
pub fn refresh(token: &str) -> Value {
    json!({
        "client_id": OAUTH_CLIENT, "client_secret": OAUTH_SECRET, "grant_type": "refresh_token",
        "refresh_token": token, "redirect_uri": REDIRECT,
    })
}

/// The access token and the refresh token of an answer, which must have tokens.
pub fn tokens(answer: &Answer) -> (String, String) {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let text = |name: &str| answer.json[name].as_str().unwrap().to_owned();
    (text("access_token"), text("refresh_token"))
}

/// Installs [`OAUTH_CLIENT`] by Ada; gives the access token and the refresh token.
pub async fn installed(client: &Client) -> (String, String) {
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    installs(&browser, OAUTH_CLIENT).await
}

/// Installs a client by the user who signed in; gives the access token and the refresh token.
pub async fn installs(browser: &Browser<'_>, oauth_client: &str) -> (String, String) {
    let grant = json!({ "grant": true });
    let decision = browser.decides(oauth_client, &grant).await;
    let code = parameters(&decision.is(200))["code"].clone();
    let body = exchange_of(oauth_client, &code);
    tokens(&asks_for_tokens(browser.client, "test", &body).await)
}

/// Lets [`ACCOUNT`] install [`OTHER_CLIENT`] too, which has the channel of [`OAUTH_CLIENT`] from now on.
pub async fn offers_the_other(client: &Client) {
    let target = format!("/admin/v1/oauth-clients/{OTHER_CLIENT}");
    let change = json!({ "accounts": ["*"], "channel": CHANNEL });
    client.operates("PATCH", &target, &change).await.is(200);
}

/// The address of a client, as administrators of the account know it.
pub fn address(oauth_client: &str) -> String {
    format!("/inbox/v1/oauth-clients/{oauth_client}")
}

/// Something that a program with this token does.
pub async fn does(
    client: &Client,
    token: &str,
    method: &str,
    target: &str,
    body: &Value,
) -> Answer {
    let request = client.request(method, target).bearer(token);
    if body.is_null() {
        return request.send().await;
    }
    let request = request.header("Content-Type", "application/json");
    request.body(body.to_string()).send().await
}
