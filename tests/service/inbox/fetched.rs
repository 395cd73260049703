//! The files that integrations only name: checked in the background, with a result that every user sees.

use std::io::Cursor;
use std::time::Duration;

use image::{DynamicImage, ImageFormat};
use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Reply, Sink};

use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::message_place::MessagePlace;
use crate::support::server::{Server, Setup};

pub(super) fn picture() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = DynamicImage::new_rgb8(400, 300);
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

pub(super) fn file(content_type: &str, body: impl Into<Vec<u8>>) -> Behaviour {
    let reply = Reply::new(200).header("Content-Type", content_type);
    Behaviour::Answer(reply.body(body.into()))
}

pub(super) async fn serving(behaviour: Behaviour) -> Sink {
    Sink::start(behaviour).await.unwrap()
}

pub(super) fn policy(policy: &str) -> Setup {
    Setup::default().setting("media", &format!("policy = \"{policy}\""))
}

/// A message with a file, whose sender has no picture worth a look.
pub(super) fn with_file(msgid: &str, kind: &str, url: &str) -> Value {
    let mut event = message(msgid, "c");
    event["payload"]["sender"]["avatar"] = json!("http://127.0.0.1:9/avatar.png");
    event["payload"]["message"] =
        json!({ "type": kind, "media": url, "file_name": "a/b.png", "file_size": 7 });
    event
}

pub(super) async fn posted(client: &Client, event: &Value) -> MessagePlace {
    let new_message = client.sent(event).await;
    MessagePlace::from_new_message(&new_message)
}

pub(super) async fn shown(client: &Client, place: &MessagePlace) -> Value {
    let messages = client.messages(&place.conversation).await;
    let view = messages
        .into_iter()
        .find(|known| known["id"] == place.message.as_str());
    view.unwrap()
}

/// The result of the check of a file, once it was checked.
pub(super) async fn checked(client: &Client, place: &MessagePlace) -> Value {
    eventually("somebody has looked at the file", async || {
        let check = shown(client, place).await["media_check"].clone();
        (check["state"] != "pending").then_some(check)
    })
    .await
}

pub(super) async fn check_of(server: &Server, msgid: &str, kind: &str, url: &str) -> Value {
    let message = posted(server.client(), &with_file(msgid, kind, url)).await;
    checked(server.client(), &message).await
}

#[tokio::test]
async fn a_reachable_file_is_identified_by_its_bytes() {
    let server = policy("check").start().await;
    server.client().connect("v2").await;
    let there = serving(file("text/plain", picture())).await;
    let check = check_of(&server, "there", "picture", &there.url("/a.png")).await;
    assert_eq!(check["state"], "reachable");
    assert_eq!(check["content_type"], "image/png", "its bytes tell");
    assert_eq!(check["bytes"], picture().len());
    assert_eq!(
        (&check["copy"], &check["attempts"]),
        (&json!(null), &json!(1))
    );
    let request = there.requests(1).await.unwrap().remove(0);
    assert_eq!(
        (request.method.as_str(), request.target.as_str()),
        ("GET", "/a.png")
    );
    assert_eq!(request.header("accept-encoding"), Some("identity"));
}

/// The name of a message, the behaviour of its server, its kind, the reported reason, and whether the check is tried
/// again.
fn not_there() -> [(&'static str, Behaviour, &'static str, &'static str, bool); 8] {
    [
        (
            "gone",
            Behaviour::status(404),
            "picture",
            "its server answers 404 Not Found",
            false,
        ),
        (
            "broken",
            Behaviour::status(500),
            "file",
            "its server answers 500",
            true,
        ),
        ("slow", Behaviour::Hang, "file", "timeout: ", true),
        (
            "trickling",
            Behaviour::slow_body(200, Duration::from_millis(400)),
            "file",
            "timeout: ",
            true,
        ),
        (
            "page",
            file("image/png", "<!DOCTYPE html><p>Sign in"),
            "picture",
            "a picture was expected, and this is text/html",
            false,
        ),
        (
            "text",
            file("text/plain", "hello"),
            "picture",
            "a picture was expected, and this is text/plain",
            false,
        ),
        (
            "empty",
            file("image/png", ""),
            "picture",
            "a picture was expected, and there is nothing in it",
            false,
        ),
        (
            "page as a film",
            file("text/html", "<html>"),
            "video",
            "a recording was expected",
            false,
        ),
    ]
}

/// The reason for programs, by the words for people.
fn code(reason: &str) -> &'static str {
    match reason {
        _ if reason.starts_with("its server answers") => "refused",
        _ if reason.starts_with("timeout") => "no_connection",
        _ => "unexpected",
    }
}

#[tokio::test]
async fn an_unreachable_file_gives_the_reason() {
    let patient = policy("check").start().await;
    let brief = policy("check")
        .setting("media", "fetch_timeout_seconds = 1")
        .start()
        .await;
    for server in [&patient, &brief] {
        server.client().connect("v2").await;
    }
    for (msgid, behaviour, kind, reason, again) in not_there() {
        let sink = serving(behaviour).await;
        let is_slow = reason.starts_with("timeout");
        let server = if is_slow { &brief } else { &patient };
        let check = check_of(server, msgid, kind, &sink.url("/x")).await;
        assert_eq!(check["state"], "unreachable", "{msgid}: {check}");
        let text = check["reason"].as_str().unwrap();
        assert!(text.starts_with(reason), "{msgid}: {text}");
        assert_eq!(check["next_attempt_at"].is_null(), !again, "{msgid}");
        assert_eq!(check["reason_code"], code(reason), "{msgid}");
    }
    // Not the server of the senders' pictures: that one is left alone for a while by now.
    let nobody = check_of(&patient, "nobody", "file", "http://127.0.0.2:9/x").await;
    assert!(nobody["reason"].as_str().unwrap().starts_with("connect: "));
}

#[tokio::test]
async fn no_request_or_redirect_reaches_a_forbidden_address() {
    let inside = serving(file("image/png", picture())).await;
    let server = policy("mirror")
        .setting("dispatch", "allow_private_networks = false")
        .start()
        .await;
    server.client().connect("v2").await;
    for (number, url) in [
        inside.url("/secret.png"),
        inside.url("/secret.png").replace("127.0.0.1", "2130706433"),
        inside.url("/secret.png").replace("127.0.0.1", "localhost"),
        "http://169.254.169.254/latest/meta-data".to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let check = check_of(&server, &format!("m{number}"), "picture", url).await;
        assert_eq!(check["state"], "unreachable");
        let reason = check["reason"].as_str().unwrap();
        assert!(reason.starts_with("forbidden: "), "{url}: {reason}");
        assert_eq!(check["next_attempt_at"], json!(null));
    }
    assert_eq!(inside.ledger().connections, 0);
}

#[tokio::test]
async fn each_redirect_is_checked_and_their_number_is_limited() {
    let there = serving(file("image/png", picture())).await;
    let server = policy("check").start().await;
    server.client().connect("v2").await;
    let led = serving(Behaviour::redirect(&there.url("/b.png"))).await;
    let check = check_of(&server, "led", "picture", &led.url("/a.png")).await;
    assert_eq!(check["state"], "reachable");
    for (msgid, location, reason) in [
        (
            "mail",
            "http://127.0.0.1:25/",
            "forbidden: port 25 is not allowed",
        ),
        ("disk", "file:///etc/passwd", "forbidden: "),
        ("round", "/again", "protocol: more than 3 redirects"),
    ] {
        let sink = serving(Behaviour::redirect(location)).await;
        let check = check_of(&server, msgid, "picture", &sink.url("/a.png")).await;
        let text = check["reason"].as_str().unwrap();
        assert!(text.starts_with(reason), "{msgid}: {text}");
    }
}

#[tokio::test]
async fn a_copy_is_served_when_the_original_is_gone() {
    let sink = serving(file("application/x-anything", picture())).await;
    let server = policy("mirror").start().await;
    server.client().connect("v2").await;
    let check = check_of(&server, "m", "picture", &sink.url("/a.png")).await;
    drop(sink);
    assert_eq!(check["copy"]["file_name"], "b.png", "a name is no path");
    let media = check["copy"]["media"].as_str().unwrap();
    assert!(
        media.starts_with(&format!("{}/media/", server.url())),
        "{media}"
    );
    let answer = fetch(media).await;
    assert_eq!(answer.2, picture());
    assert_eq!(answer.1["content-type"], "image/png");
    assert_eq!(answer.1["x-content-type-options"], "nosniff");
    let disposition = answer.1["content-disposition"].to_str().unwrap();
    assert!(disposition.starts_with("inline"));
    let small = fetch(check["copy"]["thumbnail"].as_str().unwrap()).await;
    assert_eq!(image::load_from_memory(&small.2).unwrap().width(), 320);
}

/// Phones make such pictures. What the service cannot draw is lost as well when the integration deletes it.
#[tokio::test]
async fn a_picture_that_cannot_be_drawn_is_reachable_and_copied() {
    let server = policy("mirror").start().await;
    server.client().connect("v2").await;
    let photo = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec();
    for (msgid, declared, body, content_type) in [
        (
            "brand",
            "application/octet-stream",
            photo.clone(),
            "image/heic",
        ),
        ("both", "image/heic", photo, "image/heic"),
        (
            "new",
            "image/heic",
            b"\0\0\0\x10ftypnew1\0\0\0\0".to_vec(),
            "image/heic",
        ),
        (
            "raw",
            "image/x-adobe-dng",
            b"II*\0\x08\0\0\0".to_vec(),
            "image/x-adobe-dng",
        ),
        (
            "other",
            "image/x-anything",
            b"anything".to_vec(),
            "image/x-anything",
        ),
    ] {
        let sink = serving(file(declared, body.clone())).await;
        let check = check_of(&server, msgid, "picture", &sink.url("/x")).await;
        drop(sink);
        assert_eq!(check["state"], "reachable", "{msgid}: {check}");
        assert_eq!(check["content_type"], content_type, "{msgid}");
        assert_eq!(check["copy"]["thumbnail"], json!(null), "{msgid}");
        let (status, headers, bytes) = fetch(check["copy"]["media"].as_str().unwrap()).await;
        assert_eq!((status, bytes), (200, body), "{msgid}");
        assert_eq!(headers["content-type"], content_type, "{msgid}");
        let disposition = headers["content-disposition"].to_str().unwrap();
        assert!(disposition.starts_with("attachment"), "{disposition}");
    }
    let film = b"\0\0\0\x18ftypmp42\0\0\0\0isommp42".to_vec();
    let sink = serving(file("video/mp4", film.clone())).await;
    let check = check_of(&server, "film", "picture", &sink.url("/x")).await;
    assert_eq!(
        check["reason"],
        "a picture was expected, and this is video/mp4"
    );
    let sink = serving(file("audio/mp4", film)).await;
    let check = check_of(&server, "sound", "file", &sink.url("/x")).await;
    assert_eq!(check["content_type"], "audio/mp4");
}

#[tokio::test]
async fn a_drawing_or_a_page_with_scripts_is_never_rendered() {
    let server = policy("mirror").start().await;
    server.client().connect("v2").await;
    for (msgid, kind, content_type, body) in [
        (
            "svg",
            "picture",
            "image/svg+xml",
            "<svg onload='alert(1)'/>",
        ),
        (
            "html",
            "file",
            "text/html",
            "<html><script>alert(1)</script>",
        ),
    ] {
        let sink = serving(file(content_type, body)).await;
        let check = check_of(&server, msgid, kind, &sink.url("/x")).await;
        assert_eq!(check["copy"]["thumbnail"], json!(null));
        let (status, headers, bytes) = fetch(check["copy"]["media"].as_str().unwrap()).await;
        assert_eq!((status, bytes), (200, body.as_bytes().to_vec()));
        assert_eq!(headers["content-type"], "application/octet-stream");
        assert_eq!(
            headers["content-security-policy"],
            "default-src 'none'; sandbox"
        );
        let disposition = headers["content-disposition"].to_str().unwrap();
        assert!(disposition.starts_with("attachment"), "{disposition}");
    }
}

#[tokio::test]
async fn a_file_too_large_or_damaged_is_reachable_but_not_copied() {
    let server = policy("mirror")
        .setting("media", "file_mib = 1")
        .start()
        .await;
    server.client().connect("v2").await;
    let large = serving(file("application/pdf", vec![b'x'; (1 << 20) + 1])).await;
    let endless = serving(Behaviour::endless_body(200)).await;
    let damaged = serving(file("image/png", &picture()[..60])).await;
    let gzip = Reply::new(200).header("Content-Encoding", "gzip");
    let packed = serving(Behaviour::Answer(gzip.body(vec![0x1f, 0x8b, 8]))).await;
    let too_large = "the file is larger than 1048576 bytes";
    for (msgid, sink, why, code) in [
        ("large", large, too_large, "too_large"),
        ("endless", endless, too_large, "too_large"),
        (
            "damaged",
            damaged,
            "the picture is damaged or incomplete",
            "undecodable",
        ),
        (
            "packed",
            packed,
            "the response is compressed (gzip)",
            "compressed",
        ),
    ] {
        let check = check_of(&server, msgid, "file", &sink.url("/x")).await;
        assert_eq!(
            (&check["state"], &check["copy"]),
            (&json!("reachable"), &json!(null))
        );
        let reason = check["not_copied"].as_str().unwrap();
        assert!(reason.starts_with(why), "{msgid}: {reason}");
        assert_eq!(check["not_copied_code"], code, "{msgid}");
    }
    let parts = server.data().join("media/parts");
    eventually("nothing of them is left", async || {
        let count = std::fs::read_dir(&parts).unwrap().count();
        (count == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn pending_fetches_continue_after_a_kill() {
    let sink = serving(file("image/png", picture())).await;
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n";
    sink.script([Behaviour::RawAndHang(head.into())]);
    let retry = policy("mirror").setting("media", "fetch_retry_seconds = 0");
    let mut server = retry.start().await;
    server.client().connect("v2").await;
    let message = posted(
        server.client(),
        &with_file("m", "picture", &sink.url("/a.png")),
    )
    .await;
    let check = shown(server.client(), &message).await["media_check"].clone();
    assert_eq!(check, json!({ "state": "pending" }));
    sink.requests(1).await.unwrap();
    server.kill_9();
    server.restart().await;
    let check = checked(server.client(), &message).await;
    assert_eq!(check["state"], "reachable");
    let before = server.url().to_owned();
    server.kill_9();
    server.restart().await;
    let again = checked(server.client(), &message).await;
    // Each start of a test has a port of its own, and the address of the copy follows it.
    let copy = again["copy"]["media"].as_str().unwrap();
    assert_eq!(fetch(copy).await.2, picture());
    let other = check.to_string().replace(&before, server.url());
    assert_eq!(again.to_string(), other);
    // Another message is checked after it: the first file was not requested again.
    check_of(&server, "n", "picture", &sink.url("/b.png")).await;
    let targets = sink.ledger().requests;
    let again = targets.iter().filter(|asked| asked.target == "/a.png");
    assert_eq!(again.count(), 2);
}

#[tokio::test]
async fn the_policy_off_fetches_nothing_and_reports_it() {
    let sink = serving(file("image/png", picture())).await;
    let mut server = policy("off").start().await;
    server.client().connect("v2").await;
    let mut event = with_file("m", "picture", &sink.url("/a.png"));
    event["payload"]["sender"]["avatar"] = json!(sink.url("/avatar.png"));
    let message = posted(server.client(), &event).await;
    let check = checked(server.client(), &message).await;
    assert_eq!(check, json!({ "state": "not_checked" }));
    // It is not fetched later either, when the files of later messages are checked.
    server.terminate().await;
    server.change(|setup| setup.setting("media", "policy = \"check\""));
    server.restart().await;
    check_of(&server, "n", "picture", &sink.url("/b.png")).await;
    let requests = sink.requests(1).await.unwrap();
    assert!(requests.iter().all(|request| request.target == "/b.png"));
    assert_eq!(checked(server.client(), &message).await, check);
}

#[tokio::test]
async fn an_avatar_is_fetched_once_for_many_messages() {
    let sink = serving(file("image/png", picture())).await;
    let server = policy("mirror").start().await;
    let client = server.client();
    client.connect("v2").await;
    let from = |msgid: &str, conversation: &str| {
        let mut event = message(msgid, conversation);
        event["payload"]["sender"]["avatar"] = json!(sink.url("/ada.png"));
        event
    };
    let MessagePlace { conversation, .. } = posted(client, &from("m1", "c1")).await;
    let check = eventually("the picture was looked at", async || {
        let conversation_view = client
            .read(&format!("/inbox/v1/conversations/{conversation}"))
            .await;
        let check = conversation_view["customer"]["avatar_check"].clone();
        (!check.is_null()).then_some(check)
    })
    .await;
    assert_eq!(check["state"], "reachable");
    let copy = check["copy"]["media"].as_str().unwrap();
    assert_eq!(fetch(copy).await.2, picture());
    for number in 2..10 {
        posted(client, &from(&format!("m{number}"), "c1")).await;
        let other = posted(client, &from("m", &format!("c{number}")))
            .await
            .conversation;
        let conversation_view = client
            .read(&format!("/inbox/v1/conversations/{other}"))
            .await;
        assert_eq!(conversation_view["customer"]["avatar_check"], check);
    }
    // The next file in the list is checked after this one would have been.
    let mut last = from("last", "c1");
    last["payload"]["sender"]["avatar"] = json!(sink.url("/new.png"));
    posted(client, &last).await;
    let requests = sink.requests(2).await.unwrap();
    let targets: Vec<_> = requests.iter().map(|asked| asked.target.as_str()).collect();
    assert_eq!(targets, ["/ada.png", "/new.png"]);
}

/// An import asks one server for two files at once, and delays no other server.
#[tokio::test]
async fn an_import_fetches_two_files_per_server_and_delays_no_other() {
    let hanging = serving(Behaviour::Hang).await;
    let server = policy("check")
        .setting("media", "fetch_timeout_seconds = 600")
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    for number in 0..300 {
        let mut event = with_file(&format!("m{number}"), "file", &hanging.url("/x"));
        event["payload"]["silent"] = json!(true);
        event["payload"]["sender"]["avatar"] = json!(hanging.url("/avatar"));
        client.sent(&event).await;
    }
    let other = serving(file("image/png", picture())).await;
    let check = check_of(&server, "other", "picture", &other.url("/a.png")).await;
    assert_eq!(check["state"], "reachable");
    assert!(hanging.ledger().connections <= 2);
}

async fn fetch(url: &str) -> (u16, reqwest::header::HeaderMap, Vec<u8>) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let response = client.get(url).send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, response.bytes().await.unwrap().to_vec())
}
