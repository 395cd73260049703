//! Programs that share one `switchboard dev`, found by a name. The first one starts it, each holds a lease, and the process
//! ends after the last lease. A lease is a connection: it ends with the program that holds it, however that ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use switchboard_engine::store::disk::whole_file;
use url::Url;

use crate::dev::private_directory;

/// The longest name.
const NAME_MAX: usize = 64;
/// The time a process has until it is ready.
const READY_WITHIN: Duration = Duration::from_secs(60);
/// The time another program has to start the process or to find it.
const LOCKED_WITHIN: Duration = Duration::from_secs(90);
/// The pause between two looks for the process.
const EACH: Duration = Duration::from_millis(20);
/// The time the process has to give a lease.
const LEASE_WITHIN: Duration = Duration::from_secs(10);
/// The longest head of the answer with a lease.
const HEAD_MAX: usize = 16 << 10;

/// A lease of a shared process.
pub struct Attached {
    /// The content of its ready file, in one line.
    pub ready: String,
    lease: TcpStream,
}

impl Attached {
    /// Finds the process with this name, or starts it, and takes a lease.
    ///
    /// # Errors
    /// When the name is wrong, the directory belongs to another user, or no process can be started.
    pub fn attach(name: &str) -> Result<Self> {
        let directory = directory(name)?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(directory.join("lock"))
            .with_context(|| format!("cannot use {}", directory.display()))?;
        // Of those that come at once, one starts the process.
        take(&lock).with_context(|| format!("cannot lock {}", directory.display()))?;
        let ready = directory.join("ready.json");
        if let Ok(attached) = lease(&ready) {
            return Ok(attached);
        }
        start(&directory, &ready)
    }

    /// A second handle, which ends the lease.
    pub fn end(&self) -> io::Result<impl FnOnce() + Send + 'static> {
        let lease = self.lease.try_clone()?;
        Ok(move || {
            // The process may have ended already.
            lease.shutdown(Shutdown::Both).unwrap_or_default();
        })
    }

    /// Returns when the lease has ended.
    pub fn wait(mut self) {
        // A connection that breaks has ended, too.
        drop(io::copy(&mut self.lease, &mut io::sink()));
    }
}

/// Takes the lock, which another program holds while it starts the process.
fn take(lock: &File) -> Result<()> {
    let deadline = Instant::now() + LOCKED_WITHIN;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(EACH);
            }
            Err(TryLockError::WouldBlock) => {
                bail!("another program has started to attach and does not come to an end; end it")
            }
            Err(TryLockError::Error(why)) => return Err(why.into()),
        }
    }
}

/// Returns the directory of the process with this name: for this user only, since the ready file has a token.
fn directory(name: &str) -> Result<PathBuf> {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.');
    ensure!(
        (1..=NAME_MAX).contains(&name.len())
            && name.chars().all(is_plain)
            && !name.starts_with('.'),
        "the name has 1 to {NAME_MAX} letters, digits, dots, hyphens or underscores and begins with no dot, unlike «{name}»"
    );
    let user = rustix::process::geteuid();
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let base = match runtime.filter(|path| path.is_absolute() && path.is_dir()) {
        Some(runtime) => runtime.join("switchboard"),
        None => std::env::temp_dir().join(format!("switchboard-{}", user.as_raw())),
    };
    for path in [base.clone(), base.join(name)] {
        private_directory::make(&path).context("XDG_RUNTIME_DIR can name another place")?;
    }
    Ok(base.join(name))
}

fn start(directory: &Path, ready: &Path) -> Result<Attached> {
    whole_file::remove(ready).with_context(|| format!("cannot remove {}", ready.display()))?;
    let log = directory.join("log");
    let open = || File::create(&log).with_context(|| format!("cannot write {}", log.display()));
    let mut child = Command::new(std::env::current_exe().context("cannot find this program")?)
        .args([
            "dev",
            "--ephemeral",
            "--listen",
            "127.0.0.1:0",
            "--end-with-leases",
        ])
        .arg("--ready-file")
        .arg(ready)
        .stdin(Stdio::null())
        .stdout(open()?)
        .stderr(open()?)
        // A signal from the terminal ends programs that hold leases, and the process only after them.
        .process_group(0)
        .spawn()
        .context("cannot start the process")?;
    let deadline = Instant::now() + READY_WITHIN;
    loop {
        if let Ok(attached) = lease(ready) {
            return Ok(attached);
        }
        let end = child.try_wait().context("cannot watch the process")?;
        if let Some(status) = end {
            bail!("the process ended ({status}); {} says why", log.display());
        }
        if Instant::now() >= deadline {
            end_late(&mut child);
            bail!(
                "the process is not ready in time; {} may say why",
                log.display()
            );
        }
        std::thread::sleep(EACH);
    }
}

fn end_late(child: &mut Child) {
    // It may have ended meanwhile.
    child.kill().unwrap_or_default();
    child.wait().map(drop).unwrap_or_default();
}

/// Takes a lease of the process with this ready file.
fn lease(ready: &Path) -> Result<Attached> {
    let ready: Value = serde_json::from_str(&fs::read_to_string(ready)?)?;
    let text = |name: &str| ready.pointer(name).and_then(Value::as_str);
    let url: Url = text("/dev/url").context("no address")?.parse()?;
    let token = text("/dev/token").context("no token")?;
    let (host, port) = (
        url.host_str().unwrap_or_default(),
        url.port().unwrap_or_default(),
    );
    let mut stream = TcpStream::connect((host, port))?;
    stream.set_read_timeout(Some(LEASE_WITHIN))?;
    let path = url.path();
    let request = format!(
        "GET {path}/lease HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let head = head(&mut stream)?;
    ensure!(head.starts_with(b"HTTP/1.1 200 "), "no lease");
    stream.set_read_timeout(None)?;
    Ok(Attached {
        ready: ready.to_string(),
        lease: stream,
    })
}

fn head(stream: &mut TcpStream) -> Result<Vec<u8>> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        ensure!(
            stream.read(&mut byte)? > 0 && head.len() < HEAD_MAX,
            "no answer"
        );
        head.extend_from_slice(&byte);
    }
    Ok(head)
}
