//! `POST /api/v4/users`.

use serde_json::{Value, json};

use super::team::{
    self, CLEO, EVE, all_rights, create_role, create_user, none, post, send, unsorted_denied, user,
};
use crate::support::client::Client;

const USERS: &str = "/api/v4/users";

async fn total(client: &Client, token: &str) -> u64 {
    let users = client.get_as(token, USERS).await.is(200).json;
    users["_total_items"].as_u64().unwrap()
}

/// Added users are answered in full with their request id, and without `_embedded`.
#[tokio::test]
async fn added_users_are_answered_in_full_with_their_request_id() {
    let server = team::start().await;
    let client = server.client();
    let body = json!([
        {
            "name": "Иван Иванов", "email": "ivan@example.com", "password": "aBcde1@345", "lang": "en",
            "rights": {
                "leads": { "view": "A", "edit": "A", "add": "A", "delete": "A", "export": "D" },
                "contacts": { "view": "M" }, "companies": {}, "tasks": { "edit": "G" },
                "status_rights": null, "mail_access": true, "catalog_rights": null,
            },
            "request_id": "<b>&1",
        },
        user("Bo"),
    ]);
    let answer = post(client, USERS, &body).await.is(201);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    let link =
        |id: u64| json!({ "self": { "href": format!("{}/api/v4/users/{id}", server.url()) } });
    let document = json!({
        "_total_items": 2,
        "_embedded": { "users": [
            {
                "id": 3, "name": "Иван Иванов", "email": "ivan@example.com", "lang": "en",
                "rights": {
                    "leads": { "view": "A", "edit": "A", "add": "A", "delete": "A", "export": "D" },
                    "contacts": { "view": "M", "edit": "D", "add": "D", "delete": "D", "export": "D" },
                    "companies": none(), "tasks": { "edit": "G", "delete": "D" },
                    "mail_access": true, "catalog_access": false, "status_rights": [unsorted_denied()],
                    "is_admin": false, "is_free": false, "is_active": true, "group_id": 1, "role_id": null,
                },
                "request_id": "<b>&1", "_links": link(3),
            },
            {
                "id": 4, "name": "Bo", "email": "Bo@example.com", "lang": "ru",
                "rights": {
                    "leads": none(), "contacts": none(), "companies": none(),
                    "tasks": { "edit": "D", "delete": "D" },
                    "mail_access": false, "catalog_access": false, "status_rights": [unsorted_denied()],
                    "is_admin": false, "is_free": false, "is_active": true, "group_id": 1, "role_id": null,
                },
                "_links": link(4),
            },
        ] },
    });
    assert_eq!(answer.json, document);
    let mut stored_user = document["_embedded"]["users"][0].clone();
    stored_user.as_object_mut().unwrap().remove("request_id");
    let read = client.get_as(CLEO, "/api/v4/users/3").await.is(200);
    assert_eq!(
        read.json, stored_user,
        "request_id is echoed and not stored"
    );
}

/// Vowels, tones and points of most scripts are marks; what they belong to is a word.
#[tokio::test]
async fn users_have_names_of_every_script() {
    let server = team::start().await;
    let names = ["अनिता शर्मा", "กิตติ์", "דָּוִד", "علی\u{200c}رضا"];
    let users = names.iter().zip(["a", "b", "c", "d"]).map(|(name, email)| {
        let mut item = user(email);
        item["name"] = json!(name);
        item
    });
    let response = post(server.client(), USERS, &users.collect()).await.is(201);
    let users = response.json["_embedded"]["users"].as_array().unwrap();
    let order: Vec<_> = users
        .iter()
        .map(|user| user["name"].as_str().unwrap())
        .collect();
    assert_eq!(order, names);
}

/// The interface allows no apostrophe; the letter that looks like one is a letter.
#[tokio::test]
async fn an_apostrophe_in_the_name_of_a_user_gets_the_way_out() {
    let server = team::start().await;
    let client = server.client();
    let body_of = |name: &str| {
        let mut item = user("o");
        item["name"] = json!(name);
        json!([item])
    };
    for name in ["Pat O'Brien", "Lu D’Angelo", "`Okina"] {
        let refusal = post(client, USERS, &body_of(name)).await.is(400);
        assert!(refusal.body.contains("U+02BC"), "{}", refusal.body);
    }
    let right = body_of("Pat O\u{2bc}Brien");
    post(client, USERS, &right).await.is(201);
}

#[tokio::test]
async fn keys_of_an_answer_have_the_documented_order() {
    let server = team::start().await;
    let body = create_user(server.client(), &user("Bo")).await;
    let answer = server.client().get_as(CLEO, "/api/v4/users/3").await;
    let keys = [
        "\"id\"",
        "\"name\"",
        "\"email\"",
        "\"lang\"",
        "\"rights\"",
        "\"leads\"",
        "\"tasks\"",
    ];
    let places: Vec<_> = keys.iter().map(|key| answer.body.find(key)).collect();
    assert!(
        places.is_sorted() && !places.contains(&None),
        "{}",
        answer.body
    );
    assert_eq!(body["id"], 3);
}

#[tokio::test]
async fn a_valid_role_id_makes_all_other_rights_ignored() {
    let server = team::start().await;
    let client = server.client();
    let role = create_role(client, &json!({ "name": "Role", "rights": all_rights() })).await;
    let mut bo = user("Bo");
    bo["rights"] =
        json!({ "role_id": role["id"], "leads": 7, "status_rights": "?", "mail_access": "no" });
    let user_id = create_user(client, &bo).await;
    assert_eq!(user_id["rights"]["role_id"], role["id"]);
    for key in [
        "leads",
        "contacts",
        "companies",
        "tasks",
        "status_rights",
        "mail_access",
        "catalog_access",
    ] {
        assert_eq!(user_id["rights"][key], role["rights"][key], "{key}");
    }
}

#[tokio::test]
async fn is_free_ignores_all_other_rights_and_denies_everything() {
    let server = team::start().await;
    let client = server.client();
    let mut bo = user("Bo");
    bo["rights"] = json!({ "is_free": true, "role_id": 99, "group_id": "x", "leads": [], "status_rights": {} });
    let rights = create_user(client, &bo).await["rights"].clone();
    assert_eq!(
        (&rights["is_free"], &rights["role_id"], &rights["group_id"]),
        (&json!(true), &Value::Null, &json!(1))
    );
    for entity in ["leads", "contacts", "companies"] {
        assert_eq!(rights[entity], none());
    }
    assert_eq!(rights["tasks"], json!({ "edit": "D", "delete": "D" }));
    assert_eq!(
        (&rights["mail_access"], &rights["catalog_access"]),
        (&json!(false), &json!(false))
    );
}

#[tokio::test]
async fn group_id_null_or_absent_puts_the_user_in_the_default_group() {
    let server = team::start().await;
    let client = server.client();
    for (name, group) in [
        ("A", json!({})),
        ("B", json!({ "group_id": null })),
        ("C", json!({ "group_id": 1 })),
    ] {
        let mut bo = user(name);
        bo["rights"] = all_rights();
        bo["rights"]
            .as_object_mut()
            .unwrap()
            .extend(group.as_object().unwrap().clone());
        assert_eq!(create_user(client, &bo).await["rights"]["group_id"], 1);
    }
}

#[tokio::test]
async fn given_stages_are_stored_and_missing_unsorted_ones_denied() {
    let server = team::start().await;
    let client = server.client();
    let mut bo = user("Bo");
    bo["rights"] = all_rights();
    let won = json!({
        "entity_type": "leads", "pipeline_id": 1, "status_id": 142,
        "rights": { "view": "A", "edit": "A", "delete": "A", "export": "A" },
    });
    bo["rights"]["status_rights"] = json!([won]);
    let user_id = create_user(client, &bo).await;
    assert_eq!(
        user_id["rights"]["status_rights"],
        json!([unsorted_denied(), won])
    );
    let mut cy = user("Cy");
    cy["rights"] = all_rights();
    let mut open = unsorted_denied();
    open["rights"] = json!({ "view": "A", "edit": "A" });
    cy["rights"]["status_rights"] = json!([open]);
    let user_id = create_user(client, &cy).await;
    open["rights"] = json!({ "view": "A", "edit": "A", "delete": "D" });
    assert_eq!(user_id["rights"]["status_rights"], json!([open]));
}

#[tokio::test]
async fn ids_and_flags_in_the_body_are_never_applied() {
    let server = team::start().await;
    let client = server.client();
    let mut bo = user("Bo");
    for (key, value) in [
        ("id", json!(1)),
        ("uuid", json!("x")),
        ("is_active", json!(false)),
        ("account_id", json!(7)),
        ("_links", json!({})),
        ("token", json!("mine")),
        ("is_admin", json!(true)),
    ] {
        bo[key] = value;
    }
    bo["rights"] = all_rights();
    bo["rights"]["is_active"] = json!(false);
    bo["rights"]["is_admin"] = json!(false);
    let user_id = create_user(client, &bo).await;
    assert_eq!(user_id["id"], 3);
    assert_eq!(
        (
            &user_id["rights"]["is_active"],
            &user_id["rights"]["is_admin"]
        ),
        (&json!(true), &json!(false))
    );
    client.get_as("mine", USERS).await.is(401);
    let cleo = client.get_as(CLEO, "/api/v4/users/1").await.is(200).json;
    assert_eq!(cleo["name"], "Cleo");
}

#[tokio::test]
async fn ten_users_fit_into_one_request_and_a_repeat_adds_none() {
    let server = team::start().await;
    let client = server.client();
    let ten: Vec<Value> = (0..10)
        .map(|number| user(&format!("user{number}")))
        .collect();
    let answer = post(client, USERS, &json!(ten)).await.is(201);
    let ids: Vec<u64> = answer.json["_embedded"]["users"]
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["id"].as_u64().unwrap())
        .collect();
    assert_eq!(ids, (3..13).collect::<Vec<_>>());
    let refusal = post(client, USERS, &json!(ten)).await.is(400);
    assert_eq!(
        refusal.json["validation-errors"].as_array().unwrap().len(),
        10
    );
    assert_eq!(total(client, CLEO).await, 12);
}

/// Of requests that race for an address one wins, and the others get the reason.
#[tokio::test]
async fn of_concurrent_users_with_one_address_one_is_added() {
    let server = team::start().await;
    let client = server.client();
    let body = json!([user("Bo")]);
    let racing = (0..8).map(|_| post(client, USERS, &body));
    let answers = futures_util::future::join_all(racing).await;
    let won = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(won, 1);
    for lost in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(
            (lost.status, lost.wrong()),
            (400, vec![("email".to_owned(), "InvalidValue".to_owned())])
        );
    }
    assert_eq!(total(client, CLEO).await, 3);
}

#[tokio::test]
async fn the_base_plan_refuses_more_than_100_users_with_403() {
    let server = team::start().await;
    let client = server.client();
    let add = async |from: usize, count: usize| {
        let users: Vec<Value> = (from..from + count)
            .map(|number| user(&format!("u{number}")))
            .collect();
        send(client, EVE, "POST", USERS, json!(users).to_string()).await
    };
    for batch in 0..9 {
        add(batch * 10, 10).await.is(201);
    }
    add(90, 9).await.is(201);
    assert_eq!(total(client, EVE).await, 100);
    // At exactly 100 one more request passes, whole; of those that race at most one crosses.
    let racing = [add(100, 10), add(200, 10), add(300, 10)];
    let answers = futures_util::future::join_all(racing).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 403, 403]);
    let refusal = add(400, 1).await.is(403);
    assert!(
        refusal.json["detail"]
            .as_str()
            .unwrap()
            .contains("Enterprise")
    );
    assert_eq!(total(client, EVE).await, 110);
}

#[tokio::test]
async fn one_invalid_user_refuses_the_whole_request() {
    let server = team::start().await;
    let client = server.client();
    let mut users: Vec<Value> = (0..10)
        .map(|number| user(&format!("user{number}")))
        .collect();
    users[7]["password"] = json!("short");
    let answer = post(client, USERS, &json!(users)).await.is(400);
    assert_eq!(answer.json["detail"], "Request validation failed");
    assert_eq!(answer.json["validation-errors"][0]["request_id"], "7");
    assert!(
        !answer.body.contains("short"),
        "a password is never repeated"
    );
    assert_eq!(total(client, CLEO).await, 2);
}
