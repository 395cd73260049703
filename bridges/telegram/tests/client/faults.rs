//! What is known after a failure.

use std::time::Duration;

use serde_json::json;
use switchboard_telegram::api::{Api, ApiError};
use telegram_double::orders::Say;
use telegram_double::{Fault, FaultKind};

use crate::support::{Outcome, answer, client, double, server};

async fn send(api: &Api) -> Result<serde_json::Value, ApiError> {
    api.send("sendMessage", &json!({"chat_id": 7, "text": "Hi"}), None)
        .await
}

#[tokio::test]
async fn a_refusal_has_its_code_words_and_wait() -> Outcome {
    let body = r#"{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 7","parameters":{"retry_after":7,"migrate_to_chat_id":-1007}}"#;
    let api = client(&server(answer("429 Too Many Requests", body)).await?)?;
    match send(&api).await {
        Err(ApiError::Refused(it)) => {
            assert_eq!(
                (it.code, it.description.as_str()),
                (429, "Too Many Requests: retry after 7")
            );
            assert_eq!(
                (it.retry_after, it.migrate_to),
                (Some(Duration::from_secs(7)), Some(-1007))
            );
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

#[tokio::test]
async fn a_status_without_an_envelope_is_a_refusal() -> Outcome {
    let page = "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>";
    let api = client(&server(page.to_owned()).await?)?;
    assert!(matches!(send(&api).await, Err(ApiError::Refused(it)) if it.code == 502));
    Ok(())
}

#[tokio::test]
async fn an_answer_that_is_lost_may_be_done() -> Outcome {
    let (double, api) = double().await?;
    let orders = double.orders();
    orders.say(&Say::text(7, "Hello")).await?;
    for kind in [FaultKind::AnswerLost, FaultKind::HalfAnswer] {
        orders.add_fault(&Fault::next("sendMessage", kind)).await?;
        let outcome = send(&api).await;
        assert!(matches!(outcome, Err(ApiError::Lost(_))), "{outcome:?}");
    }
    Ok(())
}

#[tokio::test]
async fn an_answer_of_another_form_is_lost() -> Outcome {
    for body in ["[]", "{\"ok\":true", "null", ""] {
        let api = client(&server(answer("200 OK", body)).await?)?;
        let outcome = send(&api).await;
        assert!(
            matches!(outcome, Err(ApiError::Lost(_))),
            "{body}: {outcome:?}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_call_that_never_leaves_is_unreachable() -> Outcome {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    drop(listener);
    let outcome = send(&client(&url)?).await;
    assert!(
        matches!(outcome, Err(ApiError::Unreachable(_))),
        "{outcome:?}"
    );
    Ok(())
}

#[tokio::test]
async fn a_path_of_a_file_stays_below_the_server() -> Outcome {
    for path in [
        "",
        "/var/lib/telegram/a.jpg",
        "../getMe",
        "documents/../../x",
    ] {
        let body = json!({"ok": true, "result": {"file_id": "F", "file_path": path}}).to_string();
        let api = client(&server(answer("200 OK", &body)).await?)?;
        let outcome = api.download("F", 9).await;
        assert!(
            matches!(outcome, Err(ApiError::Lost(_))),
            "{path}: {outcome:?}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_refused_token_and_another_reader_are_known() -> Outcome {
    let refusal = |code: u16| {
        let body = json!({"ok": false, "error_code": code, "description": "x"}).to_string();
        answer(&format!("{code} X"), &body)
    };
    for (code, is_token, is_conflict) in [
        (401, true, false),
        (404, true, false),
        (409, false, true),
        (400, false, false),
    ] {
        let api = client(&server(refusal(code)).await?)?;
        let error = api.get_me().await.expect_err("a refusal");
        assert_eq!(
            (error.is_token_refused(), error.is_conflict()),
            (is_token, is_conflict),
            "{code}"
        );
    }
    Ok(())
}
