//! Every bad body of the table, over HTTP: 400 with all that is wrong with it, and nothing is written.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::team::{self, CLEO, all_rights, create_role, send};
use crate::support::answer::Answer;

const TABLE: &str = include_str!("../../data/bad_account_requests.json");

/// The place at a path such as `rights.status_rights.0.rights`; made if its parent is an object.
fn place<'v>(value: &'v mut Value, path: &str) -> &'v mut Value {
    path.split('.')
        .fold(value, |value, step| match step.parse::<usize>() {
            Ok(index) => &mut value[index],
            Err(_) => &mut value[step],
        })
}

fn body(case: &Value, rights: &Value) -> String {
    if let Some(raw) = case["raw"].as_str() {
        return raw.to_owned();
    }
    if let Some(body) = case.get("body") {
        return body.to_string();
    }
    let role = json!({ "name": "Role", "rights": rights });
    let mut item = match case["operation"].as_str().unwrap() {
        "add users" => {
            json!({ "name": "Bo", "email": "bo@example.com", "password": "aBcde1@345", "rights": rights })
        }
        _ => role,
    };
    for (path, value) in case["set"].as_object().into_iter().flatten() {
        *place(&mut item, path) = value.clone();
    }
    for path in case["remove"].as_array().into_iter().flatten() {
        let path = path.as_str().unwrap();
        let (parent, key) = match path.rsplit_once('.') {
            Some((parent, key)) => (place(&mut item, parent), key),
            None => (&mut item, path),
        };
        assert!(
            parent.as_object_mut().unwrap().remove(key).is_some(),
            "{path}"
        );
    }
    json!([item]).to_string()
}

/// For each wrong item by its name, path and code of all that is wrong with it, sorted.
type Wrong = BTreeMap<String, Vec<(String, String)>>;

fn pairs(list: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut pairs: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (text(&pair[0]), text(&pair[1])))
        .collect();
    pairs.sort();
    pairs
}

fn expected(case: &Value) -> Wrong {
    if let Some(wrong) = case.get("wrong") {
        return Wrong::from([("0".to_owned(), pairs(wrong))]);
    }
    let items = case["items"].as_object().into_iter().flatten();
    items
        .map(|(name, wrong)| (name.clone(), pairs(wrong)))
        .collect()
}

fn found(answer: &Answer) -> Wrong {
    let items = answer.json["validation-errors"].as_array();
    items
        .into_iter()
        .flatten()
        .map(|item| {
            let errors = item["errors"].as_array().unwrap().iter();
            let rows: Vec<Value> = errors
                .inspect(|error| assert!(!error["detail"].as_str().unwrap().is_empty()))
                .map(|error| json!([error["path"], error["code"]]))
                .collect();
            (
                item["request_id"].as_str().unwrap().to_owned(),
                pairs(&json!(rows)),
            )
        })
        .collect()
}

fn is_right(case: &Value, answer: &Answer) -> bool {
    let detail = answer.json["detail"].as_str().unwrap();
    let text = case["detail"]
        .as_str()
        .unwrap_or("Request validation failed");
    answer.status == 400 && detail.contains(text) && found(answer) == expected(case)
}

#[tokio::test]
async fn every_bad_body_is_400_with_every_error_and_writes_nothing() {
    let server = team::start().await;
    let client = server.client();
    let whole = json!({ "name": "Role", "rights": all_rights() });
    let role = create_role(client, &whole).await;
    let users = client.get_as(CLEO, "/api/v4/users").await.is(200).body;
    let table: Value = serde_json::from_str(TABLE).unwrap();
    let cases = table["cases"].as_array().unwrap();
    assert!(cases.len() > 250, "{} cases", cases.len());
    let mut failed = Vec::new();
    for case in cases {
        let (method, target) = match case["operation"].as_str().unwrap() {
            "add users" => ("POST", "/api/v4/users"),
            "activate" => ("POST", "/api/v4/users/activate"),
            "deactivate" => ("POST", "/api/v4/users/deactivate"),
            "add roles" => ("POST", "/api/v4/roles"),
            "edit role" => ("PATCH", "/api/v4/roles/1"),
            other => panic!("there is no operation {other}"),
        };
        let body = body(case, &table["rights"]);
        let answer = send(client, CLEO, method, target, body).await;
        if !is_right(case, &answer) {
            failed.push(format!(
                "{} {}: {} {}",
                case["operation"], case["name"], answer.status, answer.body
            ));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {}\n{}",
        failed.len(),
        cases.len(),
        failed.join("\n")
    );
    let after = client.get_as(CLEO, "/api/v4/users").await.is(200).body;
    assert_eq!(after, users);
    let roles = client.get_as(CLEO, "/api/v4/roles").await.is(200).json;
    assert_eq!(roles["_embedded"]["roles"], json!([role]));
}

#[tokio::test]
async fn the_valid_item_of_the_table_is_valid() {
    let server = team::start().await;
    let client = server.client();
    let table: Value = serde_json::from_str(TABLE).unwrap();
    for (operation, target) in [
        ("add users", "/api/v4/users"),
        ("add roles", "/api/v4/roles"),
    ] {
        let case = json!({ "operation": operation });
        let body = body(&case, &table["rights"]);
        send(client, CLEO, "POST", target, body).await.is(201);
    }
}
