//! The outcomes of one attempt: test callbacks, which meet no queue and no health of an endpoint.

use serde_json::{Value, json};
use switchboard_worlds::sink::Behaviour;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::operator::act;
use crate::support::receiver::Receiver;
use crate::support::server::{OTHER_ACCOUNT, SECRET, Server, Setup};

/// An address from which no answer comes.
pub(super) enum Target {
    /// No program listens there.
    ClosedPort,
    /// No name server knows the host.
    UnknownName,
    /// A port on which no TLS is spoken.
    NoTls,
    /// A link-local address, which no setting but `allow_cidrs` opens.
    Forbidden,
}

/// The channel whose address is forbidden. The operator's interface would refuse it, a configuration is only warned of.
const FORBIDDEN: &str = "forbidden";

/// A service that makes test callbacks.
pub(super) struct Trials {
    receiver: Receiver,
    server: Server,
}

impl Trials {
    pub(super) async fn start() -> Self {
        let receiver = Receiver::start().await;
        let channel = format!(
            "[[channels]]\nid = \"{FORBIDDEN}\"\nname = \"Forbidden\"\nsecret = \"{SECRET}\"\n\
             webhook_v2 = \"http://169.254.169.254/\"\naccounts = [\"{OTHER_ACCOUNT}\"]\n"
        );
        let setup = Setup::default()
            .webhook(&receiver)
            .setting("dispatch", "timeout_seconds = 1");
        let server = setup.lines(&channel).start().await;
        Self { receiver, server }
    }

    /// Returns the outcome of a test callback to a receiver with this behaviour.
    pub(super) async fn answered(&self, behaviour: Behaviour) -> Value {
        self.receiver.script([behaviour]);
        act(&self.server, "test-send", &json!({})).await
    }

    /// Returns the outcome of a test callback to this address.
    pub(super) async fn sent_to(&self, target: Target) -> Value {
        // No query leaves the machine for a name that is longer than names may be.
        let long = ["x".repeat(60).as_str(); 5].join(".");
        let (channel, url) = match target {
            Target::ClosedPort => ("closed", "http://127.0.0.1:9/".to_owned()),
            Target::UnknownName => ("unknown", format!("http://{long}.invalid/")),
            Target::NoTls => ("no-tls", plain_text_server().await),
            Target::Forbidden => return self.tested(FORBIDDEN).await,
        };
        let new = json!({ "id": channel, "name": channel, "webhook_v2": url, "accounts": ["*"] });
        let request = self
            .server
            .client()
            .operates("POST", "/admin/v1/channels", &new);
        request.await.is(201);
        self.tested(channel).await
    }

    async fn tested(&self, channel: &str) -> Value {
        let target = format!("/admin/v1/channels/{channel}/test-send");
        let (client, body) = (self.server.client(), json!({}));
        let tested = client.operates("POST", &target, &body).await;
        tested.is(200).json
    }
}

/// The `https` address of a server that answers everything in plain text.
async fn plain_text_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let answer = b"HTTP/1.1 400 Bad Request\r\n\r\n";
            // Who calls may go. What it has sent is read: a socket with unread bytes would close with a reset.
            let mut rest = [0; 4_096];
            connection.read(&mut rest).await.unwrap_or_default();
            connection.write_all(answer).await.unwrap_or_default();
            while connection.read(&mut rest).await.unwrap_or_default() > 0 {}
        }
    });
    format!("https://{address}/")
}
