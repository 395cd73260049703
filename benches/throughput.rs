//! The whole service under load, with the program that was just built.
//!
//! `cargo bench --bench throughput` measures everything in about ten minutes; `-- --connections 64 --conversations 1000`
//! chooses, `-- --quick` takes seconds, `-- --json FILE --plot FILE.svg` writes the figures down.

use std::path::Path;

use anyhow::Result;
use switchboard_bench::program::{Defaults, run};

fn main() -> Result<()> {
    run(&Defaults {
        service: Some(Path::new(env!("CARGO_BIN_EXE_switchboard"))),
        // Below the build directory, so on a real disk.
        directory: Some(Path::new(env!("CARGO_TARGET_TMPDIR"))),
    })
}
