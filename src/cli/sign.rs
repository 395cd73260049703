//! `switchboard sign`: the signature of a body or a request, for scripts and for comparing with one's own; and what is
//! wrong with one that was refused.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use serde_json::json;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::signature::request::{Presented, content_md5};
use switchboard_actors::domain::signature::{SharedSecret, Signer};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_diagnosis as diagnosis;

use super::key::KeyArgs;
use super::output::{CliError, print};
use crate::config::Settings;

const EXAMPLES: &str = "Examples:
  switchboard sign body.json
  printf %s \"$BODY\" | switchboard sign --secret \"$SECRET\" -
  switchboard sign --path /v2/origin/custom/$SCOPE --date \"$DATE\" body.json
  switchboard sign --verify $SIGNATURE body.json
  switchboard sign --verify $SIGNATURE --path $PATH --date \"$DATE\" --content-md5 $MD5 body.json";

/// No body of the interface comes near this size.
const BODY_BYTES_MAX: u64 = 64 << 20;

/// Print the signature of a body or of a request, or check one
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SignArgs {
    /// The file with the body, byte for byte; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Check this signature of the request and explain the likely mistake
    #[arg(long, value_name = "SIGNATURE")]
    verify: Option<String>,
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    key: KeyArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The rest of a request, as it is sent. With a path the canonical text is signed, otherwise the raw body.
#[derive(Debug, Args)]
struct RequestArgs {
    /// The method
    #[arg(long, default_value = "POST")]
    method: String,
    /// The path, from /v2 on, without the query
    #[arg(long)]
    path: Option<String>,
    /// The Date header
    #[arg(long)]
    date: Option<String>,
    /// The Content-MD5 header [default: that of the body, when signing]
    #[arg(long, value_name = "MD5")]
    content_md5: Option<String>,
    /// The Content-Type header
    #[arg(long, value_name = "TYPE", default_value = "application/json")]
    content_type: String,
    /// The Host header
    #[arg(long)]
    host: Option<String>,
}

pub(super) fn run(args: SignArgs) -> Result<(), CliError> {
    let settings = match args.key.secret {
        Some(_) => None,
        None => args.key.settings()?,
    };
    let secret = args.key.secret(args.key.channel(settings.as_ref())?)?;
    let body = read(&args.file).map_err(|error| {
        let name = args.file.display();
        CliError::failed(&format!("cannot read {name}"), error)
    })?;
    match &args.verify {
        Some(signature) => verify(&args, &secret, settings.as_ref(), &body, signature),
        None => sign(&args, &secret, &body),
    }
}

fn sign(args: &SignArgs, secret: &SharedSecret, body: &[u8]) -> Result<(), CliError> {
    let signer = Signer::new(secret);
    let request = &args.request;
    let md5 = request
        .content_md5
        .clone()
        .unwrap_or_else(|| content_md5(body));
    let signature = match (&request.path, &request.date) {
        (None, _) => signer.sign(body).to_string(),
        (Some(_), None) => {
            return Err(CliError::Usage(
                "--path: the date is signed with the path\n  help: give --date, and send the same text as the Date header".to_owned(),
            ));
        }
        (Some(_), Some(_)) => request
            .presented(body)
            .canonical(md5.as_bytes())
            .sign(&signer)
            .to_string(),
    };
    if !args.json {
        return print(&signature);
    }
    let mut report = json!({ "signature": signature, "bytes": body.len() });
    if let (Some(_), Some(report)) = (&request.path, report.as_object_mut()) {
        report.insert("content_md5".to_owned(), md5.into());
    }
    print(&report.to_string())
}

fn verify(
    args: &SignArgs,
    secret: &SharedSecret,
    settings: Option<&Settings>,
    body: &[u8],
    signature: &str,
) -> Result<(), CliError> {
    let presented = args.request.presented(body);
    let millis = u64::try_from(Timestamp::now().as_millisecond()).unwrap_or_default();
    let now = UnixMillis::new(millis);
    let header = signature.trim().as_bytes();
    if let Some(generation) = presented.proven(&Signer::new(secret), header, None, now) {
        let verdict = match generation {
            Generation::V2019 => "right: the signature of the raw body (2019 generation)",
            Generation::Current => {
                "right: the canonical signature of the request (current generation)"
            }
        };
        return explain(args, Some(generation), verdict);
    }
    let mistake = diagnosis::diagnose(secret, &presented, Some(header), None, now);
    let hint = mistake
        .map(|mistake| mistake.hint().into_owned())
        .or_else(|| another(settings?, &presented, header))
        .unwrap_or_else(|| diagnosis::unexplained(body).hint().to_owned());
    if args.json {
        explain(args, None, &hint)?;
        return Err(CliError::Told);
    }
    Err(CliError::Failed(format!("wrong: {hint}")))
}

/// Another channel of the configuration whose secret this was signed with: its name only.
fn another(settings: &Settings, presented: &Presented<'_>, header: &[u8]) -> Option<String> {
    let mut channels = settings.channels.iter();
    let theirs = channels.find(|channel| diagnosis::is_of(&channel.secret, presented, header))?;
    Some(format!(
        "this is signed with the secret of the channel «{}»",
        theirs.settings.name
    ))
}

fn explain(args: &SignArgs, generation: Option<Generation>, said: &str) -> Result<(), CliError> {
    if args.json {
        let right = generation.is_some();
        print(&json!({ "right": right, "generation": generation, "said": said }).to_string())
    } else {
        print(said)
    }
}

impl RequestArgs {
    fn presented<'a>(&'a self, body: &'a [u8]) -> Presented<'a> {
        let path = self.path.as_deref().unwrap_or_default();
        let (path, query) = match path.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path, None),
        };
        Presented {
            method: &self.method,
            path,
            query,
            host: self.host.as_deref(),
            content_md5: self.content_md5.as_ref().map(|md5| md5.as_bytes()),
            content_type: Some(self.content_type.as_bytes()),
            date: self.date.as_ref().map(|date| date.as_bytes()),
            body,
        }
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
