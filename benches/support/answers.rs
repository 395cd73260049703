//! Account users who answer, as fast as they are let or at a pace, whatever becomes of the callbacks.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use switchboard_bench::client::{Connection, on_each};
use switchboard_bench::requests::{self, body, scope_path, signed, signer};
use switchboard_bench::server::ACCOUNT;
use switchboard_bench::sink::text;
use switchboard_bench::statistics::{exact, length};

/// Connects the account to each channel and opens so many conversations in each; gives where answers are posted.
pub(crate) async fn open(
    address: SocketAddr,
    channels: &[String],
    each: u64,
) -> Result<Rc<[String]>> {
    let signer = signer()?;
    let mut connection = Connection::open(address).await?;
    let mut paths = Vec::new();
    for channel in channels {
        let connect = requests::connect(channel, ACCOUNT)?;
        connection.expect(&connect, 200).await?;
        let path = scope_path(channel, ACCOUNT);
        for number in 0..each {
            let silent = body(number, number).replace(r#""silent":false"#, r#""silent":true"#);
            let message = signed(&path, &signer, &silent);
            let answer: serde_json::Value =
                serde_json::from_slice(connection.expect(&message, 200).await?)?;
            let id = answer
                .pointer("/new_message/conversation_id")
                .and_then(|id| id.as_str())
                .context("an answer names no conversation")?;
            paths.push(format!("/inbox/v1/conversations/{id}/messages"));
        }
    }
    Ok(paths.into())
}

/// Writes so many answers, spread over these conversations, over so many connections; gives how long that took.
pub(crate) async fn write(
    address: SocketAddr,
    connections: usize,
    paths: &Rc<[String]>,
    count: u64,
) -> Result<Duration> {
    let (next, count) = (Rc::new(Cell::new(0)), usize::try_from(count)?);
    on_each(address, connections, |_number, connection| {
        work(connection, Rc::clone(&next), Rc::clone(paths), count)
    })
    .await
}

async fn work(
    mut connection: Connection,
    next: Rc<Cell<usize>>,
    paths: Rc<[String]>,
    count: usize,
) -> Result<()> {
    while next.get() < count {
        let number = next.replace(next.get() + 1);
        let answer = requests::reply(&paths[number % paths.len()], &text(None));
        connection.expect(&answer, 201).await?;
    }
    Ok(())
}

/// Writes so many answers per second for a while, each at its time as long as the one before on the same connection has been
/// taken; gives how many.
pub(crate) async fn pace(
    address: SocketAddr,
    paths: &[String],
    rate: u64,
    time: Duration,
) -> Result<u64> {
    const CONNECTIONS: usize = 32;
    let paths: Rc<[String]> = paths.into();
    let count = rate * u64::try_from(time.as_millis())? / 1_000;
    let start = Instant::now();
    let (every, last) = (1.0 / exact(rate), usize::try_from(count)?);
    on_each(address, CONNECTIONS, |number, connection| {
        let due = move |place: usize| start + Duration::from_secs_f64(every * length(place));
        let mine = (number..last).step_by(CONNECTIONS);
        let paths = Rc::clone(&paths);
        write_at(
            connection,
            paths,
            mine.map(move |place| (place, due(place))),
        )
    })
    .await?;
    Ok(count)
}

async fn write_at(
    mut connection: Connection,
    paths: Rc<[String]>,
    times: impl Iterator<Item = (usize, Instant)>,
) -> Result<()> {
    for (place, due) in times {
        tokio::time::sleep_until(due.into()).await;
        let answer = requests::reply(&paths[place % paths.len()], &text(None));
        connection.expect(&answer, 201).await?;
    }
    Ok(())
}
