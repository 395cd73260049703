//! The sections of the configuration that are no lists, in their order in `config.toml`.

use super::archive::ArchiveKeys;
use super::declaration::{Declared as _, SectionDeclaration};
use super::retention::Retention;
use super::sections::{
    AccountQuotaSettings, Actors, Dispatch, Limits, Log, Media, Operator, Requests, Server, Store,
};
use super::shared_log::SharedLogKeys;

/// All sections that are no lists.
#[must_use]
pub fn sections() -> [SectionDeclaration; 13] {
    [
        Server::DECLARATION,
        Limits::DECLARATION,
        Store::DECLARATION,
        ArchiveKeys::DECLARATION,
        SharedLogKeys::DECLARATION,
        Operator::DECLARATION,
        Actors::DECLARATION,
        Requests::DECLARATION,
        Media::DECLARATION,
        Retention::DECLARATION,
        Dispatch::DECLARATION,
        AccountQuotaSettings::DECLARATION,
        Log::DECLARATION,
    ]
}
