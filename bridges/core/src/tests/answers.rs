use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::answer::{Answer, Verdict};
use crate::dates::read_date;
use crate::signature::{is_signed, is_uninstall_signed, sign};

fn answer(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> Answer {
    let headers = headers.iter().map(|(name, value)| {
        let name = HeaderName::from_static(name);
        (name, HeaderValue::from_static(value))
    });
    Answer::new(status, headers.collect::<HeaderMap>(), body.into())
}

#[test]
fn a_pause_is_a_number_or_a_date() {
    let now = read_date("Mon, 30 Nov 2026 12:00:00 GMT").unwrap();
    let pause = |value| answer(429, &[("retry-after", value)], "").retry_after(now);
    assert_eq!(pause("7"), Some(Duration::from_secs(7)));
    let date = "Mon, 30 Nov 2026 12:00:09 GMT";
    assert_eq!(pause(date), Some(Duration::from_secs(9)));
    // At most an hour, and never a pause that is over.
    assert_eq!(pause("99999999"), Some(Duration::from_secs(3_600)));
    for none in ["0", "-5", "soon", "Mon, 30 Nov 2026 11:00:00 GMT"] {
        assert_eq!(pause(none), None, "{none}");
    }
    assert_eq!(answer(429, &[], "").retry_after(now), None);
}

#[test]
fn an_answer_says_whether_a_repeat_would_help() {
    let verdict = |status| answer(status, &[("content-type", "application/json")], "{}").verdict();
    for status in [401, 402, 403, 408, 425, 429, 500, 503] {
        assert_eq!(verdict(status), Verdict::Again, "{status}");
    }
    for status in [400, 404, 409, 422] {
        assert_eq!(verdict(status), Verdict::Refused, "{status}");
    }
    assert_eq!(verdict(200), Verdict::Done);
    // The page of a gateway.
    let page = answer(200, &[("content-type", "text/html")], "<p>");
    assert_eq!(page.verdict(), Verdict::Again);
}

#[test]
fn a_signature_is_of_the_secret_and_of_each_byte() {
    // The second test case of RFC 2202.
    let data = b"what do ya want for nothing?";
    let digits = "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79";
    assert_eq!(sign("Jefe", data), digits);
    assert!(is_signed("Jefe", data, digits));
    assert!(!is_signed("jefe", data, digits));
    assert!(!is_signed("Jefe", b"what do ya want for nothing!", digits));
    for cut in [0, 2, 39] {
        assert!(!is_signed("Jefe", data, digits.get(..cut).unwrap()));
    }
    // The second test case of RFC 4231.
    let digits = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    let text = str::from_utf8(data).unwrap();
    assert!(is_uninstall_signed("Jefe", text, digits));
    assert!(!is_uninstall_signed("jefe", text, digits));
}
