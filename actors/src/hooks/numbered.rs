//! The hooks of a record that a webhook hears of, each with its number and its form.

use crate::domain::hooks::hook::HookNumber;
use crate::domain::id::SubscriptionId;
use switchboard_engine::store::Seq;

/// A hook that a webhook hears of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbered<'h, H> {
    pub(super) number: HookNumber,
    pub(super) hook: &'h H,
    pub(super) webhooks: Vec<SubscriptionId>,
    pub(super) form: String,
}

/// The hooks of a record that have receivers. A hook is numbered by its place among all hooks of the record, since ids follow
/// from the number; its form is written only if there is a receiver.
pub(super) fn numbered<H>(
    hooks: &[H],
    record: Seq,
    receivers: impl Fn(&H) -> Vec<SubscriptionId>,
    form: impl Fn(&H) -> Option<String>,
) -> Vec<Numbered<'_, H>> {
    let numbers = (0..).map_while(|place| HookNumber::new(record, place));
    let with_numbers = numbers.zip(hooks);
    let heard = with_numbers.filter_map(|(number, hook)| {
        let webhooks = receivers(hook);
        let form = (!webhooks.is_empty()).then(|| form(hook)).flatten()?;
        Some(Numbered {
            number,
            hook,
            webhooks,
            form,
        })
    });
    heard.collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn only_receivers_get_forms_and_all_hooks_are_counted() {
        let count = Cell::new(0);
        let form = |hook: &&str| {
            count.set(count.get() + 1);
            Some(format!("form of {hook}"))
        };
        let receivers = |hook: &&str| match *hook {
            "update" => Vec::new(),
            _ => vec![SubscriptionId(7)],
        };
        let hooks = numbered(&["add", "update", "delete"], Seq(5), receivers, form);
        assert_eq!(count.get(), 2);
        let numbers: Vec<_> = hooks
            .iter()
            .map(|it| (it.number, it.form.as_str()))
            .collect();
        assert_eq!(
            numbers,
            [
                (HookNumber::new(Seq(5), 0).unwrap(), "form of add"),
                (HookNumber::new(Seq(5), 2).unwrap(), "form of delete"),
            ]
        );
    }

    #[test]
    fn hooks_behind_the_last_number_are_left_out() {
        let hooks = numbered(
            &[(); 9],
            Seq(1),
            |()| vec![SubscriptionId(1)],
            |()| Some(String::new()),
        );
        assert_eq!(hooks.len(), 8);
    }
}
