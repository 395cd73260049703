//! One stem per operation through every layer: a reader who knows an operation of the interface finds its handler, its
//! function in the facade and its command without a search.
//!
//! The operations are read from the route tables, and the stem of each follows from its `operationId`: `markRead` is
//! `mark_read`. It names the handler's file, the function of the facade and its file, and the command (`MarkRead`) and its
//! file. A file may also be called like the resource (`leads.rs`), or stand in a folder of that name and be called like the
//! verb (`channels/create.rs`). A resource of two words may be two folders (`oauth/clients/create.rs`).
//!
//! Operations that do the same have longer names in the interface, since each name is given once there. They may share the
//! shorter stem, by these rules only:
//!
//! * `…AsUser`, `…AsOperator`: users or the operator do what integrations do (`reactAsUser`: `react`).
//! * `…OfAccount`: the operator does what the administrators of an account do (`revokeGrantOfAccount`: `revoke_grant`).
//! * Notes, links, tags and fields of leads and of contacts are alike (`createLeadNotes`, `createNotesOfContact`: `create_notes`),
//!   and so are unsorted leads of forms and of calls (`createUnsortedCalls`: `create_unsorted`).
//! * An operation and its opposite are one piece: `resumeChannel`: `pause_channel`, `deactivateUsers`: `activate_users`.
//!
//! A command may do several operations, by these rules only:
//!
//! * One and several: `update_leads` by `UpdateLead`, `delete_source` by `DeleteSources`.
//! * A part of a resource is updated with the resource: `update_user_password` by `UpdateUser`, in the file of users.
//! * The caller is a user: `update_me` and `update_my_password` by `UpdateUser`.
//! * The interface calls stages statuses: `update_status` by `UpdateStage`.
//!
//! An operation whose facade executes no command needs none: it goes through another function of the facade, the dispatcher
//! stores it, or nothing is stored.

use super::{Source, none, sources};

/// The folders with commands.
const RULES: [&str; 3] = ["domain/src/", "erasures/src/", "relay/src/"];

/// The most exceptions in all lists of this file together.
const EXCEPTIONS: usize = 10;

/// Operations that are done by a command of another name: a code or a refresh token is exchanged for tokens.
const COMMANDS: &[(&str, &str)] = &[("issue_tokens", "exchange_code")];

/// Operations that the service does by itself, without the library's facade.
const OF_THE_SERVICE: &[&str] = &[
    "upload",
    "check_signature",
    "complete_archive",
    "repair_archive",
];

/// Lists and looks that are put together from several functions of the facade.
const COMPOSED: &[&str] = &["account_info", "custom_fields", "me", "pipelines", "talks"];

/// The ends of the ids of operations that do for others, or to others, what the operation without it does.
const FOR_OTHERS: [&str; 5] = [
    "_as_user",
    "_as_operator",
    "_of_account",
    "_of_lead",
    "_of_contact",
];

/// The ends of the ids of operations on what leads and contacts, or forms and calls, have alike, and what they are without
/// the kind.
const ALIKE: [(&str, &str); 16] = [
    ("_lead_field", "_custom_field"),
    ("_contact_field", "_custom_field"),
    ("_lead_fields", "_custom_fields"),
    ("_contact_fields", "_custom_fields"),
    ("_lead_links", "_links"),
    ("_contact_links", "_links"),
    ("_lead_note", "_note"),
    ("_contact_note", "_note"),
    ("_lead_notes", "_notes"),
    ("_contact_notes", "_notes"),
    ("_lead_tags", "_tags"),
    ("_contact_tags", "_tags"),
    ("_salesbots_by_number", "_salesbots"),
    ("_template_review_by_patch", "_template_review"),
    ("_unsorted_forms", "_unsorted"),
    ("_unsorted_calls", "_unsorted"),
];

/// The verbs of operations that take back what another does.
const OPPOSITES: [(&str, &str); 2] = [("resume_", "pause_"), ("deactivate_", "activate_")];

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
        snake(&self.id)
    }

    /// The stem that it shares with other operations, if there is one.
    fn shared_stem(&self) -> Option<String> {
        let stem = self.stem();
        let for_others = FOR_OTHERS.iter().find_map(|end| stem.strip_suffix(end));
        let alike = ALIKE.iter().find_map(|(end, short)| {
            let verb = stem.strip_suffix(end)?;
            Some(format!("{verb}{short}"))
        });
        let opposite = OPPOSITES.iter().find_map(|(verb, other)| {
            let noun = stem.strip_prefix(verb)?;
            Some(format!("{other}{noun}"))
        });
        for_others.map(str::to_owned).or(alike).or(opposite)
    }

    /// The stems that its files and its functions may have.
    fn stems(&self) -> Vec<String> {
        std::iter::once(self.stem())
            .chain(self.shared_stem())
            .collect()
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
        let (stem, stems) = (self.stem(), self.stems());
        let mut missing = Vec::new();
        let mut miss = |layer: &str, what: String| {
            missing.push(format!("{} ({}): {layer}: {what}", self.id, self.file));
        };
        let resource = folder(&self.file);
        let wholes = stems.iter().filter_map(|stem| whole(stem));
        let names: Vec<String> = stems.iter().cloned().chain(wholes).collect();
        let is_place = |path: &str| names.iter().any(|name| is_place_of(path, name, resource));
        if !is_place(&self.file) {
            miss("http", format!("no file {stem}.rs"));
        }
        if OF_THE_SERVICE.contains(&stem.as_str()) {
            return missing;
        }
        let functions = stems.iter().map(|stem| format!("pub async fn {stem}("));
        let functions: Vec<String> = functions.collect();
        let facade = sources.iter().find(|source| {
            let text = source.production();
            source.path.starts_with(self.facade())
                && is_place(&source.path)
                && functions.iter().any(|function| text.contains(function))
        });
        if facade.is_none() {
            let within = self.facade();
            let what = format!("no `pub async fn {stem}(…)` in {within}…{stem}.rs");
            miss("facade", what);
        }
        let executes = facade.is_none_or(|source| source.production().contains("execute"));
        let commands = commands(&stems);
        let has_command = commands.iter().any(|command| {
            let needle = format!("impl Command for {} ", camel(command));
            sources.iter().any(|source| {
                RULES.iter().any(|rules| source.path.starts_with(rules))
                    // A file of `erasures/src` or `relay/src` is in the folder of its resource.
                    && is_place_of(&source.path.replacen("/src/", "/", 1), command, resource)
                    && source.production().contains(&needle)
            })
        });
        if executes && !has_command {
            let command = commands.first().unwrap_or(&stem);
            let needle = format!("impl Command for {} ", camel(command));
            miss("domain", format!("no `{needle}` in …{command}.rs"));
        }
        missing
    }
}

/// The commands that may do an operation with these stems, in snake case.
fn commands(stems: &[String]) -> Vec<String> {
    let mut commands = Vec::new();
    for stem in stems {
        let other = COMMANDS.iter().find(|(operation, _)| operation == stem);
        commands.push(other.map_or_else(|| stem.clone(), |(_, command)| (*command).to_owned()));
        commands.push(in_other_number(stem));
        commands.extend(whole(stem));
        commands.push(
            stem.replace("_status", "_stage")
                .replace("stagees", "stages"),
        );
    }
    commands
}

/// The stem with the noun in the other number.
fn in_other_number(stem: &str) -> String {
    match stem.strip_suffix('s') {
        Some(one) => one.to_owned(),
        None => format!("{stem}s"),
    }
}

/// The update of the whole, of which this updates a part. The caller is a user.
fn whole(stem: &str) -> Option<String> {
    let noun = stem.strip_prefix("update_")?;
    let resource = match noun.split_once('_') {
        None if noun == "me" => "user",
        Some(("my", _)) => "user",
        Some((resource, _)) => resource,
        None => return None,
    };
    Some(format!("update_{resource}"))
}

/// Returns whether a reader would look into this file for this stem.
fn is_place_of(path: &str, stem: &str, resource: &str) -> bool {
    let (within, file) = (folder(path), file(path));
    let (verb, noun) = stem.split_once('_').unwrap_or((stem, stem));
    let plural = match noun.strip_suffix('y') {
        Some(root) if !root.ends_with(['a', 'e', 'o', 'u']) => format!("{root}ies"),
        None if ["s", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        Some(_) | None => format!("{noun}s"),
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
    let of_commands = COMMANDS.iter().map(|(stem, _)| *stem);
    let mut exceptions = of_commands.chain(OF_THE_SERVICE.iter().copied());
    let stale = exceptions.find(|stem| !has_stem(stem));
    assert_eq!(stale, None, "there is no such operation any more");
}

#[test]
fn exceptions_of_operations_only_become_fewer() {
    let exceptions = COMMANDS.len() + OF_THE_SERVICE.len() + COMPOSED.len();
    assert!(
        exceptions <= EXCEPTIONS,
        "{exceptions} operations are exceptions: name them like the others"
    );
}

/// A shorter stem is for operations that share it; one operation alone has its own.
#[test]
fn a_shared_stem_belongs_to_several_operations() {
    let operations = operations(&sources());
    let alone: Vec<String> = operations
        .iter()
        .filter(|operation| operation.method != "GET")
        .filter_map(|operation| Some((operation, operation.shared_stem()?)))
        .filter(|(operation, shared)| {
            let names = [shared.clone(), in_other_number(shared)];
            let mut others = operations.iter().filter(|other| other.id != operation.id);
            !others.any(|other| other.stems().iter().any(|stem| names.contains(stem)))
        })
        .map(|(operation, shared)| format!("{}: {shared}", operation.id))
        .collect();
    none(&alone, "no other operation has this stem");
}

/// Verbs that mean the same as get, list, create, update or delete.
#[test]
fn operations_have_the_five_verbs_and_those_of_the_field() {
    const OTHER_WORDS: [&str; 12] = [
        "add", "begin", "change", "edit", "fetch", "make", "modify", "order", "remove", "rename",
        "set", "show",
    ];
    let operations = operations(&sources());
    let others: Vec<String> = operations
        .iter()
        .filter(|operation| {
            let stem = operation.stem();
            OTHER_WORDS.contains(&stem.split('_').next().unwrap_or_default())
        })
        .map(|operation| format!("{}: {}", operation.file, operation.id))
        .collect();
    none(&others, "say get, list, create, update or delete");
}

#[test]
fn stems_and_commands_follow_from_the_rules() {
    let stems = |id: &str| {
        let operation = Operation {
            method: "POST".to_owned(),
            file: String::new(),
            id: id.to_owned(),
        };
        operation.stems()
    };
    for (id, shared) in [
        ("reactAsUser", Some("react")),
        ("revokeGrantOfAccount", Some("revoke_grant")),
        ("createLeadNotes", Some("create_notes")),
        ("updateNoteOfContact", Some("update_note")),
        ("deactivateUsers", Some("activate_users")),
        ("updateLeads", None),
        ("createLeads", None),
    ] {
        assert_eq!(stems(id).get(1).map(String::as_str), shared, "{id}");
    }
    for (id, command) in [
        ("updateLeads", "update_lead"),
        ("deleteSource", "delete_sources"),
        ("updateUserPassword", "update_user"),
        ("updateMyPassword", "update_user"),
        ("updateMe", "update_user"),
        ("createUserOfAccount", "create_users"),
    ] {
        let commands = commands(&stems(id));
        assert!(
            commands.iter().any(|it| it == command),
            "{id}: {commands:?}"
        );
    }
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
