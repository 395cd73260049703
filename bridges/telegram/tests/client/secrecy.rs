//! The token is in no error and in no form of the client.

use serde_json::json;
use switchboard_telegram::api::{Api, ApiSettings, Token};

use crate::support::{Outcome, SECRET, TOKEN, answer, client, server};

/// All the words that a client and its failures have.
async fn words(api: &Api) -> String {
    let params = json!({"chat_id": 7});
    let errors = [
        api.get_me().await.err(),
        api.send("sendMessage", &params, None).await.err(),
        api.download("F", 9).await.err(),
    ];
    let failures = errors.into_iter().flatten();
    let texts: Vec<String> = failures.map(|it| format!("{it} {it:?}")).collect();
    assert!(texts.len() >= 2, "{texts:?}");
    format!("{api:?} {}", texts.join(" "))
}

#[tokio::test]
async fn the_token_is_in_no_error() -> Outcome {
    let page = format!("/bot{TOKEN}/getMe has {SECRET}");
    let refusal = json!({"ok": false, "error_code": 400, "description": page}).to_string();
    let odd = json!({"ok": true, "result": page}).to_string();
    let redirect = format!(
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/bot{TOKEN}/x\r\nContent-Length: 0\r\n\r\n"
    );
    let answers = [
        answer("400 Bad Request", &refusal),
        answer("200 OK", &odd),
        answer("502 Bad Gateway", &page),
        answer("200 OK", "{").replace("Content-Length: 1", "Content-Length: 99"),
        redirect,
        String::new(),
        page,
    ];
    for answer in answers {
        let api = client(&server(answer).await?)?;
        let words = words(&api).await;
        assert!(!words.contains(SECRET), "{words}");
    }
    let words = words(&client("http://127.0.0.1:1")?).await;
    assert!(!words.contains(SECRET), "{words}");
    Ok(())
}

#[test]
fn an_address_that_is_none_of_the_web_is_refused() -> Outcome {
    for url in ["", "api.telegram.org", "ftp://a.example", "file:///x"] {
        let settings = ApiSettings {
            token: Token::parse(TOKEN)?,
            url: url.to_owned(),
            file_url: None,
            is_test: false,
        };
        let error = Api::new(settings).expect_err("no address");
        assert!(
            error.to_string().contains("https://api.telegram.org"),
            "{error}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn the_test_network_has_addresses_of_its_own() -> Outcome {
    let double = telegram_double::Double::start().await?;
    double.register(TOKEN)?;
    drop(client(&double.url())?);
    let settings = ApiSettings {
        token: Token::parse(TOKEN)?,
        url: format!("{}/", double.url()),
        file_url: None,
        is_test: true,
    };
    assert_eq!(Api::new(settings)?.get_me().await?.id, 42);
    Ok(())
}
