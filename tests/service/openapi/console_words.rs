//! The console has words for what the document names.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::support::server::Server;

fn words(file: &str) -> String {
    source(&format!("words/{file}"))
}

fn source(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src");
    std::fs::read_to_string(path.join(file)).unwrap()
}

/// English is the type of the words, so Russian and Spanish have the same.
#[tokio::test]
async fn each_recorded_operation_has_a_name_in_the_console() {
    let server = Server::start().await;
    let document = server.client().read("/openapi.json").await;
    let names = words("operation-names.en.ts");
    let paths = document["paths"].as_object().unwrap().iter();
    let roots = ["/v2/origin/custom/", "/api/v4/", "/oauth2/"];
    let rows = paths.filter(|(path, _)| roots.iter().any(|root| path.starts_with(root)));
    let operations: BTreeSet<_> = rows
        .flat_map(|(_, methods)| methods.as_object().unwrap().values())
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect();
    assert!(operations.len() > 60, "{operations:?}");
    let nameless: Vec<_> = operations
        .iter()
        .filter(|id| !names.contains(&format!("\n  {id}: '")))
        .collect();
    assert!(nameless.is_empty(), "{nameless:?}");
}

/// English is the type of the words, so Russian and Spanish have the same kinds.
#[tokio::test]
async fn each_kind_of_channel_has_a_name_in_the_console() {
    let server = Server::start().await;
    let document = server.client().read("/openapi.json").await;
    let channel = &document["components"]["schemas"]["Channel"];
    let kinds = channel["properties"]["kind"]["enum"].as_array().unwrap();
    let names = words("kinds.en.ts");
    let (head, _) = names.split_once("};").unwrap();
    let lines = head.lines().filter_map(|line| line.trim().split_once(':'));
    let keys: Vec<_> = lines.map(|(kind, _)| kind).collect();
    assert_eq!(kinds, &keys);
    let console = source("parts/kind.tsx");
    for kind in keys {
        assert!(console.contains(&format!("\n  {kind}: '")), "{kind}");
    }
}

/// The type of the codes names those that the service gives, so Russian and Spanish have a sentence for each.
#[tokio::test]
async fn each_hint_has_a_sentence_in_the_console() {
    let server = Server::start().await;
    let document = server.client().read("/openapi.json").await;
    let words = words("hint-code.ts");
    let (_, union) = words.split_once("export type HintCode =").unwrap();
    let (union, _) = union.split_once(';').unwrap();
    let codes: BTreeSet<_> = union.split('\'').skip(1).step_by(2).collect();
    let mut operations_in_console = BTreeSet::new();
    for name in ["Mistake", "OtherHint"] {
        let schema = &document["components"]["schemas"][name];
        for variant in schema["oneOf"].as_array().unwrap() {
            let Value::String(code) = &variant["properties"]["code"]["const"] else {
                panic!("{variant:#}");
            };
            operations_in_console.insert(code.as_str());
        }
    }
    assert_eq!(codes, operations_in_console);
}

/// Both are maps from texts, so the types of the words notice no missing one. English shows what the service says of a field.
#[tokio::test]
async fn each_error_has_words_in_the_console() {
    let server = Server::start().await;
    let document = server.client().read("/openapi.json").await;
    let error = &document["components"]["schemas"]["ChatError"]["properties"];
    let codes = |schema: &Value| -> Vec<String> {
        let codes = schema["enum"].as_array().expect("a closed list").iter();
        codes.map(|it| it.as_str().unwrap().to_owned()).collect()
    };
    let types = codes(&error["error_type"]);
    assert!(types.len() > 10, "{types:?}");
    let faults = codes(&error["errors"]["items"]["properties"]["code"]);
    for language in ["en", "es", "ru"] {
        let words = words(&format!("requests.{language}.ts"));
        let without_words = |codes: &[String]| -> Vec<String> {
            let codes = codes
                .iter()
                .filter(|it| !words.contains(&format!(" {it}: '")));
            codes.cloned().collect()
        };
        assert_eq!(without_words(&types), [""; 0], "{language}");
        if language != "en" {
            assert_eq!(without_words(&faults), [""; 0], "{language}");
        }
    }
}
