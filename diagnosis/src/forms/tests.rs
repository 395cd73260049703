use super::*;

const BODY: &str = r#"{"b":[1,{"t":"Цена <\u2028 a/b\"😀"}],"a":{},"c":[]}"#;

fn has(form: &str) {
    let mut all = forms(BODY.as_bytes());
    assert!(all.any(|known| known == form), "{form}");
}

#[test]
fn each_form_is_written_as_its_library_writes_it() {
    // Python, PHP, Go, Jackson, System.Text.Json.
    has(
        "{\"b\": [1, {\"t\": \"\\u0426\\u0435\\u043d\\u0430 <\\u2028 a/b\\\"\\ud83d\\ude00\"}], \"a\": {}, \"c\": []}",
    );
    has(
        "{\"b\":[1,{\"t\":\"\\u0426\\u0435\\u043d\\u0430 <\\u2028 a\\/b\\\"\\ud83d\\ude00\"}],\"a\":{},\"c\":[]}",
    );
    has("{\"a\":{},\"b\":[1,{\"t\":\"Цена \\u003c\\u2028 a/b\\\"😀\"}],\"c\":[]}\n");
    has(
        "{\"b\":[1,{\"t\":\"\\u0426\\u0435\\u043D\\u0430 <\\u2028 a/b\\\"\\uD83D\\uDE00\"}],\"a\":{},\"c\":[]}",
    );
    has(
        "{\"b\":[1,{\"t\":\"\\u0426\\u0435\\u043D\\u0430 \\u003C\\u2028 a/b\\u0022\\uD83D\\uDE00\"}],\"a\":{},\"c\":[]}",
    );
}

#[test]
fn a_document_is_indented_in_its_own_order_of_keys() {
    let plain = "Цена <\u{2028} a/b\\\"😀";
    has(&format!(
        "{{\n    \"b\": [\n        1,\n        {{\n            \"t\": \"{plain}\"\n        }}\n    ],\n    \"a\": {{}},\n    \"c\": []\n}}"
    ));
    has(&format!(
        "{{\n  \"b\" : [ 1, {{\n    \"t\" : \"{plain}\"\n  }} ],\n  \"a\" : {{}},\n  \"c\" : []\n}}"
    ));
}

#[test]
fn what_is_no_json_has_no_forms() {
    for body in ["", "{", "text", "{\"a\":1}}", "\u{feff}{}"] {
        assert_eq!(forms(body.as_bytes()).count(), 0, "{body:?}");
    }
    assert_eq!(forms(b"\xff{}").count(), 0);
}

#[test]
fn a_field_of_a_document_is_found_as_it_is_written() {
    let compact = compact(BODY);
    assert_eq!(member(&compact, "a"), Some("{}"));
    assert_eq!(member(&compact, "c"), Some("[]"));
    let of_b = "[1,{\"t\":\"Цена <\u{2028} a/b\\\"😀\"}]";
    assert_eq!(member(&compact, "b"), Some(of_b));
    // The field of an object within is none of this one.
    assert_eq!(member(&compact, "t"), None);
    for text in ["", "[]", "{", "{\"a\"", "{\"a\":", "\"a"] {
        assert_eq!(member(text, "a"), None, "{text}");
    }
    assert_eq!(
        tokens("{\"a\":[1.5,true]}").collect::<Vec<_>>(),
        ["{", "\"a\"", ":", "[", "1.5", ",", "true", "]", "}"]
    );
}
