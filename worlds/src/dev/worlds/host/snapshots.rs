//! Snapshots of a world: it goes back to them, and other worlds go on from them.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::Host;
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::kept::Kept;
use crate::http_world::HttpWorld;

/// So many snapshots of a world are kept at most.
const SNAPSHOTS_MAX: usize = 20;

impl Host {
    /// Keeps the world as it is.
    pub(super) fn snapshot(&mut self) -> Result<Value, DevError> {
        if self.snapshots.len() >= SNAPSHOTS_MAX {
            let why = format!("a world has {SNAPSHOTS_MAX} snapshots at most");
            return Err(DevError::wrong(why));
        }
        let id = format!("s{}", self.snapshots.len().saturating_add(1));
        let snapshot = Kept {
            snapshot: self.world.snapshot(),
            wanted: self.wanted.clone(),
            mode: self.mode,
            users: self.users.clone(),
            code: self.code.clone(),
        };
        self.snapshots.insert(id.clone(), snapshot);
        Ok(json!({ "id": id, "clock": self.clock() }))
    }

    /// Goes back to a snapshot. Orders of faults end; callbacks that are under way are attempted again.
    pub(super) fn restore(&mut self, id: &str) -> Result<Value, DevError> {
        let snapshot = self.kept(id)?;
        self.faults.end();
        self.under_way.forget_held();
        self.world = HttpWorld::at(
            snapshot.snapshot.fork(),
            self.address,
            Some(self.vendor.clone()),
        );
        self.world.disk_freed();
        self.mode = snapshot.mode;
        self.users = snapshot.users;
        self.code = snapshot.code;
        self.watch_habits();
        self.goes_out
            .store(snapshot.wanted.webhook.is_some(), Ordering::Release);
        self.wanted.webhook = snapshot.wanted.webhook;
        Ok(self.described())
    }

    /// A snapshot, for this world or another one.
    pub(super) fn kept(&self, id: &str) -> Result<Kept, DevError> {
        self.snapshots.get(id).cloned().ok_or_else(|| {
            let ids: Vec<_> = self.snapshots.keys().map(String::as_str).collect();
            let hint = if ids.is_empty() {
                "there are none yet".to_owned()
            } else {
                format!("there are: {}", ids.join(", "))
            };
            DevError::unknown(format!("no snapshot {id}; {hint}"))
        })
    }
}
