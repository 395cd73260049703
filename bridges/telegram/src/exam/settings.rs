//! The settings of the bridge in the exam.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};
use url::{Host, Url};

/// The variable with the directory of a rule, in which the bridge keeps what it remembers.
pub(crate) const EXAM_DIRECTORY: &str = "SWITCHBOARD_EXAM_DIRECTORY";
/// The ids of bots begin here.
const FIRST_BOT: u64 = 1_000_000_000;
/// The number of ids.
const BOTS: u64 = 1_000_000_000_000;

/// The settings that the exam needs.
#[derive(Clone)]
pub(crate) struct ExamSettings {
    /// The address of the double.
    pub(crate) url: String,
    /// The token of the bot, which the double learns from the bridge.
    pub(crate) token: String,
}

impl ExamSettings {
    /// Reads the variable of the exam. The settings that follow from it are among the variables afterwards.
    pub(crate) fn take(environment: &mut BTreeMap<String, String>) -> Option<Self> {
        let directory = environment.get(EXAM_DIRECTORY).cloned()?;
        if directory.is_empty() {
            return None;
        }
        let token = token(&directory);
        if let Some(port) = environment.get("PORT").cloned() {
            let url = format!("http://127.0.0.1:{port}");
            environment.insert("TELEGRAM_BRIDGE_PUBLIC_URL".to_owned(), url);
        }
        environment.insert("TELEGRAM_BOT_TOKEN".to_owned(), token.clone());
        environment.insert("TELEGRAM_BRIDGE_DIRECTORY".to_owned(), directory);
        Some(Self {
            url: String::new(),
            token,
        })
    }
}

/// The token of the bot of a directory. It is no secret: only a double knows it.
fn token(directory: &str) -> String {
    let digest = Sha256::digest(directory.as_bytes());
    let number = digest.iter().take(8).fold(0_u64, |number, byte| {
        number.wrapping_mul(256).wrapping_add(u64::from(*byte))
    });
    let secret = hex::encode(digest);
    format!("{}:{secret}", FIRST_BOT + number % BOTS)
}

/// Returns whether an address is of this machine.
pub(crate) fn is_loopback(url: &str) -> bool {
    let parsed = Url::parse(url).ok();
    match parsed.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use switchboard_telegram::api::Token;

    use super::*;

    #[test]
    fn each_directory_has_a_bot_of_its_own() {
        let tokens = ["/tmp/a", "/tmp/b"].map(|it| Token::parse(&token(it)).unwrap());
        assert_ne!(tokens[0].bot(), tokens[1].bot());
        assert_eq!(Token::parse(&token("/tmp/a")), Ok(tokens[0].clone()));
    }

    #[test]
    fn an_address_of_this_machine_is_known() {
        for url in [
            "http://127.0.0.1:8081",
            "http://localhost:1",
            "http://[::1]:1",
        ] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "https://api.telegram.org",
            "http://127.0.0.1.example",
            "http://10.0.0.1:1",
            "",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
