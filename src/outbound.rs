//! What leaves the service: callbacks to the integrations and looks at the files that they name, through a guard that keeps
//! requests away from private networks.
//!
//! Every address that an integration configures is hostile until it is checked, and so is
//! every answer. Three walls stand one behind the other, because each has a hole that the
//! next one closes: [`guard`] looks at the spelling of the URL (a resolver is never asked
//! about literal addresses), [`resolver`] looks at what a name means at the moment of
//! connecting (a guard cannot know that), and [`client`] neither follows redirects nor
//! obeys proxies (both would go somewhere that neither has looked at). What may be reached
//! is decided in one pure place, [`address`].

pub mod address;
pub mod callback;
pub mod client;
pub mod download;
pub mod excerpt;
pub mod failure;
pub mod guard;
pub mod lookup;
pub mod resolver;
pub mod roots;
