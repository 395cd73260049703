//! Callbacks: what account users write, on its way to the integration.

mod disconnected;
mod form;
mod order;
mod reaction;
mod restart;
mod typing;
