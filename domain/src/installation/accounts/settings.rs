//! The settings of an account. Each field is declared only here. Bodies, their schema, the options of the command line,
//! the keys of `config.toml` and the audit log follow from it.

use crate::account_quota::{AccountQuotas, QuotaSize};
use crate::crm::predefined_field::{FieldIds, PredefinedField};
use crate::field::{Shape, fields, number_fields, text_fields};
use crate::id::FieldId;
use crate::installation::accounts::subdomain::Subdomain;
use crate::text::Name;
use crate::words;

fields! {
    /// The settings of an account.
    pub struct AccountSettings;
    /// The changes of an account; a field that is `None` stays.
    pub struct AccountChange;

    given {
        name: Name, "The name.", like "Demo";
    }
    optional {
        lang: Lang = Lang::En, "The language of users without one.";
        plan: Plan = Plan::Base, "The plan.";
        subdomain: Option<Subdomain> = None,
            "The label of the account's host in the counterpart's form, before the first dot; no other account has it.",
            null "for «account» and the account's number" as "default";
        phone_field_id: FieldId = PredefinedField::Phone.usual_id(),
            "The number of the custom field with the phone number of a contact.";
        email_field_id: FieldId = PredefinedField::Email.usual_id(),
            "The number of the custom field with the e-mail address of a contact.";
        messages_per_day: Option<QuotaSize> = None,
            "The maximum number of messages that the account stores per day (UTC); 0 for no limit.",
            null "for the default in account_quotas" as "default";
        messages_per_month: Option<QuotaSize> = None,
            "The maximum number of messages that the account stores per month (UTC); 0 for no limit.",
            null "for the default in account_quotas" as "default";
        bot_messages_per_month: Option<QuotaSize> = None,
            "The maximum number of messages that programs send to talks of the account as bots per month (UTC); 0 for no limit.",
            null "for the default in account_quotas" as "default";
        storage_bytes: Option<QuotaSize> = None,
            "The maximum size of the account's messages and files, in bytes; 0 for no limit.",
            null "for the default in account_quotas" as "default";
    }
}

impl AccountSettings {
    /// The numbers of the fields of contacts.
    #[must_use]
    pub fn field_ids(&self) -> FieldIds {
        FieldIds {
            phone: self.phone_field_id,
            email: self.email_field_id,
        }
    }

    /// The quotas of an account: its own, else these.
    #[must_use]
    pub fn quotas(&self, default: &AccountQuotas) -> AccountQuotas {
        let own = |own: Option<QuotaSize>, usual| own.map_or(usual, |size| size.0);
        AccountQuotas {
            messages_per_day: own(self.messages_per_day, default.messages_per_day),
            messages_per_month: own(self.messages_per_month, default.messages_per_month),
            bot_messages_per_month: own(
                self.bot_messages_per_month,
                default.bot_messages_per_month,
            ),
            storage_bytes: own(self.storage_bytes, default.storage_bytes),
        }
    }
}

text_fields! {
    Name: Shape::Line(255);
    Lang: Shape::Words(&Lang::WORDS);
    Plan: Shape::Words(&Plan::WORDS);
    Subdomain: Shape::Text;
}

number_fields!(FieldId);

words! {
    /// A language of the service.
    pub enum Lang {
        /// English.
        En = "en",
        /// Spanish.
        Es = "es",
        /// Russian.
        Ru = "ru",
    }
    /// The plan of an account.
    pub enum Plan {
        /// At most 100 users can be added; no user can be activated or deactivated.
        Base = "base",
        /// No such limits.
        Enterprise = "enterprise",
    }
}
