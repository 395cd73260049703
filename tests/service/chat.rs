//! The chat interface, one module per operation.

mod canonical;
mod connect;
mod delivery_status;
mod disconnect;
mod mistakes;
mod order_of_checks;
mod retry;
mod send_message;
mod signature;
mod today;
mod transport;
