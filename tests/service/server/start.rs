//! The start of the service, and its refusals.

use crate::support::client::message;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, OTHER_CHANNEL, Server, Setup};

#[tokio::test]
async fn port_0_chooses_a_free_port_and_the_ready_file_names_it() {
    let server = Server::start().await;
    let ready = server.ready();
    let port = ready["address"]
        .as_str()
        .unwrap()
        .rsplit_once(':')
        .unwrap()
        .1;
    assert_ne!(port, "0");
    assert_eq!(ready["url"], format!("http://127.0.0.1:{port}").as_str());
    assert_eq!(ready["pid"], server.pid());
    assert_eq!(
        ready["accounts"],
        serde_json::json!([ACCOUNT, OTHER_ACCOUNT])
    );
    assert_eq!(
        ready["channels"],
        serde_json::json!([CHANNEL, OTHER_CHANNEL])
    );
    let scopes = ready["scopes"].as_array().unwrap();
    assert!(scopes.contains(&format!("{CHANNEL}_{ACCOUNT}").into()));
    let answer = server
        .client()
        .request("GET", "/readyz")
        .send()
        .await
        .is(200);
    assert_eq!(answer.json["ready"], true);
    server
        .client()
        .request("GET", "/healthz")
        .send()
        .await
        .is(200);
}

#[tokio::test]
async fn a_service_that_is_ready_accepts_connections() {
    let server = Server::start().await;
    let threads = std::fs::read_dir(format!("/proc/{}/task", server.pid())).unwrap();
    let names: Vec<String> = threads
        .filter_map(|thread| std::fs::read_to_string(thread.unwrap().path().join("comm")).ok())
        .collect();
    // It starts after all workers.
    assert!(names.iter().any(|name| name == "acceptor\n"), "{names:?}");
}

#[tokio::test]
async fn a_second_process_on_the_same_data_is_refused() {
    let server = Server::start().await;
    let second = Setup::default().start_and_fail_in(server.directory()).await;
    assert_eq!(second.status.code(), Some(1));
    let owner = format!("in use by process {}", server.pid());
    assert!(second.said.contains(&owner), "{}", second.said);
    assert!(second.said.contains("--data-dir"), "{}", second.said);
    server.client().connect("v2").await;
    server.client().sent(&message("m", "c")).await;
}

/// The file that names the owner was removed by hand.
#[tokio::test]
async fn a_second_process_is_refused_although_the_lock_file_is_gone() {
    let server = Server::start().await;
    std::fs::remove_file(server.directory().join("data/lock")).unwrap();
    let second = Setup::default().start_and_fail_in(server.directory()).await;
    assert_eq!(second.status.code(), Some(1));
    let owner = format!("in use by process {}", server.pid());
    assert!(second.said.contains(&owner), "{}", second.said);
    server.client().connect("v2").await;
}

#[tokio::test]
async fn too_few_descriptors_stop_the_start_with_a_remedy() {
    for limit in [20, 30] {
        let limited = format!("ulimit -n {limit}; exec \"$0\" \"$@\"");
        let setup = Setup::default().under(&["sh", "-c", &limited]);
        let failure = setup.start_and_fail().await;
        assert_eq!(failure.status.code(), Some(1));
        assert!(failure.said.contains("ulimit -n"), "{}", failure.said);
        assert!(failure.said.starts_with("error: "), "{}", failure.said);
        assert!(!failure.said.contains("panicked"), "{}", failure.said);
    }
}

#[tokio::test]
async fn an_unknown_setting_stops_the_start_and_is_named() {
    let setup = Setup::default().setting("server", "listne = \"127.0.0.1:0\"");
    let failure = setup.start_and_fail().await;
    assert_eq!(failure.status.code(), Some(2));
    for part in ["server.listne", "did you mean `listen`"] {
        assert!(failure.said.contains(part), "{}", failure.said);
    }
    let setup = Setup::default().variable("SWITCHBOARD_SERVER__WORKRES", "2");
    let failure = setup.start_and_fail().await;
    assert_eq!(failure.status.code(), Some(2));
    assert!(
        failure.said.contains("SWITCHBOARD_SERVER__WORKRES"),
        "{}",
        failure.said
    );
}

#[tokio::test]
async fn shipped_secrets_keep_the_service_on_loopback() {
    let shipped = include_str!("../../../config.toml");
    let open = shipped.replace("listen = \"127.0.0.1:8080\"", "listen = \"0.0.0.0:0\"");
    assert_ne!(open, shipped);
    let failure = Setup::default().config(&open).start_and_fail().await;
    assert_eq!(failure.status.code(), Some(2));
    for part in [
        "operator.token",
        "channels[0].secret",
        "users[0].token",
        "users[0].password",
    ] {
        assert!(failure.said.contains(part), "{part}: {}", failure.said);
    }
    for secret in ["change-me", "demo-admin-token", "5a44c5dff55f", "Passw0rd"] {
        assert!(!failure.said.contains(secret), "{secret}: {}", failure.said);
    }
}

#[tokio::test]
async fn a_port_in_use_is_named_with_a_remedy() {
    let server = Server::start().await;
    let address = server.client().host();
    let setup = Setup::default().setting("server", &format!("listen = \"{address}\""));
    let failure = setup.start_and_fail().await;
    assert_eq!(failure.status.code(), Some(1));
    for part in [address, "--listen"] {
        assert!(failure.said.contains(part), "{}", failure.said);
    }
}

#[tokio::test]
async fn an_ephemeral_service_leaves_no_data() {
    let setup = Setup::default()
        .without("store", "path")
        .argument("--ephemeral");
    let mut server = setup.start().await;
    server.client().connect("v2").await;
    server.client().sent(&message("m", "c")).await;
    assert_eq!(server.terminate().await, Some(0));
    let mut names: Vec<_> = std::fs::read_dir(server.directory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["log", "switchboard.toml"]);
    server.restart().await;
    server.client().connect("v2").await;
    assert!(server.client().conversations().await.is_empty());
}

#[tokio::test]
async fn declarations_are_applied_once_over_restarts() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    server.client().sent(&message("m", "c")).await;
    for _ in 0..2 {
        assert_eq!(server.terminate().await, Some(0));
        server.restart().await;
    }
    assert_eq!(server.client().leads().await.len(), 1);
    let account = server.client().read("/api/v4/account").await;
    assert_eq!(account["id"], 1);
    assert_eq!(account["current_user_id"], 1);
}

#[tokio::test]
async fn stored_published_secrets_keep_the_service_on_loopback() {
    let shipped = include_str!("../../../config.toml");
    let local = shipped.replace("127.0.0.1:8080", "127.0.0.1:0");
    let mut server = Setup::default().config(&local).start().await;
    assert_eq!(server.terminate().await, Some(0));
    // The configuration names none of them any more; the data still holds them.
    let open = "[server]\nlisten = \"0.0.0.0:0\"\n[operator]\ntoken = \"a-token-of-our-own\"\n";
    let setup = Setup::default().config(open);
    let failure = setup.start_and_fail_in(server.directory()).await;
    assert_eq!(failure.status.code(), Some(1));
    for part in [
        "rotate-secret f90ba33d-c9d9-44da-b76c-c349b0ecbe41",
        "user «Ada»",
        "start once on 127.0.0.1",
    ] {
        assert!(failure.said.contains(part), "{part}: {}", failure.said);
    }
    assert!(!failure.said.contains("5a44c5dff55f"), "{}", failure.said);
}
