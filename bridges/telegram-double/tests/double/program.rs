//! The program, as people start it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use telegram_double::orders::Say;
use telegram_double::{Orders, Person};

/// The program; it ends with the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[tokio::test]
async fn the_program_serves_its_tokens() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_telegram-double"));
    command.args([
        "--listen",
        "127.0.0.1:0",
        "--token",
        "42:A",
        "--token",
        "43:B",
    ]);
    let mut program = Program(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(program.0.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let url = line
        .trim()
        .strip_prefix("telegram-double listens on ")
        .unwrap();
    let orders = Orders::new(url);
    orders
        .add_person(&Person::named("Ann").with_id(7))
        .await
        .unwrap();
    let mut say = Say::text(7, "Hello");
    say.bot = Some(43);
    orders.say(&say).await.unwrap();
    let state = orders.state().await.unwrap();
    assert_eq!(
        state.bots.iter().map(|it| it.pending).collect::<Vec<_>>(),
        [0, 1]
    );
}

#[test]
fn what_the_program_refuses_names_no_token() {
    for args in [
        ["--listen", "127.0.0.1:0", "--token", "secretsecret"],
        ["--listen", "0.0.0.0:0", "--token", "42:secretsecret"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_telegram-double"));
        command.args(args).stdout(Stdio::null());
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        assert!(!text.contains("secretsecret"), "{text}");
        assert!(
            text.contains("token") || text.contains("loopback"),
            "{text}"
        );
    }
}
