//! What can be set of an account. A field is declared here and nowhere else: bodies, their schema, the options of the
//! command line, the keys of `config.toml` and the audit log follow from it.

use crate::domain::field::{Shape, fields, text_fields};
use crate::domain::text::Name;
use crate::words;

fields! {
    /// What can be set of an account.
    pub struct AccountSettings;
    /// What is to be different of an account; what is `None` stays.
    pub struct AccountChange;

    given {
        name: Name, "The name.", like "Demo";
    }
    usual {
        lang: Lang = Lang::En, "The language of users without one.";
        plan: Plan = Plan::Base, "The plan.";
    }
}

text_fields! {
    Name: Shape::Line(255);
    Lang: Shape::Words(&Lang::WORDS);
    Plan: Shape::Words(&Plan::WORDS);
}

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
