use super::*;
use crate::json::node::{DEPTH_MAX, NODES_MAX};

fn reason(body: &[u8]) -> String {
    node::parse(body).unwrap_err().to_string()
}

fn violations<T: std::fmt::Debug>(
    body: &str,
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Vec<(String, ViolationCode)> {
    match read(body.as_bytes(), Nulls::Refused, take).unwrap_err() {
        BodyError::Invalid(violations) => violations
            .kept()
            .iter()
            .map(|violation| (violation.path.clone(), violation.code))
            .collect(),
        BodyError::NotJson(error) => panic!("{body}: {error}"),
    }
}

#[test]
fn invalid_json_is_explained_with_its_position() {
    for (body, expected) in [
        ("", "the body is empty"),
        (" \n ", "the body is empty"),
        (
            "{\"a\":",
            "line 1, column 5: expected a value, the body ends here",
        ),
        ("[1", "line 1, column 2: the body ends inside an array"),
        (
            "{\"a\":1",
            "line 1, column 6: the body ends inside an object",
        ),
        ("\"a", "line 1, column 2: the body ends inside a string"),
        (
            "{\"a\" 1}",
            "line 1, column 6: expected a colon after the key",
        ),
        (
            "[1 2]",
            "line 1, column 4: expected a comma or ] in the array",
        ),
        (
            "{\"a\":1 2}",
            "line 1, column 8: expected a comma or } in the object",
        ),
        ("nul!", "line 1, column 4: expected true, false or null"),
        ("NaN", "line 1, column 1: expected a value"),
        (
            "\"\\x\"",
            "line 1, column 3: expected one of \" \\ / b f n r t u after a backslash",
        ),
        (
            "01",
            "line 1, column 2: expected a number as JSON writes them",
        ),
        ("1e400", "line 1, column 5: the number is too large"),
        (
            "\"a\nb\"",
            "line 2, column 1: expected control characters in a string to be escaped",
        ),
        ("{a:1}", "line 1, column 2: expected a key in double quotes"),
        (
            "\"\\udc00\\ud800\"",
            "line 1, column 7: expected a pair of surrogates in \\u escapes",
        ),
        (
            "[1,]",
            "line 1, column 4: expected no comma before the closing bracket",
        ),
        (
            "{}{}",
            "line 1, column 3: expected nothing after the end of the value",
        ),
        (
            "\"\\ud800\"",
            "line 1, column 8: expected a pair of surrogates in \\u escapes",
        ),
    ] {
        assert_eq!(reason(body.as_bytes()), expected, "{body:?}");
    }
}

#[test]
fn only_text_in_utf_8_without_a_byte_order_mark_is_read() {
    let message = "line 2, column 3: expected text in UTF-8";
    assert_eq!(reason(b"{\n\"a\xff\":1}"), message);
    for body in [&b"\"\xc0\xaf\""[..], b"\"\xed\xa0\x80\"", b"\xff\xfe{\0}\0"] {
        assert!(reason(body).ends_with("expected text in UTF-8"));
    }
    let message = "line 1, column 1: expected no byte order mark";
    assert_eq!(reason("\u{feff}{}".as_bytes()), message);
}

#[test]
fn a_duplicate_key_is_named_with_its_path() {
    let message = "the key a.1.b is given twice";
    assert!(reason(br#"{"a":[0,{"b":1,"c":2,"b":3}]}"#).ends_with(message));
    // The same key, written in two ways.
    assert!(reason(br#"{"\u0061":1,"a":2}"#).ends_with("the key a is given twice"));
    // Case matters, and so does the object.
    assert!(node::parse(br#"{"a":{"a":1},"A":2}"#).is_ok());
}

#[test]
fn a_duplicate_among_many_keys_is_detected() {
    for many in [15, 16, 17, 18, 1_000] {
        let keys: Vec<String> = (0..many).map(|key| format!("\"k{key}\":0")).collect();
        let body = format!("{{{}}}", keys.join(","));
        assert!(node::parse(body.as_bytes()).is_ok(), "{many}");
        for twice in [0, many / 2, many - 1] {
            let body = format!("{{{},\"k{twice}\":0}}", keys.join(","));
            let message = format!("the key k{twice} is given twice");
            assert!(reason(body.as_bytes()).ends_with(&message), "{many}");
        }
    }
}

#[test]
fn a_path_shows_little_of_a_foreign_key() {
    let text = "\u{1b}[31m".to_owned() + &"x".repeat(1_000);
    let key = serde_json::to_string(&text).unwrap();
    let reason = reason(format!("{{{key}:1,{key}:2}}").as_bytes());
    assert!(
        reason.contains("\\u{1b}[31mxxx") && reason.len() < 200,
        "{reason}"
    );
}

#[test]
fn nesting_and_size_are_limited_wherever_they_are() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(node::parse(nested(DEPTH_MAX).as_bytes()).is_ok());
    for depth in [DEPTH_MAX + 1, 128, 100_000] {
        assert!(
            reason(nested(depth).as_bytes()).ends_with("expected at most 16 levels of nesting")
        );
    }
    let objects = "{\"a\":".repeat(17) + "1" + &"}".repeat(17);
    assert!(reason(objects.as_bytes()).ends_with("expected at most 16 levels of nesting"));

    let list = |items: usize| format!("[{}0]", "0,".repeat(items - 1));
    assert!(node::parse(list(NODES_MAX - 1).as_bytes()).is_ok());
    assert!(reason(list(NODES_MAX).as_bytes()).ends_with("expected at most 10000 values"));
}

#[test]
fn strings_are_borrowed_unless_they_hold_escapes() {
    let root = node::parse(r#"["plain é","\u00e9\n"]"#.as_bytes()).unwrap();
    let Node::List(items) = root else {
        panic!("a list")
    };
    assert!(matches!(
        &items[0],
        Node::Text(std::borrow::Cow::Borrowed("plain é"))
    ));
    assert_eq!(items[1], Node::Text("é\n".into()));
}

#[test]
fn integers_are_distinguished_from_other_numbers() {
    let integer = |body: &str| {
        read(body.as_bytes(), Nulls::Refused, |body| {
            body.required_integer("n", i64::MIN..=i64::MAX)
        })
    };
    assert_eq!(integer(r#"{"n":9223372036854775807}"#), Ok(i64::MAX));
    assert_eq!(integer(r#"{"n":-9223372036854775808}"#), Ok(i64::MIN));
    for (number, code) in [
        ("1.0", ViolationCode::InvalidType),
        ("1e3", ViolationCode::InvalidType),
        ("\"1\"", ViolationCode::InvalidType),
        ("true", ViolationCode::InvalidType),
        ("null", ViolationCode::InvalidType),
        ("9223372036854775808", ViolationCode::InvalidValue),
        ("18446744073709551616", ViolationCode::InvalidType),
    ] {
        let body = format!("{{\"n\":{number}}}");
        let problems = violations(&body, |body| {
            body.required_integer("n", i64::MIN..=i64::MAX)
        });
        assert_eq!(problems, [("n".to_owned(), code)], "{number}");
    }
}

#[test]
fn a_number_may_be_whole_and_must_lie_in_its_range() {
    for (number, expected) in [("1", 1.0), ("-1", -1.0), ("0.5", 0.5), ("-0.0", -0.0)] {
        let body = format!("{{\"n\":{number}}}");
        let value = read(body.as_bytes(), Nulls::Refused, |body| {
            body.required_number("n", -1.0..=1.0)
        });
        assert_eq!(value, Ok(expected));
    }
    for number in ["1.0000001", "-2", "18446744073709551616", "-1e300"] {
        let body = format!("{{\"n\":{number}}}");
        let problems = violations(&body, |body| body.required_number("n", -1.0..=1.0));
        assert_eq!(problems, [("n".to_owned(), ViolationCode::InvalidValue)]);
    }
}

#[test]
fn every_wrong_field_is_reported_at_once_with_its_path() {
    let body = r#"{"s":1,"o":{"b":"true","i":10,"p":"x"},"l":[{"c":"z"},7,{"c":"a","x":0}],"u":0}"#;
    let problems: Vec<String> = violations(body, |body| {
        body.refuse_unknown(&["s", "o", "l", "m"]);
        body.required_string("s");
        body.required_string("m");
        body.optional_string("absent");
        let inner = body.required_object("o")?;
        inner.optional_bool("b");
        inner.optional_integer("i", 0..=9);
        inner.required_parsed::<crate::domain::id::AccountId>("p");
        inner.required_list("list");
        for item in body.required_list("l")?.objects() {
            item.refuse_unknown(&["c"]);
            item.required_choice("c", &[("a", 1), ("b", 2)]);
        }
        Some(())
    })
    .iter()
    .map(|(path, code)| format!("{path} {code}"))
    .collect();
    assert_eq!(
        problems,
        [
            "u InvalidValue",
            "s InvalidType",
            "m FieldMissing",
            "o.b InvalidType",
            "o.i InvalidValue",
            "o.p InvalidValue",
            "o.list FieldMissing",
            "l.0.c NotSupportedChoice",
            "l.1 InvalidType",
            "l.2.x InvalidValue",
        ]
    );
}

#[test]
fn null_is_a_wrong_type_or_absent_as_configured() {
    let body = r#"{"a":null,"b":null}"#;
    let problems = violations(body, |body| {
        body.required_string("a");
        body.optional_bool("b");
        Some(())
    });
    let wrong = |path: &str| (path.to_owned(), ViolationCode::InvalidType);
    assert_eq!(problems, [wrong("a"), wrong("b")]);

    let problems = violations(body, |body| {
        let body = body.with_nulls(Nulls::Absent);
        body.required_string("a");
        assert_eq!(body.raw("b"), Some(&Node::Null));
        body.optional_bool("b");
        Some(())
    });
    assert_eq!(problems, [("a".to_owned(), ViolationCode::FieldMissing)]);
}

#[test]
fn a_body_that_is_no_object_is_refused_as_a_whole() {
    for body in ["[]", "[[]]", "null", "true", "1", "\"x\""] {
        let problems = violations(body, |_| Some(()));
        assert_eq!(
            problems,
            [(String::new(), ViolationCode::InvalidType)],
            "{body}"
        );
    }
}

#[test]
fn a_value_without_any_report_is_needed_to_pass() {
    let refusal = read(b"{}", Nulls::Refused, |_| None::<()>);
    assert_eq!(refusal, Err(BodyError::Invalid(Violations::default())));
}
