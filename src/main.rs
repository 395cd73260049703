//! The `switchboard` program; everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    switchboard::cli::run(switchboard::serve::run)
}
