//! A system in a process on a simulated machine, which puts groups on disk when the machine says so.

use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::config::SystemConfig;
use switchboard_actors::error::StartError;
use switchboard_actors::port::{CallbackSender, Ports};
use switchboard_actors::system::System;
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::testkit::simulation::{DiskContent, Machine, SimClock, SimDisk};

/// The ports of a system on this machine, which has `stored` on its disk.
pub(super) fn ports(
    stored: DiskContent,
    machine: &Machine,
    clock: &SimClock,
    entropy: &Arc<Generator>,
    sender: Arc<dyn CallbackSender>,
) -> Ports {
    Ports {
        disk: Arc::new(SimDisk {
            disk: stored.disk,
            machine: machine.clone(),
        }),
        tables: Arc::new(stored.tables),
        clock: Arc::new(clock.clone()),
        entropy: Arc::<Generator>::clone(entropy),
        sender,
    }
}

/// Starts a system with [`Threads::Stepped`](switchboard_actors::Threads::Stepped), and a task that puts on disk what waits for that,
/// each time after a `pause`. Both end with the process.
pub(super) fn start(
    config: SystemConfig,
    ports: Ports,
    pause: impl FnMut() -> Duration + 'static,
) -> Result<System, StartError> {
    let system = System::start(config, ports)?;
    drop(tokio::task::spawn_local(write(system.clone(), pause)));
    Ok(system)
}

async fn write(system: System, mut pause: impl FnMut() -> Duration) {
    loop {
        system.write_wanted().await;
        // When nothing is left, the system writes down how far the journal is on disk.
        loop {
            tokio::time::sleep(pause()).await;
            if !system.write_waiting() {
                break;
            }
        }
    }
}
