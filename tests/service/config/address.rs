//! Where the service listens, and under which address others know it.

use switchboard::config::SHIPPED;
use switchboard::config::values::ListenHost;

use crate::config::{accepted, listen, refused, shipped_with};

#[test]
fn a_public_url_equal_to_the_address_follows_it() {
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
        let parsed = accepted("", &[], listen(text)).server.listen;
        assert_eq!(parsed.is_loopback(), loopback, "{text}");
        match (&parsed.host, host) {
            (ListenHost::Name(name), Some(host)) => assert_eq!(name, host),
            (ListenHost::Address(_), None) => {}
            (other, _) => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn an_invalid_flag_is_named() {
    let told = refused("", &[], listen("8080"));
    assert!(told.contains("--listen = \"8080\" is not valid"), "{told}");
}
