//! For each operation with a JSON body: where to send one, and the documented example as it fits the world of the test.

use serde_json::{Value, json};

use crate::inbox::snooze::in_seconds;
use crate::support::answer::Answer;
use crate::support::client::{Client, scope};
use crate::support::described::DOCUMENT;
use crate::support::oauth::{Browser, OAUTH_CLIENT, REDIRECT, exchange};
use crate::support::server::{ACCOUNT, CHANNEL, TOKEN};

/// The objects that examples refer to.
pub(super) struct World {
    /// Our id of the conversation `c-ada`.
    pub(super) conversation: String,
    /// Our id of its message `m-1`.
    pub(super) message: String,
    /// Our id of a message of an account user.
    pub(super) reply: String,
    /// The last part of the address of the question of salesbot 1.
    pub(super) question: String,
    /// An authorization code of the OAuth client.
    pub(super) code: String,
}

/// An operation with a body that it takes.
pub(super) struct Case {
    /// Its name in the document.
    pub(super) operation: &'static str,
    /// The name of the schema, where the body has several.
    pub(super) schema: Option<&'static str>,
    /// The values of the variable parts of the path, in their order.
    pub(super) path: Vec<String>,
    /// The body.
    pub(super) body: Value,
}

impl Case {
    fn new(operation: &'static str, path: &[&str]) -> Self {
        Self {
            operation,
            schema: None,
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            body: described(operation).2["requestBody"]["content"]["application/json"]["example"]
                .clone(),
        }
    }

    fn with(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        *self.body.pointer_mut(pointer).unwrap() = value.into();
        self
    }

    fn being(self, schema: &'static str, body: Value) -> Self {
        let schema = Some(schema);
        Self {
            schema,
            body,
            ..self
        }
    }

    /// Sends a body to the operation, as a caller who has the right.
    pub(super) async fn send(&self, client: &Client, body: &Value) -> Answer {
        let (method, template, operation) = described(self.operation);
        let mut values = self.path.iter();
        let parts = template.split('/').map(|part| {
            if part.starts_with('{') {
                values.next().unwrap()
            } else {
                part
            }
        });
        let path = parts.collect::<Vec<_>>().join("/");
        let method = method.to_ascii_uppercase();
        if let Some(tail) = path.strip_prefix("/v2/origin/custom/") {
            return client
                .canonical(&method, tail, body.to_string())
                .send()
                .await;
        }
        if operation["security"] == json!([{ "session": [], "csrf": [] }]) {
            let ada = Browser::sign_in(client, "Ada@example.com").await;
            return ada.asks(&method, &path, body).await;
        }
        let with_right = if operation["tags"][0] == "operator" {
            client.operate(&method, &path)
        } else {
            client.request(&method, &path).bearer(TOKEN)
        };
        let request = with_right.header("Content-Type", "application/json");
        request.body(body.to_string()).send().await
    }
}

/// Method, path and description of an operation.
pub(super) fn described(name: &str) -> (&'static str, &'static str, &'static Value) {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    let mut matches = all.filter(|(_, _, operation)| operation["operationId"] == name);
    matches
        .next()
        .unwrap_or_else(|| panic!("there is no operation {name}"))
}

/// All of them, in an order in which their bodies are taken.
pub(super) fn all(world: &World) -> Vec<Case> {
    let scope_of_channel = scope(CHANNEL, ACCOUNT);
    let of_scope = scope_of_channel.as_str();
    let conversation = world.conversation.as_str();
    let edit = json!({
        "event_type": "edit_message",
        "payload": {
            "timestamp": 1_639_604_762,
            "msgid": "m-1",
            "conversation_id": "c-ada",
            "message": { "type": "text", "text": "Have you any roses?" },
        },
    });
    let mut cases = vec![
        Case::new("connect", &[CHANNEL]).with("/account_id", ACCOUNT),
        Case::new("sendMessage", &[of_scope]).with("/payload/msgid", "m-2"),
        Case::new("sendMessage", &[of_scope]).being("EditMessage", edit),
        Case::new("reportDelivery", &[of_scope, &world.reply]).with("/msgid", world.reply.as_str()),
        Case::new("openChat", &[of_scope]),
        Case::new("reportTyping", &[of_scope]),
        Case::new("react", &[of_scope]),
        Case::new("acceptUnsorted", &["1"]),
        Case::new("updateLead", &["1"]),
        Case::new("updateContact", &["1"]),
        Case::new("updateLeads", &[]),
        Case::new("updateContacts", &[]),
        Case::new("linkChats", &[]).with("/0/chat_id", conversation),
        Case::new("sendTalkMessage", &["1"]),
        Case {
            body: json!({ "list_message": {
                "header": "Flowers", "body": "Which ones?", "footer": null, "button": "Open", "sections": [
                    { "title": "Tulips", "rows": [{ "callback_data": "red", "title": "Red", "description": "" }] },
                ],
            } }),
            ..Case::new("sendTalkMessage", &["1"])
        },
        Case::new("continueSalesbot", &["1", &world.question]),
        Case::new("runSalesbot", &["1"]),
        Case::new("runSalesbots", &[]),
        Case::new("runSalesbotsByNumber", &[]),
        Case::new("stopSalesbot", &["1"]),
        Case::new("closeTalk", &["1"]),
        Case::new("createLeads", &[]),
        Case::new("linkUnsorted", &["2"]).with("/link/entity_id", 3),
        Case::new("createUnsortedForms", &[]),
        Case::new("createUnsortedCalls", &[]),
        Case::new("createContacts", &[]),
        Case::new("createComplexLeads", &[]),
        Case::new("createLeadLinks", &[]),
        Case::new("createLinksOfLead", &["1"]),
        Case::new("createContactLinks", &[]),
        Case::new("createLinksOfContact", &["1"]),
        Case::new("deleteLeadLinks", &[]),
        Case::new("deleteLinksOfLead", &["1"]),
        Case::new("deleteContactLinks", &[]),
        Case::new("deleteLinksOfContact", &["1"]),
    ];
    cases.extend(of_the_team(world));
    cases.push(
        Case::new("signIn", &[])
            .with("/email", "ada@example.com")
            .with("/password", "Secr3tive"),
    );
    cases.extend(of_the_account());
    cases.extend(of_users());
    cases.extend(of_the_operator(world));
    cases.push(Case::new("disconnect", &[CHANNEL]).with("/account_id", ACCOUNT));
    cases.push(Case::new("previewErasure", &[]).with("/account_id", ACCOUNT));
    // The last one: the service ends its round for it.
    cases.push(Case::new("createErasure", &[]).with("/account_id", ACCOUNT));
    cases
}

/// Conversations in the inbox, and what the team writes there.
fn of_the_team(world: &World) -> Vec<Case> {
    let scope_of_channel = scope(CHANNEL, ACCOUNT);
    let conversation = world.conversation.as_str();
    vec![
        Case::new("updateDraft", &[conversation, "reply"]),
        Case::new("createTeamNote", &[conversation]),
        Case::new("updateTeamNote", &[conversation, "1"]),
        Case::new("createCannedReply", &[]),
        Case::new("updateCannedReply", &["1"]),
        Case::new("createSavedView", &[]),
        Case::new("updateSavedView", &["1"]),
        Case::new("updateResponsible", &[conversation]).with("/replaces", 1),
        Case::new("reply", &[conversation]),
        Case::new("updateConversations", &[])
            .with("/conversations/0/id", conversation)
            .with("/conversations/0/replaces", 1),
        Case::new("snoozeConversation", &[conversation]).with("/until", in_seconds(3_600)),
        Case::new("createScheduledReply", &[conversation]).with("/send_at", in_seconds(3_600)),
        Case::new("updateScheduledReply", &[conversation, "1"]).with("/send_at", in_seconds(7_200)),
        Case::new("reactAsUser", &[conversation, &world.message]),
        Case::new("startConversation", &[]).with("/scope_id", scope_of_channel.as_str()),
    ]
}

/// What belongs to leads and contacts, and the settings of an account.
fn of_the_account() -> Vec<Case> {
    vec![
        Case::new("createLeadTags", &[]),
        Case::new("createContactTags", &[]),
        Case::new("createLeadNotes", &[]),
        Case::new("createNotesOfLead", &["1"]),
        Case::new("createContactNotes", &[]),
        Case::new("createNotesOfContact", &["1"]),
        Case::new("updateNoteOfLead", &["1", "1"]),
        Case::new("updateNoteOfContact", &["1", "3"]),
        Case::new("updateLeadNote", &["1"]),
        Case::new("updateContactNote", &["3"]),
        Case::new("createLeadFields", &[]),
        Case::new("createContactFields", &[]),
        Case::new("updateLeadFields", &[]),
        Case::new("updateContactFields", &[]).with("/0/id", 5),
        Case::new("updateLeadField", &["3"]),
        Case::new("updateContactField", &["5"]),
        Case::new("createTasks", &[]),
        Case::new("updateTasks", &[]),
        Case::new("updateTask", &["1"]),
        Case::new("createSources", &[]),
        Case::new("updateSource", &["1"]),
        Case::new("updateSources", &[]),
        Case::new("deleteSources", &[]),
        Case::new("createPipelines", &[]),
        Case::new("updatePipeline", &["2"]),
        Case::new("createStatuses", &["2"]),
        Case::new("updateStatus", &["2", "6"]),
        Case::new("createSalesbot", &[]),
        // Before a change of the template, which ends its reviews.
        Case::new("updateTemplateReview", &["1", "1"]),
        Case::new("updateTemplateReviewByPatch", &["1", "1"]),
        Case::new("createTemplates", &[]),
        Case::new("updateTemplates", &[]),
        Case::new("updateTemplate", &["1"]),
        Case::new("deleteTemplates", &[]),
        Case::new("createWebhook", &[]),
        Case::new("deleteWebhook", &[]),
    ]
}

fn of_users() -> Vec<Case> {
    vec![
        Case::new("createUsers", &[]),
        Case::new("updateUser", &["2"]),
        Case::new("updateMe", &[]),
        Case::new("createPush", &[]),
        Case::new("updateMyPassword", &[])
            .with("/current_password", "Secr3tive")
            .with("/password", "Secr3tive"),
        Case::new("createRoles", &[]),
        Case::new("updateRole", &["1"]),
        Case::new("deactivateUsers", &[]),
        Case::new("activateUsers", &[]),
    ]
}

fn of_the_operator(world: &World) -> Vec<Case> {
    vec![
        Case::new("createAccount", &[]),
        Case::new("updateAccount", &[ACCOUNT]),
        Case::new("createGroup", &[ACCOUNT]),
        Case::new("updateGroup", &[ACCOUNT, "2"]),
        Case::new("createUserOfAccount", &[ACCOUNT]),
        Case::new("updateUserOfAccount", &[ACCOUNT, "2"]),
        Case::new("updateUserPassword", &[ACCOUNT, "2"]),
        Case::new("createToken", &[ACCOUNT, "2"]),
        Case::new("createWebhookOfAccount", &[ACCOUNT]),
        Case::new("createChannel", &[]),
        Case::new("updateChannel", &[CHANNEL]),
        Case::new("testSend", &[CHANNEL]),
        Case::new("checkSignature", &[CHANNEL]),
        Case::new("explainId", &[]),
        Case::new("sendEditedReplay", &[&world.reply]),
        Case::new("createReplay", &[]),
        Case::new("replayRelay", &["shop"]),
        Case::new("sendEditedHook", &["shop"]),
        Case::new("createOauthClient", &[]),
        Case::new("updateOauthClient", &[OAUTH_CLIENT]).with("/redirect_uri", REDIRECT),
        Case::new("consent", &[OAUTH_CLIENT]),
        Case {
            body: exchange(&world.code),
            ..Case::new("issueTokens", &[])
        },
        Case::new("rotateClientSecret", &[OAUTH_CLIENT]),
        Case::new("createLongLived", &[OAUTH_CLIENT]),
        Case::new("rotateSecret", &[CHANNEL]),
    ]
}
