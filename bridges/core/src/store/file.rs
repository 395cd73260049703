//! The file of the store: its tables, its form, and what a start reads.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use redb::backends::FileBackend;
use redb::{
    Builder, Database, DatabaseError, ReadTransaction, ReadableDatabase as _, ReadableTable as _,
    TableDefinition, TableError,
};

use crate::index::{Entry, Index};
use crate::state::{Account, Kind, Lane};

pub(crate) const NAME: &str = "bridge.redb";
/// The form of the tables. Another number for each that an older version could not read.
const FORM: u64 = 1;
/// The most bytes of the file in memory.
const CACHE_BYTES: usize = 32 << 20;

/// The form, the installation and the last id of a job, by these names.
pub(super) const META: TableDefinition<'_, &str, &str> = TableDefinition::new("meta");
pub(super) const FORM_KEY: &str = "form";
pub(super) const ACCOUNT_KEY: &str = "account";
pub(super) const LAST_JOB_KEY: &str = "last_job";
/// Of a job: the kind, the name of the lane, the rank, the second, and the size of the body.
pub(super) type JobRow<'r> = (u8, &'r str, i64, i64, u64);
pub(super) const JOBS: TableDefinition<'_, u64, JobRow<'_>> = TableDefinition::new("jobs");
pub(super) const BODIES: TableDefinition<'_, u64, &str> = TableDefinition::new("bodies");
/// The second in which a callback was taken, by its identity, and the other way round.
pub(super) const CALLBACKS: TableDefinition<'_, &str, i64> = TableDefinition::new("callbacks");
pub(super) const CALLBACK_TIMES: TableDefinition<'_, (i64, &str), ()> =
    TableDefinition::new("callback_times");
/// The values of the messenger, by table and key.
pub(super) const VALUES: TableDefinition<'_, (&str, &str), &str> = TableDefinition::new("values");

/// The part of the file that is in memory.
pub(super) struct Memory {
    pub(super) index: Index,
    pub(super) account: Account,
    pub(super) last_job: u64,
}

/// Opens the file, or makes it. Only the user can read it: it has tokens.
pub(super) fn open(path: &Path) -> Result<Database> {
    let name = path.display();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .with_context(|| {
            format!("the store {name} cannot be opened: its directory has to exist, and this user has to be allowed to write in it")
        })?;
    let backend = FileBackend::new(file);
    let outcome = backend.and_then(|backend| {
        Builder::new()
            .set_cache_size(CACHE_BYTES)
            .create_with_backend(backend)
    });
    let database = match outcome {
        Ok(database) => database,
        Err(DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch) => bail!(
            "another process uses the store {name}: end that process first, or give this bridge a directory of its own"
        ),
        Err(error) => {
            return Err(error).with_context(|| format!("the store {name} cannot be opened"));
        }
    };
    check_form(&database, path)?;
    Ok(database)
}

/// Writes the form into a new file, and refuses a newer one.
fn check_form(database: &Database, path: &Path) -> Result<()> {
    let name = path.display();
    let problem = || format!("the store {name} cannot be read");
    let form =
        meta(&database.begin_read().with_context(problem)?, FORM_KEY).with_context(problem)?;
    let Some(form) = form else {
        return make_tables(database)
            .with_context(|| format!("the store {name} cannot be written"));
    };
    match form.parse::<u64>() {
        Ok(FORM) => Ok(()),
        _ => bail!(
            "the store {name} has the form {form}, and this version of the bridge reads form {FORM} alone: start the newer version that has written it, or give this one a directory of its own"
        ),
    }
}

fn make_tables(database: &Database) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    transaction
        .open_table(META)?
        .insert(FORM_KEY, FORM.to_string().as_str())?;
    transaction.open_table(JOBS)?;
    transaction.open_table(BODIES)?;
    transaction.open_table(CALLBACKS)?;
    transaction.open_table(CALLBACK_TIMES)?;
    transaction.open_table(VALUES)?;
    transaction.commit()?;
    Ok(())
}

fn meta(transaction: &ReadTransaction, key: &str) -> Result<Option<String>, redb::Error> {
    let table = match transaction.open_table(META) {
        Ok(table) => table,
        Err(TableError::TableDoesNotExist(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let value = table.get(key)?;
    Ok(value.map(|it| it.value().to_owned()))
}

/// Reads the part that is in memory from now on.
pub(super) fn read(database: &Database) -> Result<Memory> {
    let transaction = database.begin_read()?;
    let account = match meta(&transaction, ACCOUNT_KEY)? {
        Some(text) => serde_json::from_str(&text).context("the installation in it")?,
        None => Account::default(),
    };
    let last_job = match meta(&transaction, LAST_JOB_KEY)? {
        Some(text) => text.parse().context("the last id of a job in it")?,
        None => 0,
    };
    let mut index = Index::default();
    for row in transaction.open_table(JOBS)?.iter()? {
        let (id, row) = row?;
        let (kind, name, rank, at, size) = row.value();
        let kind = Kind::from_number(kind)
            .with_context(|| format!("job {} has the kind {kind}", id.value()))?;
        let entry = Entry {
            lane: Lane::new(kind, name),
            rank,
            at,
            size,
        };
        index.begin(id.value(), entry);
    }
    Ok(Memory {
        index,
        account,
        last_job,
    })
}

/// The body of a job.
pub(super) fn body(database: &Database, id: u64) -> Result<Option<String>, redb::Error> {
    let table = database.begin_read()?.open_table(BODIES)?;
    let body = table.get(id)?;
    Ok(body.map(|it| it.value().to_owned()))
}
