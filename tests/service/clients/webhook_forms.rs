//! The forms of webhooks that are kept in `tests/data/webhook_forms`, read by the form parsers of four languages: each makes the
//! same tree of them.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value};

use super::{node_packages, run, scripts};
use crate::support::skip::skipped;

fn folder() -> PathBuf {
    let root = env!("CARGO_MANIFEST_DIR");
    PathBuf::from(root).join("tests/data/webhook_forms")
}

/// The trees that are kept, by the names of the forms.
fn trees() -> Map<String, Value> {
    let mut trees = Map::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "json") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let tree = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            trees.insert(name, tree);
        }
    }
    trees
}

/// The tree with lists instead of objects whose keys count from 0: some languages have one type for both.
fn with_lists(tree: Value) -> Value {
    match tree {
        Value::Object(fields) => {
            let length = fields.len();
            let is_list = (0..length).all(|index| fields.contains_key(&index.to_string()));
            let entries = fields.into_iter().map(|(key, it)| (key, with_lists(it)));
            if is_list {
                let mut items: Vec<(usize, Value)> = entries
                    .map(|(key, item)| (key.parse().unwrap(), item))
                    .collect();
                items.sort_by_key(|(index, _)| *index);
                return items.into_iter().map(|(_, item)| item).collect();
            }
            Value::Object(entries.collect())
        }
        Value::Array(items) => items.into_iter().map(with_lists).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => tree,
    }
}

/// Compares the trees that this program prints with those that are kept.
#[track_caller]
fn reads(command: &mut Command) {
    let output = run(command.arg(folder())).unwrap();
    let printed: Map<String, Value> = serde_json::from_slice(&output.stdout).unwrap();
    let expected = trees();
    assert!(expected.len() >= 14, "{} forms are kept", expected.len());
    let names = |trees: &Map<String, Value>| trees.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&printed), names(&expected));
    for (name, tree) in printed {
        assert_eq!(with_lists(tree), expected[&name], "{name}");
    }
}

/// The command that runs a script; says why it cannot.
fn script(program: &str, arguments: &[&str], name: &str) -> Result<Command, String> {
    run(Command::new(program).args(arguments).arg("--version"))?;
    let mut command = Command::new(program);
    command.args(arguments).arg(scripts("forms").join(name));
    Ok(command)
}

#[test]
fn python_reads_the_forms_of_webhooks() {
    match script("python3", &[], "read.py") {
        Ok(mut python) => reads(&mut python),
        Err(why) => skipped(&why, "apt-get install python3"),
    }
}

#[test]
fn php_reads_the_forms_of_webhooks() {
    match script("php", &[], "read.php") {
        Ok(mut php) => reads(&mut php),
        Err(why) => skipped(&why, "apt-get install php-cli"),
    }
}

#[test]
fn rack_reads_the_forms_of_webhooks() {
    match script("ruby", &["-rrack/utils"], "read.rb") {
        Ok(mut ruby) => reads(&mut ruby),
        Err(why) => skipped(&why, "apt-get install ruby ruby-rack"),
    }
}

#[test]
fn qs_reads_the_forms_of_webhooks() {
    let node = script("node", &[], "read.js");
    match node.and_then(|node| Ok((node, node_packages("unchanged")?))) {
        Ok((mut node, modules)) => reads(node.env("MODULES", modules)),
        Err(why) => skipped(&why, "install Node with npm; fetches from npm"),
    }
}
