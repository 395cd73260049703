//! What leads are called in the account, by language, in the counterpart's form.

view! {
    #[schemars(inline)]
    pub(super) struct EntityNames() {
        leads: ByLanguage = ByLanguage::of(),
    }

    #[schemars(inline)]
    struct ByLanguage() {
        en: Names = Names::of("n", "Lead", "Leads"),
        es: Names = Names::of("m", "Lead", "Leads"),
        ru: Names = Names::of("f", "Сделка", "Сделки"),
    }

    #[schemars(inline)]
    struct Names(gender: &'static str, one: &'static str, many: &'static str) {
        gender: &'static str = gender,
        singular_form: Form = Form::of(one),
        plural_form: Form = Form::of(many),
    }

    #[schemars(inline)]
    struct Form(name: &'static str) {
        default: &'static str = name,
    }
}
