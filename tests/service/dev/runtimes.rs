//! Programs of each runtime, unchanged, by the variables of the proxy and by the TLS listener: which of the two leads them to
//! the service. The table in docs/unchanged-integrations.md says the same.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::limit::{Limit, Limited as _};
use crate::support::server::{Server, Setup};
use crate::support::skip::skipped;

/// The address that each program asks; the answer is «ok».
const URL: &str = "https://www.kommo.com/healthz";

/// A program of a runtime.
struct Client {
    /// As the table names it.
    name: &'static str,
    /// The program with its arguments.
    command: &'static [&'static str],
    /// The variables of the proxy lead it to the service.
    by_proxy: bool,
}

const CLIENTS: [Client; 10] = [
    Client {
        name: "curl",
        command: &["curl", "-sS", URL],
        by_proxy: true,
    },
    Client {
        name: "Python urllib",
        command: &["python3", "default.py"],
        by_proxy: true,
    },
    Client {
        name: "Python http.client",
        command: &["python3", "own.py"],
        by_proxy: false,
    },
    Client {
        name: "Node https",
        command: &["node", "get.js"],
        by_proxy: false,
    },
    Client {
        name: "PHP curl",
        command: &["php", "curl.php"],
        by_proxy: true,
    },
    Client {
        name: "PHP streams",
        command: &["php", "stream.php"],
        by_proxy: false,
    },
    Client {
        name: "Go net/http",
        command: &["./get", "default"],
        by_proxy: true,
    },
    Client {
        name: "Go http.Transport of its own",
        command: &["./get", "own"],
        by_proxy: false,
    },
    Client {
        name: "Ruby Net::HTTP",
        command: &["ruby", "get.rb"],
        by_proxy: true,
    },
    Client {
        name: "Java HttpsURLConnection",
        command: &["java", "Get.java"],
        by_proxy: true,
    },
];

/// Installed for this test only where they are there already: they are large.
const OPTIONAL: [&str; 2] = ["ruby", "java"];

fn write_sources(folder: &Path) {
    let sources = [
        (
            "default.py",
            format!("import urllib.request\nprint(urllib.request.urlopen('{URL}').read().decode())\n"),
        ),
        (
            "own.py",
            "import http.client, ssl\nc = http.client.HTTPSConnection('www.kommo.com', context=ssl.create_default_context())\nc.request('GET', '/healthz')\nprint(c.getresponse().read().decode())\n"
                .to_owned(),
        ),
        (
            "get.js",
            format!("require('node:https').get('{URL}', (answer) => answer.pipe(process.stdout)).on('error', (e) => {{ throw e; }});\n"),
        ),
        (
            "curl.php",
            format!("<?php $c = curl_init('{URL}'); curl_setopt($c, CURLOPT_RETURNTRANSFER, true); echo curl_exec($c) ?: curl_error($c);\n"),
        ),
        ("stream.php", format!("<?php echo file_get_contents('{URL}');\n")),
        (
            "get.go",
            format!(
                "package main\nimport (\"fmt\"; \"io\"; \"net/http\"; \"os\")\nfunc main() {{\nc := http.DefaultClient\nif os.Args[1] == \"own\" {{ c = &http.Client{{Transport: &http.Transport{{}}}} }}\nr, err := c.Get(\"{URL}\")\nif err != nil {{ panic(err) }}\nb, _ := io.ReadAll(r.Body)\nfmt.Print(string(b))\n}}\n"
            ),
        ),
        (
            "get.rb",
            format!("require 'net/http'\nprint Net::HTTP.get(URI('{URL}'))\n"),
        ),
        (
            "Get.java",
            format!("public class Get {{ public static void main(String[] a) throws Exception {{ System.out.print(new String(new java.net.URL(\"{URL}\").openStream().readAllBytes())); }} }}\n"),
        ),
    ];
    for (name, text) in sources {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// Starts a program, which resolves the hosts as this file says and by no server, with these variables.
fn started(client: &Client, folder: &Path, hosts: &str, variables: &Value) -> std::process::Child {
    // Mounts over the files for this program alone.
    let script = format!(
        "mount --bind {hosts} /etc/hosts && mount --bind resolv.conf /etc/resolv.conf && exec \"$@\""
    );
    let variables = variables.as_object().unwrap().iter();
    Command::new("unshare")
        .args(["--mount", "sh", "-c", &script, "sh"])
        .args(client.command)
        .envs(variables.map(|(name, value)| (name, value.as_str().unwrap())))
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap()
}

fn runs(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).limited_output();
    output.is_ok_and(|output| output.status.success())
}

fn is_ok(output: &Output) -> bool {
    String::from_utf8_lossy(&output.stdout).trim() == "ok"
}

/// The clients whose runtime is there.
fn present(folder: &Path) -> Vec<&'static Client> {
    let is_there = |client: &&Client| {
        let program = client.command[0];
        let is_there = match program {
            "./get" => {
                let mut go = Command::new("go");
                let build = go
                    .args(["build", "-o", "get", "get.go"])
                    .current_dir(folder);
                folder.join("get").exists()
                    || build.test_output().is_ok_and(|it| it.status.success())
            }
            "php" => runs("php", &["-r", "exit(extension_loaded('curl') ? 0 : 1);"]),
            program => runs(program, &["--version"]),
        };
        if is_there {
            return true;
        }
        if OPTIONAL.contains(&program) {
            println!("not tried: {} (there is no {program})", client.name);
        } else {
            skipped(
                &format!("{} cannot be tried", client.name),
                "apt-get install curl python3 nodejs php-cli php-curl golang-go",
            );
        }
        false
    };
    CLIENTS.iter().filter(is_there).collect()
}

async fn server(tls: &str) -> Server {
    let setup = Setup::default().with_proxy();
    setup.argument("--tls").argument(tls).start().await
}

/// Node reads the variables of a proxy in these versions and later ones.
fn node_reads_variables() -> bool {
    let script = "const [a, b] = process.versions.node.split('.').map(Number); process.exit(a > 24 || a === 24 && b >= 5 || a === 22 && b >= 21 ? 0 : 1)";
    runs("node", &["-e", script])
}

#[tokio::test]
async fn programs_of_each_runtime_reach_the_service() {
    if !runs("unshare", &["--mount", "true"]) {
        return skipped(
            "no namespace of mounts can be had",
            "run as root, with unshare",
        );
    }
    let folder = tempfile::tempdir().unwrap();
    write_sources(folder.path());
    // Port 443 of an address of its own: tests run beside each other.
    let [a, b, ..] = std::process::id().to_le_bytes();
    let address = format!("127.{}.{b}.{a}", 128 | (a & 63));
    let server = server(&format!("{address}:443")).await;
    let document = &server.ready()["proxy"];
    let mut trusting = document["environment"].clone();
    let variables = trusting.as_object_mut().unwrap();
    variables.retain(|name, _| !name.to_lowercase().contains("proxy"));
    let java = variables["JAVA_TOOL_OPTIONS"].as_str().unwrap().to_owned();
    let words = java.split(' ').filter(|word| !word.contains("roxy"));
    variables["JAVA_TOOL_OPTIONS"] = words.collect::<Vec<_>>().join(" ").into();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    // Who does not take the proxy finds no address. One on loopback would be taken without the proxy by some.
    let nowhere = file("nowhere", "127.0.0.1 localhost\n");
    let here = file(
        "here",
        &format!("127.0.0.1 localhost\n{address} www.kommo.com\n"),
    );
    // Nothing listens there.
    file(
        "resolv.conf",
        "nameserver 127.0.0.2\noptions attempts:1 timeout:1\n",
    );
    let clients = present(folder.path());
    let running: Vec<_> = clients
        .iter()
        .map(|client| {
            let by = |hosts: &str, variables| started(client, folder.path(), hosts, variables);
            (
                client,
                by(&nowhere, &document["environment"]),
                by(&here, &trusting),
            )
        })
        .collect();
    for (client, proxy, tls) in running {
        let _limits = [&proxy, &tls].map(Limit::of_a_test);
        let (proxy, tls) = (
            proxy.wait_with_output().unwrap(),
            tls.wait_with_output().unwrap(),
        );
        let stderr = String::from_utf8_lossy(&tls.stderr).into_owned();
        assert!(is_ok(&tls), "{} by the TLS listener: {stderr}", client.name);
        let takes_proxy = client.by_proxy || client.command[0] == "node" && node_reads_variables();
        let stderr = String::from_utf8_lossy(&proxy.stderr);
        assert_eq!(
            is_ok(&proxy),
            takes_proxy,
            "{} by the proxy: {stderr}",
            client.name
        );
    }
    check_page();
}

/// The page has a row for each client, with what was seen of it.
fn check_page() {
    let page = include_str!("../../../docs/unchanged-integrations.md");
    for client in &CLIENTS {
        let matching_line = page
            .lines()
            .find(|line| line.starts_with(&format!("| {} |", client.name)));
        let row = matching_line.unwrap_or_else(|| panic!("the page has no row of {}", client.name));
        let words: Vec<&str> = row.split('|').map(str::trim).collect();
        let is_yes = words[2].starts_with("yes");
        assert!(
            is_yes == client.by_proxy && words[3].starts_with("yes"),
            "{row}"
        );
    }
}

/// A trust store without a password, whose certificates Java takes for trusted by this attribute.
#[tokio::test]
async fn the_trust_store_of_java_has_the_authority() {
    if !runs("openssl", &["version"]) {
        return skipped("openssl is not there", "install openssl");
    }
    let server = Setup::default().with_tls().start().await;
    let store = server.data().join("dev/trust.p12");
    let output = Command::new("openssl")
        .args(["pkcs12", "-nomacver", "-nokeys", "-passin", "pass:", "-in"])
        .arg(&store)
        .limited_output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let bundle = fs::read_to_string(server.data().join("dev/bundle.pem")).unwrap();
    let begin = "-----BEGIN CERTIFICATE-----";
    assert_eq!(
        text.matches(begin).count(),
        bundle.matches(begin).count(),
        "{stderr}"
    );
    assert!(
        text.contains("Switchboard development proxy"),
        "{text:.400} {stderr}"
    );
    assert!(text.contains("2.16.840.1.113894.746875.1.1"), "{text:.400}");
}
