//! The worlds of an exam: one for each case, anywhere for a program that the exam starts, and always at one address for a
//! program that runs already.

use anyhow::Result;
use serde_json::{Value, json};
use switchboard_worlds::dev::scenario::WORLD_VARIABLES;
use switchboard_worlds::served_world::ServedWorld;

use crate::examinee::Examinee;
use crate::stage::REDIRECT_PATH;

/// The facts of the OAuth client, which each world draws anew.
const DRAWN: &str = "/oauth_client/";

/// The world of a case, for a program that listens at this port.
pub(super) fn world(examinee: &Examinee, seed: u64, port: u16) -> Result<ServedWorld> {
    let redirect_uri = format!("http://127.0.0.1:{port}{REDIRECT_PATH}");
    let body = json!({ "seed": seed, "redirect_uri": redirect_uri });
    match examinee.running() {
        None => ServedWorld::try_with(&body),
        Some(program) => ServedWorld::try_at(&program.place, &body),
    }
}

/// The variables that are the same in the world of each case, for a program that runs already.
///
/// # Errors
/// When no world can be had.
pub(crate) fn fixed_variables(
    examinee: &Examinee,
    seed: u64,
) -> Result<Vec<(&'static str, String)>> {
    let port = examinee.running().map_or(1, |program| program.port);
    let world = world(examinee, seed, port)?;
    let variables = WORLD_VARIABLES.into_iter();
    let fixed = variables.filter(|(_, pointer)| !pointer.starts_with(DRAWN));
    let value = |pointer: &str| {
        let value = world.facts().pointer(pointer).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    Ok(fixed
        .map(|(name, pointer)| (name, value(pointer)))
        .collect())
}
