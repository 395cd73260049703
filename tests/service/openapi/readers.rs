//! The fields that readers of bodies ask for, as their sources name them: each is described somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::described::DOCUMENT;

/// Every field of every schema that this one is made of.
fn fields(schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(pointer) = schema["$ref"].as_str() {
        let pointer = pointer.strip_prefix('#').unwrap();
        fields(DOCUMENT.pointer(pointer).unwrap(), found);
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        found.insert(name.clone());
        fields(schema, found);
    }
    if schema["items"].is_object() {
        fields(&schema["items"], found);
    }
    for schema in schema["anyOf"].as_array().into_iter().flatten() {
        fields(schema, found);
    }
}

fn described() -> BTreeSet<String> {
    let mut calls = BTreeSet::new();
    let paths = DOCUMENT["paths"].as_object().unwrap().values();
    for operation in paths.flat_map(|methods| methods.as_object().unwrap().values()) {
        let content = &operation["requestBody"]["content"];
        fields(&content["application/json"]["schema"], &mut calls);
    }
    calls
}

/// The sources of readers.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("wire/src"), root.join("http/src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                files.push(path);
            } else if !path.ends_with("wire/src/json") {
                folders.push(path);
            }
        }
    }
    files
}

/// The code of the product, without its tests and comments.
fn code(source: &str) -> String {
    let production = source.split("#[cfg(test)]").next().unwrap();
    let lines = production.lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

/// Returns the names in calls such as `required_string("name")`.
fn asked(source: &str) -> impl Iterator<Item = &str> {
    let calls = ["required_", "optional_", "check_shape"]
        .into_iter()
        .flat_map(move |call| source.split(call).skip(1));
    calls.filter_map(|rest| {
        let (_, argument) = rest.split_once('(')?;
        let argument = argument.trim_start();
        argument.strip_prefix('"')?.split('"').next()
    })
}

#[test]
fn every_field_that_a_parser_reads_is_described() {
    let described = described();
    let mut all = BTreeSet::new();
    for path in sources() {
        let source = fs::read_to_string(path).unwrap();
        all.extend(asked(&code(&source)).map(str::to_owned));
    }
    assert!(all.len() > 40, "{} names were found", all.len());
    let missing: Vec<_> = all.difference(&described).collect();
    assert!(missing.is_empty(), "openapi.json lacks {missing:?}");
}
