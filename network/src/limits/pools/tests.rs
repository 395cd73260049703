use super::*;

/// The machine of the page: what the unit of systemd lets the service open, and 8 GiB of memory.
const USUAL: Machine = Machine {
    descriptors: 65_536,
    memory: 8 << 30,
};
const PAGE: &str = include_str!("../../../../docs/limits.md");

/// The two tables of the page: the numbers, and what they mean.
fn tables(pools: &Pools) -> String {
    let mut numbers = String::from(
        "| Pool | Size | Without credentials | One address | One user | One account |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let mut meanings = String::from("| Pool | What it has | When it is full |\n|---|---|---|\n");
    for pool in pools.all() {
        let [name, cells @ ..] = pool.cells();
        numbers.push_str(&format!("| `{name}` | {} |\n", cells.join(" | ")));
        meanings.push_str(&format!("| `{name}` | {}. | {}. |\n", pool.what, pool.room));
    }
    format!("{numbers}\n{meanings}")
}

#[test]
fn the_page_of_limits_has_the_table_of_the_code() {
    let tables = tables(&Pools::new(&PoolSettings::default(), USUAL));
    for table in tables.split("\n\n") {
        assert!(
            PAGE.contains(table),
            "docs/limits.md needs this table:\n\n{table}\n"
        );
    }
    let pools = Pools::new(&PoolSettings::default(), USUAL);
    let names = pools.all().into_iter().flat_map(|pool| pool.settings);
    let missing: Vec<_> = names
        .filter(|it| !PAGE.contains(&format!("`{it}`")))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/limits.md does not name {missing:?}"
    );
}

/// The share holds with any settings and on any machine, however small.
#[test]
fn the_share_of_an_address_is_at_most_a_quarter() {
    let configured = PoolSettings {
        connections_max: 500_000,
        connections_per_address_max: 400_000,
        bodies_awaited_max: 0,
        bodies_awaited_per_address_max: 900_000,
        ..PoolSettings::default()
    };
    for settings in [PoolSettings::default(), configured] {
        for descriptors in [64, 1_024, 20_000, u64::MAX] {
            for memory in [64 << 20, 1 << 30, u64::MAX] {
                let machine = Machine {
                    descriptors,
                    memory,
                };
                let pools = Pools::new(&settings, machine);
                let shares = pools.all().into_iter();
                for (share, size) in shares.filter_map(|pool| Some((pool.address?, pool.size))) {
                    assert!(share > 0 && share * 4 <= size, "{machine:?}: {pools:?}");
                }
                let open = pools.connections.size + pools.accepted_beyond + pools.callbacks.size;
                assert!(descriptors < 1_024 || u64::try_from(open).unwrap() < descriptors);
            }
        }
    }
}

#[test]
fn pools_follow_the_machine() {
    let small = Machine {
        descriptors: 1_024,
        memory: 512 << 20,
    };
    let two_workers = PoolSettings {
        workers: 2,
        ..PoolSettings::default()
    };
    let pools = Pools::new(&two_workers, small);
    assert_eq!(pools.connections.size, 687);
    assert_eq!(pools.connections.address, Some(171));
    assert_eq!(
        pools.proven_bodies.size, 256,
        "at most a quarter of the memory"
    );
    let set = PoolSettings {
        connections_max: 1_000,
        connections_per_address_max: 205,
        ..PoolSettings::default()
    };
    let pools = Pools::new(&set, USUAL);
    assert_eq!(
        (pools.connections.size, pools.connections.address),
        (1_000, Some(205))
    );
}
