//! The words for leads in the account, by language, in the counterpart's form.

view! {
    #[schemars(inline)]
    pub(super) struct EntityNames() {
        leads: ByLanguage = ByLanguage::new(),
    }

    #[schemars(inline)]
    struct ByLanguage() {
        en: Names = Names::new("n", "Lead", "Leads"),
        es: Names = Names::new("m", "Lead", "Leads"),
        ru: Names = Names::new("f", "Сделка", "Сделки"),
    }

    #[schemars(inline)]
    struct Names(gender: &'static str, one: &'static str, many: &'static str) {
        gender: &'static str = gender,
        singular_form: Form = Form::new(one),
        plural_form: Form = Form::new(many),
    }

    #[schemars(inline)]
    struct Form(name: &'static str) {
        default: &'static str = name,
    }
}
