//! A scripted agent that mends a bridge with three mistakes. It knows neither the rules nor the places of the mistakes: it reads
//! the advice of the exam, makes the change that its words ask for, and runs the exam again.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::GENERATIONS;
use super::wire::Client;
use crate::clients::run;
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// A change that the agent knows: words of an advice, and what it does about them.
struct Remedy {
    words: &'static str,
    change: &'static str,
    wrong: &'static str,
    right: &'static str,
}

const REMEDIES: [Remedy; 3] = [
    Remedy {
        words: "a unique key before the work",
        change: "store the id of a callback once, and never delete it",
        wrong: "        self.store.run(lambda db: db.execute(\"DELETE FROM callbacks WHERE identity = ?\", (identity,)))\n",
        right: "",
    },
    Remedy {
        words: "repeat the same bytes",
        change: "keep the msgid of a message that is posted again",
        wrong: "            event[\"payload\"][\"msgid\"] = str(uuid.uuid4())\n",
        right: "",
    },
    Remedy {
        words: "Let one refresh run at a time",
        change: "leave the refresh to the one that lets others wait",
        wrong: "        if answer.status == 401:\n            self.refresh()\n        return answer\n\n    \
                def renew(self, access):\n        self.refresh()\n        return self.tokens[\"access_token\"]\n",
        right: "        return answer\n",
    },
];

/// The rules that the agent is asked to bring in order.
const RULES: [u64; 3] = [9, 28, 32];

/// More exams than it may need.
const EXAMS_MAX: usize = 4;

/// Mends the program; gives the transcript.
fn mend(client: &mut Client, program: &Path) -> String {
    let mut transcript = String::new();
    let mut note = |line: String| {
        transcript.push_str(&line);
        transcript.push('\n');
    };
    for _ in 0..EXAMS_MAX {
        note(format!("agent  run_exam only {RULES:?}"));
        let report = client.document("run_exam", &json!({ "only": RULES }));
        note(format!("exam   {}", report["headline"].as_str().unwrap()));
        let rules = report["rules"].as_array().unwrap();
        let Some(rule) = rules.iter().find(|rule| rule["verdict"] == "breaks") else {
            assert_eq!(report["holds"], json!(RULES), "{report:#}");
            note("agent  all rules hold".to_owned());
            break;
        };
        // The worst one first: its evidence is there for an agent that reads more than the advice.
        assert!(rule["evidence"]["journal"][0].is_string(), "{rule:#}");
        let text = |name: &str| rule[name].as_str().unwrap();
        note(format!(
            "exam   breaks {}: {}",
            rule["number"],
            text("title")
        ));
        note(format!("exam   advice: {}", text("advice")));
        let remedy = REMEDIES
            .iter()
            .find(|it| text("advice").contains(it.words))
            .unwrap();
        let code = std::fs::read_to_string(program).unwrap();
        assert!(code.contains(remedy.wrong), "{}: {code}", remedy.change);
        std::fs::write(program, code.replace(remedy.wrong, remedy.right)).unwrap();
        note(format!("agent  change: {}", remedy.change));
    }
    transcript
}

#[tokio::test]
async fn a_scripted_agent_mends_three_mistakes_by_the_answers_alone() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let _turn = turn().await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("bridge.py");
    std::fs::copy(root.join("tests/clients/mcp/three_mistakes.py"), &program).unwrap();
    let line = format!("python3 {}", program.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.args(["mcp", "--command", &line]);
    // It builds on the bridge that the planted ones build on.
    command.env("PYTHONPATH", root.join("exam/planted"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    let mending = move || {
        let mut client = Client::start_command(GENERATIONS[1], command);
        let transcript = mend(&mut client, &program);
        client.end();
        transcript
    };
    let transcript = tokio::task::spawn_blocking(mending).await.unwrap();
    println!("{transcript}");
    // Line by line: the first different one shows what the agent met.
    let mut lines = transcript.lines();
    for line in include_str!("transcript.txt").lines() {
        assert_eq!(lines.next(), Some(line), "{transcript}");
    }
    assert_eq!(lines.next(), None, "{transcript}");
}
