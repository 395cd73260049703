//! `switchboard listen`: the reference receiver of callbacks.
//!
//! It checks each callback as an integration must. It prints each one on the terminal, and the reason when it refuses it. The server only judges and answers; one loop prints, counts, finds duplicates and downloads, so
//! that lines come in order and nothing is shared.

mod callback;
mod download;
mod server;

use std::collections::{BTreeMap, VecDeque};

use clap::Args;
use serde_json::{Value, json};
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::domain::webhook::WebhookAddress;
use tokio::sync::mpsc;

use self::callback::{Callback, WRONG_SIGNATURE};
use self::download::FileSaver;
use self::server::{Event, Judge};
use super::key::KeyArgs;
use super::output::{CliError, print, say};
use super::secret::SecretInDoubt;

const EXAMPLES: &str = "Examples:
  switchboard listen                                    the first channel of config.toml
  switchboard listen --port 0 --secret s3cret --once    one callback on a free port, then end";

/// The port when neither a flag nor the channel's webhook names one.
const PORT: u16 = 9001;
/// The number of message ids that are remembered to recognise a duplicate.
const REMEMBERED_MAX: usize = 10_000;
/// The number of judged requests that may wait to be printed.
const WAITING_MAX: usize = 64;

/// Receive, verify and print callbacks
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ListenArgs {
    /// The port on 127.0.0.1; 0 selects a free port [default: that of the channel's webhook, or 9001]
    #[arg(long)]
    port: Option<u16>,
    #[command(flatten)]
    key: KeyArgs,
    /// The status to answer valid callbacks with
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(200..=599))]
    status: u16,
    /// End after one valid callback
    #[arg(long, conflicts_with = "count")]
    once: bool,
    /// End after this many valid callbacks, repeated ones included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Do not download pictures and files
    #[arg(long)]
    no_download: bool,
    /// Print JSON lines
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: ListenArgs) -> Result<(), CliError> {
    let settings = match (&args.key.secret, args.port) {
        (Some(_), Some(_)) => None,
        (None, _) | (_, None) => args.key.settings()?,
    };
    let channel = args.key.channel(settings.as_ref())?;
    let secret = args.key.secret(channel)?;
    let flag_channel = args.key.channel.as_ref().map(|it| it.value.clone());
    let id = flag_channel.or_else(|| Some(channel?.id.clone()));
    let doubt = SecretInDoubt::new(&args.key, &secret, id, settings.as_ref());
    let port = args
        .port
        .or_else(|| channel.and_then(webhook_port))
        .unwrap_or(PORT);
    let (events, inbox) = mpsc::channel(WAITING_MAX);
    let judge = Judge {
        secret,
        status: args.status,
        events,
    };
    actix_web::rt::System::new().block_on(receive(&args, port, judge, inbox, &doubt))
}

fn webhook_port(channel: &Channel) -> Option<u16> {
    let ChannelSettings {
        webhook_v1,
        webhook_v2,
        ..
    } = &channel.settings;
    let webhook = webhook_v2.as_ref().or(webhook_v1.as_ref());
    webhook.and_then(WebhookAddress::port)
}

async fn receive(
    args: &ListenArgs,
    port: u16,
    judge: Judge,
    mut inbox: mpsc::Receiver<Event>,
    doubt: &SecretInDoubt,
) -> Result<(), CliError> {
    let listening = server::start(port, judge).await?;
    say(&format!(
        "listening on http://{} (any path)",
        listening.address
    ));
    let mut printer = Printer {
        json: args.json,
        seen: MessageCounts::default(),
        downloads: match args.no_download {
            true => None,
            false => Some(FileSaver::new()?),
        },
    };
    let count = if args.once { Some(1) } else { args.count };
    let (mut valid, mut explained) = (0, false);
    while count != Some(valid) {
        tokio::select! {
            event = inbox.recv() => match event {
                Some(Event::Received(callback)) => {
                    (valid, explained) = (valid + 1, false);
                    printer.received(*callback).await?;
                }
                Some(Event::Refused { status, why, path }) => {
                    printer.refused(status, &why, &path)?;
                    // Said once, until the secret was right again.
                    if status == WRONG_SIGNATURE && !std::mem::replace(&mut explained, true) {
                        doubt.explained().await.iter().for_each(|why| say(why));
                    }
                }
                None => break,
            },
            stopped = tokio::signal::ctrl_c() => {
                stopped.map_err(|error| CliError::failed("cannot wait for Ctrl-C", error))?;
                break;
            }
        }
    }
    // What was judged valid has been queued before its answer left: let the answers leave.
    listening.stop().await;
    match count {
        Some(count) if valid < count => Err(CliError::Failed(format!(
            "ended after {valid} of {count} callbacks"
        ))),
        Some(_) | None => Ok(()),
    }
}

/// Prints what the receiver got, one line each.
struct Printer {
    json: bool,
    seen: MessageCounts,
    downloads: Option<FileSaver>,
}

impl Printer {
    async fn received(&mut self, callback: Callback) -> Result<(), CliError> {
        let earlier = match &callback.message_id {
            Some(id) => self.seen.again(id),
            None => 0,
        };
        if !self.json {
            print(&line(&callback, earlier))?;
        }
        let saved = match (&mut self.downloads, &callback.media) {
            (Some(downloads), Some(media)) if earlier == 0 => {
                Some(downloads.fetch(media, callback.file_name.as_deref()).await)
            }
            (_, _) => None,
        };
        if self.json {
            return print(&document(&callback, earlier, saved.as_ref()).to_string());
        }
        match saved {
            None => Ok(()),
            Some(Ok(file)) => print(&format!(
                "  saved {} ({} bytes)",
                file.path.display(),
                file.bytes
            )),
            Some(Err(why)) => print(&format!(
                "  could not download {}: {why}",
                callback.media.unwrap_or_default()
            )),
        }
    }

    fn refused(&self, status: u16, why: &str, path: &str) -> Result<(), CliError> {
        if self.json {
            print(&json!({ "refused": why, "status": status, "path": path }).to_string())
        } else {
            print(&format!("refused {status} {path}: {why}"))
        }
    }
}

fn line(callback: &Callback, earlier: u32) -> String {
    let mut line = format!("{} {}", callback.version, callback.kind);
    if !callback.text.is_empty() {
        // Quoted with escapes: a message must not move the cursor or forge a line.
        line.push_str(&format!(" {:?}", callback.text));
    }
    if let Some(from) = &callback.from {
        line.push_str(&format!(" from {from:?}"));
    }
    line.push_str(&format!(
        " to {:?} in conversation {:?}",
        callback.to, callback.conversation
    ));
    if let Some(id) = &callback.message_id {
        line.push_str(&format!(", message {id:?}"));
    }
    line.push_str(&format!(", attempt {}", callback.attempt));
    if earlier > 0 {
        line.push_str(&format!(" - duplicate, came {earlier} time(s) before"));
    }
    line
}

fn document(
    callback: &Callback,
    earlier: u32,
    saved: Option<&Result<download::Saved, String>>,
) -> Value {
    let mut document = json!({
        "version": callback.version,
        "path": callback.path,
        "message_id": callback.message_id,
        "attempt": callback.attempt,
        "duplicate": earlier > 0,
        "type": callback.kind,
        "text": callback.text,
        "conversation_id": callback.conversation,
        "body": callback.body,
    });
    if let Some(document) = document.as_object_mut() {
        match saved {
            Some(Ok(file)) => document.insert("saved".into(), json!(file.path)),
            Some(Err(why)) => document.insert("download_error".into(), json!(why)),
            None => None,
        };
    }
    document
}

/// The number of callbacks for each of the last message ids.
#[derive(Default)]
struct MessageCounts {
    times: BTreeMap<String, u32>,
    order: VecDeque<String>,
}

impl MessageCounts {
    /// Counts the id; gives how often it came before.
    fn again(&mut self, id: &str) -> u32 {
        if let Some(times) = self.times.get_mut(id) {
            *times = times.saturating_add(1);
            return *times - 1;
        }
        if self.order.len() == REMEMBERED_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.times.remove(&oldest);
        }
        self.order.push_back(id.to_owned());
        self.times.insert(id.to_owned(), 1);
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_for_duplicates_is_bounded() {
        let mut counts = MessageCounts::default();
        assert_eq!(
            (counts.again("a"), counts.again("a"), counts.again("a")),
            (0, 1, 2)
        );
        for number in 0..REMEMBERED_MAX {
            assert_eq!(counts.again(&number.to_string()), 0);
        }
        assert_eq!(counts.times.len(), REMEMBERED_MAX);
        assert_eq!(counts.again("a"), 0, "the oldest is forgotten first");
    }
}
