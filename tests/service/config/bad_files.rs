//! Invalid files, and the error messages for their authors.

use switchboard::config::{Overrides, SHIPPED};

use crate::config::{refused, shipped_with};

/// A text of the shipped file, its replacement, and the words that the answer must have.
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
        "# callback_url = \"none\"",
        "callback_url = \"bridge:80\"",
        &["`server.callback_url`", "http:// or https://"],
    ),
    (
        "# hosts = []",
        "hosts = [\"chat.example.com:80\"]",
        &[
            "`server.hosts` is not a list of hosts",
            "leave out scheme and port",
        ],
    ),
    (
        "# hosts = []",
        "hosts = \"chat.example.com\"",
        &["`server.hosts` is not a list"],
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
        "# public_url = \"none\"",
        "public_url = \"127.0.0.1:8080\"",
        &["`server.public_url`", "absolute address"],
    ),
    (
        "# public_url = \"none\"",
        "public_url = \"ftp://127.0.0.1\"",
        &["`server.public_url`", "http:// or https://"],
    ),
    (
        "# public_url = \"none\"",
        "public_url = \"http://h/chat\"",
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
        &[
            "`accounts[0].lang`",
            "lang = \"de\"",
            "\"en\", \"es\" or \"ru\"",
        ],
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
            "`channels[0].generation` is not valid",
            "\"2019\" or \"current\", or \"any\" for both",
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
            "`accounts[0].users[0].name` is not valid",
            "1 to 50 letters",
        ],
    ),
    (
        "name = \"Ada\"",
        "name = \" \"",
        &["`accounts[0].users[0].name` is not valid"],
    ),
    (
        "name = \"Ada\"",
        "name = \"www.example.com\"",
        &["`accounts[0].users[0].name` is not valid", "no link"],
    ),
    (
        "name = \"Demo\"\n",
        "name = \"De\\u0000mo\"\n",
        &["`accounts[0].name` is not valid", "1 to 255 characters"],
    ),
    (
        "name = \"Demo messenger\"",
        "name = \" \"",
        &["`channels[0].name` is not valid", "not blank"],
    ),
    (
        "ada@example.com",
        "ada",
        &[
            "`accounts[0].users[0].email` is not valid",
            "expected an e-mail address",
            "email = \"ada\"",
        ],
    ),
    (
        "\"Passw0rd\"",
        "\"Pw0\"",
        &[
            "`accounts[0].users[0].password` is not valid",
            "a password",
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
        &[
            "`channels[0].secret` is not valid",
            "ASCII characters without spaces",
        ],
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
            "`channels[0].accounts` is not valid",
            "write [\"*\"] for all, or the ids of accounts",
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
        "# timeout_seconds = \"none\"",
        "timeout_seconds = 31",
        &[
            "`channels[0].timeout_seconds` is out of range",
            "from 1 to 30",
        ],
    ),
    (
        "# typing_callbacks = false",
        "typing_callbacks = 1",
        &["`channels[0].typing_callbacks`", "without quotes"],
    ),
    (
        "# kind = \"other\"",
        "kind = \"icq\"",
        &[
            "`channels[0].kind` is not valid",
            "\"telegram\", \"whatsapp\"",
        ],
    ),
    (
        "# page = \"none\"",
        "page = \"https://user:secret@example.com/\"",
        &["`channels[0].page` is not valid", "without user name"],
    ),
    (
        "# window_hours = \"none\"",
        "window_hours = 721",
        &[
            "`channels[0].window_hours` is out of range",
            "from 1 to 720",
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
        "# subdomain = \"default\"",
        "subdomain = \"www\"",
        &["`accounts[0].subdomain`", "all accounts share the host"],
    ),
    (
        "# subdomain = \"default\"",
        "subdomain = \"my_shop\"",
        &["letters, digits and hyphens"],
    ),
    (
        "# email_field_id = 2",
        "email_field_id = 1",
        &["`accounts[0].phone_field_id` and `accounts[0].email_field_id` are both 1"],
    ),
    (
        "#   id = 8238142",
        "id = 2147483648",
        &["`accounts[0].users[0].id` is out of range"],
    ),
    (
        "[actors]",
        "[[actors]]",
        &["`actors` is not a section", "[actors]"],
    ),
];

#[test]
fn everything_wrong_with_chosen_ids_is_named_at_once() {
    let account = "[[accounts]]\nid = \"5a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d\"\nname = \"Shop\"\nsubdomain = \"shop\"\n\
        [[accounts.pipelines]]\nid = 7\nname = \"Sales\"\nunsorted_id = 142\n\
        [[accounts.pipelines.stages]]\nid = 8\nname = \"One\"\n\
        [[accounts.pipelines.stages]]\nid = 8\nname = \"Two\"\n\
        [[accounts.pipelines]]\nid = 7\nname = \"Other\"\nunsorted_id = 9\n\
        [[accounts.users]]\nid = 3\nname = \"Cy\"\nemail = \"cy@example.com\"\npassword = \"Passw0rd\"\n\
        [[accounts.users]]\nid = 3\nname = \"Di\"\nemail = \"di@example.com\"\npassword = \"Passw0rd\"\n";
    let twin = account
        .replace("5a0b1c2d", "5a0b1c2e")
        .replace("name = \"Two\"", "nme = \"Two\"")
        .replace("unsorted_id = 9\n", "");
    let errors = refused(&format!("{account}{twin}"), &[], Overrides::default());
    for words in [
        "`accounts[0].pipelines[0].unsorted_id` is not valid",
        "every pipeline has 142 and 143 by itself",
        "`accounts[0].pipelines[0].stages[1].id` is not valid",
        "`accounts[0].pipelines[1].id` is not valid",
        "`accounts[0].pipelines[1].stages` is not valid",
        "`accounts[0].users[1].id` is the number of another user",
        "`accounts[1].subdomain` is «shop», which `accounts[0]` has already",
        "`accounts[1].pipelines[0].stages[1].name` is missing",
        "unknown key `accounts[1].pipelines[0].stages[1].nme`",
        "`accounts[1].pipelines[1].unsorted_id` is missing",
        "add a line  unsorted_id = 32392156",
    ] {
        assert!(errors.contains(words), "{words}: {errors}");
    }
}

#[test]
fn a_bad_file_is_refused_with_key_line_and_remedy() {
    for (old, new, fragments) in BAD_FILES {
        let errors = refused(&shipped_with(old, new), &[], Overrides::default());
        let before = SHIPPED.split(old).next().unwrap();
        let line = (before.matches('\n').count() + 1).to_string();
        for fragment in *fragments {
            assert!(
                errors.contains(&fragment.replace("{line}", &line)),
                "{new:?} is answered without {fragment:?}:\n{errors}"
            );
        }
        assert!(
            errors.contains("  help: ") && errors.contains("  --> config.toml:"),
            "{errors}"
        );
    }
}
