//! The requests of others beside a crowd: each comes in two pieces, as over a real network, and gets its usual answer.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::support::answer::{Answer, CHAT};
use crate::support::client::{Client, content_md5, date, message, parsed, rest, scope, signature};
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, TOKEN};
use crate::support::upload::form;

/// The time between a head and its body.
const LATE: Duration = Duration::from_millis(80);
/// The client that a proxy reports.
const CLIENT: &str = "198.51.100.7";

/// A request whose body is late.
struct Late<'r> {
    target: &'r str,
    headers: String,
    body: Vec<u8>,
}

impl Late<'_> {
    async fn send(self, client: &Client) -> Answer {
        let Self {
            target,
            headers,
            body,
        } = self;
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {CLIENT}\r\nConnection: close\r\n{headers}\
             Content-Length: {}\r\n\r\n",
            client.host(),
            body.len()
        );
        let mut socket = client.open().await;
        socket.write_all(head.as_bytes()).await.unwrap();
        tokio::time::sleep(LATE).await;
        socket.write_all(&body).await.ok();
        parsed("POST", target, &rest(&mut socket).await)
    }
}

/// A message of each generation, a sign-in and an upload; the channel is connected.
pub(super) async fn are_served(client: &Client, id: &str) {
    const JSON: &str = "Content-Type: application/json\r\n";
    let target = format!("{CHAT}{}", scope(CHANNEL, ACCOUNT));
    let body = message(&format!("2019 {id}"), "c").to_string();
    let of_2019 = Late {
        target: &target,
        headers: format!(
            "{JSON}X-Signature: {}\r\n",
            signature(SECRET, body.as_bytes())
        ),
        body: body.into(),
    };
    let body = message(&format!("current {id}"), "c").to_string();
    let (md5, date) = (content_md5(body.as_bytes()), date(0));
    let text_to_sign = format!("POST\n{md5}\napplication/json\n{date}\n{target}");
    let signature = signature(SECRET, text_to_sign.as_bytes());
    let current = Late {
        target: &target,
        headers: format!(
            "{JSON}Date: {date}\r\nContent-MD5: {md5}\r\nX-Signature: {signature}\r\n"
        ),
        body: body.into(),
    };
    let body =
        json!({ "email": "Ada@example.com", "password": "Secr3tive", "account_id": ACCOUNT });
    let sign_in = Late {
        target: "/inbox/v1/session",
        headers: JSON.to_owned(),
        body: body.to_string().into(),
    };
    let upload = Late {
        target: "/inbox/v1/media",
        headers: format!(
            "Authorization: Bearer {TOKEN}\r\nContent-Type: multipart/form-data; boundary=edge\r\n"
        ),
        body: form("file", "note.txt", id.as_bytes()),
    };
    let answers = tokio::join!(
        of_2019.send(client),
        current.send(client),
        sign_in.send(client),
        upload.send(client)
    );
    let (of_2019, current, sign_in, upload) = answers;
    of_2019.is(200);
    current.is(200);
    sign_in.is(201);
    upload.is(201);
}
