//! The service that a user would build instead: the message goes into a table of PostgreSQL with a unique key, and the
//! answer leaves when that is committed.
//!
//! Each worker has connections of its own, with the statement prepared. Requests take them in turn and do not wait for each
//! other: a connection sends the next statement before the last one is answered.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use actix_web::rt::spawn;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use anyhow::{Context, Result};
use switchboard_actors::domain::id::MessageId;
use switchboard_actors::domain::signature::Signer;
use tokio::net::UnixStream;
use tokio::sync::OnceCell;
use tokio_postgres::{Client, Config, NoTls, Statement};

use crate::compared::floor::Answer;
use crate::compared::received;
use crate::database::{self, NAME, USER};
use crate::server::{ACCOUNT, CHANNEL};

/// Connections of each worker. With 4 the rate is a third; from 8 to 32 it differs by less than between two runs.
const CONNECTIONS: usize = 16;

const TABLE: &str = "CREATE TABLE messages (
    channel text NOT NULL,
    account text NOT NULL,
    msgid text NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created timestamptz NOT NULL DEFAULT now(),
    body text NOT NULL,
    PRIMARY KEY (channel, account, msgid)
)";
const INSERT: &str = "INSERT INTO messages (channel, account, msgid, body) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING RETURNING id";
const FIND: &str = "SELECT id FROM messages WHERE channel = $1 AND account = $2 AND msgid = $3";

/// Makes the table.
pub(super) async fn prepare(home: &Path) -> Result<()> {
    let client = connect(&database::socket(home)).await?;
    Ok(client.batch_execute(TABLE).await?)
}

async fn connect(socket: &Path) -> Result<Client> {
    let stream = UnixStream::connect(socket)
        .await
        .context("cannot connect to PostgreSQL")?;
    let (client, connection) = Config::new()
        .user(USER)
        .dbname(NAME)
        .connect_raw(stream, NoTls)
        .await?;
    // Its requests fail with the same error.
    spawn(async { connection.await.unwrap_or_default() });
    Ok(client)
}

/// The connections of a worker, made for the first request.
pub(super) struct Pool {
    socket: PathBuf,
    connections: OnceCell<Vec<Prepared>>,
    next: Cell<usize>,
}

struct Prepared {
    client: Client,
    insert: Statement,
    find: Statement,
}

impl Pool {
    pub(super) fn new(home: &Path) -> Rc<Self> {
        Rc::new(Self {
            socket: database::socket(home),
            connections: OnceCell::new(),
            next: Cell::new(0),
        })
    }

    async fn open(&self) -> Result<Vec<Prepared>> {
        let mut connections = Vec::with_capacity(CONNECTIONS);
        for _ in 0..CONNECTIONS {
            let client = connect(&self.socket).await?;
            connections.push(Prepared {
                insert: client.prepare(INSERT).await?,
                find: client.prepare(FIND).await?,
                client,
            });
        }
        Ok(connections)
    }

    async fn connection(&self) -> Result<&Prepared> {
        let connections = self.connections.get_or_try_init(|| self.open()).await?;
        let next = self.next.get();
        self.next.set(next.wrapping_add(1));
        let place = next.checked_rem(connections.len()).unwrap_or_default();
        connections.get(place).context("there are no connections")
    }

    /// The id of a message: it is stored when this returns.
    async fn insert(&self, msgid: &str, body: &[u8]) -> Result<MessageId> {
        let connection = self.connection().await?;
        let (client, body) = (&connection.client, std::str::from_utf8(body)?);
        let new_row = client
            .query_opt(&connection.insert, &[&CHANNEL, &ACCOUNT, &msgid, &body])
            .await?;
        let row = match new_row {
            Some(row) => row,
            // It was there before.
            None => {
                client
                    .query_one(&connection.find, &[&CHANNEL, &ACCOUNT, &msgid])
                    .await?
            }
        };
        let id: uuid::Uuid = row.try_get(0)?;
        Ok(MessageId::from_bytes(id.into_bytes()))
    }
}

pub(super) async fn store(request: HttpRequest, body: Bytes, signer: Data<Signer>) -> HttpResponse {
    let message = match received::message(&request, &body, &signer) {
        Ok(message) => message,
        Err(status) => return HttpResponse::new(status),
    };
    let Some(pool) = request.app_data::<Rc<Pool>>() else {
        return HttpResponse::InternalServerError().finish();
    };
    match pool.insert(message.msgid.as_str(), &body).await {
        Ok(id) => HttpResponse::Ok().json(Answer::new(id, &message.msgid)),
        Err(error) => HttpResponse::ServiceUnavailable().body(format!("{error:#}")),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::rt::System;

    use super::*;
    use crate::database::Database;
    use crate::options::Target;
    use crate::report::Skipped;

    /// A repeated message is stored once, and its answer is the first one.
    #[test]
    fn a_repeated_message_is_answered_with_the_first_id() {
        // Below the build directory: the user of the database may not enter every directory for temporary files.
        let program = std::env::current_exe().unwrap();
        let directory = tempfile::tempdir_in(program.parent().unwrap()).unwrap();
        let database = match Database::start(directory.path()) {
            Ok(database) => database,
            Err(error) => {
                println!("{}", Skipped::because(Target::Postgres, &error).unwrap());
                return;
            }
        };
        System::new().block_on(async {
            prepare(directory.path()).await.unwrap();
            let pool = Pool::new(directory.path());
            let first = pool.insert("one", b"{}").await.unwrap();
            assert_ne!(pool.insert("two", b"{}").await.unwrap(), first);
            assert_eq!(pool.insert("one", b"{}").await.unwrap(), first);
            let client = connect(&pool.socket).await.unwrap();
            let count = client.query_one("SELECT count(*) FROM messages", &[]).await;
            assert_eq!(count.unwrap().get::<_, i64>(0), 2);
        });
        assert!(database.cpu_time().unwrap() > std::time::Duration::ZERO);
        drop(database);
        let socket = database::socket(directory.path());
        let connection = std::os::unix::net::UnixStream::connect(socket);
        assert!(connection.is_err(), "the database still runs");
    }
}
