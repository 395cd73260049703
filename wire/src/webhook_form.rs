//! The webhooks of an account: the events that a record causes, and their forms, byte for byte.
//!
//! [`hooks_of_crm`], [`hooks_of_conversation`] and [`hook_of_template`] say which events a record causes. A [`Hook`] is one event with one item;
//! [`Hook::form`] writes it. Both are pure: what a record does not carry stands in a context, which the caller fills.
//!
//! The form is `application/x-www-form-urlencoded` with the bracket keys of PHP:
//!
//! * The account comes first, then the item as `<object>[<event>][0]`, or `add[0]` for a template. One form has one event and one item.
//! * Each object writes its keys in one order, which its file has from top to bottom.
//! * Letters, digits, `-`, `.` and `_` stand for themselves, a space is `+`, and each other byte of UTF-8 is `%` with two digits in
//!   upper case, in keys too. So no name or text can end a key or a value.
//! * Each value is a text. True is `1`, false is `0`, a time is in seconds. A key without a value is left out, but for the texts that
//!   receivers expect: they are empty.
//! * `0` stands for no user.
//!
//! Events that nothing here causes have no form: leads, contacts and tasks are not deleted and restored, and there are no
//! companies and customers.

mod account;
mod contact;
mod context;
mod conversation_hooks;
mod crm_hooks;
mod hook;
mod incoming;
mod lead;
mod message;
mod note;
mod outgoing;
mod talk;
mod task;
mod template;
mod template_hooks;
mod unsorted;
mod values;
mod writer;

pub use self::account::HookAccount;
pub use self::context::{
    ChatContext, ConversationContext, CrmContext, CustomerMessage, MessageWriter,
};
pub use self::conversation_hooks::hooks_of_conversation;
pub use self::crm_hooks::hooks_of_crm;
pub use self::hook::Hook;
pub use self::template_hooks::hook_of_template;

#[cfg(test)]
mod tests;
