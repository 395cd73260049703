//! The form of callbacks.

use crate::words;

words! {
    /// The form of the callbacks of a scope; the integration chooses it when it connects.
    #[derive(Default)]
    pub enum HookVersion {
        /// One flat object with the integration's own ids; the default of the interface.
        #[default]
        V1 = "v1",
        /// Nested objects with the ids of both sides.
        V2 = "v2",
    }
}
