//! The thread of a world: it takes orders one after the other, and lets the time of the world pass between them.

mod habits;
mod hooks;
mod oauth;
mod people;
mod requests;
mod snapshots;
mod time;
mod wait;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use serde_json::{Value, json};
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::port::CallbackSender;
use switchboard_http::vendor::VendorKey;

use crate::World;
use crate::dev::worlds::clock::{self, ClockMode, machine_now};
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::fault::{EngineFault, Fault, FaultOrder, Faults};
use crate::dev::worlds::host::time::Goal;
use crate::dev::worlds::journal::Journal;
use crate::dev::worlds::kept::{Kept, NewWorld};
use crate::dev::worlds::names::Names;
use crate::dev::worlds::order::{Act, Done, Order, Orders};
use crate::dev::worlds::outside::Outside;
use crate::dev::worlds::reply::Reply;
use crate::dev::worlds::sender::{UnderWay, WorldSender};
use crate::http_world::HttpWorld;
use crate::world::{Secrets, WorldConfig};

/// In the mode `real`, the time of the world is set so often.
const TICK: Duration = Duration::from_millis(10);

/// The plan of a world: the choices that its host is made with.
pub(super) struct Plan {
    pub(super) id: String,
    pub(super) address: SocketAddr,
    pub(super) wanted: NewWorld,
    pub(super) secrets: Secrets,
    /// By what requests for hosts of the counterpart find it.
    pub(super) names: Option<Arc<Names>>,
    /// The proof that a request was made for such a host.
    pub(super) vendor: VendorKey,
    pub(super) outside: Outside,
    pub(super) orders: Orders,
    pub(super) journal: Journal,
    /// The snapshot from which the world goes on, if it does not begin.
    pub(super) from: Option<Box<Kept>>,
}

/// A world and what belongs to it, on its thread.
pub(super) struct Host {
    id: String,
    address: SocketAddr,
    names: Option<Arc<Names>>,
    vendor: VendorKey,
    wanted: NewWorld,
    world: HttpWorld,
    journal: Journal,
    faults: Faults,
    under_way: Arc<UnderWay>,
    goes_out: Arc<AtomicBool>,
    mode: ClockMode,
    /// Until when the time of the machine was followed, in the mode `real`.
    followed: Instant,
    /// The time at which the world ends by itself.
    ends: Instant,
    ends_at: String,
    goals: Vec<Goal>,
    /// The users who have acted, and `ada`.
    users: Vec<String>,
    /// The newest authorization code of the OAuth client.
    code: String,
    snapshots: BTreeMap<String, Kept>,
}

impl Host {
    /// Makes the world; on the thread that it stays on.
    pub(super) fn new(plan: Plan) -> Self {
        let (journal, faults) = (plan.journal, Faults::default());
        let secrets = plan.secrets;
        let (under_way, goes_out) = (Arc::default(), Arc::default());
        let sender = WorldSender {
            outside: plan.outside,
            faults: faults.clone(),
            journal: journal.clone(),
            under_way: Arc::clone(&under_way),
            goes_out: Arc::clone(&goes_out),
            orders: plan.orders,
            secret: secrets.channel().secret,
        };
        let options = plan.wanted;
        let now = machine_now();
        let sender: Arc<dyn CallbackSender> = Arc::new(sender);
        let public_url = format!("http://{}", plan.address).into();
        let (users, code, world) = match plan.from {
            Some(kept) => (
                kept.users,
                Some(kept.code),
                kept.snapshot.fork_at(public_url, sender),
            ),
            None => {
                let world = World::with(WorldConfig {
                    seed: options.seed,
                    begins: Some(now),
                    secrets,
                    ids: options.ids.clone(),
                    public_url: Some(public_url),
                    sender: Some(sender),
                    ..WorldConfig::default()
                });
                (first_users(&options), None, world)
            }
        };
        let ttl = Duration::from_secs(options.ttl);
        let mut host = Self {
            id: plan.id,
            address: plan.address,
            world: HttpWorld::at(world, plan.address, Some(plan.vendor.clone())),
            names: plan.names,
            vendor: plan.vendor,
            journal,
            faults,
            under_way,
            goes_out,
            mode: options.clock,
            followed: Instant::now(),
            ends: Instant::now() + ttl,
            ends_at: clock::shown(now.plus(ttl)),
            goals: Vec::new(),
            users,
            code: code.clone().unwrap_or_default(),
            snapshots: BTreeMap::new(),
            wanted: options,
        };
        host.begin(code.is_none());
        host
    }

    /// Does what a world begins with; one that goes on has some of it already.
    fn begin(&mut self, is_new: bool) {
        let webhook = self
            .wanted
            .webhook
            .as_deref()
            .unwrap_or("the receiver in memory");
        self.note(
            "test",
            format!("makes the world; callbacks go to {webhook}"),
        );
        self.watch_habits();
        for user in &self.users {
            self.is_named_by(user);
        }
        if is_new {
            // A world that begins stores everything.
            self.consent("ada").map(drop).unwrap_or_default();
        }
        if let Some(url) = self.wanted.webhook.take() {
            // It was checked when the order was read.
            self.set_webhook(Some(url)).map(drop).unwrap_or_default();
        }
    }

    /// Requests with the token of this user find the world from now on.
    fn is_named_by(&self, user: &str) {
        if let Some(names) = &self.names {
            names.add_token(&self.world.user(user).token());
        }
    }

    /// Takes orders until the world ends; gives why it did.
    pub(super) fn run(mut self, orders: &mpsc::Receiver<Order>) -> String {
        loop {
            let goes_on = self.progress();
            let order = if goes_on {
                orders.try_recv().map_err(|_none| RecvTimeoutError::Timeout)
            } else {
                orders.recv_timeout(self.idles_for())
            };
            match order {
                Ok(Order::End { why, ended }) => {
                    self.leave_goals(&why);
                    drop(self);
                    // At the end of the process, no client waits for it.
                    ended.send(()).unwrap_or_default();
                    return why;
                }
                Ok(order) => self.take(order),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return "the process ends".to_owned(),
            }
            if Instant::now() >= self.ends {
                let why = format!("its time to live of {} s is over", self.wanted.ttl);
                self.leave_goals(&why);
                return why;
            }
        }
    }

    /// Returns the time for which nothing happens without an order.
    fn idles_for(&self) -> Duration {
        let time_left = self.ends.saturating_duration_since(Instant::now());
        match self.mode {
            ClockMode::Real => time_left.min(TICK),
            ClockMode::Skip | ClockMode::Frozen => self.goal_idles_for().min(time_left),
        }
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Ask { asked, answer } => {
                let response = self.ask(&asked);
                // A client that has gone needs no answer.
                drop(answer.send(response));
            }
            Order::Unreadable { line, status } => self.note_unreadable(&line, status),
            Order::Describe(done) => {
                // A client that has gone needs no answer.
                drop(done.send(Ok(self.described().into())));
            }
            Order::Act { ordered, done } => {
                let entry = self.journal.ordered(self.world.now(), &ordered);
                self.act(ordered.act, entry, done);
            }
            Order::Copy { snapshot, copied } => {
                // A client that has gone needs no answer.
                drop(copied.send(self.kept(&snapshot)));
            }
            Order::Look => self.let_rest(),
            Order::End { .. } => {}
        }
    }

    fn act(&mut self, act: Act, entry: Option<u64>, done: Done) {
        let result = match act {
            Act::SetClock(mode) => Ok(self.set_clock(mode)),
            Act::Advance(by) => return self.aim_at(by, done),
            Act::SetWebhook(url) => self.set_webhook(url),
            Act::Subscribe(subscribed) => self.subscribe(&subscribed),
            Act::EndHooks => self.end_hooks(),
            Act::Say { customer, text } => self.say(&customer, &text),
            Act::Reply {
                user,
                customer,
                text,
            } => self.reply(&user, customer.as_deref(), &text),
            Act::Messages { customer } => self.messages(&customer),
            Act::Restart => {
                self.world.restart();
                Ok(self.clock())
            }
            Act::Snapshot => self.snapshot(),
            Act::Restore { snapshot } => self.restore(&snapshot),
            Act::Wait(wait) => return self.wait(wait, done),
            Act::Fault(order) => self.fault(&order),
            Act::Faults => Ok(self.faults.shown()),
            Act::EndFaults => Ok(self.end_faults()),
            Act::Habit { who, habit } => self.keep_habit(&who, &habit),
            Act::Habits => Ok(self.shown_habits()),
            Act::EndHabits(who) => Ok(self.end_habits(who.as_ref())),
            Act::Consent { user } => self.consent(&user),
        };
        if let (Err(refusal), Some(entry)) = (&result, entry) {
            self.journal.refused(entry, &refusal.detail);
        }
        // A client that has gone needs no answer.
        drop(done.send(result.map(Reply::from)));
    }

    /// The world as answers show it.
    fn described(&self) -> Value {
        let users = self
            .users
            .iter()
            .map(|name| json!({ "name": name, "token": self.world.user(name).token() }));
        json!({
            "id": self.id,
            "name": self.wanted.name,
            "seed": self.wanted.seed,
            "clock": self.clock(),
            "base_url": format!("http://{}", self.address),
            "account": { "id": self.world.account(), "subdomain": self.subdomain() },
            "channel": {
                "id": self.world.channel().id,
                "secret": self.world.channel().secret.expose(),
            },
            "scope_id": self.world.scope(),
            "oauth_client": self.shown_client(),
            "users": users.collect::<Vec<_>>(),
            "webhook": self.wanted.webhook,
            "hooks": self.listed_hooks(),
            "faults": self.faults.list(),
            "habits": self.listed_habits(),
            "ends_at": self.ends_at,
        })
    }

    /// The subdomain of the account.
    fn subdomain(&self) -> Option<String> {
        let id = self.world.account();
        let account = self.world.run(async |system| system.account(id));
        account.map(|account| account.subdomain().to_string())
    }

    fn clock(&self) -> Value {
        clock::clock(self.mode, self.world.now())
    }

    /// Sends callbacks to this address from now on; without one, to the receiver in memory.
    fn set_webhook(&mut self, url: Option<String>) -> Result<Value, DevError> {
        let mut channel = self.world.channel();
        if let Some(url) = &url {
            let address = url
                .parse()
                .map_err(|why| DevError::wrong(format!("webhook {url}: {why}")))?;
            channel.settings = ChannelSettings {
                webhook_v2: Some(address),
                ..channel.settings
            };
        }
        let declared = self
            .world
            .run(async |system| system.declare_channel(Channel::clone(&channel)).await);
        declared.map_err(|why| {
            DevError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                format!("the webhook is not set: {why}"),
            )
        })?;
        self.goes_out.store(url.is_some(), Ordering::Release);
        self.wanted.webhook = url;
        self.let_rest();
        Ok(self.described())
    }

    fn fault(&mut self, order: &FaultOrder) -> Result<Value, DevError> {
        let goes_out = self.goes_out.load(Ordering::Acquire);
        let (fault, shown) = self.faults.order(order, goes_out)?;
        match fault {
            Fault::Engine(EngineFault::DiskFull) => self.world.disk_full(),
            Fault::Engine(EngineFault::PowerCut) => self.world.cut_power(),
            Fault::Engine(EngineFault::SlowSync(each)) => self.world.stall_disk(each),
            Fault::Answer(_)
            | Fault::Media(_)
            | Fault::Oauth(_)
            | Fault::Callback(_)
            | Fault::Hook(_)
            | Fault::Question(_) => {}
        }
        Ok(shown)
    }

    fn end_faults(&mut self) -> Value {
        self.faults.end();
        self.world.disk_freed();
        self.world.stall_disk(Duration::ZERO);
        self.let_rest();
        self.faults.shown()
    }

    fn note(&self, who: &str, what: impl Into<String>) {
        self.journal.note(self.world.now(), who, what);
    }
}

/// The users who are there when a world begins, `ada` first.
fn first_users(wanted: &NewWorld) -> Vec<String> {
    let names = wanted.ids.users.keys();
    let others = names.filter(|name| !name.eq_ignore_ascii_case("ada"));
    std::iter::once("ada".to_owned())
        .chain(others.cloned())
        .collect()
}
