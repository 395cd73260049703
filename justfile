# One recipe for each task; `just` alone lists them. What `.ci/run` runs as well is a file in .ci/steps.

set positional-arguments

_list:
    @just --list --unsorted

# Starts the service with the shipped configuration.
run *arguments:
    cargo run -- "$@"

# Builds the service.
build:
    cargo build

# Checks that everything compiles: the quick answer while you write.
check:
    cargo check --workspace --all-targets

# Runs all tests, or those that the arguments of cargo select: `just test --lib`.
test *arguments:
    .ci/steps/test "$@"

# Runs the tests of one program whose path has these words: `just one service console::`.
one program words:
    .ci/steps/test --test "$1" -- "$2" --nocapture

# Checks the conventions of the project: names, texts, documents, sizes of files.
rules:
    .ci/steps/test --test project

# Builds all tests.
build-tests:
    .ci/steps/build-tests

# Formats all Rust sources.
fmt:
    cargo fmt --all
    rustfmt --edition 2024 exam/src/cases/*.rs

# Checks format, spelling, lints and the walls between crates.
lint: format spelling
    .ci/steps/lint
    .ci/steps/lint-release
    .ci/steps/walls

# Checks the format of all Rust sources.
format:
    .ci/steps/format

# Checks the spelling of sources and texts.
spelling:
    .ci/steps/spelling

# Checks the service without the tools for tests.
without-tools:
    .ci/steps/without-tools

# Checks licences and sources of the dependencies.
licences:
    .ci/steps/licences

# Checks the types of the console, and that the embedded console is built from its sources.
console:
    .ci/steps/console

# Shows the console of `ui/` in a browser and follows changes; `just run` serves the data beside it.
ui:
    npm ci --prefix ui --no-audit --no-fund
    npm run dev --prefix ui

# Builds the embedded console anew.
ui-build:
    npm run build --prefix ui

# Plays queues and waiters in every interleaving of their threads, with this many preemptions: `just interleavings 3 relay`.
interleavings preemptions='2' words='':
    .ci/steps/interleavings "$1" "$2"

# Fuzzes every parser for this many seconds, or one of them: `just fuzz 60 signature`.
fuzz seconds='60' target='all':
    .ci/steps/fuzz "$1" "$2"

# Runs one benchmark: `just bench micro`. docs/performance.md says what each measures.
bench name *arguments:
    cargo bench --workspace --bench "$@"

# Runs every benchmark for a moment, to see that it works.
bench-smoke:
    .ci/steps/bench-smoke

# Builds the documentation of the code.
docs:
    .ci/steps/docs

# Installs what the tests need beyond Rust, on Debian.
install:
    .ci/steps/install

# Runs a check before each commit from now on: format, spelling and the rules of the project.
hooks:
    git config core.hooksPath .githooks

# Looks for rare faults, for hours.
long *steps:
    tests/long "$@"

# Runs everything that must hold before a change lands.
ci:
    .ci/run
