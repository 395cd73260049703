//! A parser of forms with bracket keys, strict: it accepts only what the writer may write.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::webhook_form::writer::FormWriter;

/// The tree of a form. An object whose keys count from 0 is a list.
pub(super) fn parse(form: &[u8]) -> Value {
    let text = std::str::from_utf8(form).unwrap();
    let mut tree = Map::new();
    for pair in text.split('&') {
        let (key, value) = pair.split_once('=').unwrap();
        let inner = decode(key).replacen('[', "][", 1);
        let keys: Vec<&str> = inner
            .strip_suffix(']')
            .unwrap_or(&inner)
            .split("][")
            .collect();
        put(&mut tree, &keys, decode(value));
    }
    with_lists(Value::Object(tree))
}

fn put(tree: &mut Map<String, Value>, keys: &[&str], value: String) {
    let (first, rest) = keys.split_first().unwrap();
    assert!(!first.is_empty() && !first.contains(['[', ']']), "{keys:?}");
    if rest.is_empty() {
        let before = tree.insert((*first).to_owned(), value.into());
        assert_eq!(before, None, "{keys:?}");
        return;
    }
    let inner = tree.entry(*first).or_insert_with(|| json!({}));
    put(inner.as_object_mut().unwrap(), rest, value);
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let pair = [rest.next().unwrap(), rest.next().unwrap()];
                let digits = std::str::from_utf8(&pair).unwrap();
                assert_eq!(digits, digits.to_uppercase());
                u8::from_str_radix(digits, 16).unwrap()
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => byte,
            _ => panic!("{byte} stands in the form as it is"),
        });
    }
    String::from_utf8(bytes).unwrap()
}

fn with_lists(tree: Value) -> Value {
    let Value::Object(fields) = tree else {
        return tree;
    };
    let length = fields.len();
    let is_list = (0..length).all(|index| fields.contains_key(&index.to_string()));
    let mut entries: Vec<(String, Value)> = fields
        .into_iter()
        .map(|(key, value)| (key, with_lists(value)))
        .collect();
    if is_list {
        entries.sort_by_key(|(key, _)| key.parse::<usize>().unwrap());
        return entries.into_iter().map(|(_, value)| value).collect();
    }
    Value::Object(entries.into_iter().collect())
}

/// Texts of any characters, objects and lists that are not empty.
fn any_tree() -> impl Strategy<Value = Value> {
    let text = proptest::collection::vec(any::<char>(), 0..12)
        .prop_map(|characters| Value::from(characters.into_iter().collect::<String>()));
    text.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..12).prop_map(Value::Array),
            any_object(inner),
        ]
    })
}

fn any_object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    proptest::collection::btree_map("[a-z_]{1,8}", inner, 1..6)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()))
}

fn write(form: &mut FormWriter, key: &str, tree: &Value) {
    match tree {
        Value::Object(fields) => form.within(key, |form| {
            for (key, value) in fields {
                write(form, key, value);
            }
        }),
        Value::Array(items) => form.within(key, |form| {
            for (index, item) in items.iter().enumerate() {
                write(form, &index.to_string(), item);
            }
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            form.put(key, tree.as_str().unwrap())
        }
    }
}

proptest! {
    #[test]
    fn every_tree_is_read_as_it_was_written(tree in any_object(any_tree())) {
        let mut form = FormWriter::default();
        for (key, value) in tree.as_object().unwrap() {
            write(&mut form, key, value);
        }
        prop_assert_eq!(parse(&form.into_bytes()), tree);
    }
}
