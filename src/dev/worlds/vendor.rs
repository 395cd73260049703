//! Worlds behind the hosts of the counterpart: a request finds its world by the subdomain, else by what it says of its
//! account.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::Response;
use hyper::body::Incoming;
use hyper::http::request::Parts;

use crate::dev::evidence::Evidence;
use crate::dev::forward::Body;
use crate::dev::vendor_host::VendorHost;
use crate::dev::worlds::listener::{Content, Front, OwnHeader};
use crate::dev::worlds::names::{Names, token_hash};
use crate::dev::worlds::registry::Registry;
use crate::http::vendor::{HEADER, VendorKey};
use crate::loopback::Place;
use crate::loopback::body::BodyMemory;

/// The worlds of a process, as the hosts of the counterpart lead to them.
pub(crate) struct VendorWorlds {
    registry: Arc<Registry>,
}

/// A world that a request names.
pub(in crate::dev) struct NamedWorld {
    pub(super) front: Arc<Front>,
    pub(super) names: Arc<Names>,
    pub(super) address: String,
    pub(super) key: VendorKey,
}

/// The world that a request names, unless it names none or several.
pub(in crate::dev) enum FoundWorld {
    One(NamedWorld),
    Several,
    None,
}

impl VendorWorlds {
    pub(super) fn new(registry: Arc<Registry>) -> Self {
        Self { registry }
    }

    /// Returns true while no world runs.
    pub(in crate::dev) fn are_none(&self) -> bool {
        self.registry.is_empty()
    }

    /// The memory for bodies of requests to worlds.
    pub(in crate::dev) fn memory(&self) -> &BodyMemory {
        self.registry.memory()
    }

    /// The world for which this subdomain was chosen.
    pub(in crate::dev) fn of_subdomain(&self, subdomain: &str) -> Option<NamedWorld> {
        let is_it = |names: &Names| {
            let chosen = names.subdomain.as_ref();
            chosen.is_some_and(|chosen| chosen.as_str() == subdomain)
        };
        self.registry.named(is_it).into_iter().next()
    }

    /// The world that a request names: by a secret or an id that only its worlds have, else by the channel if that is to
    /// count.
    pub(in crate::dev) fn find(&self, evidence: &Evidence, by_channel: bool) -> FoundWorld {
        let token = evidence.token.as_deref().map(token_hash);
        let is_for = |names: &Names| {
            let has_token = token.is_some_and(|token| names.has_token(&token));
            let has_client = evidence.client.is_some_and(|it| names.has_client(it));
            let has_scope = evidence.account == Some(names.account)
                && evidence.channel.as_ref() == Some(&names.channel);
            has_token || has_client || has_scope
        };
        let certain = self.registry.named(is_for);
        let has_channel = |names: &Names| evidence.channel.as_ref() == Some(&names.channel);
        let found = if certain.is_empty() && by_channel {
            self.registry.named(has_channel)
        } else {
            certain
        };
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(world), None) => FoundWorld::One(world),
            (Some(_), Some(_)) => FoundWorld::Several,
            (None, _) => FoundWorld::None,
        }
    }
}

impl NamedWorld {
    /// The answer of the world; `None`: the connection breaks.
    pub(in crate::dev) async fn answer(
        &self,
        head: &Parts,
        body: Incoming,
        host: &VendorHost,
        place: &Arc<Place>,
    ) -> Option<Response<Body>> {
        let own = self.headers(host);
        let answer = self.front.take(head, body, place, &own).await;
        answer.map(boxed)
    }

    /// As [`Self::answer`], to a request whose body is there.
    pub(in crate::dev) async fn answer_read(
        &self,
        head: &Parts,
        body: Bytes,
        host: &VendorHost,
    ) -> Option<Response<Body>> {
        let own = self.headers(host);
        self.front.ask(head, Ok(body), &own).await.map(boxed)
    }

    /// The world knows itself by its address, and believes who names another host with the key.
    fn headers(&self, host: &VendorHost) -> [OwnHeader; 2] {
        let account = host.subdomain.as_ref().map(|_| self.names.account);
        [
            ("host", self.address.clone()),
            (HEADER, self.key.header(&host.name, account)),
        ]
    }
}

fn boxed(answer: Response<Content>) -> Response<Body> {
    answer.map(|content| content.map_err(Into::into).boxed_unsync())
}
