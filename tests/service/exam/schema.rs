//! The schema of the report for programs.

use jsonschema::Validator;
use serde_json::{Value, json};

use super::exam;
use crate::clients::run;
use crate::support::skip::skipped;

const SCHEMA: &str = include_str!("../../../docs/exam.schema.json");

/// The schema, which here refuses members that it does not name: a new one is to be described.
fn strict_validator() -> Validator {
    let mut schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    close(&mut schema);
    jsonschema::draft202012::new(&schema).unwrap()
}

fn close(schema: &mut Value) {
    if let Some(members) = schema.as_object_mut() {
        if members.get("type") == Some(&json!("object")) {
            members.insert("additionalProperties".to_owned(), json!(false));
        }
        members.values_mut().for_each(close);
    }
}

fn problems(validator: &Validator, document: &Value) -> Vec<String> {
    let errors = validator.iter_errors(document);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn reports_are_as_the_schema_says() {
    if let Err(why) = run(std::process::Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let validator = strict_validator();
    let flags = ["--only", "1,5,9,25", "--waive", "25=no buttons yet"];
    let (document, _) = exam("python3 exam/planted/b09.py", &flags);
    assert_eq!(problems(&validator, &document), [""; 0], "{document:#}");
    let verdicts = document["rules"].as_array().unwrap().iter();
    let verdicts: Vec<&Value> = verdicts.map(|rule| &rule["verdict"]).collect();
    assert_eq!(verdicts, ["holds", "holds", "breaks", "waived"]);
    assert!(document["rules"][1]["remark"].is_string());
    let (untried, _) = exam("false", &["--profile", "both", "--only", "9,38,45"]);
    assert_eq!(untried["counts"]["not_tried"], 3);
    assert_eq!(problems(&validator, &untried), [""; 0], "{untried:#}");

    for (place, wrong) in [
        ("/exam_version", json!(2)),
        ("/counts/holds", json!(-1)),
        ("/counts/breaks", json!("1")),
        ("/rules/0/number", json!(0)),
        ("/rules/0/verdict", json!("passes")),
        ("/rules/0/roles", json!(["gateway"])),
        ("/rules/0/page", json!("docs/exam.md")),
        ("/rules/2/why", json!(null)),
        ("/rules/2/evidence", json!({"journal": [], "output": ""})),
    ] {
        let mut spoilt = document.clone();
        *spoilt.pointer_mut(place).unwrap() = wrong;
        let errors = problems(&validator, &spoilt);
        assert!(
            errors.iter().any(|it| it.starts_with(place)),
            "{place}: {errors:?}"
        );
    }
    // Each verdict has its reason.
    for (index, reason) in [(2, "why"), (3, "reason")] {
        let mut spoilt = document.clone();
        let rule = spoilt["rules"][index].as_object_mut().unwrap();
        rule.remove(reason).unwrap();
        assert_ne!(problems(&validator, &spoilt), [""; 0], "{reason}");
    }
}
