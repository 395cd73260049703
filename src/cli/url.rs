//! The address of the service that a command calls.

use clap::Args;
use url::Url;

use super::given::{Given, Source, given};
use super::output::CliError;
use crate::config::Settings;
use crate::variables;

/// The address of the service.
#[derive(Debug, Args)]
pub(super) struct UrlArgs {
    /// The service [default: the configured one]
    #[arg(long, value_name = "URL", env = variables::URL, value_parser = given(service), global = true)]
    url: Option<Given<Url>>,
}

impl UrlArgs {
    /// The service, if a flag or a variable names one.
    pub(super) fn given(&self) -> Option<&Given<Url>> {
        self.url.as_ref()
    }

    /// The service: the one that is named, else the configured one.
    pub(super) fn or_configured(
        &self,
        settings: Option<&Settings>,
    ) -> Result<Given<Url>, CliError> {
        if let Some(url) = &self.url {
            return Ok(url.clone());
        }
        match settings.map(Settings::service_url) {
            Some(Some(url)) => Ok(Given::configured("the address of the service", url)),
            Some(None) => Err(CliError::Usage(format!(
                "the configured service listens on a random free port\n  help: give --url, or set {}",
                variables::URL
            ))),
            None => Err(no_default(
                "no service to speak to",
                "--url",
                variables::URL,
            )),
        }
    }
}

impl Given<Url> {
    /// The advice for an address at which nothing answers.
    pub(super) fn remedy(&self, start: &str) -> String {
        let is_here = self.value.host_str().is_some_and(|host| {
            host == "localhost" || host.starts_with("127.") || host.contains("::1")
        });
        let check = match &self.source {
            Source::Flag(flag) => format!("name another one with {flag}"),
            variable @ Source::Variable(_) => format!("correct {variable}"),
            Source::Configuration(_) => "name another one with --url".to_owned(),
        };
        if is_here {
            format!("start the service with `{start}`, or {check}")
        } else {
            format!("start the service there, or {check}")
        }
    }
}

/// Something was left out that no configuration gives either: there is none.
pub(super) fn no_default(what: &str, flag: &str, variable: &str) -> CliError {
    CliError::Usage(format!(
        "{what}\n  help: give {flag}, set {variable}, or name a configuration with --config"
    ))
}

/// The address of a service; `http://` may be left out.
fn service(text: &str) -> Result<Url, String> {
    const EXPECTED: &str = "write the address of a service, as in http://127.0.0.1:8080";
    let url = if text.contains("://") {
        Url::parse(text)
    } else {
        Url::parse(&format!("http://{text}"))
    };
    match url {
        Ok(mut url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
            url.set_query(None);
            url.set_fragment(None);
            // What is joined with it stands below it.
            if !url.path().ends_with('/') {
                url.set_path(&format!("{}/", url.path()));
            }
            Ok(url)
        }
        Ok(_) | Err(_) => Err(EXPECTED.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_needs_no_scheme() {
        for (text, url) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080/"),
            ("localhost:8080", "http://localhost:8080/"),
            ("[::1]:8080", "http://[::1]:8080/"),
            ("chat.example.com", "http://chat.example.com/"),
            (
                "https://chat.example.com/a?b#c",
                "https://chat.example.com/a/",
            ),
        ] {
            assert_eq!(service(text).unwrap().as_str(), url, "{text}");
        }
        for text in ["", "ftp://h", "http://", "a b", "mailto://"] {
            assert!(service(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_remedy_fits_the_place_and_the_source_of_the_address() {
        let remedy = |url: &str, source| {
            let value = service(url).unwrap();
            Given { value, source }.remedy("switchboard")
        };
        let flag = || Source::Flag("--url".to_owned());
        let variable = Source::Variable(variables::URL.to_owned());
        for (told, expected) in [
            (
                remedy("127.0.0.1:1", flag()),
                "start the service with `switchboard`, or name another one with --url",
            ),
            (
                remedy("[::1]:1", variable),
                "start the service with `switchboard`, or correct the variable SWITCHBOARD_URL",
            ),
            (
                remedy("chat.example.com", flag()),
                "start the service there, or name another one with --url",
            ),
        ] {
            assert_eq!(told, expected);
        }
    }
}
