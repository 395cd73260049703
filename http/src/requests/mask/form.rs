//! Secrets in forms and queries.

use url::form_urlencoded;

use super::{MARK, note};
use crate::requests::operations::FieldNames;

/// A form whose secrets are replaced; all else is as it was sent.
pub(super) fn masked(form: &str, fields: &FieldNames, seen: &mut Vec<String>) -> String {
    let pairs = form.split('&').map(|pair| {
        let (written, _) = pair.split_once('=').unwrap_or((pair, ""));
        let mut pairs = form_urlencoded::parse(pair.as_bytes());
        match pairs.next() {
            Some((name, value)) if fields.is_secret(&name) => {
                note(seen, &value);
                format!("{written}={MARK}")
            }
            Some(_) | None => pair.to_owned(),
        }
    });
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::operations;

    #[test]
    fn secrets_of_a_form_are_replaced_by_decoded_names() {
        let fields = &operations::fields(None).sent;
        let mut secrets = Vec::new();
        let form = "a=1&%63ode=can%61ry&&user[password]=second&code&client_secret=third=x&b";
        let masked = masked(form, fields, &mut secrets);
        assert_eq!(
            masked,
            "a=1&%63ode=***&&user[password]=***&code=***&client_secret=***&b"
        );
        assert_eq!(secrets, ["canary", "second", "third=x"]);
    }
}
