//! Refuses the printed secrets of the shipped configuration on addresses that other people can reach.
//!
//! All who can read the project know the secrets of `config.toml`. On loopback they make the first minute easy; on any
//! other address they give strangers access, so the service does not start there until they are changed.

use super::reader::Reader;
use super::section::{Section, variable};
use super::tree::Origin;
use super::values::Listen;

/// Every secret that the shipped configuration and the documentation print.
pub const PRINTED: [&str; 5] = [
    "change-me",
    "demo-admin-token",
    "demo-client-secret",
    "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189",
    "Passw0rd",
];

/// The keys that hold a printed secret.
#[derive(Default)]
pub(super) struct Published(Vec<(String, Origin)>);

impl Published {
    /// Notes the key if its value is a printed one; gives back where the value comes from.
    pub(super) fn note(&mut self, section: &Section, key: &str) -> Option<Origin> {
        let node = section.node(key)?;
        if node
            .value
            .as_text()
            .is_some_and(|text| PRINTED.contains(&text))
        {
            let path = format!("{}.{key}", section.path());
            self.0.push((path, node.origin.clone()));
        }
        Some(node.origin.clone())
    }

    /// Refuses to listen to others while any of them is in force.
    pub(super) fn guard(self, reader: &mut Reader, listen: &Listen) {
        if listen.is_loopback() {
            return;
        }
        for (path, origin) in self.0 {
            let headline =
                format!("`{path}` is public, and {listen} is open to others than this machine");
            let help = format!(
                "choose another value there or in {}, or listen on 127.0.0.1:{}",
                variable(&path),
                listen.port
            );
            reader.problem("public-secret", &headline, &origin, help);
        }
    }
}
