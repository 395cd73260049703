//! Deliveries by a bridge in this process, with the double of Telegram.

use serde_json::json;
use switchboard_bridge_core::state::{Kind, Lane};
use switchboard_telegram::api::{Api, ApiError, Refusal};
use telegram_double::{Double, Fault, FaultKind, Person};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::{LocalSet, yield_now};

use super::send::consequence;
use super::*;
use crate::cli::Flags;
use crate::settings::{SHIPPED, Settings};

const TOKEN: &str = "42:SECRET";
/// More than what is repeated.
const FILE_BYTES: usize = (1 << 20) + 1;

/// Runs a test on one thread, as the program does.
fn run(test: impl Future<Output = ()>) {
    // As the program does at its start; another test may have been first.
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().unwrap();
    runtime.block_on(LocalSet::new().run_until(test));
}

async fn bridge(directory: &TempDir, telegram: &str, service: &str) -> Rc<Bridge<Telegram>> {
    let flags = Flags {
        directory: Some(directory.path().to_str().unwrap().to_owned()),
        telegram_url: Some(telegram.to_owned()),
        service_url: Some(service.to_owned()),
        ..Flags::default()
    };
    let environment = [("TELEGRAM_BOT_TOKEN".to_owned(), TOKEN.to_owned())];
    let origin = "the settings".to_owned();
    let mut settings = Settings::parse(SHIPPED, environment.into(), &flags, origin).unwrap();
    settings.core.connect = false;
    let messenger = Telegram::new(Api::new(settings.api()).unwrap(), &settings);
    Bridge::start(settings.core, messenger).await.unwrap()
}

/// Serves a large file at every address. Returns its own address.
async fn file_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = [0; 4_096];
            let count = socket.read(&mut request).await.unwrap();
            assert!(count > 0);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {FILE_BYTES}\r\nConnection: close\r\n\r\n"
            );
            socket.write_all(head.as_bytes()).await.unwrap();
            socket.write_all(&vec![1; FILE_BYTES]).await.unwrap();
        }
    });
    url
}

fn job(bridge: &Bridge<Telegram>, content: &Value) -> Job {
    let conversation = json!({ "id": "c-1", "client_id": "tg-42-7" });
    let event = json!({ "message": { "conversation": conversation, "message": content } });
    let lane = Lane::new(Kind::Deliver, "c-1");
    bridge.store.job(lane, 0, event.to_string())
}

#[test]
fn a_large_file_is_recorded_before_its_call() {
    run(async {
        let directory = tempfile::tempdir().unwrap();
        let double = Double::start().await.unwrap();
        double.register(TOKEN).unwrap();
        let ann = Person::named("Ann").with_id(7);
        double.orders().add_person(&ann).await.unwrap();
        let slow = FaultKind::Slow { millis: 600_000 };
        let fault = Fault::next("sendDocument", slow);
        double.orders().add_fault(&fault).await.unwrap();
        let service = file_server().await;
        let bridge = bridge(&directory, &double.url(), &service).await;
        let media = format!("{service}/media/film.bin");
        let content = json!({ "id": "m-1", "type": "file", "text": "", "media": media, "file_name": "film.bin" });
        let job = job(&bridge, &content);
        bridge.commit(vec![Change::Begin(job.clone())]).await;
        while double.orders().faults().await.unwrap()[0].hits == 0 {
            yield_now().await;
        }
        let report = Progress::read(&bridge.store, job.id, 1).doubt();
        assert_eq!(report.map(|it| it.code), Some(905));
    });
}

#[test]
fn a_limit_that_names_no_chat_is_for_all() {
    run(async {
        let directory = tempfile::tempdir().unwrap();
        let bridge = bridge(&directory, "http://127.0.0.1:9", "http://127.0.0.1:9").await;
        let content = json!({ "id": "m-1", "type": "text", "text": "Hello" });
        let job = job(&bridge, &content);
        let step = Step {
            method: "sendMessage",
            params: json!({}),
            upload: None,
        };
        let limit = Duration::from_secs(30);
        let refusal = ApiError::Refused(Refusal {
            code: 429,
            description: "Too Many Requests".to_owned(),
            retry_after: Some(limit),
            migrate_to: None,
        });
        let outcome = consequence(&bridge, &job, 0, &step, 0, Err(refusal)).await;
        assert!(matches!(outcome, Err(SendError::Later(pause)) if pause == limit));
        // A job of any chat waits then, and calls nothing.
        let Outcome::Later(rest) = work(&bridge, &job, 0).await else {
            panic!("the job is over");
        };
        assert!(rest <= limit && rest > limit / 2, "{rest:?}");
    });
}
