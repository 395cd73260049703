//! The tools of `switchboard dev` beside the service: worlds, and sockets that stand in for the hosts of the counterpart.

use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use switchboard_actors::System;
use switchboard_http::vendor::VendorKey;
use switchboard_http::worlds::TakesOrders;
use switchboard_worlds::dev::vendor_listeners::VendorListeners;
use switchboard_worlds::dev::worlds_key::WorldsKey;
use switchboard_worlds::dev::{VendorServer, VendorSockets, Worlds};

use crate::serve::dev_tools::{DevRound, DevSockets, DevTools};

/// The tools that the command line asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tools {
    /// The sockets for unchanged integrations.
    pub(crate) vendor: VendorListeners,
    /// Prints the variables for them as one JSON document instead of lines for a shell.
    pub(crate) json: bool,
    /// The service stops after the last lease.
    pub(crate) end_with_leases: bool,
    /// The key from which the secrets of worlds follow; `None`: they are random.
    pub(crate) worlds_key: Option<WorldsKey>,
}

impl DevTools for Tools {
    fn listener(&self) -> Option<SocketAddr> {
        self.vendor.tls
    }

    fn open(&self, data: &Path) -> Result<Box<dyn DevSockets>> {
        let vendor = VendorSockets::open(self.vendor, data)?.map(Rc::new);
        Ok(Box::new(Sockets {
            tools: *self,
            vendor,
        }))
    }
}

/// The sockets of a process.
struct Sockets {
    tools: Tools,
    vendor: Option<Rc<VendorSockets>>,
}

impl DevSockets for Sockets {
    fn begin<'s>(&'s self, system: &'s System) -> LocalBoxFuture<'s, Result<Box<dyn DevRound>>> {
        Box::pin(async move {
            let token = hex::encode(system.random());
            let random = || WorldsKey::from_random([system.random(), system.random()]);
            let worlds_key = self.tools.worlds_key.unwrap_or_else(random);
            let key = VendorKey::from_random(system.random());
            let worlds = Worlds::start(token, worlds_key, key.clone()).await?;
            let round: Box<dyn DevRound> = Box::new(Round {
                tools: self.tools,
                vendor: self.vendor.clone(),
                key,
                worlds,
                server: None,
            });
            Ok(round)
        })
    }
}

/// The tools of a round.
struct Round {
    tools: Tools,
    vendor: Option<Rc<VendorSockets>>,
    key: VendorKey,
    worlds: Worlds,
    server: Option<VendorServer>,
}

impl DevRound for Round {
    fn vendor_key(&self) -> Option<VendorKey> {
        self.vendor.as_ref().map(|_| self.key.clone())
    }

    fn orders(&self) -> Arc<dyn TakesOrders> {
        self.worlds.orders()
    }

    fn serve(&mut self, address: SocketAddr, system: &System) -> Result<()> {
        if let Some(sockets) = &self.vendor {
            let (key, worlds) = (self.key.clone(), self.worlds.vendor());
            self.server = Some(sockets.start(address, system.clone(), key, worlds)?);
        }
        Ok(())
    }

    fn rows(&self) -> Vec<[String; 2]> {
        let ways = self.vendor.as_ref().map(|sockets| sockets.environment());
        let hosts = |address: String| format!("{address} for the hosts of the counterpart");
        let proxy = ways.and_then(|ways| ways.proxy());
        let tls = ways.and_then(|ways| ways.tls());
        let proxy = proxy.map(|proxy| ["Proxy".to_owned(), hosts(proxy)]);
        let tls = tls.map(|tls| ["TLS".to_owned(), hosts(tls.to_string())]);
        let worlds_url = format!("{}/worlds for tests", self.worlds.url());
        let worlds = ["Worlds".to_owned(), worlds_url];
        proxy.into_iter().chain(tls).chain([worlds]).collect()
    }

    fn ready(&self, subdomains: &[String]) -> Vec<(String, Value)> {
        let ways = self.vendor.as_ref().map(|sockets| sockets.environment());
        let proxy = ways.map(|ways| ("proxy".to_owned(), ways.document(subdomains)));
        // The token in it makes worlds, which hold nothing but what tests put there.
        let worlds = ("dev".to_owned(), self.worlds.document());
        proxy.into_iter().chain([worlds]).collect()
    }

    fn printed(&self, subdomains: &[String]) -> Option<String> {
        let ways = self.vendor.as_ref()?.environment();
        Some(if self.tools.json {
            format!("{}\n", ways.document(subdomains))
        } else {
            ways.shell(subdomains)
        })
    }

    fn abandoned(&self) -> LocalBoxFuture<'_, ()> {
        if self.tools.end_with_leases {
            Box::pin(self.worlds.abandoned())
        } else {
            Box::pin(std::future::pending())
        }
    }

    fn end_worlds(&mut self) -> LocalBoxFuture<'_, ()> {
        Box::pin(self.worlds.stop())
    }

    fn stop(self: Box<Self>, patience: Duration) -> LocalBoxFuture<'static, ()> {
        Box::pin(async move {
            if let Some(server) = self.server {
                server.stop(patience).await;
            }
        })
    }
}
