//! Requests of people to the service of the world, and reports of the account side to the program.

use anyhow::Context as _;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::stage::{Answer, REDIRECT_PATH, Reply, Request, Stage};
use crate::verdict::StopError;

/// A picture of one pixel.
const PICTURE: &[u8] = include_bytes!("pixel.png");
const BOUNDARY: &str = "exam-boundary";

impl Stage {
    /// A request of the account user `ada`.
    ///
    /// # Errors
    /// When the service refuses it.
    pub(crate) fn as_user(
        &self,
        method: &'static str,
        target: &str,
        body: &Value,
    ) -> Result<Value, StopError> {
        let mut request = Request::new(method, target);
        if !body.is_null() {
            request = request.json(body.to_string());
        }
        self.send_as_user(&request, target)
    }

    fn send_as_user(&self, request: &Request, target: &str) -> Result<Value, StopError> {
        let token = self.fact("/users/0/token");
        let request = request
            .clone()
            .header("Authorization", format!("Bearer {token}"));
        let answer = request.send(self.world_port()?).answer;
        if !answer.is_success() {
            return Err(anyhow::anyhow!(
                "the service {} to {target}: {}",
                answer.shown(),
                answer.body()
            )
            .into());
        }
        let body = answer.body();
        if body.is_empty() {
            return Ok(Value::Null);
        }
        Ok(serde_json::from_str(&body).context("the answer of the service is no JSON")?)
    }

    /// The address of a picture that the account user has uploaded.
    ///
    /// # Errors
    /// When the service does not take it.
    pub(crate) fn picture_url(&self) -> Result<String, StopError> {
        let file = self.upload()?;
        Ok(text(&file, "media"))
    }

    fn upload(&self) -> Result<Value, StopError> {
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"tulip.png\"\r\n\
             Content-Type: image/png\r\n\r\n"
        );
        let mut body = head.into_bytes();
        body.extend(PICTURE);
        body.extend(format!("\r\n--{BOUNDARY}--\r\n").into_bytes());
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let request = Request::new("POST", "/inbox/v1/media")
            .header("Content-Type", kind)
            .body(body);
        self.send_as_user(&request, "/inbox/v1/media")
    }

    /// The account user answers the customer of the case with a picture.
    ///
    /// # Errors
    /// When the service refuses it.
    pub(crate) fn reply_with_picture(&self) -> Result<Reply, StopError> {
        let file = self.upload()?;
        let conversation = &self.conversation;
        let target = format!("/inbox/v1/conversations/{conversation}/messages");
        let body = json!({ "type": "picture", "media_id": text(&file, "id") });
        let message = self.as_user("POST", &target, &body)?;
        Ok(Reply {
            id: text(&message, "id"),
            text: "(a picture)".to_owned(),
        })
    }

    /// Reports to the program that the account has uninstalled its client, with the right signature or with another one.
    ///
    /// # Errors
    /// When the world has no client.
    pub(crate) fn report_uninstall(
        &mut self,
        signature: Option<&str>,
    ) -> Result<Answer, StopError> {
        let client = self.fact("/oauth_client/id").to_owned();
        let account = self.account_number()?;
        let right = uninstall_signature(self.fact("/oauth_client/secret"), &client, account);
        let signature = signature.map_or(right, str::to_owned);
        let target = format!(
            "{REDIRECT_PATH}?account_id={account}&client_uuid={client}&signature={signature}"
        );
        Ok(self.exchange(&Request::new("GET", target)))
    }

    fn account_number(&self) -> Result<u64, StopError> {
        let account = self.as_user("GET", "/api/v4/account", &Value::Null)?;
        let number = account.get("id").and_then(Value::as_u64);
        Ok(number.context("the account has no number")?)
    }

    fn world_port(&self) -> Result<u16, StopError> {
        let port = self.world.base_url().rsplit(':').next().map(str::parse);
        match port {
            Some(Ok(port)) => Ok(port),
            Some(Err(_)) | None => Err(anyhow::anyhow!("the world has no port").into()),
        }
    }
}

/// A text of an answer; empty when it is not there.
fn text(answer: &Value, field: &str) -> String {
    let text = answer.get(field).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn uninstall_signature(secret: &str, client: &str, account: u64) -> String {
    #[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length");
    mac.update(format!("{client}|{account}").as_bytes());
    hex::encode(mac.finalize().into_bytes())
}
