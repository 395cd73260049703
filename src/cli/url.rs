//! Where the service is that a command speaks to.

use clap::Args;
use url::Url;

use super::output::CommandFailure;
use crate::config::Settings;

/// Where the service is.
#[derive(Debug, Args)]
pub(super) struct UrlArgs {
    /// The service [default: the configured one]
    #[arg(long, value_name = "URL", env = "SWITCHBOARD_URL", value_parser = service, global = true)]
    url: Option<Url>,
}

impl UrlArgs {
    /// The service, if a flag or a variable names one.
    pub(super) fn given(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// The service: the one that is named, else the configured one.
    pub(super) fn or_configured(&self, settings: Option<&Settings>) -> Result<Url, CommandFailure> {
        if let Some(url) = &self.url {
            return Ok(url.clone());
        }
        match settings.map(Settings::service_url) {
            Some(Some(url)) => Ok(url),
            Some(None) => Err(CommandFailure::Usage(
                "the configured service listens on a random free port\n  help: give --url"
                    .to_owned(),
            )),
            None => Err(no_default("no service to speak to", "--url")),
        }
    }
}

/// Something was left out that no configuration gives either.
pub(super) fn no_default(what: &str, flag: &str) -> CommandFailure {
    CommandFailure::Usage(format!(
        "{what}\n  help: give {flag}, or run it beside a config.toml"
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
}
