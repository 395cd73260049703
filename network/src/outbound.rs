//! Requests that leave the service: callbacks to the integrations and checks of the files that they name, through a
//! guard that keeps requests away from private networks.
//!
//! Every address that an integration configures is untrusted until it is checked, and so is every answer. Three checks
//! follow one another, because each has a gap that the next one closes: [`guard`] checks the spelling of the URL (a
//! resolver is never asked about literal addresses), [`resolver`] checks the addresses of a name at the moment of
//! connecting (a guard cannot know them), and neither [`client`] nor [`connections`] follows redirects or obeys proxies
//! (both would lead to addresses that neither has checked). One pure module, [`address`], decides what may be reached.

pub mod address;
pub mod callback;
pub mod client;
pub mod connections;
pub mod download;
pub mod error;
pub mod excerpt;
pub mod guard;
pub mod lookup;
pub mod pace;
pub mod passage;
pub mod push;
pub mod resolver;
pub mod roots;
#[cfg(test)]
pub(crate) mod scripted_names;
