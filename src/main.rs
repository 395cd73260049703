//! The `switchboard` program; everything it does is in the library.

use std::process::ExitCode;

/// A message is made on one thread, written by a second and indexed by a third: memory that is freed where it was not
/// taken costs the system's allocator a lock.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    switchboard::cli::run(switchboard::serve::run)
}
