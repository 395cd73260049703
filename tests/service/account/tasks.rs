//! Tasks: what account users have to do.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::Client;
use crate::support::server::Server;

const TASKS: &str = "/api/v4/tasks";
const DUE: u64 = 1_764_086_340;

async fn add(client: &Client, body: &Value) -> Value {
    let answer = floor::admin(client, "POST", TASKS, body).await.is(200);
    answer.json["_embedded"]["tasks"].clone()
}

async fn change(client: &Client, id: u64, body: &Value) -> Value {
    let target = format!("{TASKS}/{id}");
    floor::admin(client, "PATCH", &target, body)
        .await
        .is(200)
        .json
}

/// The numbers of the tasks that a query finds, in their order.
async fn found(client: &Client, query: &str) -> Vec<u64> {
    let answer = client.get(&format!("{TASKS}?{query}")).await;
    if answer.status == 204 {
        return Vec::new();
    }
    floor::ids(&answer.is(200).json, "tasks")
}

fn about(kind: &str, id: u64, text: &str) -> Value {
    json!({ "text": text, "complete_till": DUE, "entity_type": kind, "entity_id": id })
}

#[tokio::test]
async fn a_task_has_the_counterparts_shape() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    client.get(TASKS).await.is(204);
    client.get("/api/v4/tasks/1").await.is(204);
    let mut body = about("leads", 1, "Call back");
    body["request_id"] = json!("mine");
    let made = add(
        client,
        &json!([body, { "text": "b", "complete_till": DUE }]),
    )
    .await;
    assert_eq!(
        (
            &made[0]["id"],
            &made[0]["request_id"],
            &made[1]["request_id"]
        ),
        (&json!(1), &json!("mine"), &json!("1"))
    );
    let answer = client.get("/api/v4/tasks/1").await.is(200);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    let task = answer.json;
    for (key, value) in [
        ("created_by", json!(1)),
        ("updated_by", json!(1)),
        ("responsible_user_id", json!(1)),
        ("group_id", json!(1)),
        ("entity_id", json!(1)),
        ("entity_type", json!("leads")),
        ("duration", json!(0)),
        ("is_completed", json!(false)),
        ("task_type_id", json!(1)),
        ("text", json!("Call back")),
        ("result", json!([])),
        ("complete_till", json!(DUE)),
        ("account_id", json!(1)),
    ] {
        assert_eq!(task[key], value, "{key}");
    }
    let href = format!("{}/api/v4/tasks/1", server.url());
    assert_eq!(task["_links"]["self"]["href"], href);
    let list = client.read(TASKS).await;
    assert_eq!(list["_embedded"]["tasks"][0], task);
    let second = &list["_embedded"]["tasks"][1];
    assert_eq!(
        (&second["entity_id"], &second["entity_type"]),
        (&Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn a_task_is_completed_with_a_result() {
    let mut server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    add(client, &about("leads", 1, "a")).await;
    let body = json!({ "is_completed": true, "result": { "text": "Done" } });
    let task = change(client, 1, &body).await;
    assert_eq!(
        (&task["is_completed"], &task["result"]),
        (&json!(true), &json!({ "text": "Done" }))
    );
    // Libraries send the whole task back, and an empty list where there was no result.
    let mut whole = task.clone();
    whole["result"] = json!([]);
    assert_eq!(
        change(client, 1, &whole).await,
        task,
        "nothing is different"
    );
    let several = json!([
        { "id": 1, "text": "b", "task_type_id": 2, "duration": 60 },
        { "id": 1, "complete_till": DUE + 1, "request_id": "second" },
    ]);
    let answer = floor::admin(client, "PATCH", TASKS, &several).await.is(200);
    let changed = &answer.json["_embedded"]["tasks"];
    assert_eq!(changed[1]["request_id"], "second");
    let task = client.read("/api/v4/tasks/1").await;
    assert_eq!(changed[1]["updated_at"], task["updated_at"]);
    for (key, value) in [
        ("text", json!("b")),
        ("task_type_id", json!(2)),
        ("duration", json!(60)),
        ("complete_till", json!(DUE + 1)),
    ] {
        assert_eq!(task[key], value, "{key}");
    }
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let mut after = client.read("/api/v4/tasks/1").await;
    // The port is another one.
    after["_links"] = task["_links"].clone();
    assert_eq!(after, task);
    let made = add(client, &json!({ "text": "c", "complete_till": DUE })).await;
    assert_eq!(made[0]["id"], 2);
}

#[tokio::test]
async fn tasks_are_filtered() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    let eve = floor::add(client, "Eve", &floor::rights("A")).await;
    let body = json!([
        about("leads", 1, "a"),
        about("leads", 2, "b"),
        about("contacts", 1, "c"),
        { "text": "d", "complete_till": DUE - 5, "task_type_id": 2, "responsible_user_id": 2 },
    ]);
    add(client, &body).await;
    let own = json!({ "text": "e", "complete_till": DUE + 9 });
    eve.sends(client, "POST", TASKS, &own).await.is(200);
    change(client, 2, &json!({ "is_completed": true })).await;
    // A task leaves the lists of what it was about and of who was to do it.
    change(
        client,
        3,
        &json!({ "entity_id": 2, "responsible_user_id": 2 }),
    )
    .await;
    for (query, ids) in [
        ("filter[id]=4", vec![4]),
        ("filter[id][]=1&filter[id][]=9", vec![1]),
        ("filter[responsible_user_id]=2", vec![3, 4, 5]),
        ("filter[responsible_user_id][]=1", vec![1, 2]),
        ("filter[created_by][]=2", vec![5]),
        ("filter[is_completed]=0", vec![1, 3, 4, 5]),
        ("filter[is_completed][]=1", vec![2]),
        ("filter[task_type][]=2", vec![4]),
        ("filter[task_type_id]=1&filter[is_completed]=true", vec![2]),
        ("filter[task_type]=3", vec![]),
        ("filter[entity_type]=leads", vec![1, 2]),
        ("filter[entity_type]=leads&filter[entity_id][]=2", vec![2]),
        ("filter[entity_type]=contacts&filter[entity_id]=1", vec![]),
        ("filter[entity_id]=2", vec![2, 3]),
        ("filter[entity_type]=companies", vec![]),
        ("filter[updated_at]=4000000000", vec![]),
        ("filter[updated_at][to]=4000000000&filter[id]=1", vec![1]),
        ("filter[complete_till][to]=1764086336", vec![4]),
        ("filter[complete_till][from]=1764086341", vec![5]),
    ] {
        assert_eq!(found(client, query).await, ids, "{query}");
    }
    for (query, name) in [
        ("filter[is_completed]=2", "filter[is_completed]"),
        ("filter[entity_type]=tasks", "filter[entity_type]"),
        ("order[updated_at]=asc", "order[complete_till]"),
        ("order[complete_till]=up", "order[complete_till]"),
        ("filter[lead_statuses][0]=1", "filter[entity_id]"),
    ] {
        let answer = client.get(&format!("{TASKS}?{query}")).await.is(400);
        let detail = answer.json["detail"].as_str().unwrap();
        assert!(detail.contains(name), "{query}: {detail}");
    }
}

#[tokio::test]
async fn tasks_come_in_the_order_that_is_wanted_page_by_page() {
    let server = Server::start().await;
    let client = server.client();
    let due = [30, 10, 20, 10];
    let task = |seconds: u64| json!({ "text": "x", "complete_till": DUE + seconds });
    let body: Vec<_> = due.into_iter().map(task).collect();
    add(client, &json!(body)).await;
    change(client, 1, &json!({ "complete_till": DUE })).await;
    for (query, ids) in [
        ("order[id]=desc", [4, 3, 2, 1]),
        ("order[created_at]=asc", [1, 2, 3, 4]),
        ("order[complete_till]=asc", [1, 2, 4, 3]),
        ("order[complete_till]=desc", [3, 4, 2, 1]),
        (
            "order[complete_till]=asc&filter[is_completed]=0",
            [1, 2, 4, 3],
        ),
    ] {
        assert_eq!(found(client, query).await, ids, "{query}");
        let mut target = format!("{TASKS}?{query}&limit=3");
        let mut pages = Vec::new();
        loop {
            let page = client.read(&target).await;
            pages.extend(floor::ids(&page, "tasks"));
            let Some(next) = page["_links"]["next"]["href"].as_str() else {
                break;
            };
            target = next.strip_prefix(server.url()).unwrap().to_owned();
        }
        assert_eq!(pages, ids, "{query}");
    }
}

#[tokio::test]
async fn wrong_tasks_are_refused_as_a_whole() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let paths = |answer: &Value, place: usize| -> Vec<String> {
        let errors = answer["validation-errors"][place]["errors"].as_array();
        let each = errors.unwrap().iter();
        each.map(|error| error["path"].as_str().unwrap().to_owned())
            .collect()
    };
    let body = json!([
        { "text": "fine", "complete_till": DUE },
        { "text": 7, "task_type_id": 3, "entity_type": "companies", "entity_id": 1,
          "responsible_user_id": 9, "duration": -1, "is_completed": "yes", "result": "x" },
        { "text": "a", "complete_till": 0, "entity_id": 1 },
        { "complete_till": DUE, "entity_type": "leads", "result": {} },
    ]);
    let answer = floor::admin(client, "POST", TASKS, &body)
        .await
        .is(400)
        .json;
    assert_eq!(
        paths(&answer, 0),
        [
            "text",
            "complete_till",
            "task_type_id",
            "entity_type",
            "duration",
            "is_completed",
            "result",
            "responsible_user_id",
        ]
    );
    assert_eq!(paths(&answer, 1), ["complete_till", "entity_type"]);
    assert_eq!(paths(&answer, 2), ["text", "result.text", "entity_id"]);
    let unknown = json!([about("leads", 1, "a"), about("contacts", 9, "b")]);
    let answer = floor::admin(client, "POST", TASKS, &unknown)
        .await
        .is(400)
        .json;
    assert_eq!(paths(&answer, 0), ["entity_id"]);
    assert_eq!(answer["validation-errors"][0]["request_id"], "1");
    client.get(TASKS).await.is(204);
    add(client, &about("leads", 1, "a")).await;
    let several = json!([{ "id": 1, "text": "b" }, { "id": 2, "text": "c" }]);
    let answer = floor::admin(client, "PATCH", TASKS, &several).await.is(400);
    assert_eq!(paths(&answer.json, 0), ["id"]);
    let moved = json!({ "entity_id": 9 });
    let answer = floor::admin(client, "PATCH", "/api/v4/tasks/1", &moved).await;
    assert_eq!(paths(&answer.is(400).json, 0), ["entity_id"]);
    floor::admin(client, "PATCH", "/api/v4/tasks/2", &json!({ "text": "b" }))
        .await
        .is(404);
    assert_eq!(client.read("/api/v4/tasks/1").await["text"], "a");
}

#[tokio::test]
async fn a_task_follows_the_rights_of_its_entity() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    floor::place(client, 1, 2, None).await;
    let mut rights = floor::rights("A");
    rights["tasks"] = json!({ "edit": "M", "delete": "D" });
    let eve = floor::add(client, "Eve", &rights).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let body = json!([
        about("leads", 1, "a"),
        { "text": "b", "complete_till": DUE },
        { "text": "c", "complete_till": DUE, "responsible_user_id": 3 },
        { "text": "d", "complete_till": DUE, "responsible_user_id": 2 },
    ]);
    add(client, &body).await;
    // Eve sees the task of the lead that she sees, and changes her own.
    let seen = eve.reads(client, TASKS).await.is(200).json;
    assert_eq!(floor::ids(&seen, "tasks"), [1, 4]);
    let text = json!({ "text": "x" });
    for (id, status) in [(1, 403), (2, 404), (3, 404), (4, 200)] {
        let target = format!("{TASKS}/{id}");
        eve.sends(client, "PATCH", &target, &text).await.is(status);
    }
    let both = json!([{ "id": 4, "text": "y" }, { "id": 1, "text": "y" }]);
    eve.sends(client, "PATCH", TASKS, &both).await.is(403);
    assert_eq!(client.read("/api/v4/tasks/4").await["text"], "x");
    // Dee sees hers alone, and may not change it.
    let seen = dee.reads(client, TASKS).await.is(200).json;
    assert_eq!(floor::ids(&seen, "tasks"), [3]);
    dee.reads(client, "/api/v4/tasks/1").await.is(204);
    dee.sends(client, "PATCH", "/api/v4/tasks/3", &text)
        .await
        .is(403);
    // What one makes oneself one sees, also those of other users.
    let given = json!({ "text": "e", "complete_till": DUE, "responsible_user_id": 1 });
    dee.sends(client, "POST", TASKS, &given).await.is(200);
    let seen = dee.reads(client, TASKS).await.is(200).json;
    assert_eq!(floor::ids(&seen, "tasks"), [3, 5]);
    let hidden = about("leads", 1, "f");
    dee.sends(client, "POST", TASKS, &hidden).await.is(400);
    // The administrator sees and changes everything.
    assert_eq!(found(client, "").await, [1, 2, 3, 4, 5]);
    change(client, 5, &text).await;
}
