//! The parts that all rounds of a process share, and the system of a round.

use std::cell::OnceCell;
use std::net::TcpListener;
use std::sync::Arc;

use anyhow::{Context, Result};
use socket2::SockRef;
use switchboard_actors::{Ports, System, SystemConfig};
use switchboard_connections::kept::KeptConnections;
use switchboard_connections::server;
use switchboard_network::callback::{HttpSender, Permission};
use switchboard_network::outbound::callback::CallbackClient;
use switchboard_network::outbound::client::ClientSettings;
use switchboard_network::outbound::guard::AddressGuard;
use switchboard_network::outbound::lookup::SystemLookup;
use switchboard_replication::node::NodeState;
use switchboard_replication::shared_log::Owner;

use crate::config::Settings;
use crate::ready_file::ReadyFile;
use crate::serve::dev_tools::DevSockets;
use crate::serve::files::Files;
use crate::serve::options::ServeOptions;
use crate::serve::settings;
use crate::serve::signals::Signals;
use crate::serve::starting::Starting;

/// The parts that all rounds of a process share.
pub(super) struct Process {
    pub(super) files: Files,
    /// The tools of `switchboard dev`.
    pub(super) dev: Option<Box<dyn DevSockets>>,
    /// The state of this node of a shared log, if there is one.
    pub(super) node: Option<NodeState>,
    /// Listened for since the first round was about to be ready.
    pub(super) signals: OnceCell<Signals>,
    /// The connections between two rounds.
    pub(super) kept: KeptConnections,
    /// The file by which programs learn that the service is ready; it goes with the process.
    pub(super) ready_file: Option<ReadyFile>,
}

impl Process {
    /// The permission of a node of a shared log to do what others see; `None` without such a log.
    pub(super) fn permission(&self) -> Option<Permission> {
        self.node.as_ref().map(|node| -> Permission {
            let lease = node.lease().clone();
            Arc::new(move || lease.holds())
        })
    }

    /// Removes the ready file if this is the last round: the service is not ready any more.
    pub(super) fn withdraw_if(&self, is_last: bool) {
        if let Some(file) = self.ready_file.as_ref().filter(|_| is_last) {
            file.withdraw();
        }
    }
}

/// The ready file that the options name.
pub(super) fn ready_file(options: &ServeOptions) -> Result<Option<ReadyFile>> {
    let path = options.ready_file.as_deref();
    Ok(path.map(ReadyFile::begin).transpose()?)
}

/// The settings of a round, and what it shares with the others.
#[derive(Clone, Copy)]
pub(super) struct Run<'r> {
    pub(super) settings: &'r Settings,
    pub(super) options: &'r ServeOptions,
    pub(super) process: &'r Process,
}

impl Run<'_> {
    pub(super) fn signals(&self) -> Result<&Signals> {
        let listening = &self.process.signals;
        if let Some(signals) = listening.get() {
            return Ok(signals);
        }
        let signals = Signals::listen(self.options)?;
        Ok(listening.get_or_init(|| signals))
    }

    /// The system of a round, as the owner of a shared log if there is one. Clients of this socket learn how far the start is if
    /// it takes a while.
    pub(super) fn open(
        &self,
        guard: &Arc<AddressGuard>,
        owner: Option<Owner>,
        listener: &TcpListener,
    ) -> Result<System> {
        let settings = self.settings;
        let client = CallbackClient::new(
            &ClientSettings::default(),
            Arc::clone(guard),
            Arc::new(SystemLookup),
        )
        .context("cannot set up the HTTP client for callbacks")?;
        let sender =
            HttpSender::new(client, settings.dispatch.timeout).under(self.process.permission());
        let ports = if self.options.ephemeral {
            Ports::memory(Arc::new(sender))?
        } else {
            Ports::files(&settings.store.path, Arc::new(sender))?
        };
        let listener = listener
            .try_clone()
            .context("cannot use the listening socket")?;
        let starting = Starting::begin(listener, self.process.kept.clone())?;
        let config = SystemConfig {
            replay_watch: starting.watch(),
            ..settings::system(settings)
        };
        let system = match owner {
            Some(owner) => System::start_owned(config, ports, Box::new(owner)),
            None => System::start(config, ports),
        };
        starting.end();
        Ok(system?)
    }
}

/// The socket of the service.
pub(super) fn listen(settings: &Settings) -> Result<TcpListener> {
    let address = settings.server.listen.to_string();
    let listener = TcpListener::bind(&address).with_context(|| {
        format!("cannot listen on {address} (server.listen); choose another address with --listen, or port 0 for a free one")
    })?;
    // While nothing is accepted, between two rounds, clients wait here.
    SockRef::from(&listener)
        .listen(server::BACKLOG)
        .context("cannot use the listening socket")?;
    listener
        .set_nonblocking(true)
        .context("cannot use the listening socket")?;
    Ok(listener)
}
