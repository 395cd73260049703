//! Values of settings that a secret store hands out as files.

use crate::support::server::Setup;

#[tokio::test]
async fn a_setting_comes_from_a_file_named_by_a_variable() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("operator-token");
    std::fs::write(&file, "another-token\n").unwrap();
    let setup =
        Setup::default().variable("SWITCHBOARD_OPERATOR__TOKEN_FILE", file.to_str().unwrap());
    let server = setup.start().await;
    let status_for = |token: &str| {
        let url = format!("{}/admin/v1/accounts", server.url());
        reqwest::Client::new().get(url).bearer_auth(token).send()
    };
    assert_eq!(status_for("another-token").await.unwrap().status(), 200);
    let old = crate::support::server::OPERATOR_TOKEN;
    assert_eq!(status_for(old).await.unwrap().status(), 401);
}

#[tokio::test]
async fn an_unreadable_file_of_a_variable_stops_the_start() {
    let setup = Setup::default()
        .variable("SWITCHBOARD_OPERATOR__TOKEN_FILE", "/nowhere/token")
        .variable("SWITCHBOARD_SERVER__LISTEN_FILE", "/nowhere/listen");
    let refusal = setup.start_and_fail().await;
    assert_eq!(refusal.status.code(), Some(2));
    for name in ["OPERATOR__TOKEN_FILE", "SERVER__LISTEN_FILE"] {
        let line = format!("SWITCHBOARD_{name}: cannot read «/nowhere/");
        assert!(refusal.said.contains(&line), "{}", refusal.said);
    }
}
