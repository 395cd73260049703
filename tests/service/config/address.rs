//! The address on which the service listens, and the one under which others know it.

use switchboard::config::{Overrides, SHIPPED};
use switchboard_network::host::Host;

use crate::config::{accepted, listen, refused, shipped_with};

#[test]
fn without_a_public_url_the_service_is_where_it_listens() {
    let settings = accepted(SHIPPED, &[], listen("127.0.0.1:0"));
    assert_eq!(settings.server.public_url, None);
    assert_eq!(
        settings.server.public_url_at(4711).unwrap().as_str(),
        "http://127.0.0.1:4711/"
    );
    let own = shipped_with(
        "# public_url = \"none\"",
        "public_url = \"https://chat.example.com\"",
    );
    let own_settings = accepted(&own, &[], listen("127.0.0.1:0"));
    assert_eq!(
        own_settings.server.public_url_at(4711).unwrap().as_str(),
        "https://chat.example.com/"
    );
    let everywhere = accepted("", &[], listen("0.0.0.0:80"));
    assert_eq!(
        everywhere.server.public_url_at(80).unwrap().as_str(),
        "http://127.0.0.1/"
    );
}

#[test]
fn hosts_come_from_the_file_or_the_environment() {
    let text = "[server]\nlisten = \"crm.internal.example:80\"\npublic_url = \"https://crm.example.com:8443\"\n\
                callback_url = \"http://bridge\"\nhosts = [\"A.example.com\", \"10.0.0.1\", \"[::1]\"]\n";
    let hosts_of = |settings: &switchboard::config::Settings| {
        let hosts = settings.server.named_hosts();
        hosts.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        hosts_of(&accepted(text, &[], Overrides::default())),
        [
            "crm.example.com",
            "bridge",
            "crm.internal.example",
            "a.example.com",
            "10.0.0.1",
            "[::1]"
        ]
    );
    let variable = [("SWITCHBOARD_SERVER__HOSTS", "b.example.com, c.example.com")];
    let settings = accepted("", &variable, Overrides::default());
    assert_eq!(hosts_of(&settings), ["b.example.com", "c.example.com"]);
}

#[test]
fn an_address_is_an_ip_or_a_name_with_a_port() {
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
        let address = accepted("", &[], listen(text)).server.listen;
        assert_eq!(address.is_loopback(), loopback, "{text}");
        match (&address.host, host) {
            (Host::Name(name), Some(host)) => assert_eq!(name, host),
            (Host::Address(_), None) => {}
            (other, _) => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn an_invalid_flag_is_named() {
    let errors = refused("", &[], listen("8080"));
    assert!(
        errors.contains("--listen = \"8080\" is not valid"),
        "{errors}"
    );
}
