//! Nothing leaves for a forbidden address, however it is named.

use super::*;

#[tokio::test]
async fn an_ip_address_refused_by_the_guard_is_never_connected_to() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let guard = Arc::new(AddressGuard::default());
    let settings = ClientSettings::default();
    let client = CallbackClient::new(&settings, guard, Arc::new(Names::new())).unwrap();
    let port = sink.address().port();
    for host in ["127.0.0.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]"] {
        let url = format!("http://{host}:{port}/");
        let failure = failure(client.attempt(attempt(&url, PATIENT)).await);
        assert_eq!(failure.kind, FailureKind::Forbidden, "{host}");
    }
    assert_eq!(sink.ledger().connections, 0);
}

#[tokio::test]
async fn a_name_is_connected_to_at_its_looked_up_address() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let names = Names::new();
    names.answer("hook.test", &["127.0.0.1"]);
    let client = client_with(&names, &ClientSettings::default());
    let host = format!("hook.test:{}", sink.address().port());
    let url = format!("http://{host}/");
    let exchange = client.attempt(attempt(&url, PATIENT)).await;
    assert_eq!(exchange.remote, Some(sink.address()));
    assert_eq!(answer(exchange).status, 200);
    let request = sink.requests(1).await.unwrap().remove(0);
    assert_eq!(request.header("Host"), Some(host.as_str()));
}

#[tokio::test]
async fn a_name_that_turns_private_between_connections_is_refused() {
    // 127.0.0.1 plays the public address here, 10.0.0.1 the private one.
    let closing = Behaviour::AnswerAndClose(Reply::new(200));
    let sink = Sink::start(closing).await.unwrap();
    let names = Names::new();
    names.answer("hook.test", &["127.0.0.1"]);
    names.answer("hook.test", &["10.0.0.1"]);
    let client = client_with(&names, &ClientSettings::default());
    let url = format!("http://hook.test:{}/", sink.address().port());
    let first = client.attempt(attempt(&url, PATIENT)).await;
    assert_eq!(answer(first).status, 200);
    sink.until(|ledger| ledger.ended == 1).await.unwrap();
    let failure = failure(client.attempt(attempt(&url, PATIENT)).await);
    assert_eq!(failure.kind, FailureKind::Forbidden);
    assert_eq!(
        failure.detail,
        "hook.test was refused: 10.0.0.1 is a private address, which is not allowed here (the setting dispatch.allow_private_networks)"
    );
    // Who is not the operator does not learn which address that is.
    assert_eq!(
        failure.outwardly(),
        "forbidden: hook.test leads to an address that is not allowed here"
    );
    assert_eq!(sink.ledger().connections, 1);
}

#[tokio::test]
async fn a_name_with_one_private_record_is_refused() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let names = Names::new();
    names.answer("hook.test", &["127.0.0.1", "169.254.169.254"]);
    let client = client_with(&names, &ClientSettings::default());
    let url = format!("http://hook.test:{}/", sink.address().port());
    let failure = failure(client.attempt(attempt(&url, PATIENT)).await);
    assert_eq!(failure.kind, FailureKind::Forbidden);
    assert_eq!(sink.ledger().connections, 0);
}

#[tokio::test]
async fn names_that_cannot_be_looked_up_are_a_dns_failure() {
    let names = Names::new();
    names.answer("empty.test", &[]);
    names.hang("slow.test");
    let settings = ClientSettings {
        lookup_timeout: BRIEF,
        connect_timeout: PATIENT,
        ..ClientSettings::default()
    };
    let client = client_with(&names, &settings);
    for name in ["unknown.test", "empty.test", "slow.test"] {
        let url = format!("http://{name}/");
        let failure = failure(client.attempt(attempt(&url, PATIENT)).await);
        assert_eq!(failure.kind, FailureKind::Dns, "{name}");
        assert!(failure.detail.contains(name), "{failure}");
    }
}

#[tokio::test]
async fn a_connection_that_is_not_established_is_a_time_out() {
    let names = Names::new();
    names.hang("slow.test");
    let settings = ClientSettings {
        lookup_timeout: PATIENT,
        connect_timeout: BRIEF,
        ..ClientSettings::default()
    };
    let client = client_with(&names, &settings);
    let failure = failure(client.attempt(attempt("http://slow.test/", PATIENT)).await);
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert_eq!(failure.detail, "no connection within the time-out");
}
