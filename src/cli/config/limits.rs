//! `switchboard config limits`: the pools that clients share, with this configuration on this machine.

use serde_json::{Value, json};
use switchboard_network::limits::machine::{Machine, raise_descriptors};
use switchboard_network::limits::pools::Pool;
use switchboard_network::limits::pools::page::HEAD;

use crate::cli::key::ConfigArgs;
use crate::cli::output::{CliError, print, say};
use crate::serve::settings::pools_on;
use crate::terminal::aligned;

pub(super) fn run(args: &ConfigArgs, json: bool) -> Result<(), CliError> {
    let settings = args.settings_or_variables()?;
    // The service does so, too.
    if let Err(error) = raise_descriptors() {
        say(&format!(
            "the limit of open files cannot be raised: {error}"
        ));
    }
    let machine = Machine::read();
    let pools = pools_on(&settings, machine);
    if json {
        let pools: Vec<Value> = pools.all().map(document).into();
        let document = json!({
            "open_files": machine.descriptors,
            "memory_bytes": machine.memory,
            "pools": pools,
        });
        return print(&document.to_string());
    }
    let mut rows = vec![HEAD.map(str::to_owned)];
    rows.extend(pools.all().map(|pool| pool.cells()));
    print(&aligned(&rows))
}

/// A pool as JSON. What has no limit is null.
fn document(pool: &Pool) -> Value {
    let limited = |number: usize| (number != usize::MAX).then_some(number);
    json!({
        "name": pool.name,
        "what": pool.what,
        "size": limited(pool.size),
        "without_credentials": limited(pool.strangers),
        "of_address": pool.address,
        "of_user": pool.user,
        "of_account": pool.account,
        "settings": pool.settings,
        "when_full": pool.room,
    })
}
