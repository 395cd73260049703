//! A double with a person, and servers that answer one thing.

use std::error::Error;

use switchboard_telegram::api::{Api, ApiSettings, Token};
use telegram_double::{Double, Person};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

pub(crate) type Outcome = Result<(), Box<dyn Error>>;

pub(crate) const TOKEN: &str = "42:VERY-SECRET_1";
/// The part of the token that nothing may show.
pub(crate) const SECRET: &str = "VERY-SECRET_1";

/// Builds a client of a server.
pub(crate) fn client(url: &str) -> Result<Api, Box<dyn Error>> {
    // Another test may have installed it.
    drop(rustls::crypto::ring::default_provider().install_default());
    let settings = ApiSettings {
        token: Token::parse(TOKEN)?,
        url: url.to_owned(),
        file_url: None,
        is_test: false,
    };
    Ok(Api::new(settings)?)
}

/// Starts a double with Ann, whose number is 7, in a chat with the bot.
pub(crate) async fn double() -> Result<(Double, Api), Box<dyn Error>> {
    let double = Double::start().await?;
    double.register(TOKEN)?;
    double
        .orders()
        .add_person(&Person::named("Ann").with_id(7))
        .await?;
    let api = client(&double.url())?;
    Ok((double, api))
}

/// Starts a server that reads a request, answers these bytes and hangs up. Returns its address.
pub(crate) async fn server(answer: String) -> Result<String, Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 8_192];
            if stream.read(&mut request).await.is_ok() {
                drop(stream.write_all(answer.as_bytes()).await);
            }
        }
    });
    Ok(url)
}

/// An answer of HTTP with a body.
pub(crate) fn answer(status: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}
