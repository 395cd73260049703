//! Pictures and files of account users: uploaded, sent, and fetched by the integration.

use image::ImageFormat;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::PATIENCE;
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::receiver::Receiver;
use crate::support::server::{OTHER_TOKEN, Server, Setup, TOKEN};
use crate::support::upload::{form, picture, post, upload, uploaded};
use crate::users::team::{self, CLEO, DAN};

/// A PNG that says it is this large, and is not.
fn bomb(side: u32) -> Vec<u8> {
    let mut bytes = picture(4, 4, ImageFormat::Png);
    bytes[16..20].copy_from_slice(&side.to_be_bytes());
    bytes[20..24].copy_from_slice(&side.to_be_bytes());
    let mut sum = u32::MAX;
    for byte in &bytes[12..29] {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    bytes[29..33].copy_from_slice(&(!sum).to_be_bytes());
    bytes
}

async fn conversation(client: &Client, version: &str) -> String {
    client.connect(version).await;
    let new_message = client.sent(&message("m", "c")).await;
    new_message["conversation_id"].as_str().unwrap().to_owned()
}

async fn send(client: &Client, token: &str, conversation: &str, body: &Value) -> Answer {
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let request = client
        .request("POST", &target)
        .bearer(token)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await
}

/// The answer to a client that has only the address.
async fn fetch(url: &Value, range: Option<&str>) -> (u16, HeaderMap, Vec<u8>) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut request = client.get(url.as_str().unwrap());
    if let Some(range) = range {
        request = request.header("Range", range);
    }
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, response.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn a_picture_reaches_the_integration_with_its_thumbnail() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let conversation = conversation(client, "v2").await;
    let bytes = picture(640, 480, ImageFormat::Png);
    let media = uploaded(client, "cat.png", &bytes).await;
    assert_eq!(media["type"], "picture");
    assert_eq!(
        (&media["width"], &media["height"]),
        (&json!(640), &json!(480))
    );
    let body = json!({ "type": "picture", "media_id": media["id"], "text": "look" });
    let message = send(client, TOKEN, &conversation, &body).await.is(201).json;
    let callback = receiver.callbacks(1).await.remove(0).json["message"]["message"].take();
    assert_eq!(callback["type"], "picture");
    assert_eq!(callback["text"], "look");
    assert_eq!(callback["file_name"], "cat.png");
    assert_eq!(callback["file_size"], bytes.len());
    for key in ["media", "thumbnail", "file_name", "file_size"] {
        assert_eq!(callback[key], message[key], "{key}");
    }
    assert!(
        callback["media"]
            .as_str()
            .unwrap()
            .starts_with(server.url())
    );
    let (status, headers, got) = fetch(&callback["media"], None).await;
    assert_eq!((status, got), (200, bytes));
    assert_eq!(headers["content-type"], "image/png");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert_eq!(
        headers["content-security-policy"],
        "default-src 'none'; sandbox"
    );
    assert!(
        headers["content-disposition"]
            .to_str()
            .unwrap()
            .starts_with("inline")
    );
    let (status, headers, small) = fetch(&callback["thumbnail"], None).await;
    assert_eq!(
        (status, &headers["content-type"]),
        (200, &"image/jpeg".parse().unwrap())
    );
    let small = image::load_from_memory(&small).unwrap();
    assert_eq!((small.width(), small.height()), (320, 240));
}

#[tokio::test]
async fn version_1_carries_files_for_download_only() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let conversation = conversation(client, "v1").await;
    let media = uploaded(client, "offer.pdf", b"%PDF-1.7 and so on").await;
    assert_eq!(media["type"], "file");
    let body = json!({ "type": "file", "media_id": media["id"] });
    send(client, TOKEN, &conversation, &body).await.is(201);
    let callback = receiver.callbacks(1).await.remove(0).json;
    assert_eq!(callback["type"], "file");
    assert_eq!(
        (&callback["text"], &callback["thumbnail"]),
        (&json!(""), &json!(""))
    );
    assert_eq!(
        (&callback["file_name"], &callback["file_size"]),
        (&json!("offer.pdf"), &json!(18))
    );
    let (status, headers, got) = fetch(&callback["media"], None).await;
    assert_eq!((status, got.as_slice()), (200, &b"%PDF-1.7 and so on"[..]));
    assert_eq!(headers["content-type"], "application/pdf");
    assert!(
        headers["content-disposition"]
            .to_str()
            .unwrap()
            .starts_with("attachment")
    );
    let none = json!(format!("{}/thumbnail", callback["media"].as_str().unwrap()));
    assert_eq!(fetch(&none, None).await.0, 404);
}

/// Programs choose by the ending how to open a file.
#[tokio::test]
async fn a_long_file_name_keeps_its_ending_in_name_and_address() {
    let server = Server::start().await;
    let client = server.client();
    for (stem, letters, ending) in [
        ("a", 210, ".pdf"),
        ("я", 110, ".pdf"),
        ("日", 400, ".tar.gz"),
        ("😀", 60, ".docx"),
        ("a b", 300, ".отчёт"),
    ] {
        let name = format!("{}{ending}", stem.repeat(letters));
        let media = uploaded(client, &name, b"anything").await;
        let file_name = media["file_name"].as_str().unwrap();
        assert!(file_name.ends_with(ending), "{file_name}");
        let count = name.chars().count().min(200);
        assert_eq!(file_name.chars().count(), count, "{file_name}");
        let url: reqwest::Url = media["media"].as_str().unwrap().parse().unwrap();
        let last = url.path_segments().unwrap().next_back().unwrap();
        assert!(last.len() <= 600, "{last}");
        let last = percent_encoding::percent_decode_str(last)
            .decode_utf8()
            .unwrap();
        assert!(last.ends_with(ending) && last.len() > 100, "{last}");
        let (status, headers, _) = fetch(&media["media"], None).await;
        assert_eq!(status, 200);
        let disposition = headers["content-disposition"].to_str().unwrap();
        assert!(
            disposition.contains(ending) || !ending.is_ascii(),
            "{disposition}"
        );
    }
}

/// Many types begin alike: the brand of the container decides, or else the type of the part, or else the ending.
#[tokio::test]
async fn an_upload_has_the_narrowest_type_that_is_known() {
    let server = Server::start().await;
    let client = server.client();
    let box_of = |brand: &str| format!("\0\0\0\x18ftyp{brand}\0\0\0\0mif1heic").into_bytes();
    for (name, bytes, content_type) in [
        ("a.heic", box_of("heic"), "image/heic"),
        ("a", box_of("avif"), "image/avif"),
        ("a", box_of("M4A "), "audio/mp4"),
        ("a", box_of("qt  "), "video/quicktime"),
        ("a", box_of("3gp4"), "video/3gpp"),
        ("a.m4a", box_of("mp42"), "audio/mp4"),
        ("a.csv", b"a;b\r\n1;2".to_vec(), "text/csv"),
        (
            "a.docx",
            b"PK\x03\x04 and so on".to_vec(),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        ("a.html", b"<html>".to_vec(), "application/octet-stream"),
    ] {
        // The type of the part is one that is never believed.
        let media = uploaded(client, name, &bytes).await;
        assert_eq!(media["content_type"], content_type, "{name}");
        let (status, headers, got) = fetch(&media["media"], None).await;
        assert_eq!((status, got), (200, bytes), "{name}");
        assert_eq!(headers["content-type"], content_type);
        let disposition = headers["content-disposition"].to_str().unwrap();
        assert!(disposition.starts_with("attachment"), "{disposition}");
    }
    let form = String::from_utf8(form("file", "table", b"a;b"))
        .unwrap()
        .replace("text/html", "Text/CSV; charset=utf-8");
    let media = post(client, TOKEN, form.into_bytes()).await.is(201).json;
    assert_eq!(media["content_type"], "text/csv");
}

#[tokio::test]
async fn every_invalid_upload_gets_its_own_error() {
    let server = Setup::default()
        .setting("media", "file_mib = 1")
        .start()
        .await;
    let client = server.client();
    for (what, bytes, status, told) in [
        ("empty", Vec::new(), 400, "empty"),
        (
            "one byte too many",
            vec![b'x'; (1 << 20) + 1],
            413,
            "longer than 1048576 bytes",
        ),
    ] {
        let answer = upload(client, "x.png", &bytes).await.is(status);
        assert!(answer.body.contains(told), "{what}: {}", answer.body);
        if status == 400 {
            assert_eq!(
                answer.wrong(),
                [("file".to_owned(), "InvalidValue".to_owned())],
                "{what}"
            );
        }
    }
    upload(client, "largest.bin", &vec![b'x'; 1 << 20])
        .await
        .is(201);
    for body in [
        form("picture", "x", b"x"),
        b"--edge--\r\n".to_vec(),
        b"no form".to_vec(),
        form("file", "x", b"x")[..60].to_vec(),
        [&form("file", "x", b"x")[..], b""].concat()[..]
            .strip_suffix(b"--\r\n")
            .unwrap()
            .to_vec(),
    ] {
        post(client, TOKEN, body).await.is(400);
    }
    let two = [&b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\na\r\n"[..],
        &form("file", "b", b"b")].concat();
    post(client, TOKEN, two).await.is(400);
    let plain = client
        .request("POST", "/inbox/v1/media")
        .bearer(TOKEN)
        .body("x");
    plain
        .header("Content-Type", "image/png")
        .send()
        .await
        .is(415);
    post(client, "nobody", form("file", "x", b"x"))
        .await
        .is(401);
    // Of all that was refused nothing is left.
    let mut files = 0;
    for shard in std::fs::read_dir(server.data().join("media")).unwrap() {
        files += std::fs::read_dir(shard.unwrap().path()).unwrap().count();
    }
    assert_eq!(files, 2, "the largest file and what is known about it");
}

#[tokio::test]
async fn an_undecodable_picture_is_a_file_and_never_rendered() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client, "v2").await;
    let mut cut = picture(300, 300, ImageFormat::Png);
    cut.truncate(cut.len() - 20);
    for (what, bytes) in [
        ("truncated", cut),
        ("a bomb", bomb(20_000)),
        ("a wide bomb", bomb(16_384)),
        (
            "a picture by its beginning only",
            b"GIF89a is text".to_vec(),
        ),
    ] {
        let media = uploaded(client, "x.png", &bytes).await;
        assert_eq!(
            (&media["type"], &media["thumbnail"]),
            (&json!("file"), &Value::Null),
            "{what}"
        );
        let (status, headers, got) = fetch(&media["media"], None).await;
        assert_eq!((status, &got), (200, &bytes), "{what}");
        assert_eq!(headers["content-type"], "application/octet-stream");
        let saved = headers["content-disposition"].to_str().unwrap();
        assert!(saved.starts_with("attachment"), "{saved}");
        let body = json!({ "type": "file", "media_id": media["id"] });
        send(client, TOKEN, &conversation, &body).await.is(201);
    }
}

#[tokio::test]
async fn uploading_needs_a_right_to_write_and_each_user_has_a_quota() {
    let setup = team::setup().setting("media", "unsent_per_user_max = 2");
    let server = setup.start().await;
    let client = server.client();
    let file = || form("file", "x", b"x");
    // Dan has no rights at all.
    post(client, DAN, file()).await.is(403);
    for _ in 0..2 {
        post(client, CLEO, file()).await.is(201);
    }
    let full = post(client, CLEO, file()).await.is(409);
    assert!(full.body.contains("2 files of yours"), "{}", full.body);
}

/// A user has a fifth of the unsent uploads of the account, whatever is configured; an administrator has room beside them.
#[tokio::test]
async fn no_user_takes_all_unsent_uploads_of_an_account() {
    let setup = team::setup().setting("media", "unsent_max = 10");
    let server = setup.start().await;
    let client = server.client();
    let file = || form("file", "x", b"x");
    for _ in 0..2 {
        post(client, CLEO, file()).await.is(201);
    }
    let full = post(client, CLEO, file()).await.is(409);
    assert!(full.body.contains("2 files of yours"), "{}", full.body);
    upload(client, "of-ada.txt", b"x").await.is(201);
}

#[tokio::test]
async fn a_form_with_an_endless_head_is_not_read_to_its_end() {
    let server = Server::start().await;
    let client = server.client();
    // Just over the limit: a client that has more to send may not receive the answer.
    let head = "x".repeat((1 << 20) + 1);
    let request = format!(
        "POST /inbox/v1/media HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\
         Content-Type: multipart/form-data; boundary=edge\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{head}",
        client.host(),
        head.len()
    );
    let mut socket = client.open().await;
    socket.write_all(request.as_bytes()).await.unwrap();
    // The service waits for the rest of the body before it closes, so the answer is read to its end, not the connection's.
    let (mut answer, mut piece) = (String::new(), [0; 4_096]);
    while !answer.contains("needs\"}") {
        let reading = tokio::time::timeout(PATIENCE, socket.read(&mut piece));
        let count = reading.await.unwrap().unwrap();
        assert!(count > 0, "{answer}");
        answer.push_str(std::str::from_utf8(&piece[..count]).unwrap());
    }
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert!(answer.contains("more around its file"), "{answer}");
}

/// A file that may hold scripts is saved as bytes, whatever its name is.
#[tokio::test]
async fn files_that_may_hold_scripts_are_downloaded_as_bytes() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client, "v2").await;
    for (name, text) in [
        (
            "x.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
        ),
        ("x.png", "<html><script>alert(1)</script></html>"),
    ] {
        let media = uploaded(client, name, text.as_bytes()).await;
        assert_eq!(media["type"], "file", "{name}");
        let (_, headers, _) = fetch(&media["media"], None).await;
        assert_eq!(headers["content-type"], "application/octet-stream");
        assert!(
            headers["content-disposition"]
                .to_str()
                .unwrap()
                .starts_with("attachment")
        );
        let body = json!({ "type": "picture", "media_id": media["id"] });
        let answer = send(client, TOKEN, &conversation, &body).await.is(400);
        assert_eq!(
            answer.wrong(),
            [("media_id".to_owned(), "InvalidValue".to_owned())]
        );
    }
}

#[tokio::test]
async fn names_with_paths_quotes_and_other_scripts_do_no_harm() {
    let server = Server::start().await;
    let client = server.client();
    for (given, kept) in [
        ("../../../etc/passwd", "passwd"),
        ("C:\\\\temp\\\\a.txt", "a.txt"),
        ("a\\\"b.txt", "a\"b.txt"),
        ("отчёт.pdf", "отчёт.pdf"),
        ("%2e%2e%2fx", "%2e%2e%2fx"),
    ] {
        let media = uploaded(client, given, b"x").await;
        assert_eq!(media["file_name"], kept);
        let (status, headers, got) = fetch(&media["media"], None).await;
        assert_eq!((status, got.as_slice()), (200, &b"x"[..]), "{media}");
        let disposition = headers["content-disposition"].to_str().unwrap().to_owned();
        assert!(
            disposition.starts_with("attachment; filename=\""),
            "{disposition}"
        );
    }
    for target in [
        "/media/x/y",
        "/media/30c362b9-9201-4864-8c24-1f637b1733ed/x",
        "/media/..%2f..%2flock/x",
    ] {
        client.request("GET", target).send().await.is(404);
    }
}

#[tokio::test]
async fn a_part_of_a_file_can_be_requested() {
    let server = Server::start().await;
    let media = uploaded(server.client(), "digits.txt", b"0123456789").await;
    let (status, headers, got) = fetch(&media["media"], Some("bytes=2-4")).await;
    assert_eq!((status, got.as_slice()), (206, &b"234"[..]));
    assert_eq!(headers["content-range"], "bytes 2-4/10");
    assert_eq!(fetch(&media["media"], Some("bytes=-3")).await.2, b"789");
    assert_eq!(fetch(&media["media"], Some("bytes=10-")).await.0, 416);
    // What is no range of bytes, or means nothing, is ignored (RFC 9110, 14.2).
    for ignored in ["lines=1", "bytes=5-2", "bytes=a-b", "bytes=", "\u{e4}"] {
        let (status, _, got) = fetch(&media["media"], Some(ignored)).await;
        assert_eq!(
            (status, got.as_slice()),
            (200, &b"0123456789"[..]),
            "{ignored}"
        );
    }
    let far = format!("bytes=7-{}", "9".repeat(40));
    let (status, headers, got) = fetch(&media["media"], Some(&far)).await;
    assert_eq!((status, got.as_slice()), (206, &b"789"[..]));
    assert_eq!(headers["content-range"], "bytes 7-9/10");
}

/// Another account cannot send the file, and the answer names the wrong field of the message.
#[tokio::test]
async fn a_file_of_another_account_cannot_be_sent() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client, "v2").await;
    let theirs = post(client, OTHER_TOKEN, form("file", "x", b"x"))
        .await
        .is(201)
        .json;
    for body in [
        json!({ "type": "file", "media_id": theirs["id"] }),
        json!({ "type": "file", "media_id": "30c362b9-9201-4864-8c24-1f637b1733ed" }),
        json!({ "type": "file", "media_id": "x" }),
        json!({ "type": "file" }),
        json!({ "type": "text", "text": "x", "media_id": theirs["id"] }),
    ] {
        let answer = send(client, TOKEN, &conversation, &body).await.is(400);
        let wrong: Vec<_> = answer.wrong().into_iter().map(|(path, _)| path).collect();
        assert_eq!(wrong, ["media_id"], "{body}");
    }
    assert_eq!(client.messages(&conversation).await.len(), 1);
}

#[tokio::test]
async fn uploaded_and_sent_files_survive_a_kill() {
    let receiver = Receiver::answering(503).await;
    let mut server = Server::calling(&receiver).await;
    let conversation = conversation(server.client(), "v2").await;
    let upload = uploaded(server.client(), "a.txt", b"sent").await;
    let body = json!({ "type": "file", "media_id": upload["id"] });
    send(server.client(), TOKEN, &conversation, &body)
        .await
        .is(201);
    let waiting = uploaded(server.client(), "b.jpg", &picture(9, 9, ImageFormat::Jpeg)).await;
    server.kill_9();
    server.restart().await;
    let body = json!({ "type": "picture", "media_id": waiting["id"] });
    send(server.client(), TOKEN, &conversation, &body)
        .await
        .is(201);
    for message in &server.client().messages(&conversation).await[..2] {
        // The port is another one since the restart, the path is the same.
        let path = message["media"]
            .as_str()
            .unwrap()
            .split("/media/")
            .nth(1)
            .unwrap();
        let url = json!(format!("{}/media/{path}", server.url()));
        assert_eq!(fetch(&url, None).await.0, 200);
    }
}
