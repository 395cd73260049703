//! Data that each format left: `tests/data/form-1` has a data directory of format 1, and what the service showed of it. This
//! build opens each of them and shows the same. A format that it does not know is refused, and nothing is written.
//!
//! `REMAKE_DATA=1` makes the directory of the present format again. Those of released formats stay as they are.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use switchboard_engine::store::identity::FORMAT;
use switchboard_engine::store::small_file;

use crate::operator::act;
use crate::support::client::{Client, message};
use crate::support::directory::{copy, files_in};
use crate::support::limit::Limited as _;
use crate::support::receiver::Receiver;
use crate::support::server::{Server, Setup, TOKEN};
use crate::support::shown::Shown;
use crate::support::upload::uploaded;
use crate::users::team;

/// The answer that waits in a queue when the service stops.
const QUEUED: &str = "an answer that has not left yet";
/// The bytes of the uploaded file.
const CONTENT: &[u8] = b"The quick brown fox jumps over the lazy dog.";

/// The folder with the data of a format.
fn of_format(format: u32) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    data.join(format!("form-{format}"))
}

/// Runs `switchboard verify`, and returns its status and its output.
fn verify(data: &Path, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["verify", "--data-dir"])
        .arg(data)
        .args(arguments)
        .limited_output()
        .unwrap();
    let bytes = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text)
}

/// Returns the state that the service shows, without the parts that depend on its address and on attempts at callbacks.
async fn shown(server: &Server) -> Value {
    let client = server.client();
    let view = Shown::read(client, None).await.unwrap();
    let conversations = view.without_callbacks().document();
    let users = client.read("/api/v4/users?with=role,group").await;
    let all = json!({ "account": conversations, "users": users });
    let text = all.to_string().replace(server.url(), "");
    serde_json::from_str(&text).unwrap()
}

/// The address of the uploaded file, as a message has it.
fn file_of(shown: &Value) -> &str {
    let messages = shown["account"]["conversations"]["c-2"]["messages"].as_array();
    let mut media = messages
        .unwrap()
        .iter()
        .filter_map(|it| it["media"].as_str());
    media.next().unwrap()
}

/// An account user sends this in a conversation.
async fn answer(client: &Client, conversation: &Value, body: &Value) {
    let id = conversation["conversation_id"].as_str().unwrap();
    let target = format!("/inbox/v1/conversations/{id}/messages");
    let answer = team::send(client, TOKEN, "POST", &target, body.to_string()).await;
    answer.is(201);
}

/// Makes the data of the present format: channels, accounts, users, messages in both directions, an upload, a delivered
/// callback and a queued one.
async fn remake() {
    let receiver = Receiver::start().await;
    let mut server = Setup::default().webhook(&receiver).start().await;
    let client = server.client();
    client.connect("v2").await;
    let users = json!([team::user("Bo")]).to_string();
    team::send(client, TOKEN, "POST", "/api/v4/users", users)
        .await
        .is(201);
    let mut conversations = Vec::new();
    for name in ["c-1", "c-2", "c-3"] {
        for number in 1..=3 {
            let new_message = client
                .sent(&message(&format!("{name}-{number}"), name))
                .await;
            conversations.push(new_message);
        }
    }
    let text = json!({ "type": "text", "text": "an answer that has left" });
    answer(client, &conversations[0], &text).await;
    let upload = uploaded(client, "fox.txt", CONTENT).await;
    let file = json!({ "type": "file", "media_id": upload["id"] });
    answer(client, &conversations[3], &file).await;
    receiver.callbacks(2).await;
    act(&server, "pause", &json!({})).await;
    let body = json!({ "type": "text", "text": QUEUED });
    answer(client, &conversations[6], &body).await;
    let view = shown(&server).await;
    assert_eq!(server.terminate().await, Some(0));
    let form = of_format(FORMAT);
    std::fs::remove_dir_all(&form).unwrap_or_default();
    copy(&server.data(), &form.join("data"));
    std::fs::remove_file(form.join("data/lock")).unwrap();
    let json_text = format!("{view:#}\n");
    std::fs::write(form.join("shown.json"), json_text).unwrap();
}

#[tokio::test]
async fn data_of_every_format_is_opened_and_shows_the_same() {
    if std::env::var_os("REMAKE_DATA").is_some() {
        remake().await;
    }
    for format in 1..=FORMAT {
        let directory = tempfile::tempdir().unwrap();
        let (form, data) = (of_format(format), directory.path().join("data"));
        copy(&form.join("data"), &data);
        if format == FORMAT {
            let (code, said) = verify(&data, &[]);
            assert_eq!(code, 0, "{said}");
        }
        let text_before = std::fs::read_to_string(form.join("shown.json")).unwrap();
        let before: Value = serde_json::from_str(&text_before).unwrap();
        let receiver = Receiver::start().await;
        let setup = Setup::default().webhook(&receiver);
        let mut server = setup.data(&data).start().await;
        let client = server.client();
        assert_eq!(shown(&server).await, before, "format {format}");
        let file = client.request("GET", file_of(&before)).send().await.is(200);
        assert_eq!(file.body.as_bytes(), CONTENT);
        // What waited leaves, and new work is done on the old data.
        act(&server, "resume", &json!({})).await;
        let callback = receiver.callbacks(1).await.remove(0);
        assert_eq!(callback.json["message"]["message"]["text"], QUEUED);
        let new_message = client.sent(&message("c-1-4", "c-1")).await;
        answer(
            client,
            &new_message,
            &json!({ "type": "text", "text": "another" }),
        )
        .await;
        receiver.callbacks(2).await;
        assert_eq!(server.terminate().await, Some(0));
        let (code, said) = verify(&data, &[]);
        assert_eq!(code, 0, "format {format}: {said}");
    }
}

/// All files and what is in them; the lock is no data.
fn contents(data: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = files_in(data);
    files.retain(|file| file != Path::new("lock"));
    let read = |file: PathBuf| {
        let bytes = std::fs::read(data.join(&file)).unwrap();
        (file, bytes)
    };
    files.into_iter().map(read).collect()
}

/// The beginning of the file `identity`.
const IDENTITY_HEADING: &str = "switchboard-identity 1 ";

#[tokio::test]
async fn data_of_an_unknown_format_is_refused_and_untouched() {
    for (format, sentence) in [
        (FORMAT + 1, "start the newer version"),
        (0, "upgrades data from format 1 on"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        copy(&of_format(FORMAT).join("data"), &data);
        let identity_bytes = std::fs::read(data.join("identity")).unwrap();
        let mut identity: Value = small_file::decode(&identity_bytes, IDENTITY_HEADING).unwrap();
        identity["format"] = format.into();
        let identity = small_file::encode(IDENTITY_HEADING, &identity).unwrap();
        std::fs::write(data.join("identity"), identity).unwrap();
        let before = contents(&data);
        let refusal = Setup::default().start_and_fail_in(directory.path()).await;
        assert_eq!(refusal.status.code(), Some(1), "{refusal:?}");
        let mut refusals = vec![refusal.said];
        for arguments in [&[][..], &["--rebuild-index"]] {
            let (code, said) = verify(&data, arguments);
            assert_eq!(code, 1, "{said}");
            refusals.push(said);
        }
        for said in refusals {
            for words in ["identity names format", sentence, "nothing was changed"] {
                assert!(said.contains(words), "{said}");
            }
        }
        assert!(contents(&data) == before, "format {format}");
    }
}
