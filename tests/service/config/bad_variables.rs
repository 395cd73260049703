//! Invalid environment variables, and their error messages.

use switchboard::config::{Overrides, SHIPPED};

use crate::config::refused;

/// Variables of the environment, and what the answer must say.
const BAD_VARIABLES: &[(&str, &str, &[&str])] = &[
    (
        "SWITCHBOARD_SERVER__LISEN",
        "x",
        &[
            "unknown variable SWITCHBOARD_SERVER__LISEN",
            "SWITCHBOARD_SERVER__LISTEN?",
        ],
    ),
    (
        "SWITCHBOARD_SERVR__LISTEN",
        "x",
        &[
            "unknown variable SWITCHBOARD_SERVR__LISTEN",
            "SWITCHBOARD_SERVER",
        ],
    ),
    (
        "SWITCHBOARD_SERVER__",
        "x",
        &["unknown variable SWITCHBOARD_SERVER__"],
    ),
    (
        "SWITCHBOARD_SERVER__WORKERS",
        "many",
        &["SWITCHBOARD_SERVER__WORKERS = \"many\" is not a whole number"],
    ),
    (
        "SWITCHBOARD_SERVER__SIGNATURE_HINTS",
        "on",
        &[
            "SWITCHBOARD_SERVER__SIGNATURE_HINTS = \"on\"",
            "true or false",
        ],
    ),
    (
        "SWITCHBOARD_SERVER__LISTEN__X",
        "1",
        &["`listen` is no section"],
    ),
    (
        "SWITCHBOARD_CHANNELS__1__SECRET",
        "x",
        &[
            "the file declares 1 of `channels`, counted from 0",
            "SWITCHBOARD_CHANNELS__0__SECRET",
        ],
    ),
    ("SWITCHBOARD_CHANNELS__0", "x", &["declare it in the file"]),
    (
        "SWITCHBOARD_CHANNELS__0__SECRT",
        "x",
        &["SWITCHBOARD_CHANNELS__0__SECRET?"],
    ),
    (
        "SWITCHBOARD_CHANNELS__SECRET",
        "x",
        &["declare it in the file"],
    ),
    (
        "SWITCHBOARD_OPERATOR__TOKEN",
        "hunter 2",
        &["SWITCHBOARD_OPERATOR__TOKEN cannot be a bearer token"],
    ),
];

#[test]
fn a_bad_variable_is_refused_with_its_name_and_remedy() {
    for (name, value, fragments) in BAD_VARIABLES {
        let errors = refused(SHIPPED, &[(name, value)], Overrides::default());
        for fragment in *fragments {
            assert!(
                errors.contains(fragment),
                "{name} is answered without {fragment:?}:\n{errors}"
            );
        }
        assert!(!errors.contains("hunter"), "{errors}");
    }
}
