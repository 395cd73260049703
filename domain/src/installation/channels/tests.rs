use std::time::Duration;

use super::create::CreateChannel;
use super::declare::DeclareChannel;
use super::end_rotation::EndRotation;
use super::pause::PauseChannel;
use super::rotate_secret::RotateSecret;
use super::settings::ChannelChange;
use super::update::UpdateChannel;
use super::*;
use switchboard_engine::state::{Command, Recorded};

const GRACE: Duration = Duration::from_secs(3_600);

/// All channels, the time, and what went into the audit log.
#[derive(Default)]
struct World {
    channels: Channels,
    now: UnixMillis,
    random: u8,
    audit: Vec<AuditEntry>,
}

impl World {
    fn run<C: Command<Of = Channels>>(&mut self, command: C) -> Result<C::Reply, C::Rejection> {
        let random = &mut self.random;
        let mut bytes = || {
            *random += 1;
            [*random; 16]
        };
        let mut moment = Moment {
            now: self.now,
            random: &mut bytes,
            earlier: &[],
        };
        let decision = command.decide(&self.channels, &mut moment)?;
        for Recorded { event, .. } in &decision.events {
            let ChannelsEvent::Changed(changed) = event;
            self.audit.extend(changed.audit.clone());
            self.channels.apply(event);
        }
        Ok(decision.reply)
    }

    fn channel(&self) -> &Channel {
        self.channels.get(&id()).unwrap()
    }

    fn declare(&mut self, change: impl FnOnce(&mut Channel)) {
        let mut channel = declared();
        change(&mut channel);
        let Ok(()) = self.run(DeclareChannel(channel));
    }

    fn rotate(&mut self, secret: &str, grace: Duration) -> Result<Channel, ChannelRejection> {
        self.run(RotateSecret {
            by: By::Operator,
            id: id(),
            secret: Some(self::secret(secret)),
            grace,
        })
    }

    fn end_rotation(&mut self) {
        let (by, id) = (By::Operator, id());
        self.run(EndRotation { by, id }).unwrap();
    }

    fn pause(&mut self, paused: bool) {
        let (by, id) = (By::Operator, id());
        self.run(PauseChannel { by, id, paused }).unwrap();
    }

    fn rename(&mut self, name: &str) -> Result<Channel, ChannelRejection> {
        self.run(UpdateChannel {
            by: By::Operator,
            id: id(),
            change: ChannelChange {
                name: Some(name.parse().unwrap()),
                ..ChannelChange::default()
            },
        })
    }

    fn actions(&self) -> Vec<&str> {
        self.audit
            .iter()
            .map(|entry| entry.action.as_str())
            .collect()
    }
}

fn id() -> ChannelId {
    "messenger".parse().unwrap()
}

fn secret(text: &str) -> SharedSecret {
    text.parse().unwrap()
}

fn declared() -> Channel {
    let settings = ChannelSettings {
        webhook_v2: Some("https://example.com/:scope_id".parse().unwrap()),
        ..ChannelSettings::new("Messenger".parse().unwrap())
    };
    Channel::new(id(), secret("from-the-file"), settings)
}

fn world() -> World {
    let mut world = World::default();
    world.declare(|_| {});
    world
}

#[test]
fn a_change_by_the_operator_outlives_an_unchanged_file() {
    let mut world = world();
    world.rename("Renamed").unwrap();
    world.rotate("rotated", Duration::ZERO).unwrap();
    world.pause(true);
    let before = world.channel().clone();
    world.declare(|_| {});
    assert_eq!(world.channel(), &before);
    assert_eq!(world.audit.len(), 4);
}

#[test]
fn a_field_edited_in_the_file_counts_and_others_stay() {
    let mut world = world();
    world.rename("Renamed").unwrap();
    world.rotate("rotated", GRACE).unwrap();
    world.declare(|channel| channel.settings.webhook_v2 = None);
    assert_eq!(world.channel().settings.name.as_str(), "Renamed");
    assert_eq!(world.channel().settings.webhook_v2, None);
    assert_eq!(world.channel().secret, secret("rotated"));
    assert!(world.channel().rotation.is_some());
    world.declare(|channel| {
        channel.settings.webhook_v2 = None;
        channel.secret = secret("new-in-the-file");
    });
    assert_eq!(world.channel().secret, secret("new-in-the-file"));
    assert_eq!(world.channel().rotation, None);
}

/// Writing the rotated secret into the file does not end the secret rotation.
#[test]
fn declaring_the_rotated_secret_does_not_end_the_rotation() {
    let mut world = world();
    world.rotate("rotated", GRACE).unwrap();
    let before = world.channel().clone();
    let audit = world.audit.len();
    world.declare(|channel| channel.secret = secret("rotated"));
    assert_eq!(world.channel(), &before);
    assert_eq!(world.audit.len(), audit);
    // And now the file says it, so a later change by the operator stays.
    world.end_rotation();
    world.rotate("again", Duration::ZERO).unwrap();
    world.declare(|channel| channel.secret = secret("rotated"));
    assert_eq!(world.channel().secret, secret("again"));
}

#[test]
fn the_first_secret_is_dropped_after_the_grace_period() {
    let mut world = world();
    world.rotate("rotated", GRACE).unwrap();
    world.now = world.now.plus(GRACE);
    world.rename("Renamed").unwrap();
    assert_eq!(world.channel().rotation, None);
    let json = serde_json::to_string(&world.channels).unwrap();
    assert!(!json.contains("from-the-file"), "{json}");
}

#[test]
fn the_old_secret_signs_until_the_grace_period_ends() {
    let mut world = world();
    let channel = world.rotate("rotated", GRACE).unwrap();
    let end = world.now.plus(GRACE);
    let just_before = UnixMillis::new(end.get() - 1);
    assert_eq!(
        channel.signing_secret(just_before),
        &secret("from-the-file")
    );
    assert_eq!(channel.signing_secret(end), &secret("rotated"));
    world.end_rotation();
    let now = world.now;
    assert_eq!(world.channel().signing_secret(now), &secret("rotated"));
}

#[test]
fn secret_rotation_keeps_at_most_two_secrets() {
    let mut world = world();
    assert_eq!(
        world.rotate("from-the-file", GRACE),
        Err(ChannelRejection::SameSecret)
    );
    world.rotate("second", GRACE).unwrap();
    assert_eq!(
        world.rotate("third", GRACE),
        Err(ChannelRejection::Rotating)
    );
    world.now = world.now.plus(GRACE);
    world.rotate("third", GRACE).unwrap();
}

#[test]
fn repeating_changes_nothing_and_is_not_audited() {
    let mut world = world();
    for _ in 0..2 {
        world.pause(true);
    }
    for _ in 0..2 {
        world.pause(false);
    }
    world.end_rotation();
    world.rename("Messenger").unwrap();
    assert_eq!(
        world.actions(),
        ["channel.create", "channel.pause", "channel.resume"]
    );
    assert_eq!(world.audit[0].by, By::Configuration);
    assert_eq!(world.audit[1].by, By::Operator);
}

#[test]
fn no_secret_is_written_to_the_audit_log() {
    let mut world = world();
    world.rotate("rotated", GRACE).unwrap();
    let log = serde_json::to_string(&world.audit).unwrap();
    assert!(!log.contains("from-the-file") && !log.contains("\"rotated\""));
    assert!(log.contains(&secret("rotated").fingerprint()), "{log}");
}

#[test]
fn id_and_secret_are_generated_when_omitted() {
    let mut world = world();
    let create = CreateChannel {
        by: By::Operator,
        id: None,
        secret: None,
        settings: ChannelSettings::new("Second".parse().unwrap()),
    };
    let channel = world.run(create.clone()).unwrap();
    assert_eq!(channel.id.as_str().len(), 36);
    assert_eq!(channel.secret.expose().len(), 40);
    let second = CreateChannel {
        id: Some(id()),
        ..create
    };
    assert_eq!(world.run(second), Err(ChannelRejection::Exists));
}

#[test]
fn a_pause_switches_both_addresses_and_a_rename_neither() {
    let mut world = world();
    let before = world.channel().clone();
    world.pause(true);
    assert_eq!(world.channel().switch(HookVersion::V2), Switch::Paused);
    assert_eq!(world.channel().switch(HookVersion::V1), Switch::NoAddress);
    assert!(world.channel().sends_unlike(&before, HookVersion::V2));
    let paused = world.channel().clone();
    world.rename("Renamed").unwrap();
    assert!(!world.channel().sends_unlike(&paused, HookVersion::V2));
}
