//! The account of a form. It comes first: there are receivers that take the second key for the object.

use crate::domain::id::AccountNumber;
use crate::domain::installation::accounts::subdomain::Subdomain;
use crate::webhook_form::writer::FormWriter;

/// The account that a hook is about.
#[derive(Clone, Copy, Debug)]
pub struct HookAccount<'c> {
    /// Its number, which is `account_id` everywhere in the account's interface.
    pub number: AccountNumber,
    /// Its subdomain.
    pub subdomain: &'c Subdomain,
    /// The address at which programs reach it, without a slash at the end: `https://northwind.amocrm.ru`.
    pub link: &'c str,
}

impl HookAccount<'_> {
    pub(super) fn write(&self, form: &mut FormWriter) {
        form.within("account", |form| {
            form.put("subdomain", self.subdomain);
            form.put("id", self.number);
            form.within("_links", |form| form.put("self", self.link));
        });
    }
}
