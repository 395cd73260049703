//! The metrics of the pools that clients share.

use super::{Page, Written, wide};
use crate::state::AppState;
use switchboard_gate::limits::PoolUse;
use switchboard_network::limits::pools::Pools;

/// The pools at the moment of a scrape.
#[derive(Debug)]
pub(super) struct PoolsRead {
    pools: Pools,
    uses: Vec<(&'static str, PoolUse)>,
}

impl PoolsRead {
    pub(super) fn new(state: &AppState) -> Self {
        let pools = *state.limits().pools();
        let (uploads, decodes) = state.media().in_use();
        let pool_use = |in_use| PoolUse {
            in_use,
            ..PoolUse::default()
        };
        let mut uses = Vec::from(state.limits().uses());
        uses.push((pools.uploads.name, pool_use(uploads)));
        uses.push((pools.decodes.name, pool_use(decodes)));
        Self { pools, uses }
    }

    /// Writes their lines. Pools whose use is counted elsewhere have their size only.
    pub(super) fn write(&self, page: &mut Page<'_>, callbacks: usize) -> Written {
        let sizes: Vec<_> = self
            .pools
            .all()
            .map(|pool| (pool.name, wide(pool.size)))
            .into();
        page.gauges(
            "pool_size",
            "Size of a pool that clients share",
            "pool",
            &sizes,
        )?;
        let of_uses = |count: fn(&PoolUse) -> u64| -> Vec<(&str, u64)> {
            let uses = self.uses.iter();
            uses.map(|(name, of_pool)| (*name, count(of_pool)))
                .collect()
        };
        let mut in_use = of_uses(|of_pool| wide(of_pool.in_use));
        in_use.push((self.pools.callbacks.name, wide(callbacks)));
        page.gauges(
            "pool_in_use",
            "Places of a pool that are taken",
            "pool",
            &in_use,
        )?;
        page.counts(
            "pool_refused",
            "Requests and connections refused because a pool or a share of it was full",
            "pool",
            &of_uses(|of_pool| of_pool.refused),
        )?;
        page.counts(
            "pool_given_up",
            "Connections, bodies and sign-ins given up to make room for others",
            "pool",
            &of_uses(|of_pool| of_pool.given_up),
        )
    }
}
