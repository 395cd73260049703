//! One rule of the same phone number, and of the same letters: in the lists of contacts and leads, in the inbox, and when a user
//! writes to a number first.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, message, scope};
use crate::support::rounds::Rounds;
use crate::support::server::{ACCOUNT, CHANNEL, Server, TOKEN};

const PLAIN: &str = "+7 (900) 123-45-67";
/// The contacts by number; a contact without a phone has an e-mail address or nothing.
const BOOK: [(&str, &str); 10] = [
    ("Store", PLAIN),
    ("Ext", "+7 900 123-45-67 ext. 5"),
    ("Two", "+7 900 765-43-21, +7 900 123-45-67"),
    ("Lead 79001234567", ""),
    ("Zero", "+7 (0) 900 123-45-67"),
    ("Wide", "+７９００１２３４５６７"),
    ("Eight", "8 900 123 45 67"),
    ("Other", "+7 900 123-45-68"),
    ("Ann", "ann@example.com"),
    ("ann@example.com.au", "bo@example.com"),
];

/// The spellings of the number, as people type and copy them.
const SPELLINGS: [&str; 17] = [
    "79001234567",
    "9001234567",
    "+7/900/123-45-67",
    "+7, 900, 1234567",
    "+7\u{2013}900\u{2013}123\u{2013}45\u{2013}67",
    "+7\u{2011}900\u{2011}123\u{2011}45\u{2011}67",
    "tel:+79001234567",
    "TEL:+7-900-123-45-67",
    "\u{202a}+7 900 123-45-67\u{202c}",
    "\u{2068}79001234567\u{2069}",
    "+７ ９００ １２３ ４５ ６７",
    "+٧٩٠٠١٢٣٤٥٦٧",
    "7.900.123.45.67",
    "+7 (0) 900 1234567",
    "8 (900) 123-45-67",
    "+7 900 123-45-67 ext. 12",
    "007 900 123 45 67",
];

/// A message of a customer of this name, in a conversation of their own.
fn says(id: &str, name: &str, profile: &Value, text: &str) -> Value {
    let mut event = message("m", &format!("c-{id}"));
    let sender = &mut event["payload"]["sender"];
    sender["id"] = json!(format!("u-{id}"));
    sender["name"] = json!(name);
    sender["profile"] = profile.clone();
    event["payload"]["message"]["text"] = json!(text);
    event
}

fn encoded(query: &str) -> String {
    let mut target = url::form_urlencoded::Serializer::new(String::new());
    target.append_pair("query", query).finish()
}

async fn found(client: &Client, kind: &str, query: &str) -> Vec<u64> {
    let list = format!("/api/v4/{kind}?{}", encoded(query));
    let mut ids = floor::ids(&client.read(&list).await, kind);
    // The same one by one, each once.
    let mut next = Some(format!("{list}&limit=1"));
    let mut paged = Vec::new();
    let mut rounds = Rounds::default();
    while let Some(target) = next {
        rounds.note();
        let answer = client.get(&target).await;
        if answer.status == 204 {
            break;
        }
        let page = answer.is(200).json;
        paged.extend(floor::ids(&page, kind));
        let link = page["_links"]["next"]["href"].as_str();
        next = link
            .map(|link| link.split_once("/api").unwrap().1)
            .map(|rest| format!("/api{rest}"));
    }
    assert_eq!(paged, ids, "{query}");
    ids.sort_unstable();
    ids
}

/// A server whose contacts and leads have the same numbers.
async fn with_book() -> Server {
    let server = Server::start().await;
    let client = server.client();
    let contact = |(name, value): &(&str, &str)| {
        let code = if value.contains('@') {
            "EMAIL"
        } else {
            "PHONE"
        };
        let values = json!([{ "value": value }]);
        json!({ "name": name, "custom_fields_values": [{ "field_code": code, "values": values }] })
    };
    let book: Vec<Value> = BOOK.iter().map(contact).collect();
    floor::admin(client, "POST", "/api/v4/contacts", &json!(book))
        .await
        .is(200);
    let ids = 1..=BOOK.len();
    let leads: Vec<Value> = ids
        .map(|id| json!({ "name": "Lead", "_embedded": { "contacts": [{ "id": id }] } }))
        .collect();
    floor::admin(client, "POST", "/api/v4/leads", &json!(leads))
        .await
        .is(200);
    server
}

#[tokio::test]
async fn a_number_finds_all_who_have_it_however_it_is_written() {
    let server = with_book().await;
    let client = server.client();
    for kind in ["contacts", "leads"] {
        for query in SPELLINGS {
            assert_eq!(
                found(client, kind, query).await,
                [1, 2, 3, 4, 5, 6, 7],
                "{kind}: {query}"
            );
        }
        for (query, expected) in [
            ("900123", vec![1, 2, 3, 4, 5, 6, 7, 8]),
            ("123-45-68", vec![8]),
            ("+7 900 765 43 21", vec![3]),
            ("ann@example.co", vec![9, 10]),
            ("ann@example.com", vec![9, 10]),
            ("MAILTO:Ann@Example.com", vec![9, 10]),
            ("<ann@example.com>", vec![9, 10]),
            ("bo@example.com", vec![10]),
            ("12", vec![1, 2, 3, 4, 5, 6, 7, 8]),
        ] {
            assert_eq!(
                found(client, kind, query).await,
                expected,
                "{kind}: {query}"
            );
        }
        // What an index leads to comes first.
        let page = client
            .read(&format!(
                "/api/v4/{kind}?query=ann@example.com&order[id]=desc"
            ))
            .await;
        assert_eq!(floor::ids(&page, kind), [9, 10], "{kind}");
    }
}

#[tokio::test]
async fn the_inbox_finds_a_number_as_the_book_does() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for (place, (name, value)) in BOOK.iter().enumerate() {
        let profile = match value.contains('@') {
            true => json!({ "email": value }),
            false => json!({ "phone": value }),
        };
        let place = format!("{place}");
        client.sent(&says(&place, name, &profile, "hello")).await;
    }
    let quoting = says("q", "Quoting", &json!({}), &format!("Is it {PLAIN}?"));
    client.sent(&quoting).await;
    for query in SPELLINGS {
        let mut names = Vec::new();
        let mut cursor = String::new();
        let mut rounds = Rounds::default();
        loop {
            rounds.note();
            let target = format!("/inbox/v1/conversations?{}{cursor}", encoded(query));
            let page = client.read(&target).await;
            for entry in page["conversations"].as_array().unwrap() {
                names.push(entry["customer"]["name"].as_str().unwrap().to_owned());
            }
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        names.sort_unstable();
        let matches = [
            "Eight",
            "Ext",
            "Lead 79001234567",
            "Quoting",
            "Store",
            "Two",
            "Wide",
            "Zero",
        ];
        assert_eq!(names, matches, "{query}");
    }
}

#[tokio::test]
async fn a_first_message_to_a_number_knows_it_in_every_writing() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let start = async |phone: &str| {
        let body =
            json!({ "scope_id": scope(CHANNEL, ACCOUNT), "phone": phone, "text": "Good day!" });
        let request = client
            .request("POST", "/inbox/v1/conversations")
            .bearer(TOKEN)
            .header("Content-Type", "application/json");
        request.body(body.to_string()).send().await
    };
    let id = async |phone: &str| {
        let response = start(phone).await.is(201).json;
        response["conversation"]["id"].as_str().unwrap().to_owned()
    };
    let first = id(PLAIN).await;
    // A number with another code of a country, or without one, may be another person's.
    let others = ["9001234567", "8 (900) 123-45-67"];
    for spelling in SPELLINGS {
        let is_same = !others.contains(&spelling);
        assert_eq!(id(spelling).await == first, is_same, "{spelling}");
    }
    for wrong in ["none", "+7 900 123-45-67, +7 900 765-43-21"] {
        let refusal = start(wrong).await.is(400);
        assert_eq!(refusal.wrong()[0].0, "phone", "{wrong}");
    }
}

const NAMES: [&str; 7] = [
    "Jose\u{301} Vega",
    "Й\u{a0}озеф Йозеф",
    "Ångström",
    "パピ",
    "İstanbul Ticaret",
    "Алёна",
    "O’Brien",
];

/// Customers with these names, and tags of contacts and leads.
async fn add_names(client: &Client) {
    client.connect("v2").await;
    for (place, name) in NAMES.iter().enumerate() {
        let (place, text) = (format!("{place}"), format!("From {name}"));
        client.sent(&says(&place, name, &json!({}), &text)).await;
    }
    let tags: Vec<Value> = NAMES.iter().map(|name| json!({ "name": name })).collect();
    for kind in ["contacts", "leads"] {
        floor::admin(
            client,
            "POST",
            &format!("/api/v4/{kind}/tags"),
            &json!(tags),
        )
        .await
        .is(200);
    }
}

/// Composed and decomposed letters, letter case, accents: in every list that is searched.
#[tokio::test]
async fn letters_that_look_the_same_are_the_same_to_every_search() {
    let server = Server::start().await;
    let client = server.client();
    add_names(client).await;
    for (query, id) in [
        ("josé", 1),
        ("JOSE\u{301}", 1),
        ("jose", 1),
        ("И\u{306}ОЗЕФ", 2),
        ("a\u{30a}ngstro\u{308}m", 3),
        ("ハ\u{309a}ヒ\u{309a}", 4),
        ("ﾊﾟﾋﾟ", 4),
        ("istanbul", 5),
        ("ISTANBUL", 5),
        ("алена", 6),
        ("o'brien", 7),
    ] {
        for kind in ["contacts", "leads"] {
            assert_eq!(found(client, kind, query).await, [id], "{kind}: {query}");
            let tags = client
                .read(&format!("/api/v4/{kind}/tags?{}", encoded(query)))
                .await;
            assert_eq!(floor::ids(&tags, "tags"), [id], "{kind}: {query}");
        }
        let list = client
            .read(&format!("/inbox/v1/conversations?{}", encoded(query)))
            .await;
        let inbox = list["conversations"].as_array().unwrap();
        assert_eq!(inbox.len(), 1, "{query}");
        // What is stored stays as it came.
        assert_eq!(
            inbox[0]["customer"]["name"],
            NAMES[usize::try_from(id - 1).unwrap()]
        );
    }
    filters_take_whole_names(client).await;
    // A tag is the same however its letters are composed.
    let tags = json!({ "_embedded": { "tags": [{ "name": "José Vega" }] } });
    let tagged = floor::admin(client, "PATCH", "/api/v4/contacts/1", &tags)
        .await
        .is(200)
        .json;
    assert_eq!(tagged["_embedded"]["tags"][0]["id"], 1);
    let change = json!({ "tags_to_delete": [{ "name": "José Vega" }] });
    let bare = floor::admin(client, "PATCH", "/api/v4/contacts/1", &change)
        .await
        .is(200)
        .json;
    assert_eq!(bare["_embedded"]["tags"], json!([]));
}

/// A filter by name takes the same name only, in whatever letter case and composition.
async fn filters_take_whole_names(client: &Client) {
    for (name, expected) in [
        ("josé vega", vec![1]),
        ("Jose\u{301} Vega", vec![1]),
        ("Jose Vega", vec![]),
        ("istanbul ticaret", vec![5]),
        ("Алена", vec![]),
        ("o'brien", vec![7]),
    ] {
        let filter = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("filter[name]", name)
            .finish();
        for list in [
            "contacts",
            "leads",
            "contacts/tags",
            "leads/tags",
            "leads/unsorted",
        ] {
            let answer = client.get(&format!("/api/v4/{list}?{filter}")).await;
            let page = if answer.status == 204 {
                Value::Null
            } else {
                answer.is(200).json
            };
            let entries = page["_embedded"]
                .as_object()
                .and_then(|it| it.values().next());
            let count = entries.and_then(Value::as_array).map_or(0, Vec::len);
            assert_eq!(count, expected.len(), "{list}: {name}");
        }
    }
}
