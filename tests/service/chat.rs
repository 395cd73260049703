//! The chat interface, one module per operation.

mod connect;
