//! The ordered lists. Their numbers and names are stored, so they never change.

use crate::keys;

switchboard_engine::tables! { pub const;
    /// Conversations of an account, newest activity first.
    CONVERSATIONS: 2, "conversations", Often;
    /// Leads of an account by number.
    LEADS: 3, "leads", Often;
    /// Leads of an account by pipeline and stage, newest first.
    LEADS_BY_STAGE: 4, "leads_by_stage", Often;
    /// Contacts of an account by number.
    CONTACTS: 5, "contacts", Often;
    /// Messages that wait for their callback: scope, conversation, number.
    QUEUED: 6, "queued", Often, asked by keys::queue_of_row;
    /// Connected scopes.
    SCOPES: 7, "scopes", Seldom;
    /// Audit entries, newest last: those of the installation, and those of each account.
    AUDIT: 8, "audit", Often;
    /// Messages whose callback was given up or cancelled: fate, scope, conversation, number.
    UNDELIVERED: 9, "undelivered", Seldom;
    /// Messages that account users wrote, by user.
    WRITTEN: 10, "written", Often;
    /// Users by the hashes of their bearer tokens and sessions.
    SECRETS: 11, "secrets", Often, asked by keys::people::hash_of_row;
    /// Leads by user: those that the user answers for, and those whose chat the user follows.
    LEADS_OF: 12, "leads_of", Often;
    /// Contacts by the user who answers for them.
    CONTACTS_OF: 13, "contacts_of", Often;
    /// Conversations by user, newest activity first: those whose lead the user answers for, and those the user follows.
    CONVERSATIONS_OF: 14, "conversations_of", Often;
    /// Chats by the contact that they belong to.
    CHATS_OF: 15, "chats_of", Often;
    /// Files to fetch, by the time from which they may be fetched.
    UNFETCHED: 16, "unfetched", Often;
    /// Conversations of an account with unread messages.
    UNREAD: 18, "unread", Often;
    /// Messages of account users that failed and were not sent again: account, conversation, number.
    FAILED: 19, "failed", Seldom;
    /// Notes about leads, and about contacts, by number.
    NOTES: 20, "notes", Often;
    /// Notes about one lead or contact, by number.
    NOTES_OF: 21, "notes_of", Often;
    /// Contacts by phone number, from its last digit on, and by e-mail address.
    CONTACTS_BY_ADDRESS: 22, "contacts_by_address", Often;
    /// Leads by contact.
    LEADS_OF_CONTACT: 23, "leads_of_contact", Often;
    /// Active users by e-mail address.
    USERS_BY_EMAIL: 24, "users_by_email", Often, asked by keys::people::email_of_row;
    /// Accounts by the OAuth clients that they have installed.
    INSTALLED: 25, "installed", Often;
    /// Reports of uninstallations that wait, by account.
    UNINSTALL_HOOKS: 26, "uninstall_hooks", Often;
    /// Conversations by the phone numbers, from the last digit on, by the e-mail addresses and by the ids of their customers.
    CONVERSATIONS_BY_ADDRESS: 27, "conversations_by_address", Often;
    /// Leads, contacts and notes by the time of their last change, and tasks by the time until which they are to be done.
    BY_CHANGE: 28, "by_change", Often;
    /// Hooks that wait for their delivery: webhook, object, number.
    HOOKS_QUEUED: 29, "hooks_queued", Often;
    /// Hooks by webhook, oldest first.
    HOOKS_OF: 30, "hooks_of", Often;
    /// Leads that users accepted or declined, by the time of their creation.
    SORTED_LEADS: 31, "sorted_leads", Often;
    /// Tasks by lead or contact, by responsible user, and those that are to be done.
    TASKS_OF: 32, "tasks_of", Often;
    /// Snoozed conversations, by the time until which they are.
    SNOOZED: 33, "snoozed", Often;
    /// Scheduled replies that wait, by the time at which they are sent.
    SCHEDULED: 34, "scheduled", Often;
    /// Conversations whose customers wait for an answer, by responsible user; those without one first.
    WAITING: 35, "waiting", Often;
    /// The time of the last assignment by the rule, by user.
    ASSIGNED: 36, "assigned", Often;
    /// Subscriptions of browsers to pushes, by user.
    PUSHES: 37, "pushes", Seldom;
    /// Hooks that relays took and that wait for their delivery: target, conversation, number.
    RELAYS_QUEUED: 38, "relays_queued", Often;
    /// Hooks that relays took, by relay, oldest first.
    RELAYED: 39, "relayed", Often;
    /// Hooks that relays gave up: target, conversation, number.
    RELAYS_DEAD: 40, "relays_dead", Seldom;
}
