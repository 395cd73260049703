use super::*;

fn parse(text: &str, variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let environment = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Settings::parse(
        text,
        environment.collect(),
        &Flags::default(),
        "the settings".to_owned(),
    )
}

fn problems(text: &str, variables: &[(&str, &str)]) -> String {
    match parse(text, variables) {
        Ok(_) => panic!("the settings are right"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_shipped_file_lacks_nothing_but_the_token() {
    let settings = parse(SHIPPED, &[("TELEGRAM_BOT_TOKEN", "42:SECRET")]).unwrap();
    assert_eq!(settings.core.listen.to_string(), "127.0.0.1:9001");
    assert_eq!(settings.telegram_url, "https://api.telegram.org");
    assert_eq!(
        settings.core.scope_id,
        "f90ba33d-c9d9-44da-b76c-c349b0ecbe41_af9945ff-1490-4cad-807d-945c15d88bec"
    );
    let text = problems(SHIPPED, &[]);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(
        text.contains("telegram.token (TELEGRAM_BOT_TOKEN)"),
        "{text}"
    );
}

#[test]
fn all_problems_of_settings_come_at_once() {
    let file = "[service]\nurl = \"ftp://x\"\nacount_id = \"a\"\nrequests_per_second = 0\n\
                [telegram]\ntoken = \"42:SECRET\"\nurl = true\n[bridge]\nlisten = \"here\"\n[other]\na = 1\n";
    let text = problems(file, &[("PORT", "x")]);
    for part in [
        "service.url (SWITCHBOARD_URL)",
        "service.acount_id: there is no such setting",
        "service.account_id (SWITCHBOARD_ACCOUNT_ID): it is missing",
        "service.channel_id",
        "service.channel_secret",
        "service.requests_per_second",
        "telegram.token: the token is a secret",
        "telegram.url",
        "bridge.listen",
        "bridge.port (PORT)",
        "other: the file has the sections",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("42:SECRET"), "{text}");
}

#[test]
fn the_environment_overrides_the_file_and_flags_both() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret");
    fs::write(&path, "from-a-file\r\n").unwrap();
    let file_of_secret = path.to_str().unwrap();
    let variable_of_file = format!("{}_FILE", SECRET.variable);
    let variables = [
        ("TELEGRAM_BOT_TOKEN", "42:SECRET"),
        (variable_of_file.as_str(), file_of_secret),
        ("SWITCHBOARD_URL", "http://127.0.0.1:1/"),
        ("TELEGRAM_URL", "http://127.0.0.1:2"),
        ("PORT", "9009"),
    ];
    let settings = parse(SHIPPED, &variables).unwrap();
    assert_eq!(settings.core.secrets, ["from-a-file"]);
    assert_eq!(settings.core.url, "http://127.0.0.1:1");
    assert_eq!(settings.core.listen.port(), 9_009);
    let flags = Flags {
        telegram_url: Some("http://127.0.0.1:3".to_owned()),
        listen: Some("127.0.0.1:5".to_owned()),
        ..Flags::default()
    };
    let environment = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings = Settings::parse(SHIPPED, environment.into(), &flags, String::new()).unwrap();
    assert_eq!(settings.telegram_url, "http://127.0.0.1:3");
    assert_eq!(settings.core.listen.port(), 5);
}

#[test]
fn files_and_the_test_network_have_settings() {
    let token = ("TELEGRAM_BOT_TOKEN", "42:SECRET");
    let default = parse(SHIPPED, &[token]).unwrap().api();
    assert_eq!((default.file_url, default.is_test), (None, false));
    let variables = [
        token,
        ("TELEGRAM_FILE_URL", "http://127.0.0.1:4/"),
        ("TELEGRAM_TEST_NETWORK", "true"),
    ];
    let other = parse(SHIPPED, &variables).unwrap().api();
    assert_eq!(other.file_url.as_deref(), Some("http://127.0.0.1:4"));
    assert!(other.is_test);
    let text = problems(
        &SHIPPED.replace("test_network = false", "test_network = 1"),
        &[token, ("TELEGRAM_FILE_URL", "here")],
    );
    assert!(
        text.contains("telegram.file_url (TELEGRAM_FILE_URL)"),
        "{text}"
    );
    assert!(
        text.contains("telegram.test_network (TELEGRAM_TEST_NETWORK)"),
        "{text}"
    );
}

#[test]
fn a_malformed_token_is_refused_and_not_shown() {
    for token in [
        "SECRET",
        "42",
        "42:",
        "x:SECRET",
        "42:SEC RET",
        "42:SECRET\u{e9}",
    ] {
        let text = problems(SHIPPED, &[("TELEGRAM_BOT_TOKEN", token)]);
        assert!(text.contains("no token of a bot"), "{text}");
        assert!(!text.contains("SEC"), "{text}");
    }
}

#[test]
fn a_file_of_a_token_that_is_not_there_is_named() {
    let text = problems(SHIPPED, &[("TELEGRAM_BOT_TOKEN_FILE", "/nowhere/token")]);
    assert!(text.contains("/nowhere/token"), "{text}");
}

#[test]
fn the_exam_has_a_bot_and_a_place_of_its_own() {
    let exam = ("SWITCHBOARD_EXAM_DIRECTORY", "/tmp/rule");
    let variables = [
        exam,
        ("PORT", "4711"),
        ("TELEGRAM_URL", "http://127.0.0.1:8081"),
    ];
    let settings = parse(SHIPPED, &variables).unwrap();
    assert_eq!(settings.core.directory.to_str(), Some("/tmp/rule"));
    assert_eq!(settings.core.listen.port(), 4711);
    assert_eq!(settings.public_url, "http://127.0.0.1:4711");
    assert_eq!(settings.exam.unwrap().url, "http://127.0.0.1:8081");
}

#[test]
fn the_exam_is_refused_with_telegram_itself() {
    let text = problems(SHIPPED, &[("SWITCHBOARD_EXAM_DIRECTORY", "/tmp/rule")]);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("telegram.url (TELEGRAM_URL)"), "{text}");
    assert!(text.contains("SWITCHBOARD_EXAM_DIRECTORY is set"), "{text}");
    let settings = parse(SHIPPED, &[("TELEGRAM_BOT_TOKEN", "42:SECRET")]).unwrap();
    assert!(settings.exam.is_none());
}
