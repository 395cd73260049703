//! Each call, as the double takes it.

use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use switchboard_telegram::api::{ApiError, Attachment, DOWNLOAD_MAX};
use telegram_double::orders::Say;

use crate::support::{Outcome, double};

#[tokio::test]
async fn a_bot_knows_itself_and_its_webhook() -> Outcome {
    let (_double, api) = double().await?;
    assert_eq!(api.bot(), 42);
    assert_eq!(api.get_me().await?.id, 42);
    assert_eq!(api.get_webhook_info().await?.url, "");
    api.delete_webhook().await?;
    Ok(())
}

#[tokio::test]
async fn updates_come_as_they_are_and_are_confirmed() -> Outcome {
    let (double, api) = double().await?;
    let message = double.orders().say(&Say::text(7, "Hello")).await?;
    let updates = api.get_updates(None, Duration::ZERO).await?;
    assert_eq!(updates.len(), 1);
    assert_eq!(updates[0]["message"]["text"], "Hello");
    let next = message.update_id.unwrap_or_default() + 1;
    assert!(
        api.get_updates(Some(next), Duration::ZERO)
            .await?
            .is_empty()
    );
    Ok(())
}

#[tokio::test]
async fn reactions_are_asked_for_by_name() -> Outcome {
    let (double, api) = double().await?;
    let message = double.orders().say(&Say::text(7, "Hello")).await?;
    let next = message.update_id.unwrap_or_default() + 1;
    assert!(
        api.get_updates(Some(next), Duration::ZERO)
            .await?
            .is_empty()
    );
    let react = json!({"from": 7, "message_id": message.message_id, "emoji": ["👍"]});
    let order = reqwest::Client::new().post(format!("{}/double/react", double.url()));
    order
        .body(react.to_string())
        .send()
        .await?
        .error_for_status()?;
    let updates = api.get_updates(Some(next), Duration::ZERO).await?;
    assert_eq!(
        updates[0]["message_reaction"]["new_reaction"][0]["emoji"],
        "👍"
    );
    Ok(())
}

#[tokio::test]
async fn a_file_arrives_with_its_name_and_its_bytes() -> Outcome {
    let (double, api) = double().await?;
    double.orders().say(&Say::text(7, "Hello")).await?;
    let file = Attachment {
        field: "document",
        name: "Отчёт \"1\".pdf".to_owned(),
        mime: "application/pdf".to_owned(),
        bytes: Bytes::from_static(b"%PDF\r\n--boundary"),
    };
    let params = json!({"chat_id": 7, "caption": "see", "reply_markup": {"inline_keyboard": []}});
    let message = api.send("sendDocument", &params, Some(&file)).await?;
    assert_eq!(message["caption"], "see");
    assert_eq!(message["document"]["file_name"], "Отчёт _1_.pdf");
    let id = message["document"]["file_id"].as_str().unwrap_or_default();
    let mut download = api.download(id, DOWNLOAD_MAX).await?;
    assert_eq!(download.size(), Some(16));
    let mut bytes = Vec::new();
    while let Some(chunk) = download.chunk().await? {
        bytes.extend_from_slice(&chunk);
    }
    assert_eq!(bytes, b"%PDF\r\n--boundary");
    Ok(())
}

#[tokio::test]
async fn a_download_has_a_bound() -> Outcome {
    let (double, api) = double().await?;
    double.orders().say(&Say::text(7, "Hello")).await?;
    let file = Attachment {
        field: "document",
        name: "a".to_owned(),
        mime: String::new(),
        bytes: Bytes::from_static(&[7; 100]),
    };
    let message = api
        .send("sendDocument", &json!({"chat_id": 7}), Some(&file))
        .await?;
    let id = message["document"]["file_id"].as_str().unwrap_or_default();
    let mut download = api.download(id, 99).await?;
    let outcome = loop {
        match download.chunk().await {
            Ok(Some(_)) => {}
            other => break other,
        }
    };
    assert!(matches!(outcome, Err(ApiError::Lost(_))), "{outcome:?}");
    Ok(())
}

#[tokio::test]
async fn an_unknown_press_is_refused() -> Outcome {
    let (_double, api) = double().await?;
    let outcome = api.answer_callback_query("9", "").await;
    assert!(matches!(outcome, Err(ApiError::Refused(it)) if it.code == 400));
    Ok(())
}
