//! The archive and the node of a shared log, in the terms of the HTTP interface.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use switchboard_actors::domain::derive::InstallationId;
use switchboard_http::archiver::{self as http, ArchiveStatus, Repaired};
use switchboard_http::node::{NodeHandle, NodeStatus, OwnerNode, Role, SharedLogNode};

use switchboard_replication::archive::{Archiver, RepairStatus};
use switchboard_replication::node::{self, NodeState, WaitReason};

/// The archive, as handlers use it.
pub(super) fn archiver(archiver: Archiver) -> Arc<dyn http::Archiver> {
    Arc::new(ShownArchiver(archiver))
}

/// The node, as handlers use it.
pub(super) fn node(node: NodeState) -> NodeHandle {
    Arc::new(ShownNode(node))
}

#[derive(Debug)]
struct ShownArchiver(Archiver);

impl http::Archiver for ShownArchiver {
    fn status(&self) -> ArchiveStatus {
        let status = self.0.status();
        ArchiveStatus {
            age: status.age(),
            repair: status.repair.as_deref().map(repair),
            to: status.to,
            epoch: status.epoch,
            position: status.position,
            last: status.last,
            files: status.files,
            current_at: status.current_at,
            trouble: status.trouble,
            refused: status.refusal,
        }
    }

    fn complete(&self, patience: Duration) -> LocalBoxFuture<'_, bool> {
        Box::pin(self.0.now(patience))
    }

    fn repair(&self, patience: Duration) -> LocalBoxFuture<'_, ()> {
        Box::pin(async move {
            self.0.repair();
            self.0.wait_for_repair(patience).await;
        })
    }
}

fn repair(status: &RepairStatus) -> http::RepairStatus {
    match status {
        RepairStatus::Running => http::RepairStatus::Running,
        RepairStatus::Done(repaired) => http::RepairStatus::Done(Repaired {
            objects: repaired.objects,
            files: repaired.files,
            left: repaired.left.clone(),
        }),
        RepairStatus::Failed(reason) => http::RepairStatus::Failed(reason.clone()),
    }
}

#[derive(Debug)]
struct ShownNode(NodeState);

impl SharedLogNode for ShownNode {
    fn answers(&self) -> bool {
        self.0.answers()
    }

    fn status(&self) -> NodeStatus {
        let status = self.0.status();
        NodeStatus {
            node: status.node,
            role: match status.role {
                node::Role::Owner => Role::Owner,
                node::Role::Standby => Role::Standby,
            },
            owner: status.owner.map(|owner| OwnerNode {
                node: owner.node,
                url: owner.url,
            }),
            epoch: status.epoch,
            position: status.position,
            behind: status.behind,
            behind_for: status.behind_for,
            installation: status.installation.map(InstallationId::new),
            is_replicated: status.is_replicated,
            answers: status.answers,
            appends: status.appends,
            unknown: status.unknown,
            trouble: status.trouble.as_ref().map(WaitReason::public),
        }
    }
}
