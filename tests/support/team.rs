//! An administrator who never rests: adds users and roles, renames and deletes roles, switches users off and on; and
//! what has to be true of all of them after whatever happened to the service.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::answer::Answer;
use super::client::Client;
use super::random::Random;
use super::server::TOKEN;
use super::shown::text;

/// More users than this are not added, so that reading them back stays short.
const USERS_MAX: usize = 120;

/// The administrator, with what they remember from one life of the service to the next.
pub struct Team {
    random: Random,
    count: u64,
    /// By e-mail address.
    users: BTreeMap<String, Known<User>>,
    /// By the name they were added under.
    roles: BTreeMap<String, Known<Role>>,
    acknowledged: usize,
}

/// A state as far as it is known: the certain value, and the changes without an answer since then.
#[derive(Clone, Debug)]
struct Known<T> {
    is: Option<T>,
    asked: Option<Option<T>>,
}

impl<T: Clone + PartialEq> Known<T> {
    /// Something that is about to be made.
    fn asked(state: T) -> Self {
        Self {
            is: None,
            asked: Some(Some(state)),
        }
    }

    /// Settles on a state, and returns whether it is one of the possible ones.
    fn settle(&mut self, found: Option<T>) -> bool {
        let fits = self.is == found || self.asked.as_ref() == Some(&found);
        (self.is, self.asked) = (found, None);
        fits
    }

    fn ask(&mut self, state: Option<T>) {
        self.asked = Some(state);
    }

    fn done(&mut self) {
        if let Some(state) = self.asked.take() {
            self.is = state;
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct User {
    active: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Role {
    name: String,
}

impl Team {
    /// Nothing was done yet.
    pub fn new(random: &mut Random) -> Self {
        Self {
            random: random.fork(),
            count: 0,
            users: BTreeMap::new(),
            roles: BTreeMap::new(),
            acknowledged: 0,
        }
    }

    /// Returns the number of acknowledged changes.
    pub fn acknowledged(&self) -> usize {
        self.acknowledged
    }

    /// Works until there is no answer any more. `ids` are the numbers of what the service showed last.
    pub async fn work(&mut self, client: &Client) {
        while self.step(client).await.is_some() {}
    }

    /// Does one thing; `None` when the service does not answer any more.
    async fn step(&mut self, client: &Client) -> Option<()> {
        match self.random.below(100) {
            0..25 if self.users.len() < USERS_MAX => self.create_user(client).await,
            25..45 if self.roles.len() < USERS_MAX => self.create_role(client).await,
            45..60 => self.update_role(client).await,
            60..65 => self.delete_role(client).await,
            _ => self.switch(client).await,
        }
    }

    async fn create_user(&mut self, client: &Client) -> Option<()> {
        self.count += 1;
        let email = format!("u{}@example.com", self.count);
        let body = json!([{ "name": format!("User {}", self.count), "email": email, "password": "aBcde1@345" }]);
        let entry = Known::asked(User { active: true });
        self.users.insert(email.clone(), entry);
        if self
            .ask(client, "POST", "/api/v4/users", &body, 201)
            .await?
        {
            self.users.get_mut(&email).unwrap().done();
        }
        Some(())
    }

    async fn create_role(&mut self, client: &Client) -> Option<()> {
        self.count += 1;
        let name = format!("Role {}", self.count);
        let rights = json!({ "leads": {}, "contacts": {}, "companies": {}, "tasks": {} });
        // What it was added as stays in it, whatever it is called later.
        let body = json!({ "name": name, "rights": rights });
        let entry = Known::asked(Role { name: name.clone() });
        self.roles.insert(name.clone(), entry);
        if self
            .ask(client, "POST", "/api/v4/roles", &body, 201)
            .await?
        {
            self.roles.get_mut(&name).unwrap().done();
        }
        Some(())
    }

    async fn update_role(&mut self, client: &Client) -> Option<()> {
        let Some((first, role)) = self.some_role() else {
            return Some(());
        };
        self.count += 1;
        let name = format!("{first} as {}", self.count);
        let Some(id) = number_of(client, "roles", |it| it["name"] == role.name).await? else {
            return Some(());
        };
        let entry = self.roles.get_mut(&first).unwrap();
        entry.ask(Some(Role { name: name.clone() }));
        let target = format!("/api/v4/roles/{id}");
        if self
            .ask(client, "PATCH", &target, &json!({ "name": name }), 202)
            .await?
        {
            self.roles.get_mut(&first).unwrap().done();
        }
        Some(())
    }

    async fn delete_role(&mut self, client: &Client) -> Option<()> {
        let Some((first, role)) = self.some_role() else {
            return Some(());
        };
        let Some(id) = number_of(client, "roles", |it| it["name"] == role.name).await? else {
            return Some(());
        };
        self.roles.get_mut(&first).unwrap().ask(None);
        let target = format!("/api/v4/roles/{id}");
        if self.ask(client, "DELETE", &target, &json!({}), 204).await? {
            self.roles.get_mut(&first).unwrap().done();
        }
        Some(())
    }

    async fn switch(&mut self, client: &Client) -> Option<()> {
        let certain = |(email, known): (&String, &Known<User>)| {
            let user = known.is.clone().filter(|_| known.asked.is_none())?;
            Some((email.clone(), user))
        };
        let users: Vec<_> = self.users.iter().filter_map(certain).collect();
        if users.is_empty() {
            return Some(());
        }
        let (email, user) = self.random.one_of(&users).clone();
        let Some(id) = number_of(client, "users", |it| it["email"] == email).await? else {
            return Some(());
        };
        let active = !user.active;
        self.users
            .get_mut(&email)
            .unwrap()
            .ask(Some(User { active }));
        let (target, status) = if active {
            ("/api/v4/users/activate", 202)
        } else {
            ("/api/v4/users/deactivate", 204)
        };
        if self
            .ask(client, "POST", target, &json!([{ "id": id }]), status)
            .await?
        {
            self.users.get_mut(&email).unwrap().done();
        }
        Some(())
    }

    /// A role of which it is certain how it is called.
    fn some_role(&mut self) -> Option<(String, Role)> {
        let certain = |(first, known): (&String, &Known<Role>)| {
            let role = known.is.clone().filter(|_| known.asked.is_none())?;
            Some((first.clone(), role))
        };
        let roles: Vec<_> = self.roles.iter().filter_map(certain).collect();
        (!roles.is_empty()).then(|| self.random.one_of(&roles).clone())
    }

    /// Sends a change, and returns whether it was acknowledged; the only other answer is «not now». `None`: there was
    /// no answer.
    async fn ask(
        &mut self,
        client: &Client,
        method: &str,
        target: &str,
        body: &Value,
        status: u16,
    ) -> Option<bool> {
        let request = client
            .request(method, target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json");
        let answer: Answer = request.body(body.to_string()).attempt().await?;
        if answer.status == status {
            self.acknowledged += 1;
            return Some(true);
        }
        assert!(
            matches!(answer.status, 429 | 503),
            "{method} {target}: {answer:?}"
        );
        Some(false)
    }

    /// Everything that is wrong with what the service shows of users and roles.
    pub async fn faults(&mut self, client: &Client) -> Vec<String> {
        let mut faults = Vec::new();
        let users = collection(client, "users").await.unwrap();
        for (email, known) in &mut self.users {
            let mut matches = users.iter().filter(|it| it["email"] == *email);
            let user = matches.next().map(|it| User {
                active: it["rights"]["is_active"] == true,
            });
            let before = known.clone();
            if !known.settle(user.clone()) || matches.next().is_some() {
                faults.push(format!("user {email} is {user:?}, but was {before:?}"));
            }
        }
        let roles = collection(client, "roles").await.unwrap();
        let mut names: Vec<&str> = roles.iter().map(|it| text(&it["name"])).collect();
        for (first, known) in &mut self.roles {
            let own = |name: &str| name == first || name.starts_with(&format!("{first} as "));
            let index = names.iter().position(|name| own(name));
            let role = index.map(|place| Role {
                name: names.remove(place).to_owned(),
            });
            let before = known.clone();
            if !known.settle(role.clone()) {
                faults.push(format!("role «{first}» is {role:?}, but was {before:?}"));
            }
        }
        faults.extend(
            names
                .iter()
                .map(|name| format!("role «{name}» was never added")),
        );
        self.users.retain(|_, known| known.is.is_some());
        self.roles.retain(|_, known| known.is.is_some());
        faults
    }
}

/// The number of the one that is meant; `None` in it when there is none. `None`: there was no answer.
async fn number_of(
    client: &Client,
    name: &str,
    meant: impl Fn(&Value) -> bool,
) -> Option<Option<u64>> {
    let all = collection(client, name).await?;
    Some(
        all.iter()
            .find(|it| meant(it))
            .map(|it| it["id"].as_u64().unwrap()),
    )
}

/// All of a list; `None` when the service does not answer.
async fn collection(client: &Client, name: &str) -> Option<Vec<Value>> {
    let mut all = Vec::new();
    for page in 1.. {
        let target = format!("/api/v4/{name}?limit=250&page={page}");
        let answer = client
            .request("GET", &target)
            .bearer(TOKEN)
            .attempt()
            .await?;
        if answer.status != 200 {
            return None;
        }
        all.extend(
            answer.json["_embedded"][name]
                .as_array()
                .unwrap()
                .iter()
                .cloned(),
        );
        if answer.json["_links"]["next"].is_null() {
            break;
        }
    }
    Some(all)
}
