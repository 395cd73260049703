//! Words that look like parts of a form.

use serde_json::Value;

use super::fixture::{Fixture, Words};
use super::golden::forms;
use super::tree::parse;

const NAME: &str = "a&b[c]=d \"q\" 'q' <i> %5B0%5D +1; __proto__[x]=1 \u{e9} \u{1f642}\u{202e} \\";

pub(super) fn fixture() -> Fixture {
    Fixture::new(Words {
        name: NAME,
        text: format!("{NAME}\0\u{1}\r\n\t&account[id]=1&message[add][0][text]=other\u{7f}"),
    })
}

/// The places of a tree, with one word for a name, and one for a text.
fn shape(tree: &Value, words: &Words, place: &str, places: &mut Vec<String>) {
    match tree {
        Value::Object(fields) => {
            for (key, value) in fields {
                shape(value, words, &format!("{place}.{key}"), places);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                shape(item, words, &format!("{place}.{index}"), places);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let value = match tree.as_str().unwrap() {
                value if value == words.name => "NAME",
                value if value == words.text => "TEXT",
                value => value,
            };
            places.push(format!("{place}={value}"));
        }
    }
}

fn shapes(fixture: &Fixture) -> Vec<Vec<String>> {
    let shape_of = |form: Vec<u8>| {
        let mut places = Vec::new();
        shape(&parse(&form), &fixture.words, "", &mut places);
        places
    };
    forms(fixture)
        .into_iter()
        .map(|(_, form)| shape_of(form))
        .collect()
}

#[test]
fn no_word_breaks_the_structure_of_a_form() {
    let (plain, hostile) = (shapes(&Fixture::plain()), shapes(&fixture()));
    assert_eq!(plain, hostile);
    let places = plain.concat();
    assert!(places.iter().any(|place| place.ends_with("=NAME")));
    assert!(places.iter().any(|place| place.ends_with("=TEXT")));
}

#[test]
fn the_longest_text_is_written_whole() {
    let text = "🙂".repeat(16_384);
    let fixture = Fixture::new(Words {
        name: "Grace",
        text: text.clone(),
    });
    let forms = forms(&fixture);
    let (_, form) = forms
        .iter()
        .find(|(name, _)| *name == "incoming_text")
        .unwrap();
    assert_eq!(parse(form)["message"]["add"][0]["text"], text);
}
