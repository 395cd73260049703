use serde_json::json;

use super::*;
use crate::body;
use crate::body::value::{List, Number, Unread, Whole};
use crate::domain::account::role::RoleFields;
use crate::domain::violation::ViolationCode;

body!(
    #[body(check(check_pair(left)))]
    struct Sample {
        /// The first
        /// of two lines.
        left: Option<Number>,
        right: Option<Number>,
        #[body(needed)]
        owner: Option<Number>,
        #[body(null, secret)]
        code: Option<String>,
        #[body(null, needed)]
        before: Option<Number>,
        #[body(default(5))]
        count: Whole<1, 9>,
        #[body(key("type"))]
        kind: String,
        items: Option<List<Part, 2>>,
        apart: Option<Unread<Part>>,
        #[body(flatten)]
        part: Part,
        #[body(given(New))]
        fields: RoleFields,
    }

    #[derive(Debug)]
    #[body(open, lenient)]
    struct Part {
        flag: Option<bool>,
    }
);

fn check_pair(body: &ObjectReader<'_, '_>, left: &Option<Option<Number>>) {
    if left.flatten().is_some() && !body.has("right") {
        let detail = "left needs right".to_owned();
        body.reject("right", ViolationCode::FieldMissing, detail);
    }
}

fn wrong(body: &str) -> Vec<String> {
    match Sample::read(body.as_bytes()) {
        Err(BodyError::Invalid(wrong)) => {
            let details = wrong.kept().iter();
            details.map(|wrong| wrong.path.clone()).collect()
        }
        Err(BodyError::NotJson(why)) => panic!("{body}: {why}"),
        Ok(_) => Vec::new(),
    }
}

#[test]
fn a_body_is_read_as_its_declaration_says() {
    let body = r#"{"left":1,"right":2,"owner":3,"code":null,"before":null,"type":"t","items":[{"flag":true,"more":1}],
        "apart":{"flag":7},"flag":false,"name":"R"}"#;
    let sample = Sample::read(body.as_bytes()).unwrap();
    assert_eq!(
        (sample.left, sample.right),
        (Some(Number(1)), Some(Number(2)))
    );
    assert_eq!((sample.owner, sample.code), (Some(Number(3)), None));
    assert_eq!(sample.before, None);
    assert_eq!((sample.count.get(), sample.kind.as_str()), (5, "t"));
    let items = sample.items.unwrap();
    assert_eq!(
        items.placed().map(|(at, item)| (at, item.flag)).next(),
        Some((0, Some(true)))
    );
    assert!(sample.apart.is_some());
    assert_eq!(sample.part.flag, Some(false));
    assert_eq!(sample.fields.name.unwrap().as_str(), "R");
}

#[test]
fn everything_that_is_wrong_is_reported_at_once() {
    let body = r#"{"left":1,"code":7,"count":10,"type":"t","items":[3,{"flag":1}],"apart":[],"flag":"x","name":"","x":1}"#;
    let paths = [
        "x",
        "owner",
        "code",
        "before",
        "count",
        "items.0",
        "items.1.flag",
        "apart",
        "flag",
        "name",
        "right",
    ];
    assert_eq!(wrong(body), paths);
    assert_eq!(
        wrong(r#"{"left":null}"#),
        ["left", "owner", "before", "type", "name"]
    );
}

#[test]
fn the_schema_follows_from_the_declaration() {
    let schema = Sample::schema();
    let (schema, _) = schema.taken();
    assert_eq!(schema["properties"]["code"]["x-secret"], true);
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(
        schema["required"],
        json!(["owner", "before", "type", "name"])
    );
    let fields = &schema["properties"];
    assert_eq!(fields["left"]["description"], "The first of two lines.");
    assert_eq!(fields["code"]["type"], json!(["string", "null"]));
    assert_eq!(
        (&fields["count"]["default"], &fields["count"]["maximum"]),
        (&json!(5), &json!(9))
    );
    assert_eq!(fields["items"]["maxItems"], 2);
    assert!(fields["apart"]["additionalProperties"].is_null());
    assert_eq!(fields["flag"]["type"], "boolean");
}
