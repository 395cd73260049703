use serde_json::{Value, json};

use super::*;

const CLIENT: &str = "0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3";

fn key(byte: u8) -> TokenKey {
    TokenKey::from_random([[byte; 16]; 2])
}

fn at(secs: u64) -> UnixMillis {
    UnixMillis::from_secs(secs)
}

fn token(key: &TokenKey) -> String {
    let new = NewAccessToken {
        client: CLIENT.parse().unwrap(),
        user: UserId(7),
        grant: GrantNumber(3),
        long_lived: None,
        scopes: [OauthScope::SendExternalMessages].into_iter().collect(),
        base_domain: "amocrm.ru".to_owned(),
        issued_at: at(1_000),
        expires_at: at(2_000),
    };
    new.sign(AccountNumber(12), [5; 16], key)
}

/// A token with another header or other claims, signed as given.
fn forged(header: &Value, claims: &Value, key: &TokenKey) -> String {
    let text = format!("{}.{}", encoded(header), encoded(claims));
    let signature = URL_SAFE_NO_PAD.encode(key.mac(&text).finalize().into_bytes());
    format!("{text}.{signature}")
}

fn claims_of(token: &str) -> Value {
    decoded(token.split('.').nth(1).unwrap()).unwrap()
}

#[test]
fn a_token_has_the_claims_that_clients_read() {
    let token = token(&key(1));
    let claims = claims_of(&token);
    assert_eq!(
        claims,
        json!({
            "aud": CLIENT, "jti": "05".repeat(16), "iat": 1_000, "nbf": 1_000, "exp": 2_000,
            "sub": "7", "grant_type": "", "account_id": 12, "base_domain": "amocrm.ru",
            "api_domain": "api-b.amocrm.ru",
            "version": 2, "scopes": ["crm", "notifications", "send_external_messages"], "hash_uuid": CLIENT, "grant": 3,
        })
    );
    let read = verify(Some(&key(1)), &token, at(1_999)).unwrap().unwrap();
    assert!(read.granted().holds(OauthScope::SendExternalMessages));
    assert!(!read.granted().holds(OauthScope::ListExternalMessages));
    assert_eq!(serde_json::to_value(read).unwrap(), claims);
}

#[test]
fn a_token_of_a_clock_a_minute_ahead_holds_and_ends_exactly() {
    let (key, token) = (key(1), token(&key(1)));
    let result = |secs| verify(Some(&key), &token, at(secs)).unwrap();
    assert_eq!(result(939), Err(AccessTokenError::NotYet(1_000)));
    for secs in [940, 970, 995, 999, 1_000, 1_999] {
        assert!(result(secs).is_ok(), "{secs}");
    }
    assert_eq!(result(2_000), Err(AccessTokenError::Expired(2_000)));
}

#[test]
fn both_times_of_a_token_are_compared_with_the_clock() {
    let (key, token) = (key(1), token(&key(1)));
    let header = json!({ "typ": "JWT", "alg": "HS256" });
    for claim in ["iat", "nbf"] {
        let mut claims = claims_of(&token);
        claims[claim] = json!(1_500);
        let token = forged(&header, &claims, &key);
        let result = |secs| verify(Some(&key), &token, at(secs)).unwrap();
        assert_eq!(
            result(1_439),
            Err(AccessTokenError::NotYet(1_500)),
            "{claim}"
        );
        assert!(result(1_440).is_ok(), "{claim}");
    }
}

#[test]
fn a_forged_token_is_refused_with_its_fault() {
    let ours = key(1);
    let good = token(&ours);
    let mut claims = claims_of(&good);
    let check = |text: &str| verify(Some(&ours), text, at(1_500)).unwrap().unwrap_err();
    let header = json!({ "typ": "JWT", "alg": "HS256" });

    assert_eq!(check(&token(&key(2))), AccessTokenError::OtherSignature);
    for alg in ["none", "RS256", "hs256", ""] {
        let header = json!({ "typ": "JWT", "alg": alg });
        assert_eq!(
            check(&forged(&header, &claims, &ours)),
            AccessTokenError::OtherAlgorithm,
            "{alg}"
        );
    }
    let unsigned = format!(
        "{}.{}.",
        encoded(&json!({ "alg": "none" })),
        encoded(&claims)
    );
    assert_eq!(check(&unsigned), AccessTokenError::OtherAlgorithm);
    let (signed, signature) = good.rsplit_once('.').unwrap();
    for other in [
        String::new(),
        "AAAA".to_owned(),
        format!("{signature}="),
        signature.to_lowercase(),
    ] {
        assert_eq!(
            check(&format!("{signed}.{other}")),
            AccessTokenError::OtherSignature,
            "{other}"
        );
    }
    claims["account_id"] = json!(13);
    let token = format!("{}.{}.{signature}", encoded(&header), encoded(&claims));
    assert_eq!(check(&token), AccessTokenError::OtherSignature);
    claims["sub"] = json!(7);
    assert_eq!(
        check(&forged(&header, &claims, &ours)),
        AccessTokenError::InvalidClaims
    );
    assert_eq!(
        verify(None, &good, at(1_500)).unwrap(),
        Err(AccessTokenError::OtherSignature)
    );
}

#[test]
fn other_bearer_tokens_have_another_form() {
    let long = format!(
        "{}.a.b",
        encoded(&json!({ "alg": "HS256", "x": "x".repeat(TOKEN_MAX) }))
    );
    for text in [
        "",
        "demo-admin-token",
        "a.b",
        "a.b.c",
        "..",
        "e30",
        "1.2.3.4",
        &long,
    ] {
        assert_eq!(verify(Some(&key(1)), text, at(1_500)), None, "{text}");
    }
}
