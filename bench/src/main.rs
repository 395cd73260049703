//! The load generator beside a service that was built already.

use std::io::Write;
use std::process::ExitCode;

use switchboard_bench::program::{Defaults, run};

fn main() -> ExitCode {
    match run(&Defaults::default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to be told when this fails, too.
            writeln!(std::io::stderr(), "error: {error:#}").unwrap_or_default();
            ExitCode::FAILURE
        }
    }
}
