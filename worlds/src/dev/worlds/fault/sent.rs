//! The token of OAuth in a request.

use serde_json::Value;
use url::form_urlencoded;

/// The method and path at which clients ask for tokens.
const TOKENS: &str = "POST /oauth2/access_token";

/// The token of OAuth in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dev::worlds) enum SentToken {
    /// An authorization code, for tokens.
    Code,
    /// A refresh token, for tokens.
    Refresh,
    /// An access token.
    Access,
}

impl SentToken {
    /// Returns the token in a request with this method and path, header `Authorization` and body.
    pub(in crate::dev::worlds) fn find(
        what: &str,
        authorization: Option<&str>,
        body: &[u8],
    ) -> Option<Self> {
        if what == TOKENS {
            return match grant_type(body)?.as_str() {
                "refresh_token" => Some(Self::Refresh),
                "authorization_code" => Some(Self::Code),
                _ => None,
            };
        }
        let token = authorization?.strip_prefix("Bearer ")?;
        // The tokens of account users have another form.
        let is_signed = token.split('.').count() == 3;
        is_signed.then_some(Self::Access)
    }
}

/// It is in JSON or in a form.
fn grant_type(body: &[u8]) -> Option<String> {
    const NAME: &str = "grant_type";
    if let Ok(json) = serde_json::from_slice::<Value>(body) {
        return json.get(NAME).and_then(Value::as_str).map(str::to_owned);
    }
    let mut fields = form_urlencoded::parse(body);
    let field = fields.find(|(name, _)| name == NAME);
    field.map(|(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_what_it_carries() {
        let token_text = |what, authorization, body: &str| {
            let token = SentToken::find(what, authorization, body.as_bytes());
            token.map(|token| format!("{token:?}")).unwrap_or_default()
        };
        assert_eq!(
            token_text(TOKENS, None, r#"{"grant_type":"refresh_token"}"#),
            "Refresh"
        );
        assert_eq!(
            token_text(TOKENS, None, "a=b&grant_type=authorization_code"),
            "Code"
        );
        assert_eq!(token_text(TOKENS, Some("Bearer a.b.c"), "{}"), "");
        assert_eq!(
            token_text("GET /api/v4/account", Some("Bearer a.b.c"), ""),
            "Access"
        );
        assert_eq!(
            token_text("GET /api/v4/account", Some("Bearer token of Ada"), ""),
            ""
        );
        assert_eq!(token_text("GET /api/v4/account", None, ""), "");
    }
}
