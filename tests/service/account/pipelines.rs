//! Pipelines and their stages: created, updated and deleted by administrators, and the rights over them.

use serde_json::{Value, json};

use crate::operator::audit_log;
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::server::{OTHER_TOKEN, Server};

const PIPELINES: &str = "/api/v4/leads/pipelines";

async fn send(client: &Client, method: &str, path: &str, body: &Value) -> Answer {
    let target = format!("{PIPELINES}{path}");
    floor::admin(client, method, &target, body).await
}

async fn delete(client: &Client, path: &str) -> Answer {
    send(client, "DELETE", path, &json!({})).await
}

/// The numbers of the stages in an answer about a pipeline.
fn stages(pipeline: &Value) -> Vec<u64> {
    floor::ids(pipeline, "statuses")
}

#[tokio::test]
async fn pipelines_are_created_updated_and_deleted() {
    let mut server = Server::start().await;
    let client = server.client();
    let body = json!([
        {
            "name": "Wholesale", "sort": 20, "is_main": false, "is_unsorted_on": true, "request_id": "w",
            "_embedded": { "statuses": [
                { "name": "Offer", "sort": 30, "color": "#FFFEB2" },
                { "name": "Call", "sort": 20 },
                { "id": 142, "name": "Paid", "color": "#ccff66" },
            ] },
        },
        { "name": "Service" },
    ]);
    let list = send(client, "POST", "", &body).await.is(200).json;
    assert_eq!(list["_total_items"], 2);
    let url = server.url();
    let base = format!("{url}{PIPELINES}/2");
    let stage = |id: u64, name: &str, sort: u64, color: &str| {
        json!({
            "id": id, "name": name, "sort": sort, "is_editable": ![5, 142, 143].contains(&id),
            "pipeline_id": 2, "color": color, "type": u8::from(id == 5), "account_id": 1,
            "_links": { "self": { "href": format!("{base}/statuses/{id}") } },
        })
    };
    let mut view = json!({
        "id": 2, "name": "Wholesale", "sort": 20, "is_main": false, "is_unsorted_on": true,
        "is_archive": false, "account_id": 1, "_links": { "self": { "href": base } },
        "_embedded": { "statuses": [
            stage(5, "Incoming leads", 10, "#c1c1c1"),
            stage(7, "Call", 20, "#ffcc66"),
            stage(6, "Offer", 30, "#fffeb2"),
            stage(142, "Paid", 10_000, "#ccff66"),
            stage(143, "Closed - lost", 11_000, "#d5d8db"),
        ] },
    });
    let read = client.read(&format!("{PIPELINES}/2")).await;
    assert_eq!(read, view);
    view["request_id"] = json!("w");
    assert_eq!(list["_embedded"]["pipelines"][0], view);
    let second = &list["_embedded"]["pipelines"][1];
    assert_eq!(
        (&second["id"], &second["request_id"]),
        (&json!(3), &json!("1"))
    );
    assert_eq!(stages(second), [8, 9, 10, 11, 142, 143]);
    let change = json!({ "name": "Main", "is_main": true, "sort": 1 });
    let main = send(client, "PATCH", "/3", &change).await.is(200).json;
    assert_eq!(
        (&main["name"], &main["is_main"]),
        (&json!("Main"), &json!(true))
    );
    server.kill_9();
    server.restart().await;
    the_new_main_pipeline_takes_leads(&server).await;
}

/// The third pipeline is the main one, and the second can go.
async fn the_new_main_pipeline_takes_leads(server: &Server) {
    let client = server.client();
    let list = client.read(PIPELINES).await;
    assert_eq!(floor::ids(&list, "pipelines"), [1, 3, 2], "by sort");
    assert_eq!(list["_embedded"]["pipelines"][0]["is_main"], false);
    client.connect("v2").await;
    client.sent(&message("m", "c1")).await;
    assert_eq!(client.leads().await[0]["status_id"], 8, "the main one");
    delete(client, "/2").await.is(204);
    delete(client, "/2").await.is(404);
    client.get(&format!("{PIPELINES}/2")).await.is(404);
    let list = send(client, "POST", "", &json!({ "name": "Next" }))
        .await
        .is(200)
        .json;
    let next = &list["_embedded"]["pipelines"][0];
    assert_eq!(next["id"], 4, "numbers are not used again");
    assert_eq!(stages(next), [12, 13, 14, 15, 142, 143]);
    let log = audit_log(server).await.to_string();
    for action in ["pipeline.create", "pipeline.update", "pipeline.delete"] {
        assert!(log.contains(action), "{action}");
    }
}

/// Leads arrive in the main pipeline, and wait in each.
#[tokio::test]
async fn unsorted_leads_of_all_pipelines_are_listed_and_accepted() {
    let server = Server::start().await;
    let client = server.client();
    let second = json!({ "name": "Second", "is_main": true });
    floor::conversations(client, 2).await;
    send(client, "POST", "", &second).await.is(200);
    client.sent(&message("m", "c3")).await;
    let unsorted = async |query: &str| {
        let page = client.get(&format!("/api/v4/leads/unsorted{query}")).await;
        if page.status == 204 {
            return Vec::new();
        }
        let list = page.is(200).json["_embedded"]["unsorted"].clone();
        let waiting = list.as_array().unwrap().iter();
        let leads = waiting.map(|it| it["_embedded"]["leads"][0]["id"].as_u64().unwrap());
        leads.collect::<Vec<_>>()
    };
    assert_eq!(unsorted("").await, [3, 2, 1], "the newest first");
    assert_eq!(unsorted("?limit=2").await, [3, 2]);
    assert_eq!(unsorted("?limit=2&page=2").await, [1]);
    assert_eq!(unsorted("?filter[pipeline_id]=1").await, [2, 1]);
    let counts = client.read("/inbox/v1/counts").await;
    assert_eq!(counts["unsorted"]["count"], 3);
    for lead in [1, 3] {
        let accept = format!("/api/v4/leads/unsorted/{lead}/accept");
        floor::admin(client, "POST", &accept, &json!({}))
            .await
            .is(200);
    }
    let stage =
        async |lead: u64| client.read(&format!("/api/v4/leads/{lead}")).await["status_id"].clone();
    assert_eq!((stage(1).await, stage(3).await), (json!(2), json!(6)));
}

#[tokio::test]
async fn stages_are_created_updated_and_deleted() {
    let mut server = Server::start().await;
    let client = server.client();
    let body = json!({ "0": { "name": "Contract", "color": "#98cbff" }, "1": { "name": "First", "sort": 15 } });
    let list = send(client, "POST", "/1/statuses", &body)
        .await
        .is(200)
        .json;
    assert_eq!(list["_total_items"], 2);
    let stage = &list["_embedded"]["statuses"][0];
    assert_eq!(
        (
            &stage["id"],
            &stage["sort"],
            &stage["color"],
            &stage["request_id"]
        ),
        (&json!(5), &json!(50), &json!("#98cbff"), &json!("0"))
    );
    let order = |pipeline: Value| stages(&pipeline);
    let read = client.read(&format!("{PIPELINES}/1")).await;
    assert_eq!(order(read), [1, 6, 2, 3, 4, 5, 142, 143]);
    let change = json!({ "name": "Deal", "sort": 5, "color": "#fff000" });
    let stage = send(client, "PATCH", "/1/statuses/5", &change)
        .await
        .is(200)
        .json;
    assert_eq!(
        (&stage["name"], &stage["color"]),
        (&json!("Deal"), &json!("#fff000"))
    );
    // What a client read of a system stage, it may send back with another name.
    let mut won = client.read(&format!("{PIPELINES}/1/statuses/142")).await;
    won["name"] = json!("Paid");
    let won = send(client, "PATCH", "/1/statuses/142", &won)
        .await
        .is(200)
        .json;
    assert_eq!(won["name"], "Paid");
    delete(client, "/1/statuses/6").await.is(204);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let read = client.read(&format!("{PIPELINES}/1")).await;
    assert_eq!(order(read), [1, 5, 2, 3, 4, 142, 143]);
    let next = send(client, "POST", "/1/statuses", &json!([{ "name": "x" }]))
        .await
        .is(200)
        .json;
    assert_eq!(
        floor::ids(&next, "statuses"),
        [7],
        "numbers are not used again"
    );
}

#[tokio::test]
async fn what_has_leads_or_a_source_or_is_of_the_system_stays() {
    let mut server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    send(client, "POST", "", &json!({ "name": "Second" }))
        .await
        .is(200);
    let source = json!({ "name": "Shop", "external_id": "shop", "pipeline_id": 2, "status_id": 7 });
    floor::admin(client, "POST", "/api/v4/sources", &source)
        .await
        .is(200);
    floor::place(client, 1, 3, None).await;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    for (path, status, words) in [
        ("/1", 409, "main pipeline"),
        ("/2", 409, "the source 1"),
        ("/1/statuses/3", 409, "1 leads are in it"),
        ("/2/statuses/7", 409, "the source 1"),
        ("/1/statuses/1", 403, "system status"),
        ("/1/statuses/142", 403, "system status"),
        ("/1/statuses/7", 404, "no such status"),
        ("/9/statuses/2", 404, "no such pipeline"),
        ("/9", 404, "no such pipeline"),
        ("/1/statuses/x", 404, "no such status"),
    ] {
        let answer = delete(client, path).await.is(status);
        let detail = answer.json["detail"].as_str().unwrap();
        assert!(detail.contains(words), "{path}: {detail}");
    }
    floor::admin(client, "DELETE", "/api/v4/sources/1", &json!([]))
        .await
        .is(204);
    for stage in [6, 7] {
        delete(client, &format!("/2/statuses/{stage}"))
            .await
            .is(204);
    }
    delete(client, "/2/statuses/8").await.is(409);
    // Leads at an end keep their pipeline, too.
    let lead = json!({ "pipeline_id": 2, "status_id": 143 });
    floor::admin(client, "PATCH", "/api/v4/leads/1", &lead)
        .await
        .is(200);
    delete(client, "/2").await.is(409);
    delete(client, "/1/statuses/3").await.is(204);
    floor::place(client, 1, 142, None).await;
    let back = json!({ "pipeline_id": 1, "status_id": 2 });
    floor::admin(client, "PATCH", "/api/v4/leads/1", &back)
        .await
        .is(200);
    delete(client, "/2").await.is(204);
    let place = json!({ "pipeline_id": 2, "status_id": 143 });
    floor::admin(client, "PATCH", "/api/v4/leads/1", &place)
        .await
        .is(400);
    let other = client.request("DELETE", &format!("{PIPELINES}/1/statuses/4"));
    other.bearer(OTHER_TOKEN).send().await.is(204);
    client.read(&format!("{PIPELINES}/1/statuses/4")).await;
}

#[tokio::test]
async fn wrong_pipelines_and_stages_are_refused_as_a_whole() {
    let server = Server::start().await;
    let client = server.client();
    let long = "x".repeat(256);
    for (path, body) in [
        ("", json!([])),
        ("", json!([{ "name": "Good" }, { "sort": 1 }])),
        ("", json!([{ "name": " " }])),
        ("", json!([{ "name": long }])),
        ("", json!([{ "name": "a\u{0}b" }])),
        ("", json!([{ "name": 7 }])),
        ("", json!([{ "name": "x", "sort": -1 }])),
        ("", json!([{ "name": "x", "sort": 2_147_483_648_u64 }])),
        ("", json!([{ "name": "x", "is_main": "yes" }])),
        (
            "",
            json!([{ "name": "x", "_embedded": { "statuses": [{ "id": 7, "name": "y" }] } }]),
        ),
        (
            "",
            json!([{ "name": "x", "_embedded": { "statuses": [{ "name": "" }] } }]),
        ),
        (
            "",
            json!([{ "name": "x", "_embedded": { "statuses": vec![json!({ "name": "y" }); 101] } }]),
        ),
        (
            "",
            json!([{ "name": "x", "_embedded": { "statuses": [{ "id": 142, "name": "y" }, { "id": 142, "name": "z" }] } }]),
        ),
        ("", Value::from(vec![json!({ "name": "x" }); 51])),
        ("/1/statuses", json!([{ "name": "x", "color": "#123456" }])),
        (
            "/1/statuses",
            json!([{ "name": "x" }, { "name": "y", "color": "red" }]),
        ),
        ("/1/statuses", json!([{ "color": "#fffeb2" }])),
        (
            "/1/statuses",
            Value::from(vec![json!({ "name": "x" }); 101]),
        ),
    ] {
        let answer = send(client, "POST", path, &body).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
    }
    for (path, body) in [
        ("/1", json!({ "name": "" })),
        ("/1", json!({ "is_main": false })),
        ("/1/statuses/1", json!({ "sort": 5 })),
        ("/1/statuses/143", json!({ "color": "#fffeb2" })),
        ("/1/statuses/2", json!({ "color": "" })),
    ] {
        let answer = send(client, "PATCH", path, &body).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
    }
    let name = json!({ "name": "x" });
    send(client, "POST", "/9/statuses", &name).await.is(404);
    send(client, "PATCH", "/9", &name).await.is(404);
    send(client, "PATCH", "/1/statuses/9", &name).await.is(404);
    let list = client.read(PIPELINES).await;
    assert_eq!(floor::ids(&list, "pipelines"), [1], "nothing was stored");
    assert_eq!(
        stages(&list["_embedded"]["pipelines"][0]),
        [1, 2, 3, 4, 142, 143]
    );
}

/// An account has 50 pipelines, and a pipeline 100 open stages.
#[tokio::test]
async fn the_51st_pipeline_and_the_101st_stage_are_refused() {
    let server = Server::start().await;
    let client = server.client();
    let name = json!({ "name": "x" });
    let many = Value::from(vec![json!({ "name": "x" }); 49]);
    send(client, "POST", "", &many).await.is(200);
    send(client, "POST", "", &name).await.is(403);
    let many = Value::from(vec![json!({ "name": "x" }); 97]);
    send(client, "POST", "/1/statuses", &many).await.is(200);
    send(client, "POST", "/1/statuses", &name).await.is(403);
    let list = client.read(PIPELINES).await;
    assert_eq!(list["_total_items"], 50);
    let numbers = stages(&list["_embedded"]["pipelines"][0]);
    assert_eq!(numbers.len(), 103);
    assert_eq!(
        numbers.iter().filter(|id| [142, 143].contains(*id)).count(),
        2
    );
}

#[tokio::test]
async fn rights_by_stage_come_and_go_with_their_stages() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let stage = json!({ "name": "Secret" });
    send(client, "POST", "/1/statuses", &stage).await.is(200);
    let role = |stages: Value| {
        let mut rights = floor::rights("A");
        rights["status_rights"] = stages;
        json!({ "name": "Sellers", "rights": rights })
    };
    let denied = role(json!([floor::stage(5, "D")]));
    let answer = floor::admin(client, "POST", "/api/v4/roles", &denied)
        .await
        .is(201);
    let numbers = |role: &Value| -> Vec<u64> {
        let stages = role["rights"]["status_rights"].as_array().unwrap();
        let numbers = stages.iter().map(|it| it["status_id"].as_u64().unwrap());
        numbers.collect()
    };
    assert_eq!(numbers(&answer.json["_embedded"]["roles"][0]), [1, 5]);
    let bo = floor::add(client, "Bo", &json!({ "role_id": 1 })).await;
    floor::place(client, 1, 5, None).await;
    bo.reads(client, "/api/v4/leads/1").await.is(204);
    floor::place(client, 1, 2, None).await;
    delete(client, "/1/statuses/5").await.is(204);
    // The next stage has another number, and what the role allows in general.
    let next = send(client, "POST", "/1/statuses", &stage)
        .await
        .is(200)
        .json;
    assert_eq!(floor::ids(&next, "statuses"), [6]);
    floor::place(client, 1, 6, None).await;
    bo.reads(client, "/api/v4/leads/1").await.is(200);
    let read = client.read("/api/v4/roles/1").await;
    assert_eq!(numbers(&read), [1]);
    let list = client.read("/api/v4/roles").await;
    assert_eq!(numbers(&list["_embedded"]["roles"][0]), [1]);
    let user = client.read(&format!("/api/v4/users/{}", bo.id)).await;
    assert_eq!(numbers(&user), [1]);
    // A role that was read is sent back as it was, and a deleted stage is unknown.
    let back = json!({ "rights": read["rights"] });
    let edited = floor::admin(client, "PATCH", "/api/v4/roles/1", &back)
        .await
        .is(202);
    assert_eq!(numbers(&edited.json), [1]);
    floor::admin(client, "POST", "/api/v4/roles", &denied)
        .await
        .is(400);
}
