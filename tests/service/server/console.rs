//! The delivery of the web console's files. Their behaviour is tested in a browser (`tests/service/console.rs`).

use std::path::Path;

use crate::support::server::{Server, Setup};

const FILES: [(&str, &str); 8] = [
    ("/", "text/html; charset=utf-8"),
    ("/oauth", "text/html; charset=utf-8"),
    ("/ui/app.js", "text/javascript; charset=utf-8"),
    ("/ui/integrations.js", "text/javascript; charset=utf-8"),
    ("/ui/app.css", "text/css; charset=utf-8"),
    ("/ui/icon.svg", "image/svg+xml"),
    ("/ui/manifest.webmanifest", "application/manifest+json"),
    ("/ui/worker.js", "text/javascript; charset=utf-8"),
];

#[tokio::test]
async fn files_carry_their_type_a_strict_policy_and_a_tag() {
    let server = Server::start().await;
    let client = server.client();
    for (target, media_type) in FILES {
        let answer = client.request("GET", target).send().await.is(200);
        assert_eq!(answer.header("content-type"), media_type, "{target}");
        let policy = answer.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "worker-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.split("; ").any(|it| it == part), "{part}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.header("service-worker-allowed"), "/", "{target}");
        let again = client
            .request("GET", target)
            .header("If-None-Match", answer.header("etag"))
            .send()
            .await
            .is(304);
        assert_eq!(again.body, "");
        assert_eq!(again.header("etag"), answer.header("etag"));
        let other = client
            .request("GET", target)
            .header("If-None-Match", "\"another\"")
            .send()
            .await;
        other.is(200);
        client.request("HEAD", target).send().await.is(200);
        let response = client.request("POST", target).send().await.is(405);
        assert_eq!(response.header("allow"), "GET, HEAD", "{target}");
    }
    for name in ["icon-192.png", "icon-512.png", "icon-maskable.png"] {
        let target = format!("/ui/{name}");
        let icon = client.request("HEAD", &target).send().await.is(200);
        assert_eq!(icon.header("content-type"), "image/png", "{name}");
    }
}

#[tokio::test]
async fn pages_share_one_document_and_unknown_api_paths_are_404() {
    let server = Server::start().await;
    let client = server.client();
    let document = client.request("GET", "/").send().await.is(200).body;
    assert!(document.contains("/ui/app.js"), "{document}");
    assert!(!document.contains("<script>"), "{document}");
    for target in [
        "/conversations",
        "/conversations/1?x=y",
        "/roles/12",
        "/sign-in",
    ] {
        let page = client.request("GET", target).send().await.is(200);
        assert_eq!(page.body, document, "{target}");
    }
    for target in [
        "/api/v4/nothing",
        "/inbox/v1/nothing",
        "/admin/v1/nothing",
        "/nowhere",
        "/ui/",
        "/ui/app.js.map",
        "/ui/index.html/",
        "/conversations/app.js",
    ] {
        let answer = client.request("GET", target).send_exactly().await.is(404);
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
}

/// A browser at a wrong address gets the console, which says so; programs and interfaces get problems.
#[tokio::test]
async fn a_browser_at_an_unknown_address_gets_the_console() {
    let server = Server::start().await;
    let client = server.client();
    let document = client.request("GET", "/").send().await.is(200).body;
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let open = async |method: &str, target: &str, accept: &str| {
        let request = client.request(method, target).header("Accept", accept);
        let answer = request.send_exactly().await;
        assert_eq!(answer.status, 404, "{target}");
        answer
    };
    for target in ["/nope", "/conversation/1", "/Users", "/a/b/c?x=1"] {
        let page = open("GET", target, browser).await;
        assert_eq!(page.body, document, "{target}");
        assert!(
            page.header("content-security-policy")
                .contains("default-src 'none'")
        );
    }
    for (target, accept) in [
        ("/nope", "*/*"),
        ("/nope", "application/json, text/htmlish"),
        ("/nope.js", browser),
        ("/api/v4/nothing", browser),
        ("/api/v9", browser),
        ("/inbox/v2", browser),
        ("/admin/v1/nothing", browser),
        ("/v2/nothing", browser),
        ("/ui/", browser),
        ("/media/1/x", browser),
        ("/oauth2/nothing", browser),
    ] {
        let answer = open("GET", target, accept).await;
        let media = answer.header("content-type");
        assert!(media.contains("json"), "{target}: {media}");
    }
    assert!(
        open("POST", "/nope", browser)
            .await
            .header("content-type")
            .contains("json")
    );
}

#[tokio::test]
async fn gzip_makes_files_smaller_for_clients_that_accept_it() {
    let server = Server::start().await;
    let client = server.client();
    let length = |answer: &crate::support::answer::Answer| {
        answer.header("content-length").parse::<usize>().unwrap()
    };
    let plain = client.request("HEAD", "/ui/app.js").send().await.is(200);
    let packed = client
        .request("HEAD", "/ui/app.js")
        .header("Accept-Encoding", "br, gzip;q=0.8")
        .send()
        .await
        .is(200);
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(packed.header("vary"), "Accept-Encoding");
    assert_eq!(packed.header("etag"), plain.header("etag"));
    assert!(length(&packed) * 3 < length(&plain));
}

/// The most that the files of the first page have, packed, in bytes: with headers and data, 60 KB arrive at a start.
const FIRST_FILES_MAX: usize = 50_000;

/// The names behind this in a text, such as `app.js` behind `"/ui/`.
fn names_behind<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    let pieces = text.split(before).skip(1);
    pieces.filter_map(|rest| rest.split('"').next()).collect()
}

#[tokio::test]
async fn the_files_of_the_first_page_are_small_and_all_named_by_it() {
    let server = Server::start().await;
    let client = server.client();
    let document = client.request("GET", "/").send().await.is(200).body;
    let files = names_behind(&document, "\"/ui/");
    // It runs as soon as it is there, also before the styles are.
    let start = "<script type=\"module\" async crossorigin src=\"/ui/start.js\">";
    assert!(document.contains(start), "{document}");
    let mut first = 0;
    let mut words = 0;
    for name in [&files[..], &["words-ru.js", "words-es.js"]].concat() {
        let target = format!("/ui/{name}");
        let packed = client
            .request("HEAD", &target)
            .header("Accept-Encoding", "gzip")
            .send()
            .await;
        let length = packed.is(200).header("content-length").parse::<usize>();
        if name.starts_with("words-") {
            words = words.max(length.unwrap());
        } else {
            first += length.unwrap();
        }
        // What a script imports and the page does not name is requested only when the script has arrived.
        let script = client.request("GET", &target).send().await.is(200).body;
        let imports = script.lines().filter(|line| line.starts_with("import "));
        for name in imports.flat_map(|line| names_behind(line, "\"./")) {
            assert!(files.contains(&name), "{target} imports {name}");
        }
    }
    let packed = client
        .request("HEAD", "/")
        .header("Accept-Encoding", "gzip")
        .send()
        .await
        .is(200);
    let document = packed.header("content-length").parse::<usize>().unwrap();
    let all = document + first + words;
    assert!(words > 0 && all <= FIRST_FILES_MAX, "{all} bytes");
}

#[tokio::test]
async fn a_directory_is_served_as_it_is_now_and_nothing_outside_it() {
    let directory = tempfile::tempdir().unwrap();
    let dist = directory.path().join("dist");
    std::fs::create_dir(&dist).unwrap();
    std::fs::write(directory.path().join("secret"), "secret").unwrap();
    std::fs::write(dist.join("other.js"), "other").unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/dist");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        std::fs::write(dist.join(&name), format!("{name} of the directory")).unwrap();
    }
    let setup = Setup::default()
        .argument("--ui-dir")
        .argument(dist.to_str().unwrap());
    let server = setup.start().await;
    let client = server.client();
    let first = client.request("GET", "/roles/1").send().await.is(200);
    assert_eq!(first.body, "index.html of the directory");
    std::fs::write(dist.join("index.html"), "another").unwrap();
    let second = client.request("GET", "/roles/1").send().await.is(200);
    assert_eq!(second.body, "another");
    assert_ne!(first.header("etag"), second.header("etag"));
    for target in [
        "/ui/other.js",
        "/ui/../secret",
        "/ui/..%2Fsecret",
        "/ui/%2e%2e/secret",
        "/ui//etc/passwd",
        "/ui/%2Fetc%2Fpasswd",
    ] {
        client.request("GET", target).send_exactly().await.is(404);
    }
}

#[tokio::test]
async fn a_directory_without_the_files_is_refused_at_the_start() {
    let directory = tempfile::tempdir().unwrap();
    let setup = Setup::default()
        .argument("--ui-dir")
        .argument(directory.path().to_str().unwrap());
    let refusal = setup.start_and_fail().await;
    assert!(!refusal.status.success());
    assert!(refusal.said.contains("--ui-dir"), "{}", refusal.said);
    assert!(refusal.said.contains("npm run build"), "{}", refusal.said);
}
