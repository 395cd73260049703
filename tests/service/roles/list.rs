//! `GET /api/v4/roles`, and its `with`.

use serde_json::json;

use crate::support::rounds::Rounds;
use crate::users::team::{self, CLEO, create_role, create_user, target, user};

#[tokio::test]
async fn an_account_without_roles_has_one_empty_page() {
    let server = team::start().await;
    let page = server
        .client()
        .get_as(CLEO, "/api/v4/roles")
        .await
        .is(200)
        .json;
    let own = format!("{}/api/v4/roles", server.url());
    assert_eq!(
        page,
        json!({
            "_total_items": 0, "_page": 1, "_page_count": 1,
            "_links": { "self": { "href": own } }, "_embedded": { "roles": [] },
        })
    );
}

#[tokio::test]
async fn with_users_lists_the_numbers_of_the_holders() {
    let server = team::start().await;
    let client = server.client();
    for name in ["Held", "Free"] {
        create_role(client, &json!({ "name": name })).await;
    }
    for name in ["A", "B", "C"] {
        let mut holder = user(name);
        if name != "B" {
            holder["rights"] = json!({ "role_id": 1 });
        }
        create_user(client, &holder).await;
    }
    let page = client
        .get_as(CLEO, "/api/v4/roles?with=users")
        .await
        .is(200)
        .json;
    let roles = &page["_embedded"]["roles"];
    assert_eq!(roles[0]["_embedded"], json!({ "users": [3, 5] }));
    assert_eq!(roles[1]["_embedded"], json!({ "users": [] }));
    let one = client
        .get_as(CLEO, "/api/v4/roles/1?with=evil,users")
        .await
        .is(200)
        .json;
    assert_eq!(one, roles[0]);
    let plain = client.get_as(CLEO, "/api/v4/roles/1").await.is(200).json;
    assert!(plain.get("_embedded").is_none());
}

#[tokio::test]
async fn roles_are_paged_by_number() {
    let server = team::start().await;
    let client = server.client();
    for number in 0..7 {
        create_role(client, &json!({ "name": format!("Role {number}") })).await;
    }
    let mut at = "/api/v4/roles?limit=3".to_owned();
    let mut names = Vec::new();
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let page = client.get_as(CLEO, &at).await.is(200).json;
        assert_eq!(
            (&page["_total_items"], &page["_page_count"]),
            (&json!(7), &json!(3))
        );
        let roles = page["_embedded"]["roles"].as_array().unwrap().iter();
        names.extend(roles.map(|role| role["name"].as_str().unwrap().to_owned()));
        if page["_links"]["next"].is_null() {
            break;
        }
        at = target(&server, &page["_links"]["next"]["href"]).to_owned();
    }
    let all_names: Vec<String> = (0..7).map(|number| format!("Role {number}")).collect();
    assert_eq!(names, all_names);
}
