//! The cases, one file each.

use crate::case::Case;

/// Declares the modules of the cases and their list.
macro_rules! cases {
    ($($name:ident),+ $(,)?) => {
        $(mod $name;)+

        /// The cases, in the order of their numbers.
        pub(crate) static CASES: &[Case] = &[$($name::CASE),+];
    };
}

cases! {
    c01_raw_bytes,
    c02_wrong_signature,
    c03_no_signature,
    c04_old_secret,
    c05_upper_case,
    c06_other_account,
    c07_huge_text,
    c08_pieces,
    c09_duplicate,
    c10_twice_at_once,
    c11_answer_lost,
    c12_killed_after_answer,
    c13_killed_before_answer,
    c14_many_at_once,
    c15_slow_outside,
    c16_reordered,
    c17_backlog,
    c18_no_callback,
    c19_unknown,
    c20_optional_fields,
    c21_write_first,
    c22_media,
    c23_media_group,
    c24_quotes_and_reactions,
    c25_buttons,
    c27_hostile_text,
    c28_lost_answer,
    c29_rate_limited,
    c30_outage,
    c31_token_expired,
    c32_two_refreshes,
    c33_revoked,
    c34_unpaid,
    c35_wrong_clock,
    c36_refused_message,
    c37_delivery_statuses,
    c38_rate,
    c39_uninstalled,
    c40_installed_again,
    c41_new_secret,
    c42_killed_often,
    c43_account_block,
    c44_slow_calls,
    c45_hook_again,
    c46_own_message,
    c47_person_answers,
    c48_hostile_keys,
    c49_refused_answer,
    c50_company_and_sorted,
}
