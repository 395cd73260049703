//! The sections of the configuration that are no lists: each setting with its default, its range and its sentence.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use ipnet::IpNet;
use switchboard_actors::domain::account_quota::{AccountQuotas, QuotaSize};
use switchboard_actors::domain::dispatch::quota::Quotas;
use switchboard_actors::domain::installation::channels::settings::CallbackTimeout;
use switchboard_network::host::Host;
use url::Url;

use super::declaration::settings;
use super::kinds::{
    directory, hosts, networks, or_none, or_unset, parsed, public_url, switch, token, whole,
};
use super::values::{Durability, Listen, LogFormat, MediaPolicy, Secret};

settings! {
    pub struct Server in "server" {
        /// The address to listen on: an IP address or a host name, and a port; port 0 selects a free port.
        listen: Listen = Listen::initial(), parsed;
        /// The URL that links in responses begin with, as in "https://chat.example.com". "none": links begin with the host that the
        /// request names. The service then takes the scheme from X-Forwarded-Proto or Forwarded of a trusted proxy, else http.
        public_url: Option<Url>, or_none(public_url);
        /// The URL that addresses of files in callbacks begin with: the one at which integrations reach the service, as in
        /// "http://switchboard:8080". "none": public_url, or the address in `listen`.
        callback_url: Option<Url>, or_none(public_url);
        /// Further hosts that requests may name, as in ["chat.example.com"]; all ports are valid. The service always accepts the host of
        /// public_url, names without a dot, localhost, *.localhost and the IP addresses of loopback and private networks. It answers
        /// 421 to others, because a stranger's DNS could point such a name to this service.
        hosts: Vec<Host> = Vec::new(), hosts;
        /// HTTP workers, at most 64; 0 means one per core, at most 8.
        workers: usize = 0, whole(0..=64) => workers;
        /// The largest request body of the chat interface, in bytes.
        body_limit_bytes: usize = 262_144, whole(1_024..=16_777_216);
        /// Explain the likely mistake in the response to an invalid signature. Explanations of a wrong path, and those after a valid
        /// signature, are always given: the first follow from the path alone, the second need the secret.
        signature_hints: bool = true, switch;
        /// Networks of reverse proxies in front of the service, as in ["10.1.0.0/16"]. The service trusts X-Forwarded-For and
        /// Forwarded only from these, and counts everything «of one address» by the client in these headers (docs/limits.md).
        trusted_proxies: Vec<IpNet> = Vec::new(), networks;
        /// The time that requests in progress have to end when the service stops.
        drain ("drain_seconds"): Duration = 11, whole(0..=300) => Duration::from_secs;
    }
}

settings! {
    /// Rate limits and limits of concurrency (docs/limits.md). Beyond a limit the service answers 429, or 503 for a limit of all clients
    /// together, with Retry-After, or gives up who is slowest; 0 means no limit but that of the machine. The share of an address is never
    /// more than a quarter.
    #[derive(Copy)]
    pub struct Limits in "limits" {
        /// Requests of one channel per second; bursts may have twice as many.
        channel_requests_per_second: u32 = 10_000, whole(0..=1_000_000);
        /// Requests of one account user per second, and of each OAuth client that acts for the user; bursts may have twice as many.
        user_requests_per_second: u32 = 2_000, whole(0..=1_000_000);
        /// Concurrent requests: more would only make each of them slower.
        requests_in_flight_max: usize = 1_024, whole(0..=1_000_000);
        /// The time that the head of a request has to arrive. The service closes a slower connection (408).
        request_head ("request_head_seconds"): Duration = 5, whole(1..=300) => Duration::from_secs;
        /// The time that the body of a request has to arrive, and the longest pause in an upload. The service closes a slower connection
        /// (408).
        request_body ("request_body_seconds"): Duration = 15, whole(1..=3_600) => Duration::from_secs;
        /// Concurrent requests whose body has not arrived yet, of all clients and of one address. Each uses at most body_limit_bytes of
        /// memory, all together at most a quarter of it. Half of them are for senders that have shown credentials, and half for others.
        /// When a share is full, the slowest body is given up (408).
        bodies_awaited_max: usize = 2_048, whole(0..=1_000_000);
        bodies_awaited_per_address_max: usize = 256, whole(0..=1_000_000);
        /// The service closes a connection whose client reads nothing of a response for this time; 0: never.
        unread_answer ("unread_answer_seconds"): Duration = 15, whole(0..=3_600) => Duration::from_secs;
        /// Concurrent connections, of all clients and of one address; fewer if the process may not open as many files. When all are taken, a
        /// connection without a request makes room, of the address that has the most. A trusted proxy has no share.
        connections_max: usize = 20_000, whole(1..=1_000_000);
        connections_per_address_max: usize = 4_096, whole(0..=1_000_000);
        /// Concurrent event streams of one account user: each open page of the inbox has one.
        streams_per_user_max: usize = 32, whole(0..=1_000_000);
    }
}

settings! {
    pub struct Store in "store" {
        /// The data directory: the journal and its index. One service at a time can use it.
        path: PathBuf = PathBuf::from("data"), directory;
        /// The size of a segment (file) of the journal.
        segment_bytes ("segment_mib"): u64 = 64, whole(1..=1_024) => mebibytes;
        /// The service writes a checkpoint of the index after this many records, or earlier if they belong to many conversations. This
        /// bounds the work of a restart.
        checkpoint_records: u64 = 100_000, whole(100..=10_000_000);
        /// The service refuses writes while the disk has less free space than this.
        low_water_bytes ("low_water_mib"): u64 = 256, whole(0..=1_048_576) => mebibytes;
        /// Moment at which the service acknowledges a write. "always": when its records are on disk; acknowledged writes survive a
        /// power cut. "interval": when the operating system has them; they are on disk at most 100 ms later. This avoids the wait for
        /// a slow disk. Acknowledged writes still survive a crash of the process, but a power cut or a crash of the machine loses the
        /// last 100 ms: messages that no integration sends again, and replies whose callbacks may have been sent already.
        durability: Durability = Durability::Always, parsed;
    }
}

settings! {
    pub struct Operator in "operator" {
        /// The bearer token of /admin/v1 and of `switchboard channel`. Without this line the first start generates a token, prints it
        /// once and stores its hash.
        token: Option<Secret>, or_unset(token);
    }
}

settings! {
    pub struct Actors in "actors" {
        /// Passivation: an idle conversation leaves memory after this time; it is loaded again when needed.
        idle_after ("idle_after_seconds"): Duration = 300, whole(1..=86_400) => Duration::from_secs;
        /// The maximum number of conversations in memory. Beyond it, the longest unused ones leave.
        conversations_max_hot: usize = 100_000, whole(1..=10_000_000);
        /// The time that a request waits for the account, channel or conversation that it concerns: longer than a disk stalls that other
        /// programs use too. Then the service answers 503.
        turn ("turn_seconds"): Duration = 15, whole(1..=300) => Duration::from_secs;
    }
}

settings! {
    #[derive(Copy)]
    pub struct Requests in "requests" {
        /// The service records the newest requests of programs to the chat interface, the account interface and OAuth, and its responses,
        /// in memory and without secrets, for GET /admin/v1/requests: this number of refused requests and of other requests for each
        /// channel, account and OAuth client, with at most body_kib of a body. 0 records none.
        keep_per_sender: usize = 200, whole(0..=10_000);
        /// The number of newest deliveries of each channel, delivered ones included, that GET /admin/v1/deliveries lists; at most 100,000
        /// of all channels. 0: it lists only undelivered callbacks.
        keep_deliveries_per_channel: usize = 200, whole(0..=10_000);
        body_bytes ("body_kib"): usize = 16, whole(1..=1_024) => kibibytes;
    }
}

settings! {
    pub struct Media in "media" {
        /// The maximum size of a file that account users send to customers.
        file_bytes ("file_mib"): u64 = 20, whole(1..=1_024) => mebibytes;
        /// The maximum number of concurrent uploads: of all users, of the users of one account, and of one user (at most half of the account's).
        /// An administrator has a share besides that of the account.
        uploads_max: usize = 32, whole(1..=256);
        uploads_per_account_max: usize = 8, whole(1..=256);
        uploads_per_user_max: usize = 4, whole(1..=256);
        /// The maximum number of uploads that no message uses yet, of one account and of one user (at most a fifth of the account's). An
        /// administrator has a share besides that of the account. The service removes unused uploads after unsent_hours.
        unsent_max: usize = 1_000, whole(1..=100_000);
        unsent_per_user_max: usize = 200, whole(1..=100_000);
        unsent_age ("unsent_hours"): Duration = 24, whole(1..=720) => hours;
        /// The policy for files that integrations only name by address (media of messages, avatars of people), after the service has
        /// accepted the message: "check" checks that the address is reachable, "mirror" also stores a copy (of files up to file_mib), "off"
        /// does nothing. The address rules of callbacks apply, see [dispatch]. Only copies are shown as pictures in the console; everything
        /// else is a link to the customer's messenger. The default is "check".
        policy: MediaPolicy = MediaPolicy::Check, parsed;
        /// The maximum number of concurrent fetches; at most two from one server.
        fetches_max: usize = 8, whole(1..=64);
        /// The time-out of one fetch, the copy included.
        fetch_timeout ("fetch_timeout_seconds"): Duration = 30, whole(1..=600) => Duration::from_secs;
        /// The time from a failed fetch, or one during which the service ended, to the second attempt. The third waits ten times as long,
        /// the fourth, which is the last, sixty times. 0: no wait.
        fetch_retry ("fetch_retry_seconds"): Duration = 60, whole(0..=3_600) => Duration::from_secs;
    }
}

settings! {
    pub struct Dispatch in "dispatch" {
        /// Allow callbacks and fetches to private and loopback addresses. The demo's webhook is on loopback, hence true. The default
        /// is false; keep it so outside demos.
        allow_private_networks: bool = false, switch;
        /// Private networks that are allowed in any case, such as ["10.1.0.0/16"].
        allow_cidrs: Vec<IpNet> = Vec::new(), networks;
        /// The time-out of one attempt, response included: 1 to 30.
        timeout ("timeout_seconds"): Duration = 10, whole(CallbackTimeout::RANGE) => Duration::from_secs;
        /// The time-out of one attempt of a hook to a webhook of an account, response included: 1 to 30.
        hook_timeout ("hook_timeout_seconds"): Duration = 2, whole(CallbackTimeout::RANGE) => Duration::from_secs;
        /// A callback is dead after this many attempts that the integration refused because of the callback itself ...
        attempts_max: u32 = 8, whole(1..=100);
        /// ... or after this many that it refused with a status that cannot change: 400, 404 (while other callbacks arrive), 406, 411,
        /// 413, 414, 415, 417, 422, 431 or 451. What waits behind it in the conversation is sent at once then. ...
        refused_attempts_max: u32 = 4, whole(1..=100);
        /// ... or at this age.
        age_max ("age_max_hours"): Duration = 24, whole(1..=720) => hours;
        /// The maximum number of concurrent attempts.
        in_flight_max: usize = 256, whole(1..=4_096);
        /// Backpressure: when more callbacks are queued than this, the service refuses further replies with 429 and Retry-After before it
        /// writes anything: in one conversation, ...
        queued_per_conversation_max: u64 = 1_000, whole(1..=100_000);
        /// ... in one scope (an account in a channel), ...
        queued_per_scope_max: u64 = 20_000, whole(1..=100_000_000);
        /// ... for one endpoint of a channel, ...
        queued_per_endpoint_max: u64 = 100_000, whole(1..=100_000_000);
        /// ... and in total (503).
        queued_max: u64 = 2_000_000, whole(1..=1_000_000_000);
        /// With less free disk space than this the service accepts no new writes (503), so that it can finish accepted ones.
        disk_reserve_bytes ("disk_reserve_mib"): u64 = 512, whole(0..=1_048_576) => mebibytes;
    }
}

settings! {
    #[derive(Copy)]
    pub struct AccountQuotaSettings in "account_quotas" {
        /// Quotas of each account; 0 for no limit. An account may have limits of its own (messages_per_day, messages_per_month,
        /// bot_messages_per_month, storage_bytes of the account). Beyond a limit the service refuses messages and uploads with 429 and Retry-After. The
        /// maximum number of messages, in both directions, imports included: per day of UTC, ...
        messages_per_day: u64 = 0, whole(0..=QuotaSize::MOST);
        /// ... and per month of UTC.
        messages_per_month: u64 = 0, whole(0..=QuotaSize::MOST);
        /// The maximum number of messages that programs send to talks as bots per month of UTC. Beyond it the answer is 402.
        bot_messages_per_month: u64 = 0, whole(0..=QuotaSize::MOST);
        /// The maximum size of messages and files in bytes: 1,024 for each message, and the files of replies and the copies of files.
        storage_bytes: u64 = 0, whole(0..=QuotaSize::MOST);
    }
}

settings! {
    #[derive(Copy)]
    pub struct Log in "log" {
        /// The format of the log: "text", or "json" for one object per line. The log goes to standard error. The environment variable
        /// RUST_LOG sets its level, as in RUST_LOG=debug or RUST_LOG=warn,switchboard=debug (default: info).
        format: LogFormat = LogFormat::Text, parsed;
        /// Log each request in one line: request id, method, route, status, milliseconds, bytes of the response and client address.
        /// The route is the path with the names of ids in place of ids.
        requests: bool = false, switch;
    }
}

impl Server {
    /// The address for clients once `port` is bound; `None` only for a host that no URL can hold.
    #[must_use]
    pub fn public_url_at(&self, port: u16) -> Option<Url> {
        self.public_url.clone().or_else(|| self.listen.url(port))
    }

    /// Hosts that requests may name whether or not they could be re-pointed: what the settings themselves name.
    #[must_use]
    pub fn named_hosts(&self) -> Vec<Host> {
        let urls = [&self.public_url, &self.callback_url].into_iter().flatten();
        let of_urls = urls.filter_map(|url| url.host_str()?.parse().ok());
        let listener = std::iter::once(self.listen.host.clone());
        let named_listener = listener.filter(|host| matches!(host, Host::Name(_)));
        let hosts = of_urls.chain(named_listener);
        hosts.chain(self.hosts.iter().cloned()).collect()
    }
}

impl Dispatch {
    /// The most callbacks that may be queued.
    #[must_use]
    pub const fn quotas(&self) -> Quotas {
        Quotas {
            queue: self.queued_per_conversation_max,
            scope: self.queued_per_scope_max,
            endpoint: self.queued_per_endpoint_max,
            node: self.queued_max,
        }
    }
}

impl AccountQuotaSettings {
    /// The quotas of an account that has none of its own.
    #[must_use]
    pub const fn quotas(&self) -> AccountQuotas {
        AccountQuotas {
            messages_per_day: self.messages_per_day,
            messages_per_month: self.messages_per_month,
            bot_messages_per_month: self.bot_messages_per_month,
            storage_bytes: self.storage_bytes,
        }
    }
}

/// The number of workers; for 0 one per core, at most 8: more of them share the cores with the journal for no gain.
fn workers(count: usize) -> usize {
    if count > 0 {
        return count;
    }
    thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(8)
}

const fn kibibytes(count: usize) -> usize {
    count << 10
}

const fn mebibytes(count: u64) -> u64 {
    count << 20
}

/// The time of so many minutes.
pub(super) const fn minutes(count: u64) -> Duration {
    Duration::from_secs(count.saturating_mul(60))
}

const fn hours(count: u64) -> Duration {
    minutes(count.saturating_mul(60))
}
