//! `/inbox/v1/views`: filters of the list of conversations under a name, a user's own and those of the team.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::operator::audit_log;
use crate::rights::floor::{self, PASSWORD, Person};
use crate::support::answer::Answer;
use crate::support::client::Client;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_TOKEN, Server, TOKEN};

const ALL: &str = "/inbox/v1/views";

fn one(id: &Value) -> String {
    format!("{ALL}/{id}")
}

async fn saves(client: &Client, body: &Value) -> Answer {
    floor::admin(client, "POST", ALL, body).await
}

async fn changes(client: &Client, id: &Value, body: &Value) -> Answer {
    floor::admin(client, "PATCH", &one(id), body).await
}

/// The names of a list, in its order.
fn names(list: &Value) -> Vec<&str> {
    let views = list["views"].as_array().unwrap().iter();
    views.map(|it| it["name"].as_str().unwrap()).collect()
}

async fn seller(client: &Client, name: &str) -> Person {
    floor::add(client, name, &floor::rights("A")).await
}

/// Another administrator of the account, whom the operator adds.
async fn administrator(client: &Client) -> Person {
    let user = json!({ "name": "Boris", "email": "boris@example.com", "password": PASSWORD, "is_admin": true });
    let target = format!("/admin/v1/accounts/{ACCOUNT}/users");
    client.operates("POST", &target, &user).await.is(201);
    let body = json!({ "email": "boris@example.com", "password": PASSWORD });
    floor::person(&floor::sign_in(client, &body).await.is(201))
}

/// The numbers of the leads of the conversations that a list has, as a user sees it.
async fn leads(client: &Client, by: Option<&Person>, query: &str) -> Vec<u64> {
    let target = format!("/inbox/v1/conversations?{query}");
    let answer = match by {
        Some(person) => person.reads(client, &target).await,
        None => client.get(&target).await,
    };
    let page = answer.is(200).json;
    let conversations = page["conversations"].as_array().unwrap().iter();
    let mut leads: Vec<u64> = conversations
        .map(|it| it["lead"]["id"].as_u64().unwrap())
        .collect();
    leads.sort_unstable();
    leads
}

#[tokio::test]
async fn own_views_and_those_of_the_team_outlive_a_kill() {
    let mut server = Server::start().await;
    let client = server.client();
    let boris = seller(client, "boris").await;
    let filters = json!({ "state": "unread", "responsible": "me", "group": "1", "status": "open" });
    let mine = json!({ "name": "My open ones", "filters": filters });
    let own = boris.sends(client, "POST", ALL, &mine).await.is(201).json;
    let expected = json!({
        "id": 1, "name": "My open ones", "is_shared": false, "user_id": boris.id, "filters": filters, "missing": [],
        "version": 1, "created_at": own["created_at"], "updated_at": own["created_at"],
    });
    assert_eq!(own, expected);
    let ours =
        json!({ "name": "my OPEN ones", "is_shared": true, "filters": { "status": "open" } });
    boris.sends(client, "POST", ALL, &ours).await.is(403);
    let of_team = saves(client, &ours).await.is(201).json;
    assert_eq!(names(&client.read(ALL).await), ["my OPEN ones"]);
    let both = boris.reads(client, ALL).await.is(200).json;
    assert_eq!(names(&both), ["My open ones", "my OPEN ones"]);
    // The own view of a user does not exist for an administrator either.
    client.get(&one(&own["id"])).await.is(404);
    for (method, body) in [("PATCH", json!({ "name": "x" })), ("DELETE", json!({}))] {
        let target = one(&own["id"]);
        floor::admin(client, method, &target, &body).await.is(404);
        let target = one(&of_team["id"]);
        boris.sends(client, method, &target, &body).await.is(403);
        client.get_as(OTHER_TOKEN, &target).await.is(404);
    }
    assert_eq!(
        names(&client.get_as(OTHER_TOKEN, ALL).await.is(200).json),
        [""; 0]
    );
    let change = json!({ "name": "Ours", "based_on": 1 });
    let second = changes(client, &of_team["id"], &change).await.is(200).json;
    assert_eq!(
        (&second["version"], &second["filters"]),
        (&json!(2), &of_team["filters"])
    );
    let late = json!({ "filters": {}, "based_on": 1 });
    changes(client, &of_team["id"], &late).await.is(409);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(client.read(&one(&of_team["id"])).await, second);
    let read = boris.reads(client, &one(&own["id"])).await.is(200).json;
    assert_eq!(read, own);
    boris
        .sends(client, "DELETE", &one(&own["id"]), &json!({}))
        .await
        .is(204);
    let answer = floor::admin(client, "DELETE", &one(&of_team["id"]), &json!({})).await;
    answer.is(204);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    client.get(&one(&of_team["id"])).await.is(404);
    assert_eq!(saves(client, &ours).await.is(201).json["id"], 3);
    let log = audit_log(&server).await.to_string();
    for action in ["create", "update", "delete"] {
        assert!(log.contains(&format!("view.{action}")), "{log}");
    }
    assert!(!log.contains("My open ones"), "{log}");
}

#[tokio::test]
async fn a_view_of_the_team_is_about_the_user_who_looks() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 3).await;
    let boris = seller(client, "boris").await;
    for (lead, user) in [(1, None), (2, Some(1)), (3, Some(boris.id))] {
        floor::place(client, lead, 2, user).await;
    }
    let view = json!({ "name": "Mine", "is_shared": true, "filters": { "responsible": "me" } });
    saves(client, &view).await.is(201);
    assert_eq!(leads(client, None, "view=1").await, [2]);
    assert_eq!(leads(client, Some(&boris), "view=1").await, [3]);
    let own = json!({ "name": "Free", "filters": { "responsible": "none" } });
    saves(client, &own).await.is(201);
    assert_eq!(leads(client, None, "view=2").await, [1]);
    let target = "/inbox/v1/conversations?view=2";
    let refusal = boris.reads(client, target).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "view");
}

#[tokio::test]
async fn further_filters_narrow_a_view_and_others_contradict_it() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 3).await;
    for (lead, user) in [(1, None), (2, Some(1)), (3, Some(1))] {
        floor::place(client, lead, 2, user).await;
    }
    let tag = json!({ "tags_to_add": [{ "name": "vip" }] });
    floor::admin(client, "PATCH", "/api/v4/leads/3", &tag)
        .await
        .is(200);
    let view = json!({ "name": "Mine", "filters": { "responsible": "me", "channel": CHANNEL } });
    saves(client, &view).await.is(201);
    assert_eq!(leads(client, None, "view=1").await, [2, 3]);
    assert_eq!(leads(client, None, "view=1&tag=1").await, [3]);
    assert_eq!(
        leads(client, None, "view=1&responsible=me&state=unread").await,
        [2, 3]
    );
    assert_eq!(leads(client, None, "view=1&query=c2").await, [2]);
    let target = "/inbox/v1/conversations?view=1&responsible=none&channel=other&status=open";
    let refusal = client.get(target).await.is(400);
    // An unknown channel is found first.
    assert_eq!(refusal.wrong()[0].0, "channel");
    let target = "/inbox/v1/conversations?view=1&responsible=none&status=open";
    let refusal = client.get(target).await.is(400).wrong();
    let paths: Vec<_> = refusal.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["responsible"]);
    for view in ["99", "0", "x"] {
        let target = format!("/inbox/v1/conversations?view={view}");
        client.get(&target).await.is(400);
    }
}

#[tokio::test]
async fn a_view_that_names_a_deleted_group_finds_nothing_and_says_so() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 1).await;
    floor::place(client, 1, 2, None).await;
    let groups = format!("/admin/v1/accounts/{ACCOUNT}/groups");
    let body = json!({ "name": "Support" });
    let group = client.operates("POST", &groups, &body).await.is(201).json["id"].clone();
    let assign = json!({ "group_id": group, "replaces_group": null });
    let target = format!("/inbox/v1/conversations/{}/responsible", conversations[0]);
    floor::admin(client, "PATCH", &target, &assign)
        .await
        .is(200);
    let filters = json!({ "group": group.to_string(), "status": "open" });
    let view = json!({ "name": "Support", "is_shared": true, "filters": filters });
    saves(client, &view).await.is(201);
    assert_eq!(leads(client, None, "view=1").await, [1]);
    let request = client.operate("DELETE", &format!("{groups}/{group}"));
    request.send().await.is(204);
    let list = client.read(ALL).await;
    assert_eq!(list["views"][0]["missing"], json!(["group"]));
    for query in ["view=1", "view=1&query=c1", "view=1&tag=&status=open"] {
        assert_eq!(leads(client, None, query).await, [0_u64; 0], "{query}");
    }
    // It is renamed and narrowed as it is, and another group that is not there is refused.
    let rename = json!({ "name": "Old support" });
    changes(client, &json!(1), &rename).await.is(200);
    let narrow = json!({ "filters": { "group": group.to_string() } });
    let view = changes(client, &json!(1), &narrow).await.is(200).json;
    assert_eq!(view["missing"], json!(["group"]));
    let other = json!({ "filters": { "group": "77" } });
    let refusal = changes(client, &json!(1), &other).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "filters.group");
}

#[tokio::test]
async fn what_a_view_names_must_be_there_and_all_errors_come_at_once() {
    let server = Server::start().await;
    let client = server.client();
    let filters = json!({ "responsible": "99", "group": "99", "channel": CHANNEL, "tag": 99 });
    let unknown = json!({ "name": "n".repeat(100), "filters": filters });
    let paths = |answer: &Answer| {
        let mut paths: Vec<_> = answer.wrong().into_iter().map(|(path, _)| path).collect();
        paths.sort();
        paths
    };
    let refusal = saves(client, &unknown).await.is(400);
    // The account was never connected to the channel.
    let expected = [
        "filters.channel",
        "filters.group",
        "filters.responsible",
        "filters.tag",
    ];
    assert_eq!(paths(&refusal), expected);
    client.connect("v2").await;
    let refusal = saves(client, &unknown).await.is(400);
    assert!(!paths(&refusal).contains(&"filters.channel".to_owned()));
    let wrong = json!({ "name": "n".repeat(101), "filters": { "query": "+49 30 1234" } });
    let refusal = saves(client, &wrong).await.is(400);
    assert_eq!(paths(&refusal), ["filters.query", "name"]);
    let view = json!({ "name": "Größe", "filters": {} });
    saves(client, &view).await.is(201);
    let same = json!({ "name": "grÖße", "filters": {} });
    saves(client, &same).await.is(409);
    for number in 1..50 {
        let view = json!({ "name": format!("n{number}"), "filters": {} });
        saves(client, &view).await.is(201);
    }
    let more = json!({ "name": "one more", "filters": {} });
    saves(client, &more).await.is(422);
    assert_eq!(
        names(&client.read(&format!("{ALL}?limit=999")).await).len(),
        50
    );
    let page = client.read(&format!("{ALL}?limit=1&cursor=49")).await;
    assert_eq!((names(&page), &page["next"]), (vec!["n49"], &Value::Null));
}

/// The event is for those who have the view.
#[tokio::test]
async fn an_event_names_a_view_to_those_who_have_it() {
    let server = Server::start().await;
    let client = server.client();
    let boris = seller(client, "boris").await;
    let mut of_ada = Stream::open(&server, TOKEN, None).await;
    let mut of_boris = Stream::open_with(&server, ("Cookie", &boris.cookie), None).await;
    for (name, is_shared) in [("One", false), ("Two", true), ("Three", false)] {
        let body = json!({ "name": name, "is_shared": is_shared, "filters": {} });
        saves(client, &body).await.is(201);
    }
    changes(client, &json!(2), &json!({ "name": "Ours" }))
        .await
        .is(200);
    let answer = floor::admin(client, "DELETE", &one(&json!(2)), &json!({})).await;
    answer.is(204);
    let mut ids = [Vec::new(), Vec::new()];
    for ((stream, ids), count) in [&mut of_ada, &mut of_boris]
        .into_iter()
        .zip(&mut ids)
        .zip([5, 3])
    {
        while ids.len() < count {
            let event = stream.upto("view").await.pop().unwrap();
            ids.push(event.data["view_id"].as_u64().unwrap());
        }
    }
    assert_eq!(ids, [vec![1, 2, 3, 2, 2], vec![2, 2, 2]]);
}

#[tokio::test]
async fn a_user_who_left_leaves_the_views_of_the_team() {
    let server = Server::start().await;
    let client = server.client();
    let boris = administrator(client).await;
    for is_shared in [true, false] {
        let body = json!({ "name": "View", "is_shared": is_shared, "filters": {} });
        boris.sends(client, "POST", ALL, &body).await.is(201);
    }
    // An administrator is deactivated by the operator.
    let target = format!("/admin/v1/accounts/{ACCOUNT}/users/{}", boris.id);
    let off = json!({ "is_active": false });
    client.operates("PATCH", &target, &off).await.is(200);
    boris.reads(client, ALL).await.is(401);
    assert_eq!(client.read(ALL).await["views"].as_array().unwrap().len(), 1);
    changes(client, &json!(1), &json!({ "name": "Ours" }))
        .await
        .is(200);
}

#[tokio::test]
async fn other_methods_of_views_are_405_with_allow() {
    let server = Server::start().await;
    let client = server.client();
    for (target, allow) in [
        (ALL, "GET, HEAD, POST"),
        ("/inbox/v1/views/1", "GET, HEAD, PATCH, DELETE"),
    ] {
        let answer = client.request("PUT", target).bearer(TOKEN).send().await;
        assert_eq!(answer.is(405).header("allow"), allow, "{target}");
    }
}
