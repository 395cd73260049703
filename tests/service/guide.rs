//! `docs/integration.md`: its code runs as it stands there, and its callback bodies are those that the service sends.

mod bodies;
mod bots;
mod fields;
mod signatures;

/// The text of a fenced block of the guide, named by what stands behind the three back-ticks.
pub(crate) fn block(mark: &str) -> &'static str {
    const GUIDE: &str = include_str!("../../docs/integration.md");
    let (_, behind) = GUIDE
        .split_once(&format!("\n```{mark}\n"))
        .unwrap_or_else(|| panic!("docs/integration.md has no block {mark}"));
    behind.split_once("\n```").unwrap().0
}
