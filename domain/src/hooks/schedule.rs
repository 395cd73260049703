//! The times at which hooks are sent, as the published interface has them.

use std::time::Duration;

use crate::dispatch::rules::AttemptSchedule;

const MINUTE: u64 = 60;

/// The waits before the second to the fifth attempt.
const WAITS: [Duration; 4] = [
    Duration::from_secs(5 * MINUTE),
    Duration::from_secs(15 * MINUTE),
    Duration::from_secs(15 * MINUTE),
    Duration::from_secs(60 * MINUTE),
];

/// The longest time of one attempt.
pub const TIMEOUT: Duration = Duration::from_secs(2);

/// The number of hooks that wait for one webhook when it is switched off.
pub const WAITING_MAX: usize = 100_000;

/// The attempts of hooks: three, five when the receiver's server is at fault; a webhook with more than 100 bad answers
/// within two hours is switched off.
pub const SCHEDULE: AttemptSchedule = AttemptSchedule {
    waits: &WAITS,
    attempts: 3,
    attempts_of_server: 5,
    bad_max: 100,
    bad_within: Duration::from_secs(120 * MINUTE),
};
