//! The configuration as its user meets it: what is accepted, what is refused and in which words.
#![expect(clippy::panic, reason = "an integration test binary")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use switchboard::config::load::keys;
use switchboard::config::values::{Durability, Lang, ListenHost, MediaPolicy, Plan};
use switchboard::config::{Audience, Overrides, SHIPPED, Settings};
use switchboard_actors::domain::id::ScopeId;

const ACCOUNT: &str = "af9945ff-1490-4cad-807d-945c15d88bec";

fn env(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(own).collect()
}

fn listen(address: &str) -> Overrides {
    Overrides {
        listen: Some(address.to_owned()),
        data_dir: None,
    }
}

#[track_caller]
fn accepted(text: &str, pairs: &[(&str, &str)], flags: Overrides) -> Settings {
    match Settings::parse(text, "config.toml", &env(pairs), flags) {
        Ok(settings) => settings,
        Err(errors) => panic!("{errors}"),
    }
}

#[track_caller]
fn refused(text: &str, pairs: &[(&str, &str)], flags: Overrides) -> String {
    match Settings::parse(text, "config.toml", &env(pairs), flags) {
        Ok(settings) => panic!("accepted: {text:?} {pairs:?} as {settings:?}"),
        Err(errors) => errors.to_string(),
    }
}

/// The shipped file with one text replaced by another.
#[track_caller]
fn shipped_with(old: &str, new: &str) -> String {
    assert!(SHIPPED.contains(old), "{old}");
    SHIPPED.replace(old, new)
}

#[test]
fn the_shipped_configuration_works_as_it_is() {
    let settings = accepted(SHIPPED, &[], Overrides::default());
    assert_eq!(settings.server.listen.to_string(), "127.0.0.1:8080");
    let url = settings.server.public_url_at(8080).unwrap();
    assert_eq!(url.as_str(), "http://127.0.0.1:8080/");
    assert_eq!(settings.store.path.to_str(), Some("data"));
    assert_eq!(settings.operator.token.unwrap().expose(), "change-me");
    assert!(settings.dispatch.allow_private_networks);
    let [account] = settings.accounts.as_slice() else {
        panic!("{:?}", settings.accounts)
    };
    assert_eq!(account.id.to_string(), ACCOUNT);
    assert_eq!((account.lang, account.plan), (Lang::En, Plan::Enterprise));
    let [user] = account.users.as_slice() else {
        panic!("{:?}", account.users)
    };
    assert_eq!(
        (user.name.as_str(), user.email.as_str()),
        ("Ada", "ada@example.com")
    );
    assert!(user.is_admin);
    let [channel] = settings.channels.as_slice() else {
        panic!("{:?}", settings.channels)
    };
    assert_eq!(channel.accounts, Audience::Everyone);
    let scope: ScopeId = format!("{}_{ACCOUNT}", channel.id).parse().unwrap();
    assert_eq!(
        channel
            .webhook_v2
            .as_ref()
            .unwrap()
            .for_scope(&scope)
            .as_str(),
        format!("http://127.0.0.1:9001/v2/{scope}")
    );
}

#[test]
fn without_a_file_the_defaults_hold() {
    let settings = Settings::load(None, &env(&[]), Overrides::default()).unwrap();
    assert_eq!(settings.server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.server.body_limit_bytes, 262_144);
    assert!((1..=8).contains(&settings.server.workers));
    assert!(settings.server.signature_hints);
    assert_eq!(settings.store.segment_bytes, 64 << 20);
    assert_eq!(settings.store.durability, Durability::Always);
    assert_eq!(settings.actors.idle_after, Duration::from_secs(300));
    assert_eq!(settings.actors.conversations_max_hot, 100_000);
    assert_eq!(settings.media.file_bytes, 20 << 20);
    assert_eq!(settings.media.uploads_max, 8);
    assert_eq!(settings.media.unsent_max, 1_000);
    assert_eq!(settings.media.unsent_age, Duration::from_secs(86_400));
    assert_eq!(settings.media.policy, MediaPolicy::Check);
    assert_eq!(settings.media.fetches_max, 8);
    assert_eq!(settings.media.fetch_timeout, Duration::from_secs(30));
    assert!(!settings.dispatch.allow_private_networks);
    assert_eq!(settings.dispatch.timeout, Duration::from_secs(10));
    assert_eq!(settings.dispatch.attempts_max, 8);
    assert_eq!(settings.dispatch.age_max, Duration::from_secs(86_400));
    assert_eq!(settings.dispatch.in_flight_max, 256);
    assert!(settings.accounts.is_empty() && settings.channels.is_empty());
    assert_eq!(settings.operator.token, None);
}

/// The lines `# key = value` of the shipped file.
fn documented_default(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix("# ")?.split_once(" = ")?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    key.bytes().all(plain).then_some((key, value))
}

#[test]
fn every_documented_default_is_the_default() {
    let shipped = accepted(SHIPPED, &[], Overrides::default());
    let mut defaults = 0;
    let uncommented: Vec<String> = SHIPPED
        .lines()
        .map(|line| match documented_default(line) {
            Some((key, value)) => {
                defaults += 1;
                format!("{key} = {value}")
            }
            None => line.to_owned(),
        })
        .collect();
    assert!(defaults >= 15, "{defaults}");
    assert_eq!(
        accepted(&uncommented.join("\n"), &[], Overrides::default()),
        shipped
    );
}

#[test]
fn every_key_is_documented_in_the_shipped_file() {
    let mut documented = BTreeSet::new();
    let mut section = "";
    for line in SHIPPED.lines() {
        if line.starts_with('[') {
            section = line.trim_matches(|letter| letter == '[' || letter == ']');
            continue;
        }
        let set = line.split_once(" = ").filter(|_| !line.starts_with('#'));
        if let Some((key, _)) = set.or_else(|| documented_default(line)) {
            documented.insert(format!("{section}.{key}"));
        }
    }
    assert_eq!(documented, keys());
}

#[test]
fn a_flag_outranks_the_environment_and_the_environment_the_file() {
    let file = "[server]\nlisten = \"127.0.0.1:1\"\n[store]\npath = \"a\"";
    let variables = [
        ("SWITCHBOARD_SERVER__LISTEN", "127.0.0.1:2"),
        ("SWITCHBOARD_STORE__PATH", "b"),
    ];
    let of_file = accepted(file, &[], Overrides::default());
    let of_env = accepted(file, &variables, Overrides::default());
    let of_flags = Overrides {
        listen: Some("127.0.0.1:3".into()),
        data_dir: Some("c".into()),
    };
    let of_flags = accepted(file, &variables, of_flags);
    for (settings, port, path) in [(of_file, 1, "a"), (of_env, 2, "b"), (of_flags, 3, "c")] {
        assert_eq!(settings.server.listen.port, port);
        assert_eq!(settings.store.path.to_str(), Some(path));
    }
}

#[test]
fn a_variable_sets_any_key_whatever_the_case_of_its_name() {
    let settings = accepted(
        SHIPPED,
        &[
            ("SWITCHBOARD_server__Workers", "3"),
            ("SWITCHBOARD_SERVER__SIGNATURE_HINTS", "false"),
            ("SWITCHBOARD_STORE__DURABILITY", "interval"),
            ("SWITCHBOARD_DISPATCH__ALLOW_CIDRS", "10.1.0.0/16, fd00::/8"),
            ("SWITCHBOARD_CHANNELS__0__SECRET", "another"),
            ("SWITCHBOARD_CHANNELS__0__ACCOUNTS", ACCOUNT),
            ("SWITCHBOARD_CHANNELS__0__GENERATION", "current"),
            ("SWITCHBOARD_ACCOUNTS__0__USERS__0__IS_ADMIN", "false"),
            ("SWITCHBOARD_LOG", "not ours to judge"),
            ("OTHER__THING", "x"),
        ],
        Overrides::default(),
    );
    assert_eq!(settings.server.workers, 3);
    assert!(!settings.server.signature_hints);
    assert_eq!(settings.store.durability, Durability::Interval);
    assert_eq!(settings.dispatch.allow_cidrs.len(), 2);
    assert_eq!(settings.channels[0].secret.expose(), "another");
    let only = Audience::Only([ACCOUNT.parse().unwrap()].into());
    assert_eq!(settings.channels[0].accounts, only);
    let generation = settings.channels[0].generation;
    assert_eq!(
        generation.map(|it| it.as_str().to_owned()),
        Some("current".into())
    );
    assert!(!settings.accounts[0].users[0].is_admin);
}

#[test]
fn a_public_url_that_repeats_the_address_moves_along_with_it() {
    let moved = accepted(SHIPPED, &[], listen("127.0.0.1:0"));
    assert_eq!(
        moved.server.public_url_at(4711).unwrap().as_str(),
        "http://127.0.0.1:4711/"
    );
    let own = shipped_with("\"http://127.0.0.1:8080\"", "\"https://chat.example.com\"");
    let kept = accepted(&own, &[], listen("127.0.0.1:0"));
    assert_eq!(
        kept.server.public_url_at(4711).unwrap().as_str(),
        "https://chat.example.com/"
    );
    let everywhere = accepted("", &[], listen("0.0.0.0:80"));
    assert_eq!(
        everywhere.server.public_url_at(80).unwrap().as_str(),
        "http://127.0.0.1/"
    );
}

#[test]
fn an_address_is_a_number_or_a_name_and_a_port() {
    for (text, host, loopback) in [
        ("127.0.0.1:80", None, true),
        ("[::1]:80", None, true),
        ("[::ffff:127.0.0.1]:80", None, true),
        ("localhost:80", Some("localhost"), true),
        ("LocalHost:80", Some("localhost"), true),
        ("10.0.0.1:80", None, false),
        ("[::]:80", None, false),
        ("chat.example.com:80", Some("chat.example.com"), false),
        (
            "localhost.example.com:80",
            Some("localhost.example.com"),
            false,
        ),
    ] {
        let parsed = accepted("", &[], listen(text)).server.listen;
        assert_eq!(parsed.is_loopback(), loopback, "{text}");
        match (&parsed.host, host) {
            (ListenHost::Name(name), Some(host)) => assert_eq!(name, host),
            (ListenHost::Address(_), None) => {}
            (other, _) => panic!("{text}: {other:?}"),
        }
    }
}

/// What is replaced in the shipped file, by what, and what the answer must say.
const BAD_FILES: &[(&str, &str, &[&str])] = &[
    (
        "[server]",
        "[server",
        &["config/syntax", "config.toml:{line}"],
    ),
    (
        "listen = \"127.0.0.1:8080\"",
        "listen = ",
        &["config/syntax", "config.toml:{line}"],
    ),
    (
        "path = \"data\"",
        "path = \"data\"\npath = \"d\"",
        &["config/syntax", "duplicate key"],
    ),
    (
        "listen =",
        "lisen =",
        &[
            "config/unknown-key",
            "`server.lisen`",
            "config.toml:{line}",
            "^^^^^ did you mean `listen`?",
        ],
    ),
    (
        "[dispatch]",
        "[dispach]",
        &["unknown key `dispach`", "did you mean `dispatch`?"],
    ),
    (
        "[[channels]]",
        "[[chanels]]",
        &["unknown key `chanels`", "did you mean `channels`?"],
    ),
    (
        "# workers = 0",
        "in_flight_max = 3",
        &[
            "`server.in_flight_max`",
            "did you mean `dispatch.in_flight_max`?",
        ],
    ),
    (
        "# workers = 0",
        "colour = 3",
        &[
            "`server.colour`",
            "nothing like it is known",
            "keys here: body_limit_bytes",
        ],
    ),
    (
        "email =",
        "e_mail =",
        &[
            "`accounts[0].users[0].e_mail`",
            "did you mean `email`?",
            "`accounts[0].users[0].email` is missing",
        ],
    ),
    (
        "webhook_v2 =",
        "webhok_v2 =",
        &["`channels[0].webhok_v2`", "did you mean `webhook_v2`?"],
    ),
    (
        "\"127.0.0.1:8080\"",
        "8080",
        &["`server.listen` is not text", "listen = 8080", "in quotes"],
    ),
    (
        "\"127.0.0.1:8080\"",
        "\"127.0.0.1\"",
        &["`server.listen` is not valid", "\"127.0.0.1\"", "host:port"],
    ),
    (
        "\"127.0.0.1:8080\"",
        "\"127.0.0.1:80800\"",
        &["`server.listen`", "host:port"],
    ),
    (
        "\"127.0.0.1:8080\"",
        "\"127.0.0.1:+80\"",
        &["`server.listen`", "host:port"],
    ),
    (
        "\"127.0.0.1:8080\"",
        "\"127.0.0.256:80\"",
        &["`server.listen`", "host:port"],
    ),
    (
        "\"127.0.0.1:8080\"",
        "\"::1:80\"",
        &["`server.listen`", "[::1]:8080"],
    ),
    (
        "\"127.0.0.1:8080\"",
        "\"http://127.0.0.1:80\"",
        &["`server.listen`", "host:port"],
    ),
    (
        "\"http://127.0.0.1:8080\"",
        "\"127.0.0.1:8080\"",
        &["`server.public_url`", "absolute address"],
    ),
    (
        "\"http://127.0.0.1:8080\"",
        "\"ftp://127.0.0.1\"",
        &["`server.public_url`", "http:// or https://"],
    ),
    (
        "\"http://127.0.0.1:8080\"",
        "\"http://h/chat\"",
        &["`server.public_url`", "scheme and host only"],
    ),
    (
        "# workers = 0",
        "workers = 65",
        &[
            "`server.workers` is out of range",
            "workers = 65",
            "from 0 to 64",
        ],
    ),
    (
        "# workers = 0",
        "workers = -1",
        &["`server.workers` is out of range"],
    ),
    (
        "# workers = 0",
        "workers = 1.0",
        &["`server.workers` is not a whole number", "workers = 1.0"],
    ),
    (
        "# workers = 0",
        "workers = \"2\"",
        &["`server.workers` is not a whole number", "workers = \"2\""],
    ),
    (
        "# workers = 0",
        "workers = 99999999999999999999",
        &["`server.workers` is not a whole number"],
    ),
    (
        "# signature_hints = true",
        "signature_hints = 1",
        &["`server.signature_hints`", "true or false, without quotes"],
    ),
    (
        "# signature_hints = true",
        "signature_hints = \"true\"",
        &["`server.signature_hints`", "without quotes"],
    ),
    (
        "# body_limit_bytes = 262144",
        "body_limit_bytes = 10",
        &["`server.body_limit_bytes`", "from 1024 to 16777216"],
    ),
    (
        "path = \"data\"",
        "path = \"\"",
        &["`store.path` is empty", "name a directory"],
    ),
    (
        "# durability = \"always\"",
        "durability = \"never\"",
        &["`store.durability`", "\"never\"", "\"interval\""],
    ),
    (
        "\"change-me\"",
        "\"two words\"",
        &["`operator.token` cannot be a bearer token"],
    ),
    ("\"change-me\"", "12345", &["`operator.token` is not text"]),
    (
        "\"change-me\"",
        "\"demo-admin-token\"",
        &[
            "config/duplicate",
            "`accounts[0].users[0].token` has the same token as `operator.token`",
        ],
    ),
    (
        "# idle_after_seconds = 300",
        "idle_after_seconds = 0",
        &["`actors.idle_after_seconds`", "from 1 to 86400"],
    ),
    (
        "id = \"af9945ff-1490",
        "id = \"af9945ff_1490",
        &["`accounts[0].id` is not valid", "xxxxxxxx-xxxx"],
    ),
    (
        "lang = \"en\"",
        "lang = \"de\"",
        &["`accounts[0].lang`", "lang = \"de\"", "\"en\" or \"ru\""],
    ),
    (
        "plan = \"enterprise\"",
        "plan = \"gold\"",
        &["`accounts[0].plan`", "\"base\" or \"enterprise\""],
    ),
    (
        "# generation = \"any\"",
        "generation = \"2020\"",
        &[
            "`channels[0].generation` is not a generation",
            "\"2019\" or \"current\", or \"any\"",
        ],
    ),
    (
        "name = \"Demo\"\n",
        "",
        &[
            "config/missing-key",
            "`accounts[0].name` is missing",
            "name = \"Demo\"",
        ],
    ),
    (
        "name = \"Ada\"\n",
        "",
        &["`accounts[0].users[0].name` is missing"],
    ),
    (
        "name = \"Ada\"",
        "name = \"A<d>a\"",
        &[
            "`accounts[0].users[0].name` is not a user's name",
            "at most 50",
        ],
    ),
    (
        "name = \"Ada\"",
        "name = \" \"",
        &["`accounts[0].users[0].name` is not a name"],
    ),
    (
        "ada@example.com",
        "ada",
        &[
            "`accounts[0].users[0].email` is not an e-mail address",
            "email = \"ada\"",
        ],
    ),
    (
        "\"Passw0rd\"",
        "\"Pw0\"",
        &[
            "`accounts[0].users[0].password` is not a good password",
            "needs at least 6 characters",
        ],
    ),
    (
        "\"Passw0rd\"",
        "\"password\"",
        &["needs a digit, an upper-case letter"],
    ),
    (
        "\"Passw0rd\"",
        "\"PASSW0RD\"",
        &["needs a lower-case letter"],
    ),
    (
        "is_admin = true",
        "is_admin = \"yes\"",
        &["`accounts[0].users[0].is_admin`", "is_admin = \"yes\""],
    ),
    (
        "[[accounts.users]]",
        "[[accounts.users]]\nname = \"Bob\"\nemail = \"ADA@example.com\"\npassword = \"Passw0rd\"\n[[accounts.users]]",
        &[
            "config/duplicate",
            "`accounts[0].users[1]` has the e-mail of another user",
        ],
    ),
    (
        "[[channels]]",
        "[[accounts]]\nid = \"af9945ff-1490-4cad-807d-945c15d88bec\"\nname = \"B\"\n[[channels]]",
        &[
            "config/duplicate",
            "`accounts[1]` has the id af9945ff",
            "`accounts[0]`",
        ],
    ),
    (
        "[[channels]]",
        "[[channels]]\nid = \"f90ba33d-c9d9-44da-b76c-c349b0ecbe41\"\nname = \"B\"\nsecret = \"b\"\n[[channels]]",
        &["config/duplicate", "`channels[1]` has the id f90ba33d"],
    ),
    (
        "[[channels]]",
        "[channels]",
        &["`channels` is not a list of tables", "[[channels]]"],
    ),
    (
        "id = \"f90ba33d",
        "id = \"f90/ba33d",
        &["`channels[0].id` is not valid", "letters, digits, - and _"],
    ),
    (
        "secret = \"5a44",
        "secret = \"5a 44",
        &["`channels[0].secret` cannot be a channel's secret"],
    ),
    (
        "secret = \"5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189\"\n",
        "",
        &["`channels[0].secret` is missing"],
    ),
    (
        "http://127.0.0.1:9001/v1/:scope_id",
        "/v1/:scope_id",
        &["`channels[0].webhook_v1` is not valid", "absolute address"],
    ),
    (
        "http://127.0.0.1:9001/v1/:scope_id",
        "file:///v1",
        &["`channels[0].webhook_v1`", "http:// or https://"],
    ),
    (
        "http://127.0.0.1:9001/v1/:scope_id",
        "http://:scope_id/v1",
        &["`channels[0].webhook_v1`", "absolute address"],
    ),
    (
        "http://127.0.0.1:9001/v1/:scope_id",
        "http://u:hunter2@h/v1",
        &[
            "`channels[0].webhook_v1`",
            "before the @",
            "\"http://…@h/v1\"",
        ],
    ),
    (
        "http://127.0.0.1:9001/v1/:scope_id",
        "http://h/v1#x",
        &["`channels[0].webhook_v1`", "from # on"],
    ),
    (
        "[\"*\"]",
        "[\"*\", \"x\"]",
        &[
            "`channels[0].accounts` is not a list of accounts",
            "[\"*\", \"x\"]",
        ],
    ),
    (
        "[\"*\"]",
        "\"*\"",
        &["`channels[0].accounts` is not a list"],
    ),
    (
        "# allow_cidrs = []",
        "allow_cidrs = [\"10.0.0.0/33\"]",
        &["`dispatch.allow_cidrs` is not a list of networks"],
    ),
    (
        "# trusted_proxies = []",
        "trusted_proxies = [\"proxy.example\"]",
        &[
            "`server.trusted_proxies` is not a list of networks",
            "10.1.0.0/16",
        ],
    ),
    (
        "# timeout_seconds = 10",
        "timeout_seconds = 31",
        &["`dispatch.timeout_seconds`", "from 1 to 30"],
    ),
    (
        "# age_max_hours = 24",
        "age_max_hours = 2024-01-01",
        &["`dispatch.age_max_hours`", "not a whole number"],
    ),
    (
        "[actors]",
        "[actors]\n[actors.more]",
        &["unknown key `actors.more`"],
    ),
    (
        "[actors]",
        "[[actors]]",
        &["`actors` is not a section", "[actors]"],
    ),
];

#[test]
fn a_bad_file_is_refused_with_key_line_and_remedy() {
    for (old, new, fragments) in BAD_FILES {
        let told = refused(&shipped_with(old, new), &[], Overrides::default());
        let before = SHIPPED.split(old).next().unwrap();
        let line = (before.matches('\n').count() + 1).to_string();
        for fragment in *fragments {
            assert!(
                told.contains(&fragment.replace("{line}", &line)),
                "{new:?} is answered without {fragment:?}:\n{told}"
            );
        }
        assert!(
            told.contains("  help: ") && told.contains("  --> config.toml:"),
            "{told}"
        );
    }
}

/// Variables of the environment, and what the answer must say.
const BAD_VARIABLES: &[(&str, &str, &[&str])] = &[
    (
        "SWITCHBOARD_SERVER__LISEN",
        "x",
        &[
            "unknown variable SWITCHBOARD_SERVER__LISEN",
            "SWITCHBOARD_SERVER__LISTEN?",
        ],
    ),
    (
        "SWITCHBOARD_SERVR__LISTEN",
        "x",
        &[
            "unknown variable SWITCHBOARD_SERVR__LISTEN",
            "SWITCHBOARD_SERVER",
        ],
    ),
    (
        "SWITCHBOARD_SERVER__",
        "x",
        &["unknown variable SWITCHBOARD_SERVER__"],
    ),
    (
        "SWITCHBOARD_SERVER__WORKERS",
        "many",
        &["SWITCHBOARD_SERVER__WORKERS = \"many\" is not a whole number"],
    ),
    (
        "SWITCHBOARD_SERVER__SIGNATURE_HINTS",
        "on",
        &[
            "SWITCHBOARD_SERVER__SIGNATURE_HINTS = \"on\"",
            "true or false",
        ],
    ),
    (
        "SWITCHBOARD_SERVER__LISTEN__X",
        "1",
        &["`listen` is no section"],
    ),
    (
        "SWITCHBOARD_CHANNELS__1__SECRET",
        "x",
        &[
            "the file declares 1 of `channels`, counted from 0",
            "SWITCHBOARD_CHANNELS__0__SECRET",
        ],
    ),
    ("SWITCHBOARD_CHANNELS__0", "x", &["declare it in the file"]),
    (
        "SWITCHBOARD_CHANNELS__0__SECRT",
        "x",
        &["SWITCHBOARD_CHANNELS__0__SECRET?"],
    ),
    (
        "SWITCHBOARD_CHANNELS__SECRET",
        "x",
        &["declare it in the file"],
    ),
    (
        "SWITCHBOARD_OPERATOR__TOKEN",
        "hunter 2",
        &["SWITCHBOARD_OPERATOR__TOKEN cannot be a bearer token"],
    ),
];

#[test]
fn a_bad_variable_is_refused_with_its_name_and_remedy() {
    for (name, value, fragments) in BAD_VARIABLES {
        let told = refused(SHIPPED, &[(name, value)], Overrides::default());
        for fragment in *fragments {
            assert!(
                told.contains(fragment),
                "{name} is answered without {fragment:?}:\n{told}"
            );
        }
        assert!(!told.contains("hunter"), "{told}");
    }
}

#[test]
fn two_variables_for_one_key_are_refused() {
    let both = [
        ("SWITCHBOARD_SERVER__LISTEN", "127.0.0.1:1"),
        ("SWITCHBOARD_SERVER__listen", "127.0.0.1:2"),
    ];
    let told = refused("", &both, Overrides::default());
    assert!(
        told.contains("SWITCHBOARD_SERVER__LISTEN sets the same key"),
        "{told}"
    );
}

#[test]
fn a_bad_flag_is_named() {
    let told = refused("", &[], listen("8080"));
    assert!(told.contains("--listen = \"8080\" is not valid"), "{told}");
}

#[test]
fn all_problems_are_told_at_once_and_in_the_order_of_the_file() {
    let text = "[server]\nlisen = 1\nworkers = 99\n[store]\ndurability = \"x\"\n";
    let variables = env(&[("SWITCHBOARD_DISPATCH__ATTEMPTS_MAX", "0")]);
    let errors = Settings::parse(text, "my.toml", &variables, Overrides::default()).unwrap_err();
    assert_eq!(errors.count(), 4);
    is_told(
        &errors.to_string(),
        "error[config/unknown-key]: unknown key `server.lisen`
  --> my.toml:2
  |
2 | lisen
  | ^^^^^ did you mean `listen`?
  help: keys here: body_limit_bytes, drain_seconds, listen, public_url, signature_hints, trusted_proxies, workers

error[config/bad-value]: `server.workers` is out of range
  --> my.toml:3
  |
3 | workers = 99
  |           ^^
  help: write a whole number from 0 to 64

error[config/bad-value]: `store.durability` is not valid
  --> my.toml:5
  |
5 | durability = \"x\"
  |              ^^^
  help: write \"always\" or \"interval\"

error[config/bad-value]: SWITCHBOARD_DISPATCH__ATTEMPTS_MAX = \"0\" is out of range
  help: write a whole number from 1 to 100",
    );
}

#[track_caller]
fn is_told(told: &str, wanted: &str) {
    assert_eq!(told, wanted, "\n{told}");
}

#[test]
fn no_secret_is_ever_shown() {
    let text = "[operator]\ntoken = \"hunter two\"\n[[channels]]\nsecrt = \"hunter\"\nsecret = \"hunter x\"\n\
        [[accounts]]\nusers = [{ pasword = \"hunter\", password = \"hunter\", token = \"hunter/ /\" }]";
    let told = refused(
        text,
        &[("SWITCHBOARD_CHANNELS__0__SECRE", "hunter")],
        Overrides::default(),
    );
    assert!(!told.contains("hunter"), "{told}");
    let settings = accepted(SHIPPED, &[], Overrides::default());
    let shown = format!("{settings:?}");
    for secret in ["change-me", "demo-admin-token", "5a44c5d", "Passw0rd"] {
        assert!(!shown.contains(secret), "{secret}");
    }
}

#[test]
fn published_secrets_keep_the_service_on_loopback() {
    let told = refused(SHIPPED, &[], listen("0.0.0.0:8080"));
    for (path, variable) in [
        ("`operator.token`", "SWITCHBOARD_OPERATOR__TOKEN"),
        (
            "`accounts[0].users[0].password`",
            "SWITCHBOARD_ACCOUNTS__0__USERS__0__PASSWORD",
        ),
        (
            "`accounts[0].users[0].token`",
            "SWITCHBOARD_ACCOUNTS__0__USERS__0__TOKEN",
        ),
        ("`channels[0].secret`", "SWITCHBOARD_CHANNELS__0__SECRET"),
    ] {
        assert!(
            told.contains(path) && told.contains(variable),
            "{path}:\n{told}"
        );
    }
    assert!(told.contains("config/public-secret"), "{told}");
    assert!(
        told.contains("0.0.0.0:8080 is open to others than this machine"),
        "{told}"
    );

    let changed = [
        ("SWITCHBOARD_OPERATOR__TOKEN", "t-1"),
        ("SWITCHBOARD_ACCOUNTS__0__USERS__0__PASSWORD", "0therWord"),
        ("SWITCHBOARD_ACCOUNTS__0__USERS__0__TOKEN", "t-2"),
        ("SWITCHBOARD_CHANNELS__0__SECRET", "s-1"),
    ];
    accepted(SHIPPED, &changed, listen("0.0.0.0:8080"));
    for left in 0..changed.len() {
        let mut most = changed.to_vec();
        let (name, _) = most.remove(left);
        let told = refused(SHIPPED, &most, listen("[::]:8080"));
        assert!(
            told.contains(name) && told.matches("error[").count() == 1,
            "{told}"
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let missing = std::path::Path::new("no/such/config.toml");
    let told = Settings::load(Some(missing), &env(&[]), Overrides::default())
        .unwrap_err()
        .to_string();
    assert!(
        told.contains("cannot read no/such/config.toml") && told.contains("--config"),
        "{told}"
    );
}
