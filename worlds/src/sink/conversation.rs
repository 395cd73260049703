//! One connection of the sink: request after request, each treated as the script says.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;

use super::request::{Reader, Received};
use super::{Behaviour, Ledger, REQUESTS_MAX, Reply, Script, Wire};

/// Serves one connection until either side ends it.
pub(super) async fn hold(
    mut wire: impl Wire,
    script: &Script,
    ledger: &watch::Sender<Ledger>,
) -> io::Result<()> {
    let mut reader = Reader::default();
    // The behaviour is taken when a request begins: an idle connection uses none up.
    while reader.begun(&mut wire).await? {
        let behaviour = script.take();
        if behaviour == Behaviour::Hang {
            return std::future::pending().await;
        }
        let request = reader.request(&mut wire).await?;
        let judge = script.judge.as_ref();
        let behaviour = judge.map_or(behaviour, |judge| judge(&request));
        note(ledger, request);
        if !perform(&mut wire, behaviour).await? {
            return Ok(());
        }
    }
    Ok(())
}

fn note(ledger: &watch::Sender<Ledger>, request: Received) {
    ledger.send_modify(|ledger| {
        ledger.count += 1;
        if ledger.requests.len() < REQUESTS_MAX {
            ledger.requests.push(request);
        }
    });
}

/// Does what was scripted; whether the connection goes on.
async fn perform(wire: &mut impl Wire, behaviour: Behaviour) -> io::Result<bool> {
    match behaviour {
        Behaviour::Answer(reply) => {
            send(wire, &written(&reply)).await?;
            return Ok(true);
        }
        Behaviour::AnswerAndClose(reply) => {
            send(wire, &written(&reply)).await?;
            finish(wire).await?;
        }
        Behaviour::Raw(bytes) => {
            send(wire, &bytes).await?;
            finish(wire).await?;
        }
        Behaviour::RawAndHang(bytes) => {
            send(wire, &bytes).await?;
            return std::future::pending().await;
        }
        Behaviour::Drip {
            first,
            chunk,
            interval,
        } => drip(wire, &first, &chunk, interval).await?,
        Behaviour::Reset(bytes) => {
            send(wire, &bytes).await?;
            wire.socket().set_zero_linger()?;
        }
        Behaviour::Hang => return std::future::pending().await,
    }
    Ok(false)
}

async fn drip(
    wire: &mut impl Wire,
    first: &Bytes,
    chunk: &Bytes,
    interval: Duration,
) -> io::Result<()> {
    send(wire, first).await?;
    loop {
        if !interval.is_zero() {
            tokio::time::sleep(interval).await;
        }
        send(wire, chunk).await?;
    }
}

async fn send(wire: &mut impl Wire, bytes: &[u8]) -> io::Result<()> {
    wire.write_all(bytes).await?;
    wire.flush().await
}

/// Ends our side and waits for the other: what we have sent is read before the end is seen,
/// and the ledger's `ended` means that the client has let go of the connection.
async fn finish(wire: &mut impl Wire) -> io::Result<()> {
    wire.shutdown().await?;
    let mut rest = [0; 1024];
    while wire.read(&mut rest).await? > 0 {}
    Ok(())
}

fn written(reply: &Reply) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {} Scripted\r\n", reply.status).into_bytes();
    for (name, value) in &reply.headers {
        bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    let length = format!("Content-Length: {}\r\n\r\n", reply.body.len());
    bytes.extend_from_slice(length.as_bytes());
    bytes.extend_from_slice(&reply.body);
    bytes
}
