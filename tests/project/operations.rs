//! One stem per operation through every layer: a reader who knows an operation of the interface finds its handler, its
//! function in the facade and its command without a search.
//!
//! The operations are read from the route tables, and the stem of each follows from its `operationId`: `markRead` is
//! `mark_read`. It names the handler's file, the function of the facade and its file, and the command (`MarkRead`) and its
//! file. A file may also be called like the resource (`leads.rs`), or stand in a folder of that name and be called like the
//! verb (`channels/create.rs`). A resource of two words may be two folders (`oauth/clients/create.rs`).

use super::{Source, none, sources};

/// Operations whose stem is another word than their `operationId`: two that do opposite things in one file, and what has
/// a longer name in the interface only to differ from a namesake.
const STEMS: &[(&str, &str)] = &[
    ("writeFirst", "start"),
    ("reactAsUser", "react"),
    ("showTyping", "typing"),
    ("withdrawMessage", "withdraw"),
    ("changeMyPassword", "change_password"),
    ("showOwnTyping", "typing"),
    ("resumeChannel", "pause_channel"),
    ("activateUsers", "switch_users"),
    ("deactivateUsers", "switch_users"),
    ("createGroup", "set_group"),
    ("renameGroup", "set_group"),
    ("addLeadTags", "add_tags"),
    ("addContactTags", "add_tags"),
    ("addLeadNotes", "add_notes"),
    ("addContactNotes", "add_notes"),
    ("addNotesToLead", "add_notes"),
    ("addNotesToContact", "add_notes"),
    ("editLeadNote", "edit_note"),
    ("editContactNote", "edit_note"),
    ("editAnyLeadNote", "edit_note"),
    ("editAnyContactNote", "edit_note"),
    ("revokeGrantOfAccount", "revoke_grant"),
];

/// Operations that are done by the command of another. The domain says lead where the interface says lead.
const COMMANDS: &[(&str, &str)] = &[
    ("change_lead", "change_lead"),
    ("change_leads", "change_lead"),
    ("change_contacts", "change_contact"),
    ("close_talk", "change_lead"),
    ("edit_source", "edit_sources"),
    ("delete_source", "delete_sources"),
    ("accept_unsorted", "change_lead"),
    ("decline_unsorted", "change_lead"),
    ("end_connection", "disconnect"),
    ("create_user", "add_users"),
    ("set_password", "change_user"),
    ("edit_user", "change_user"),
    ("change_me", "change_user"),
    ("change_password", "change_user"),
    ("issue_tokens", "exchange_code"),
];

/// Operations without a command: they store nothing, or it is the dispatcher that stores it.
const WITHOUT_COMMAND: &[&str] = &[
    "typing",
    "test_send",
    "preview_erasure",
    "discard_delivery",
    "withdraw",
    "replay_delivery",
    "send_edited_replay",
    "enable_endpoint",
];

/// Operations that the service does by itself, without the library's facade.
const OF_THE_SERVICE: &[&str] = &[
    "upload",
    "check_signature",
    "complete_archive",
    "repair_archive",
];

/// Files besides those that follow from the stem.
const FILES: &[(&str, &str)] = &[("set_password", "users")];

/// Lists and looks that are put together from several functions of the facade.
const COMPOSED: &[&str] = &["account_info", "custom_fields", "me", "pipelines", "talks"];

/// An operation as a route table has it.
struct Operation {
    method: String,
    /// The handler's file.
    file: String,
    /// Its `operationId`.
    id: String,
}

impl Operation {
    fn stem(&self) -> String {
        let exception = STEMS.iter().find(|(id, _)| *id == self.id);
        exception.map_or_else(|| snake(&self.id), |(_, stem)| (*stem).to_owned())
    }

    /// The file of the facade that has the operation.
    fn facade(&self) -> &'static str {
        let of_a_user = ["http/src/inbox/", "http/src/account/"];
        if self.file.starts_with("http/src/chat/") {
            "actors/src/system/chat/"
        } else if of_a_user.iter().any(|area| self.file.starts_with(area))
            && !self.id.starts_with("sign")
        {
            "actors/src/system/user_access/"
        } else {
            "actors/src/system/"
        }
    }

    /// The layers in which it is not where one would look first.
    fn missing(&self, sources: &[Source]) -> Vec<String> {
        let stem = self.stem();
        let mut missing = Vec::new();
        let mut miss = |layer: &str, what: String| {
            missing.push(format!("{} ({}): {layer}: {what}", self.id, self.file));
        };
        let resource = folder(&self.file);
        if !is_place_of(&self.file, &stem, resource) {
            miss("http", format!("no file {stem}.rs"));
        }
        if OF_THE_SERVICE.contains(&stem.as_str()) {
            return missing;
        }
        let has = |within: &str, stem: &str, needle: &str| {
            sources.iter().any(|source| {
                source.path.starts_with(within)
                    && is_place_of(&source.path, stem, resource)
                    && source.production().contains(needle)
            })
        };
        let function = format!("pub async fn {stem}(");
        if !has(self.facade(), &stem, &function) {
            let within = self.facade();
            miss("facade", format!("no `{function}…)` in {within}…{stem}.rs"));
        }
        let shared = COMMANDS.iter().find(|(of, _)| *of == stem);
        let command = shared.map_or(stem.as_str(), |(_, command)| command);
        let needle = format!("impl Command for {} ", camel(command));
        if !WITHOUT_COMMAND.contains(&stem.as_str()) && !has("domain/src/", command, &needle) {
            miss("domain", format!("no `{needle}` in …{command}.rs"));
        }
        missing
    }
}

/// Returns whether a reader would look into this file for this stem.
fn is_place_of(path: &str, stem: &str, resource: &str) -> bool {
    let (within, file) = (folder(path), file(path));
    let (verb, noun) = stem.split_once('_').unwrap_or((stem, stem));
    let plural = match noun.strip_suffix('y') {
        Some(root) => format!("{root}ies"),
        None => format!("{noun}s"),
    };
    let resources = [noun, &plural, resource];
    let above = folder(path.strip_suffix(&format!("/{file}.rs")).unwrap_or(path));
    let (two_words, two_folders) = (format!("{within}_{file}"), format!("{above}_{within}"));
    file == stem
        || resources.contains(&file)
        || resources.contains(&two_words.as_str())
        || (file == verb
            && [within, two_folders.as_str()]
                .iter()
                .any(|it| resources.contains(it)))
        || FILES.contains(&(stem, file))
}

fn file(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".rs").unwrap_or(name)
}

fn folder(path: &str) -> &str {
    path.rsplit('/').nth(1).unwrap_or_default()
}

fn snake(id: &str) -> String {
    let mut stem = String::new();
    for letter in id.chars() {
        if letter.is_ascii_uppercase() {
            stem.push('_');
        }
        stem.push(letter.to_ascii_lowercase());
    }
    stem
}

fn camel(stem: &str) -> String {
    let words = stem.split('_').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// All operations of the route tables.
fn operations(sources: &[Source]) -> Vec<Operation> {
    let text = |path: &str| {
        let file_source = sources.iter().find(|source| source.path == path);
        file_source.map_or("", Source::production)
    };
    let mut operations = Vec::new();
    for (table, folder) in [
        ("http/src/lib.rs", "http/src"),
        ("http/src/admin.rs", "http/src/admin"),
        ("http/src/chat.rs", "http/src/chat"),
    ] {
        for (method, module, describe) in routes(text(table)) {
            let file = format!("{folder}/{}.rs", module.replace("::", "/"));
            let beside = file.replace(".rs", "/describe.rs");
            let id = [text(&file), text(&beside)]
                .into_iter()
                .find_map(|text| id_in(text, &describe));
            operations.push(Operation {
                method,
                file,
                id: id.unwrap_or_default(),
            });
        }
    }
    operations
}

/// The routes of a table: method, module, function that describes it.
fn routes(table: &str) -> Vec<(String, String, String)> {
    let mut rows = Vec::new();
    for method in ["GET", "POST", "PATCH", "DELETE"] {
        // `POST inbox::reply(post, describe)`
        for rest in table.split(&format!(" {method} ")).skip(1) {
            let route = rest.split_once(')').map(|(route, _)| route);
            let Some((module, names)) = route.and_then(|route| route.split_once('(')) else {
                continue;
            };
            // `POST account::leads::Lead(post, describe_post)`: the operations of a type.
            let module = match module.rsplit_once("::") {
                Some((module, name)) if name.starts_with(char::is_uppercase) => module,
                Some(_) | None => module,
            };
            let is_module = |byte: u8| byte.is_ascii_lowercase() || b"_:".contains(&byte);
            if let Some((_, describe)) = names.split_once(", ")
                && module.bytes().all(is_module)
            {
                rows.push((method.to_owned(), module.to_owned(), describe.to_owned()));
            }
        }
        // `("POST", connect::describe)`
        for rest in table.split(&format!("(\"{method}\", ")).skip(1) {
            let route = rest.split_once(')').map(|(route, _)| route);
            if let Some((module, describe)) = route.and_then(|route| route.split_once("::")) {
                rows.push((method.to_owned(), module.to_owned(), describe.to_owned()));
            }
        }
    }
    rows
}

/// The `operationId` that a describing function gives.
fn id_in(text: &str, describe: &str) -> Option<String> {
    let (_, body) = text.split_once(&format!("fn {describe}("))?;
    let (body, _) = body.split_once("\n}")?;
    let (_, made) = body
        .split_once("Operation::")
        .or_else(|| body.split_once(" describe("))?;
    made.split('"').nth(1).map(str::to_owned)
}

#[test]
fn each_operation_has_one_stem_through_every_layer() {
    let sources = sources();
    let operations = operations(&sources);
    let changing: Vec<&Operation> = operations.iter().filter(|it| it.method != "GET").collect();
    assert!(
        changing.len() > 50,
        "{} changing operations were found",
        changing.len()
    );
    let missing: Vec<String> = changing
        .iter()
        .flat_map(|operation| operation.missing(&sources))
        .collect();
    none(
        &missing,
        "name the operation alike in http, facade and domain, or say in tests/project/operations.rs why not",
    );
    let has_stem = |stem: &str| changing.iter().any(|operation| operation.stem() == stem);
    let is_id = |id: &str| changing.iter().any(|operation| operation.id == id);
    let shared = COMMANDS.iter().chain(FILES).map(|(stem, _)| *stem);
    let mut exceptions = shared.chain(WITHOUT_COMMAND.iter().chain(OF_THE_SERVICE).copied());
    let stale = exceptions
        .find(|stem| !has_stem(stem))
        .or_else(|| STEMS.iter().map(|(id, _)| *id).find(|id| !is_id(id)));
    assert_eq!(stale, None, "there is no such operation any more");
}

/// Queries of integrations and users have one name in `http` and in the facade.
#[test]
fn queries_have_one_name_in_http_and_facade() {
    let sources = sources();
    let areas = ["http/src/chat/", "http/src/inbox/", "http/src/account/"];
    let looks: Vec<Operation> = operations(&sources)
        .into_iter()
        .filter(|operation| {
            operation.method == "GET" && areas.iter().any(|area| operation.file.starts_with(area))
        })
        .collect();
    assert!(looks.len() > 10, "{} were found", looks.len());
    let missing: Vec<String> = looks
        .iter()
        .filter(|operation| !COMPOSED.contains(&file(&operation.file)))
        .map(|operation| format!("{}{}.rs", operation.facade(), file(&operation.file)))
        .filter(|path| !sources.iter().any(|source| source.path == *path))
        .collect();
    none(
        &missing,
        "the handler has no file of its name in the facade",
    );
}

#[test]
fn a_missing_operation_is_named_with_its_layer() {
    let sources = sources();
    let operation = Operation {
        method: "POST".to_owned(),
        file: "http/src/inbox/brewing.rs".to_owned(),
        id: "makeCoffee".to_owned(),
    };
    let missing = operation.missing(&sources).join("\n");
    for part in [
        "makeCoffee (http/src/inbox/brewing.rs): http: no file make_coffee.rs",
        "facade: no `pub async fn make_coffee(…)` in actors/src/system/user_access/…make_coffee.rs",
        "domain: no `impl Command for MakeCoffee ` in …make_coffee.rs",
    ] {
        assert!(missing.contains(part), "{part} is not in:\n{missing}");
    }
}
