//! The facts that a client has to know of an operation. Each handler has one of these beside it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use switchboard_actors::wire::account_body::batch::Called;
use switchboard_actors::wire::account_body::items::{self, WithId};
use switchboard_actors::wire::body::Body;

use crate::extract::query::LIMIT_MAX;
use crate::openapi::asker::{Asker, Tag};
use crate::openapi::refusal;
use switchboard_actors::wire::schema::{Parts, Schema};

/// The parameters, bodies and answers of an operation.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    tag: Tag,
    asker: Asker,
    id: &'static str,
    summary: &'static str,
    details: &'static str,
    parameters: Vec<Value>,
    body: Option<RequestBody>,
    answers: BTreeMap<u16, Value>,
    parts: Parts,
}

#[derive(Clone, Debug)]
struct RequestBody {
    media_type: &'static str,
    schema: Value,
    example: Option<Value>,
    needed: bool,
}

impl Operation {
    /// An operation with a name for programs and a sentence for people.
    pub(crate) fn new(tag: Tag, asker: Asker, id: &'static str, summary: &'static str) -> Self {
        Self {
            tag,
            asker,
            id,
            summary,
            details: "",
            parameters: Vec::new(),
            body: None,
            answers: BTreeMap::new(),
            parts: Parts::new(),
        }
    }

    /// An operation of the operator.
    pub(crate) fn operator(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Operator, Asker::Operator, id, summary)
    }

    /// An operation of administrators on users and roles.
    pub(crate) fn users(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Users, Asker::Administrator, id, summary)
    }

    /// An operation of administrators on the OAuth clients of their account.
    pub(crate) fn oauth(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Oauth, Asker::Administrator, id, summary)
    }

    /// An operation on an OAuth client, for signed-in administrators of its account and for the client itself.
    pub(crate) fn ends_grants(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Oauth, Asker::GrantEnder, id, summary)
            .refuses(400, "A bearer token of a user: an administrator signs in.")
            .refuses(
                403,
                "The caller is no administrator of the account, or an OAuth client that is not the one in the address.",
            )
    }

    /// An operation of users on the account, its leads and its contacts.
    pub(crate) fn leads(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Leads, Asker::User, id, summary)
    }

    /// An operation of users in the inbox.
    pub(crate) fn inbox(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Inbox, Asker::User, id, summary)
    }

    /// An operation of integrations of both generations.
    pub(crate) fn chat(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Chat, Asker::Integration, id, summary)
    }

    /// An operation of integrations of the current generation.
    pub(crate) fn current_chat(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Chat, Asker::CurrentIntegration, id, summary)
    }

    /// An operation that anyone may ask of the service itself.
    pub(crate) fn service(id: &'static str, summary: &'static str) -> Self {
        Self::new(Tag::Service, Asker::Anyone, id, summary)
    }

    /// More than a sentence.
    pub(crate) fn says(self, details: &'static str) -> Self {
        Self { details, ..self }
    }

    /// A part of the path.
    pub(crate) fn path(self, name: &str, schema: Schema) -> Self {
        self.parameter("path", name, schema, true)
    }

    /// A parameter of the query, which may be left out.
    pub(crate) fn query(self, name: &str, schema: Schema) -> Self {
        self.parameter("query", name, schema, false)
            .refuses(400, "A parameter is invalid.")
    }

    /// A parameter of the query that must be there.
    pub(crate) fn query_needed(self, name: &str, schema: Schema) -> Self {
        self.parameter("query", name, schema, true)
            .refuses(400, "A parameter is invalid or missing.")
    }

    /// A header, which may be left out.
    pub(crate) fn header(self, name: &str, schema: Schema) -> Self {
        self.parameter("header", name, schema, false)
    }

    fn parameter(mut self, place: &str, name: &str, schema: Schema, needed: bool) -> Self {
        let schema = self.take(schema);
        self.parameters
            .push(json!({ "name": name, "in": place, "required": needed, "schema": schema }));
        self
    }

    /// The pages of a list with numbers.
    pub(crate) fn pages(self) -> Self {
        self.pages_within(LIMIT_MAX)
    }

    /// The same, of pages with at most so many entries.
    pub(crate) fn pages_within(self, max: u64) -> Self {
        let page = Schema::from(0)
            .default_is(1)
            .says("Which page, from 1; 0 is the first one too.");
        self.query("page", page).limit_within(max)
    }

    /// The pages of a list that goes on behind a cursor.
    pub(crate) fn cursor(self) -> Self {
        let cursor = Schema::text().says("The `next` of the page before.");
        self.query("cursor", cursor).limit()
    }

    /// Sets the number of entries of a page.
    pub(crate) fn limit(self) -> Self {
        self.limit_within(LIMIT_MAX)
    }

    fn limit_within(self, max: u64) -> Self {
        let limit = Schema::from(1).default_is(50);
        let says = format!("The page size; values above {max} mean {max}.");
        self.query("limit", limit.says(&says))
    }

    /// A JSON body that is declared, with one that is taken.
    pub(crate) fn takes<T: Body>(self, example: Value) -> Self {
        self.body(T::schema(), example)
    }

    /// The same, or none at all.
    pub(crate) fn takes_or_nothing<T: Body>(self, example: Value) -> Self {
        self.json_body(T::schema(), example, false)
    }

    /// A JSON body of at most `max` items that are declared, each with the name that the client gives it.
    pub(crate) fn takes_items<T: Body>(self, max: usize, example: Value) -> Self {
        let fields = T::fields().into_iter().chain(Called::fields());
        self.body(items::schema(fields, max), example)
    }

    /// The same, where each item names what it changes by number.
    pub(crate) fn takes_changes<T: Body>(self, max: usize, example: Value) -> Self {
        let fields = T::fields().into_iter();
        let ids = WithId::fields().into_iter().chain(Called::fields());
        self.body(items::schema(fields.chain(ids), max), example)
    }

    /// A JSON body, with one that is taken.
    pub(crate) fn body(self, schema: Schema, example: Value) -> Self {
        self.json_body(schema, example, true)
    }

    fn json_body(mut self, schema: Schema, example: Value, needed: bool) -> Self {
        let schema = self.take(schema);
        self.body = Some(RequestBody {
            media_type: "application/json",
            schema,
            example: Some(example),
            needed,
        });
        self.reads_a_body("The body is invalid; the answer names each invalid field.")
    }

    /// A form with a file.
    pub(crate) fn form(mut self, schema: Schema) -> Self {
        let schema = self.take(schema);
        self.body = Some(RequestBody {
            media_type: "multipart/form-data",
            schema,
            example: None,
            needed: true,
        });
        self.reads_a_body("The form or the file is invalid.")
    }

    fn reads_a_body(self, wrong: &str) -> Self {
        self.refuses(400, wrong)
            .refuses(408, "The body did not arrive in time.")
            .refuses(413, "The body is too long.")
            .refuses(415, "The body has another media type.")
    }

    /// An answer with a JSON body.
    pub(crate) fn answers(self, status: u16, says: &str, schema: Schema) -> Self {
        self.answers_as(status, says, "application/json", schema)
    }

    /// An answer with what this type is written as.
    pub(crate) fn gives<T: JsonSchema>(self, status: u16, says: &str) -> Self {
        self.answers(status, says, Schema::for_type::<T>())
    }

    /// An answer with a body of this media type.
    pub(crate) fn answers_as(
        mut self,
        status: u16,
        says: &str,
        media_type: &str,
        schema: Schema,
    ) -> Self {
        let schema = self.take(schema);
        let content = Map::from_iter([(media_type.to_owned(), json!({ "schema": schema }))]);
        let answer = json!({ "description": says, "content": content });
        self.answers.insert(status, answer);
        self
    }

    /// An answer without a body.
    pub(crate) fn answers_nothing(mut self, status: u16, says: &str) -> Self {
        self.answers.insert(status, json!({ "description": says }));
        self
    }

    /// The answer of this status has this header.
    pub(crate) fn with_header(mut self, status: u16, name: &str, says: &str) -> Self {
        let answer = self.answers.get_mut(&status).and_then(Value::as_object_mut);
        if let Some(answer) = answer {
            let headers = answer.entry("headers").or_insert_with(|| json!({}));
            if let Some(headers) = headers.as_object_mut() {
                let header = json!({ "description": says, "schema": { "type": "string" } });
                headers.insert(name.to_owned(), header);
            }
        }
        self
    }

    /// An error, in the form of the interface that the operation belongs to; what was said first of a status stays.
    pub(crate) fn refuses(mut self, status: u16, why: &str) -> Self {
        if !self.answers.contains_key(&status) {
            let (media_type, schema) = refusal::form(self.asker.signs());
            self = self.answers_as(status, why, media_type, schema);
            if let Some((name, says)) = refusal::header(status) {
                self = self.with_header(status, name, says);
            }
        }
        self
    }

    fn take(&mut self, schema: Schema) -> Value {
        let (json, parts) = schema.taken();
        self.parts.extend(parts);
        json
    }

    /// The operation with what follows from who may ask and how.
    fn implied(self, is_safe: bool) -> Self {
        let asker = self.asker;
        let mut all = self;
        if asker != Asker::Anyone {
            all = all.refuses(
                503,
                "Temporarily unavailable: the request was not processed; retry.",
            );
        }
        if asker.is_of_an_account() || asker == Asker::Operator {
            all = all.refuses(401, "No valid token, and no session.");
        }
        if matches!(
            asker,
            Asker::Administrator | Asker::SignedInAdministrator | Asker::GrantEnder
        ) {
            all = all.refuses(403, "The caller is no administrator of the account.");
        }
        if asker.is_of_an_account() && !is_safe {
            all = all.refuses(403, "The session's CSRF token is missing or invalid.");
        }
        if asker.signs() {
            all = all
                .signature_headers()
                .refuses(403, "The signature is missing or invalid.")
                .refuses(
                    404,
                    "There is no such channel, or the scope is not connected.",
                )
                .refuses(408, "The body did not arrive in time.")
                .refuses(413, "The body is too long.")
                .refuses(
                    429,
                    "Rate limit of the channel exceeded; or too many requests with invalid signatures from this address (a valid signature is still accepted).",
                );
        }
        if asker.is_of_an_account() {
            all = all.refuses(429, "Rate limit of the user exceeded.");
        }
        all.refuses(414, "The path is longer than 2,048 bytes.")
            .refuses(429, "Too many connections from this address.")
            .refuses(431, "The head of the request is longer than allowed.")
            .refuses(
                503,
                "Too many concurrent requests; the request was not processed.",
            )
            .refuses(
                421,
                "The service does not serve the host that the request names.",
            )
    }

    fn signature_headers(self) -> Self {
        let is_required = self.asker == Asker::CurrentIntegration;
        let md5 = Schema::text()
            .says("The lower-case hex MD5 of the body; its presence means the current generation.");
        let date = Schema::text().says("RFC 2822 or RFC 9110, within 15 minutes of the service's clock; signed in the current generation.");
        self.parameter("header", "Content-MD5", md5, is_required)
            .parameter("header", "Date", date, is_required)
    }

    /// The operation as the document has it, and the schemas that it refers to.
    pub(crate) fn written(self, method: &str) -> (Value, Parts) {
        let is_safe = method == "GET";
        let all = self.implied(is_safe);
        let responses: Map<String, Value> = all
            .answers
            .iter()
            .map(|(status, answer)| (status.to_string(), answer.clone()))
            .collect();
        let mut object = Map::from_iter([
            ("operationId".to_owned(), json!(all.id)),
            ("summary".to_owned(), json!(all.summary)),
            ("tags".to_owned(), json!([all.tag.word()])),
            ("security".to_owned(), all.asker.schemes(is_safe)),
            ("responses".to_owned(), responses.into()),
        ]);
        if !all.details.is_empty() {
            object.insert("description".to_owned(), json!(all.details));
        }
        if !all.parameters.is_empty() {
            object.insert("parameters".to_owned(), all.parameters.into());
        }
        if let Some(body) = all.body {
            let mut kind = json!({ "schema": body.schema });
            if let (Some(example), Some(kind)) = (body.example, kind.as_object_mut()) {
                kind.insert("example".to_owned(), example);
            }
            let content = Map::from_iter([(body.media_type.to_owned(), kind)]);
            let body = json!({ "required": body.needed, "content": content });
            object.insert("requestBody".to_owned(), body);
        }
        (object.into(), all.parts)
    }
}
