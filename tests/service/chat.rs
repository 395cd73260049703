//! The chat interface, one module per operation.

mod canonical;
mod connect;
mod disconnect;
mod left_out;
mod mistakes;
mod order_of_checks;
mod report_delivery;
mod retry;
mod send_message;
mod signature;
mod today;
mod transport;
