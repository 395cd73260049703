//! `switchboard sign`: the signature of a body, for scripts and for comparing with one's own.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::key::KeyArgs;
use super::output::{Failure, print};
use super::signing::sign;

const EXAMPLES: &str = "Examples:
  switchboard sign body.json
  printf %s \"$BODY\" | switchboard sign --secret \"$SECRET\" -";

/// No body of the interface comes near this size.
const BODY_BYTES_MAX: u64 = 64 << 20;

/// Print the signature of a body, in hexadecimal
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SignArgs {
    /// The file that holds the body, byte for byte; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    #[command(flatten)]
    key: KeyArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: SignArgs) -> Result<(), Failure> {
    let settings = match args.key.secret {
        Some(_) => None,
        None => args.key.settings()?,
    };
    let secret = args.key.secret(args.key.channel(settings.as_ref())?)?;
    let body = read(&args.file).map_err(|error| {
        let name = args.file.display();
        Failure::failed(&format!("cannot read {name}"), error)
    })?;
    let signature = sign(&secret, &body);
    if args.json {
        print(&json!({ "signature": signature, "bytes": body.len() }).to_string())
    } else {
        print(&signature)
    }
}

fn read(file: &PathBuf) -> io::Result<Vec<u8>> {
    let source: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(file)?)
    };
    let mut body = Vec::new();
    let read = source.take(BODY_BYTES_MAX + 1).read_to_end(&mut body)?;
    if u64::try_from(read).is_ok_and(|read| read <= BODY_BYTES_MAX) {
        Ok(body)
    } else {
        Err(io::Error::other("larger than 64 MiB"))
    }
}
