//! The load generator beside a service that was built already.

use std::io::Write;
use std::process::ExitCode;

use switchboard_bench::program::{Defaults, run};

fn main() -> ExitCode {
    match run(&Defaults::default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // When this fails too, there is no way left to report it.
            writeln!(std::io::stderr(), "error: {error:#}").unwrap_or_default();
            ExitCode::FAILURE
        }
    }
}
