//! `[retention]`: how long messages are kept, by account and by channel.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Value, json};
use switchboard_actors::domain::id::{AccountId, ChannelId};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::erasures::RetentionRule;
use switchboard_actors::relay::settings::RelaySettings;

use super::declaration::settings;
use super::effective::Shown;
use super::kinds::{ValueError, whole, words};
use super::tree::ConfigNode;

/// A day.
const DAY: Duration = Duration::from_secs(86_400);
/// A hundred years.
const DAYS_MAX: i64 = 36_500;

settings! {
    #[derive(Default)]
    pub struct Retention in "retention" {
        /// Days for which messages are kept, with their media and the results of their callbacks; 0: for ever. Once a day the service
        /// erases older ones from all its files; conversations, contacts and leads stay. It restarts itself within the process for
        /// that.
        days: u64 = 0, whole(0..=DAYS_MAX);
        /// The hour of the day at which it does so, in UTC.
        hour: u64 = 3, whole(0..=23);
        /// Exceptions, by account and by channel, as in ["channel=<id> days=30", "account=<id> channel=<id> days=0"].
        rules: Vec<KeepRule> = Vec::new(), rules;
    }
}

/// The retention of messages of an account, of a channel, or of an account in a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeepRule {
    /// The account; `None`: all.
    pub account: Option<AccountId>,
    /// The channel; `None`: all.
    pub channel: Option<ChannelId>,
    /// The number of days; 0: for ever.
    pub days: u64,
}

impl Retention {
    /// The rules that apply now. The rule for an account in a channel outranks that for the account, which outranks
    /// that for the channel, which outranks the general one. None when everything is kept for ever.
    #[must_use]
    pub fn rules_at(&self, now: UnixMillis) -> Vec<RetentionRule> {
        let all = KeepRule {
            account: None,
            channel: None,
            days: self.days,
        };
        let mut rules: Vec<&KeepRule> = self.rules.iter().chain([&all]).collect();
        if rules.iter().all(|rule| rule.days == 0) {
            return Vec::new();
        }
        rules.sort_by_key(|rule| (rule.account.is_none(), rule.channel.is_none()));
        let rule_at = |rule: &KeepRule| RetentionRule {
            account: rule.account,
            channel: rule.channel.clone(),
            before: (rule.days > 0).then(|| before(now, rule.days)),
            relayed_bytes_max: None,
        };
        rules.into_iter().map(rule_at).collect()
    }
}

/// The rules about the hooks of relays that apply now.
#[must_use]
pub fn relay_rules_at(relays: &[RelaySettings], now: UnixMillis) -> Vec<RetentionRule> {
    let rule = |relay: &RelaySettings| {
        let (days, bytes) = (relay.bounds.keep_days, relay.bounds.keep_bytes);
        RetentionRule {
            account: None,
            channel: Some(relay.channel.clone()),
            before: (days > 0).then(|| before(now, days)),
            relayed_bytes_max: (bytes > 0).then_some(bytes),
        }
    };
    let rules = relays.iter().map(rule);
    let is_limit = |rule: &RetentionRule| rule.before.is_some() || rule.relayed_bytes_max.is_some();
    rules.filter(is_limit).collect()
}

fn before(now: UnixMillis, days: u64) -> UnixMillis {
    let age = DAY.as_millis().saturating_mul(u128::from(days));
    let millis = u64::try_from(age).unwrap_or(u64::MAX);
    UnixMillis::new(now.get().saturating_sub(millis))
}

impl FromStr for KeepRule {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut account, mut channel, mut days) = (None, None, None);
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').ok_or("has a word without =")?;
            let is_repeated = match key {
                "account" => {
                    let id = value
                        .parse()
                        .map_err(|_no_id| "names no account by its id")?;
                    account.replace(id).is_some()
                }
                "channel" => {
                    let id = value
                        .parse()
                        .map_err(|_no_id| "names no channel by its id")?;
                    channel.replace(id).is_some()
                }
                "days" => {
                    let number = value
                        .parse()
                        .ok()
                        .filter(|days| (0..=DAYS_MAX).contains(days))
                        .and_then(|days| u64::try_from(days).ok());
                    days.replace(number.ok_or("has no number of days from 0 to 36500")?)
                        .is_some()
                }
                _ => return Err("has a word that is not account=, channel= or days="),
            };
            if is_repeated {
                return Err("says the same thing twice");
            }
        }
        if account.is_none() && channel.is_none() {
            return Err("names neither an account nor a channel");
        }
        Ok(Self {
            account,
            channel,
            days: days.ok_or("has no days=")?,
        })
    }
}

impl fmt::Display for KeepRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(account) = self.account {
            write!(f, "account={account} ")?;
        }
        if let Some(channel) = &self.channel {
            write!(f, "channel={channel} ")?;
        }
        write!(f, "days={}", self.days)
    }
}

impl Shown for Vec<KeepRule> {
    fn shown(&self) -> Value {
        self.iter().map(|rule| json!(rule.to_string())).collect()
    }
}

fn rules(node: &ConfigNode) -> Result<Vec<KeepRule>, ValueError> {
    let help = "write rules as in [\"channel=<id> days=30\", \"account=<id> channel=<id> days=0\"]";
    let rules = words(node)?
        .into_iter()
        .map(str::parse::<KeepRule>)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|why| ValueError::new(why, help))?;
    let place = |rule: &KeepRule| (rule.account, rule.channel.clone());
    for (number, rule) in rules.iter().enumerate() {
        let mut before = rules.iter().take(number);
        if before.any(|known| place(known) == place(rule)) {
            return Err(ValueError::new("has two rules for the same messages", help));
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";

    #[test]
    fn retention_rules_are_read_and_written_alike() {
        for text in [
            format!("account={ACCOUNT} days=30"),
            format!("account={ACCOUNT} channel=telegram days=0"),
            "channel=telegram days=36500".to_owned(),
        ] {
            let rule: KeepRule = text.parse().unwrap();
            assert_eq!(rule.to_string(), text);
        }
        for (text, why) in [
            ("days=30", "neither an account nor a channel"),
            ("channel=a", "no days="),
            ("channel=a days=-1", "from 0 to 36500"),
            ("channel=a days=36501", "from 0 to 36500"),
            ("channel=a channel=b days=1", "twice"),
            ("account=x days=1", "no account"),
            ("channel=a weeks=1", "not account="),
            ("channel", "without ="),
        ] {
            let error = text.parse::<KeepRule>().unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn the_most_exact_retention_rule_comes_first() {
        let mut retention = Retention::default();
        let now = UnixMillis::from_secs(40 * 86_400);
        assert_eq!(retention.rules_at(now), []);
        let texts = [
            "channel=telegram days=10".to_owned(),
            format!("account={ACCOUNT} days=20"),
            format!("account={ACCOUNT} channel=telegram days=0"),
        ];
        retention.rules = texts.iter().map(|text| text.parse().unwrap()).collect();
        let rules = retention.rules_at(now);
        let before = |days: u64| Some(UnixMillis::from_secs(days * 86_400));
        let times: Vec<_> = rules.iter().map(|rule| rule.before).collect();
        assert_eq!(times, [None, before(20), before(30), None]);
        assert!(rules[0].account.is_some() && rules[0].channel.is_some());
        assert!(rules[3].account.is_none() && rules[3].channel.is_none());
    }
}
