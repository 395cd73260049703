//! The `switchboard` program; everything it does is in the library.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    switchboard::cli::run(|_settings, _options| {
        writeln!(
            std::io::stderr(),
            "error: this build holds the client commands only"
        )
        .unwrap_or_default();
        ExitCode::FAILURE
    })
}
