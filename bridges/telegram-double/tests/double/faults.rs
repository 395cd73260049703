//! Faults by method, by count and by time.

use serde_json::json;
use telegram_double::{Fault, FaultKind};

use crate::support::World;

#[tokio::test]
async fn an_answer_is_lost_after_the_call_is_done() {
    let it = World::start().await;
    it.orders()
        .add_fault(&Fault::next("sendMessage", FaultKind::AnswerLost))
        .await
        .unwrap();
    let body = json!({"chat_id": 7, "text": "once"});
    assert_eq!(it.attempt("sendMessage", body.clone()).await, None);
    assert!(it.attempt("sendMessage", body).await.is_some());
    let state = it.orders().state().await.unwrap();
    assert_eq!(state.chat(7).unwrap().sent_texts(), ["once", "once"]);
    let faults = it.orders().faults().await.unwrap();
    assert_eq!((faults[0].hits, faults[0].is_active), (1, false));
}

#[tokio::test]
async fn half_an_answer_breaks_off() {
    let it = World::start().await;
    it.orders()
        .add_fault(&Fault::next("sendMessage", FaultKind::HalfAnswer))
        .await
        .unwrap();
    let url = format!(
        "{}/bot{}/sendMessage?chat_id=7&text=x",
        it.double.url(),
        crate::support::TOKEN
    );
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut response = client.get(url).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    let first = response.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"{"));
    assert!(response.chunk().await.is_err(), "the rest does not come");
    let state = it.orders().state().await.unwrap();
    assert_eq!(state.chat(7).unwrap().sent_texts(), ["x"]);
}

#[tokio::test]
async fn a_closed_connection_does_nothing() {
    let it = World::start().await;
    it.orders()
        .add_fault(&Fault::next("sendMessage", FaultKind::Closed))
        .await
        .unwrap();
    assert_eq!(
        it.attempt("sendMessage", json!({"chat_id": 7, "text": "x"}))
            .await,
        None
    );
    let state = it.orders().state().await.unwrap();
    assert!(state.chat(7).unwrap().messages.is_empty());
}

#[tokio::test]
async fn a_status_hits_as_often_as_ordered() {
    let it = World::start().await;
    let kind = json!({"status": {"code": 429, "retry_after": 30}});
    it.order(
        "faults",
        json!({"kind": kind, "method": "sendMessage", "count": 2, "chat": 7}),
    )
    .await;
    for _ in 0..2 {
        let (status, envelope) = it
            .call("sendMessage", json!({"chat_id": 7, "text": "x"}))
            .await;
        assert_eq!(
            (status, &envelope["parameters"]["retry_after"]),
            (429, &json!(30))
        );
    }
    it.done("sendMessage", json!({"chat_id": 7, "text": "x"}))
        .await;
    let state = it.orders().state().await.unwrap();
    assert_eq!(state.chat(7).unwrap().sent_texts(), ["x"]);
}

#[tokio::test]
async fn an_outage_lasts_a_minute_of_the_clock() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    it.orders()
        .add_fault(&Fault::outage(502, 60))
        .await
        .unwrap();
    for method in ["getMe", "getUpdates", "sendMessage"] {
        let refusal = it.refused(method, json!({})).await;
        assert_eq!(refusal, (502, "Bad Gateway".to_owned()));
    }
    it.advance(60).await;
    it.done("getMe", json!({})).await;
}

#[tokio::test]
async fn a_slow_call_waits_by_the_clock() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    it.orders()
        .add_fault(&Fault::next("getMe", FaultKind::Slow { millis: 5_000 }))
        .await
        .unwrap();
    let call = it.done("getMe", json!({}));
    let act = async {
        crate::support::eventually("the fault hits", || async {
            let faults = it.orders().faults().await.unwrap();
            (faults[0].hits == 1).then_some(())
        })
        .await;
        it.advance(5).await;
    };
    let (me, ()) = tokio::join!(call, act);
    assert_eq!(me["id"], 42);
}

#[tokio::test]
async fn all_faults_end_by_order() {
    let it = World::start().await;
    it.orders()
        .add_fault(&Fault::outage(500, 3_600))
        .await
        .unwrap();
    assert_eq!(it.refused("getMe", json!({})).await.0, 500);
    it.orders().clear_faults().await.unwrap();
    it.done("getMe", json!({})).await;
    assert!(it.orders().faults().await.unwrap().is_empty());
}

#[tokio::test]
async fn the_faults_of_one_bot_end_alone() {
    let it = World::start().await;
    it.double.register("41:BBBB").unwrap();
    for bot in [Some(41), Some(42), None] {
        let fault = Fault {
            bot,
            ..Fault::next("sendMessage", FaultKind::Slow { millis: 1 })
        };
        it.orders().add_fault(&fault).await.unwrap();
    }
    it.orders().clear_faults_of(42).await.unwrap();
    let faults = it.orders().faults().await.unwrap();
    let bots: Vec<_> = faults.iter().map(|it| it.fault.bot).collect();
    assert_eq!(bots, [Some(41), None]);
    it.orders().clear_faults().await.unwrap();
    assert!(it.orders().faults().await.unwrap().is_empty());
}
