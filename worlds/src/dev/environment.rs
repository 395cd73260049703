//! The variables that lead programs to the proxy and let them trust its certificates, and the lines that lead programs to
//! the TLS listener.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::dev::vendor_host;

/// The paths of the authority's files, which programs trust.
#[derive(Clone, Debug)]
pub(super) struct AuthorityFiles {
    /// The authority's certificate.
    pub(super) certificate: PathBuf,
    /// That, and the certificates that the system trusts.
    pub(super) bundle: PathBuf,
    /// The directory of settings for PHP, whose libraries read no variable for certificates.
    pub(super) php: PathBuf,
    /// The certificates of the bundle as a trust store for Java.
    pub(super) java: PathBuf,
}

/// The ways to the hosts of the counterpart, and what programs need to take them.
#[derive(Clone, Debug)]
pub struct VendorEnvironment {
    proxy: Option<SocketAddr>,
    tls: Option<SocketAddr>,
    certificate: String,
    variables: Vec<(&'static str, String)>,
}

/// Hosts that are reached without the proxy.
const DIRECT: &str = "localhost,127.0.0.1,::1";
/// The same, as Java writes them.
const DIRECT_FOR_JAVA: &str = "localhost|127.*|[::1]";

impl VendorEnvironment {
    pub(super) fn new(
        proxy: Option<SocketAddr>,
        tls: Option<SocketAddr>,
        files: &AuthorityFiles,
    ) -> Self {
        let mut variables = Vec::new();
        if let Some(proxy) = proxy {
            let url = format!("http://{proxy}");
            // Programs read the names in upper or in lower case. Some take the proxy of `https` from that of `http`.
            let names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];
            variables.extend(names.map(|name| (name, url.clone())));
            variables.extend(["NO_PROXY", "no_proxy"].map(|name| (name, DIRECT.to_owned())));
            // Node uses a proxy only with this switch.
            variables.push(("NODE_USE_ENV_PROXY", "1".to_owned()));
        }
        variables.extend(trusting(files));
        variables.push(("JAVA_TOOL_OPTIONS", java(proxy, &files.java)));
        Self {
            proxy,
            tls,
            certificate: shown(&files.certificate),
            variables,
        }
    }

    /// The address of the proxy, as a URL.
    pub fn proxy(&self) -> Option<String> {
        self.proxy.map(|proxy| format!("http://{proxy}"))
    }

    /// The address of the TLS listener.
    pub fn tls(&self) -> Option<SocketAddr> {
        self.tls
    }

    /// Lines for a shell; `subdomains` are those of accounts.
    pub fn shell(&self, subdomains: &[String]) -> String {
        let line = |(name, value): &(&str, String)| format!("export {name}={}\n", quoted(value));
        let variables: String = self.variables.iter().map(line).collect();
        let Some(tls) = self.tls else {
            return variables;
        };
        let hosts: String = hosts_file(tls, subdomains)
            .iter()
            .map(|line| format!("# {line}\n"))
            .collect();
        let aliases: Vec<_> = names(subdomains).iter().map(|name| alias(name)).collect();
        format!(
            "{variables}# for /etc/hosts:\n{hosts}# for the container of this process:\n# {}\n",
            aliases.join(" ")
        )
    }

    /// One document.
    pub fn document(&self, subdomains: &[String]) -> Value {
        let variables = self
            .variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)));
        let mut document = json!({
            "ca": self.certificate,
            "environment": Value::Object(variables.collect()),
        });
        if let (Some(proxy), Some(fields)) = (self.proxy(), document.as_object_mut()) {
            fields.insert("url".to_owned(), proxy.into());
        }
        if let (Some(tls), Some(fields)) = (self.tls, document.as_object_mut()) {
            let names = names(subdomains);
            let aliases: Vec<_> = names.iter().map(|name| alias(name)).collect();
            let tls = json!({
                "address": tls,
                "hosts": names,
                "hosts_file": hosts_file(tls, subdomains),
                "network_aliases": aliases,
            });
            fields.insert("tls".to_owned(), tls);
        }
        document
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The variables by which programs trust the authority.
fn trusting(files: &AuthorityFiles) -> [(&'static str, String); 5] {
    let bundle = shown(&files.bundle);
    [
        // OpenSSL (Python, Ruby), Go, curl.
        ("SSL_CERT_FILE", bundle.clone()),
        ("CURL_CA_BUNDLE", bundle.clone()),
        // Python's requests.
        ("REQUESTS_CA_BUNDLE", bundle),
        // Node adds this one to those that it has built in.
        ("NODE_EXTRA_CA_CERTS", shown(&files.certificate)),
        // Nothing before the colon: PHP's own directory comes first.
        ("PHP_INI_SCAN_DIR", format!(":{}", shown(&files.php))),
    ]
}

/// The options of Java, which reads no other variable.
fn java(proxy: Option<SocketAddr>, store: &Path) -> String {
    let mut options = Vec::new();
    if let Some(proxy) = proxy {
        let (host, port) = (proxy.ip(), proxy.port());
        for scheme in ["https", "http"] {
            options.push(format!("-D{scheme}.proxyHost={host}"));
            options.push(format!("-D{scheme}.proxyPort={port}"));
        }
        options.push(format!("-Dhttp.nonProxyHosts={DIRECT_FOR_JAVA}"));
    }
    let path = shown(store);
    // Java takes a part in quotes as it is.
    let store = if path.contains('"') {
        format!("'{path}'")
    } else {
        format!("\"{path}\"")
    };
    options.push(format!("-Djavax.net.ssl.trustStore={store}"));
    options.push("-Djavax.net.ssl.trustStoreType=PKCS12".to_owned());
    options.join(" ")
}

/// The names that the TLS listener stands in for, those of accounts last.
fn names(subdomains: &[String]) -> Vec<String> {
    let own = subdomains
        .iter()
        .flat_map(|name| vendor_host::of_label(name));
    vendor_host::shared().into_iter().chain(own).collect()
}

/// The lines of a hosts file, one for what all accounts share and one for each account.
fn hosts_file(tls: SocketAddr, subdomains: &[String]) -> Vec<String> {
    let address: IpAddr = match tls.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    let line = |names: Vec<String>| format!("{address} {}", names.join(" "));
    let own = subdomains
        .iter()
        .map(|name| line(vendor_host::of_label(name)));
    std::iter::once(line(vendor_host::shared()))
        .chain(own)
        .collect()
}

/// An option of a container that gives it another name in its network.
fn alias(name: &str) -> String {
    format!("--network-alias={name}")
}

/// A word that no shell changes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> AuthorityFiles {
        AuthorityFiles {
            certificate: "/it's $HOME/ca.pem".into(),
            bundle: "/b.pem".into(),
            php: "/php".into(),
            java: "/a b/trust.p12".into(),
        }
    }

    #[test]
    fn a_shell_gets_each_value_as_it_is() {
        let proxy = ([127, 0, 0, 1], 4711).into();
        let tls = ([0, 0, 0, 0], 443).into();
        let environment = VendorEnvironment::new(Some(proxy), Some(tls), &files());
        let subdomains = ["shop".to_owned()];
        let lines = environment.shell(&subdomains);
        let script =
            format!("{lines}printf '%s\\n%s' \"$NODE_EXTRA_CA_CERTS\" \"$JAVA_TOOL_OPTIONS\"");
        let shell = std::process::Command::new("sh")
            .args(["-c", &script])
            .output();
        let values = String::from_utf8(shell.unwrap().stdout).unwrap();
        let (certificate, java) = values.split_once('\n').unwrap();
        assert_eq!(certificate, "/it's $HOME/ca.pem");
        assert!(java.contains("trustStore=\"/a b/trust.p12\""), "{java}");
        let document = environment.document(&subdomains);
        assert_eq!(
            document["environment"]["NODE_EXTRA_CA_CERTS"],
            "/it's $HOME/ca.pem"
        );
        for name in ["HTTPS_PROXY", "http_proxy"] {
            assert_eq!(document["environment"][name], "http://127.0.0.1:4711");
        }
        let hosts = document["tls"]["hosts_file"].as_array().unwrap();
        assert_eq!(
            hosts[1],
            "127.0.0.1 shop.amocrm.ru shop.amocrm.com shop.kommo.com"
        );
        assert!(lines.contains(&format!("# {}\n", hosts[1].as_str().unwrap())));
        assert!(lines.contains("--network-alias=shop.kommo.com"), "{lines}");
    }

    #[test]
    fn without_the_proxy_programs_only_trust() {
        let tls = ([127, 0, 0, 1], 443).into();
        let environment = VendorEnvironment::new(None, Some(tls), &files());
        let document = environment.document(&[]);
        let variables = document["environment"].as_object().unwrap();
        let about_proxies = |name: &&String| name.to_lowercase().contains("proxy");
        assert_eq!(variables.keys().find(about_proxies), None);
        let java = variables["JAVA_TOOL_OPTIONS"].as_str().unwrap();
        assert!(
            !java.contains("proxy") && java.contains("trustStore"),
            "{java}"
        );
        assert_eq!(document["url"], Value::Null);
    }
}
