//! The variables that lead programs to the proxy and let them trust its certificates.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::{Value, json};

/// What programs need of the authority.
#[derive(Clone, Debug)]
pub(super) struct AuthorityFiles {
    /// The authority's certificate.
    pub(super) certificate: PathBuf,
    /// That, and the certificates that the system trusts.
    pub(super) bundle: PathBuf,
    /// The directory of settings for PHP, whose libraries read no variable for certificates.
    pub(super) php: PathBuf,
}

/// The variables, each with its value.
#[derive(Clone, Debug)]
pub(crate) struct ProxyEnvironment {
    proxy: String,
    certificate: String,
    variables: Vec<(&'static str, String)>,
}

/// Hosts that are reached without the proxy.
const DIRECT: &str = "localhost,127.0.0.1,::1";

impl ProxyEnvironment {
    pub(super) fn new(proxy: SocketAddr, files: &AuthorityFiles) -> Self {
        let url = format!("http://{proxy}");
        let text = |path: &PathBuf| path.display().to_string();
        let (certificate, bundle) = (text(&files.certificate), text(&files.bundle));
        let variables = vec![
            // curl and Ruby read the names in lower case, others those in upper case.
            ("HTTPS_PROXY", url.clone()),
            ("https_proxy", url.clone()),
            ("NO_PROXY", DIRECT.to_owned()),
            ("no_proxy", DIRECT.to_owned()),
            // OpenSSL (Python, Ruby), Go, curl.
            ("SSL_CERT_FILE", bundle.clone()),
            ("CURL_CA_BUNDLE", bundle.clone()),
            // Python's requests.
            ("REQUESTS_CA_BUNDLE", bundle),
            // Node adds this one to those that it has built in, and uses a proxy only with this switch.
            ("NODE_EXTRA_CA_CERTS", certificate.clone()),
            ("NODE_USE_ENV_PROXY", "1".to_owned()),
            // Nothing before the colon: PHP's own directory comes first.
            ("PHP_INI_SCAN_DIR", format!(":{}", text(&files.php))),
        ];
        Self {
            proxy: url,
            certificate,
            variables,
        }
    }

    /// The address of the proxy, as a URL.
    pub(crate) fn proxy(&self) -> &str {
        &self.proxy
    }

    /// Lines for a shell.
    pub(crate) fn shell(&self) -> String {
        let line = |(name, value): &(&str, String)| format!("export {name}={}\n", quoted(value));
        self.variables.iter().map(line).collect()
    }

    /// One document.
    pub(crate) fn document(&self) -> Value {
        let variables = self.variables.iter();
        let variables = variables.map(|(name, value)| ((*name).to_owned(), json!(value)));
        json!({
            "url": self.proxy,
            "ca": self.certificate,
            "environment": Value::Object(variables.collect()),
        })
    }
}

/// A word that no shell changes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_gets_each_value_as_it_is() {
        let files = AuthorityFiles {
            certificate: "/it's $HOME/ca.pem".into(),
            bundle: "/b.pem".into(),
            php: "/php".into(),
        };
        let environment = ProxyEnvironment::new(([127, 0, 0, 1], 4711).into(), &files);
        let script = format!("{}printf %s \"$NODE_EXTRA_CA_CERTS\"", environment.shell());
        let shell = std::process::Command::new("sh")
            .args(["-c", &script])
            .output();
        let told = String::from_utf8(shell.unwrap().stdout).unwrap();
        assert_eq!(told, "/it's $HOME/ca.pem");
        let document = environment.document();
        assert_eq!(document["environment"]["NODE_EXTRA_CA_CERTS"], told);
        assert_eq!(
            document["environment"]["HTTPS_PROXY"],
            "http://127.0.0.1:4711"
        );
    }
}
