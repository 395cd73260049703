//! `switchboard import`: a history of messages, from customers and to them, posted silently to a running service.
//!
//! The import is a client like any other: each line becomes one signed request, several are in progress at once, and those
//! of one conversation go one after the other. Repeating is safe, because the service answers a message that it has with
//! what it answered before; the mark beside the file only saves the work of repeating.

mod line;
mod mark;
mod post;
mod reader;
mod tally;
mod window;
mod worker;

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use clap::{Args, value_parser};
use jiff::Timestamp;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::time::UnixMillis;

use self::mark::{ImportMark, MarkFile};
use self::post::{PostOutcome, Poster, goes_on};
use self::reader::{Line, Lines};
use self::tally::Tally;
use self::window::Window;
use self::worker::{LineDone, Workers};
use super::chat::ChatArgs;
use super::output::CliError;
use super::progress::Progress;

const EXAMPLES: &str = "Examples:
  switchboard import history.jsonl --dry-run
  switchboard import history.jsonl --scope $SCOPE";

/// Import a history of messages, without notifications and leads
///
/// Each line of the file is a body of the send operation, or its payload. The command skips lines that are already
/// imported, reports all invalid lines and imports the others. After an interruption, run the same command again to
/// continue.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ImportArgs {
    /// The messages, one JSON object per line
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    /// The scope of the messages: `<channel>_<account>` [default: the channel and the account]
    #[arg(long, value_name = "ID")]
    scope: Option<ScopeId>,
    #[command(flatten)]
    to: ChatArgs,
    /// The number of concurrent messages, of different conversations
    #[arg(long, value_name = "COUNT", default_value_t = 64, value_parser = value_parser!(u16).range(1..=256))]
    in_flight: u16,
    /// Only check the lines: needs no service
    #[arg(long)]
    dry_run: bool,
    /// Begin at the first line, even if an earlier import of this file was interrupted
    #[arg(long)]
    restart: bool,
    /// Print the summary as one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: ImportArgs) -> Result<(), CliError> {
    actix_web::rt::System::new().block_on(import(args))
}

async fn import(args: ImportArgs) -> Result<(), CliError> {
    let file = File::open(&args.file).map_err(|error| {
        CliError::failed(&format!("cannot open {}", args.file.display()), error)
    })?;
    let bytes = file.metadata().map_or(0, |about| about.len());
    let lines = Lines::new(BufReader::with_capacity(1 << 18, file));
    let mut run = Run {
        name: args.file.display().to_string(),
        lines,
        tally: Tally::default(),
        progress: Progress::new(bytes),
    };
    if args.dry_run {
        run.check()?;
        return run.finish("checked", args.json);
    }
    let chat = args.to.chat(args.scope.as_ref(), post::TIMEOUT)?;
    let mut marks = MarkFile::beside(&args.file, chat.scope(), &chat.url().value);
    if !args.restart
        && let Some(mark) = marks.read()?
    {
        run.go_on_from(&mark)?;
    }
    let poster = Poster::new(chat);
    run.post(poster, usize::from(args.in_flight), &mut marks)
        .await?;
    marks.remove();
    run.finish("imported", args.json)
}

/// One import, or the check of one.
struct Run {
    name: String,
    lines: Lines<BufReader<File>>,
    tally: Tally,
    progress: Progress,
}

impl Run {
    /// Reads every line and sends none.
    fn check(&mut self) -> Result<(), CliError> {
        while let Some(line) = self.next()? {
            match line::read(&line, now()) {
                Ok(None) => {}
                Ok(Some(_message)) => self.tally.checked(),
                Err(wrong) => self.refuse(line.number, &wrong),
            }
            self.progress
                .at(line.end, |elapsed| self.tally.brief(elapsed));
        }
        Ok(())
    }

    /// Passes over what an interrupted import had done.
    fn go_on_from(&mut self, mark: &ImportMark) -> Result<(), CliError> {
        let same = self
            .lines
            .skip_to(mark.bytes, mark.lines)
            .map_err(|error| self.unreadable(&error))?;
        if !same || self.lines.digest() != mark.digest {
            return Err(CliError::Failed(format!(
                "{} has changed before line {}, where its import was interrupted\n  help: --restart begins at the first line and skips what is already imported",
                self.name,
                mark.lines.saturating_add(1)
            )));
        }
        self.tally = mark.tally;
        self.progress.go_on_from(mark.bytes);
        self.progress.say(&format!(
            "{} was imported up to line {}; going on",
            self.name, mark.lines
        ));
        Ok(())
    }

    /// Posts what is left of the file.
    async fn post(
        &mut self,
        poster: Poster,
        in_flight: usize,
        marks: &mut MarkFile,
    ) -> Result<(), CliError> {
        let mut window = Window::new(self.lines.place());
        let mut workers = Workers::new(poster, in_flight);
        let interrupted = actix_web::rt::spawn(tokio::signal::ctrl_c());
        let mut stopped = None;
        while stopped.is_none() {
            if interrupted.is_finished() {
                stopped = Some(goes_on(CliError::Failed("interrupted".to_owned())));
                break;
            }
            let Some(line) = self.next()? else { break };
            window.begin(line.number, self.lines.place());
            match line::read(&line, now()) {
                Ok(Some(message)) => workers.give(line.number, message).await,
                Ok(None) => window.done(line.number),
                Err(wrong) => {
                    self.refuse(line.number, &wrong);
                    window.done(line.number);
                }
            }
            while let Some(outcome) = workers.done() {
                stopped = self.take(outcome, &mut window).or(stopped);
            }
            self.keep(&mut window, marks);
        }
        workers.close();
        while let Some(outcome) = workers.last().await {
            stopped = stopped.or(self.take(outcome, &mut window));
            self.keep(&mut window, marks);
        }
        interrupted.abort();
        match stopped {
            None => Ok(()),
            Some(failure) => {
                marks.write(&window.reached(self.tally));
                self.progress.clear();
                Err(failure)
            }
        }
    }

    /// Counts what became of a line; gives why the import cannot go on.
    fn take(&mut self, done: LineDone, window: &mut Window) -> Option<CliError> {
        match done.result {
            Ok(PostOutcome::Stored) => self.tally.stored(),
            Ok(PostOutcome::Repeated) => self.tally.repeated(),
            Ok(PostOutcome::Differs) => self.tally.differed(),
            Ok(PostOutcome::Refused(wrong)) => self.refuse(done.line, &wrong),
            Err(failure) => return Some(failure),
        }
        window.done(done.line);
        None
    }

    fn keep(&mut self, window: &mut Window, marks: &mut MarkFile) {
        if window.moved() {
            marks.write(&window.reached(self.tally));
        }
        self.progress
            .at(window.bytes(), |elapsed| self.tally.brief(elapsed));
    }

    fn next(&mut self) -> Result<Option<Line>, CliError> {
        let next = self.lines.next();
        next.map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, error: &std::io::Error) -> CliError {
        CliError::failed(&format!("cannot read {}", self.name), error)
    }

    /// Says everything that is wrong with a line.
    fn refuse(&mut self, number: u64, wrong: &[String]) {
        self.tally.refused();
        for wrong in wrong {
            self.progress
                .say(&format!("{}:{number}: {wrong}", self.name));
        }
    }

    fn finish(mut self, verb: &str, json: bool) -> Result<(), CliError> {
        self.progress.clear();
        self.tally.print(verb, self.progress.elapsed(), json)?;
        if self.tally.any_refused() {
            Err(CliError::Told)
        } else {
            Ok(())
        }
    }
}

fn now() -> UnixMillis {
    let now = Timestamp::now().as_millisecond();
    UnixMillis::new(u64::try_from(now).unwrap_or_default())
}
