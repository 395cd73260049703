//! The tools, as agents see them.

use switchboard_exam::role::Profile;

use crate::mcp::parameter::Kind::{Flag, Number, Objects, Text, Texts, Whole, Wholes, Word};
use crate::mcp::parameter::Parameter;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    MakeWorld,
    Say,
    Reply,
    Wait,
    OrderFault,
    ReadJournal,
    ExplainRefusal,
    RunExam,
}

/// The description of a tool.
pub(super) struct Declaration {
    pub(super) tool: Tool,
    pub(super) name: &'static str,
    /// The purpose and the answer, for agents.
    pub(super) says: &'static str,
    pub(super) parameters: &'static [Parameter],
    /// True when it changes nothing.
    pub(super) is_read_only: bool,
}

/// The parameter of the exam that only an open server has.
pub(super) const COMMAND: &str = "command";
/// The roles in which a program is examined.
pub(super) const PROFILE: &str = "profile";

const WORLD: Parameter = Parameter::new("world", Text, "The id of the world, such as w1.").needed();

/// The states that a wait knows. A test compares them with those of worlds.
const STATES: [&str; 14] = [
    "callback.delivered",
    "callback.failed",
    "callback.attempt",
    "hook.delivered",
    "hook.failed",
    "hook.attempt",
    "question.attempt",
    "question.asked",
    "question.answered",
    "request.seen",
    "delivery>=delivered",
    "delivery>=read",
    "lead.stage",
    "quiet",
];

/// The places where faults strike. A test compares them with those of worlds.
const PLACES: [&str; 7] = [
    "answers",
    "media",
    "oauth",
    "callbacks",
    "hooks",
    "questions",
    "engine",
];

/// The forms of a journal that are texts for agents.
const FORMS: [&str; 8] = [
    "text",
    "json",
    "pytest",
    "vitest",
    "node_test",
    "phpunit",
    "curl",
    "scenario",
];

/// All tools.
pub(super) const TOOLS: [Declaration; 8] = [
    Declaration {
        tool: Tool::MakeWorld,
        name: "make_world",
        says: "Makes a world: a whole service in memory with an account, the administrator ada, a channel, an OAuth client and a \
               clock of its own. Answers its ids and secrets, and the environment variables to start the tested program with. \
               The program sends its requests to SWITCHBOARD_URL and receives callbacks at the address «webhook».",
        parameters: &[
            Parameter::new(
                "webhook",
                Text,
                "The loopback address of the tested program for callbacks, such as http://127.0.0.1:9000/. Without it, a receiver in memory takes them.",
            ),
            Parameter::new("name", Text, "A name for people."),
            Parameter::new(
                "seed",
                Whole,
                "The same seed gives the same ids and secrets in one process (1).",
            ),
            Parameter::new(
                "clock",
                Word(&["skip", "frozen", "real"]),
                "skip: while you wait, time jumps to the next timer (the default). frozen: time stands still. real: time of the machine.",
            ),
            Parameter::new(
                "ttl",
                Whole,
                "The life of the world in seconds of real time (600; 86400 at most).",
            ),
            Parameter::new(
                "redirect_uri",
                Text,
                "The redirect address of the OAuth client. Nothing is sent there.",
            ),
            Parameter::new(
                "subdomain",
                Text,
                "The subdomain of the account, for programs that have it built in.",
            ),
            Parameter::new("channel_id", Text, "The id of the channel."),
            Parameter::new(
                "phone_field_id",
                Whole,
                "The number of the field for telephones of contacts.",
            ),
            Parameter::new(
                "email_field_id",
                Whole,
                "The number of the field for e-mail addresses of contacts.",
            ),
            Parameter::new(
                "pipelines",
                Objects,
                "Pipelines with id, name, unsorted_id, and stages with id and name.",
            ),
            Parameter::new("users", Objects, "Administrators with name and id."),
        ],
        is_read_only: false,
    },
    Declaration {
        tool: Tool::Say,
        name: "say",
        says: "A customer writes a message, as the integration would post it. Answers msgid, message_id and conversation_id.",
        parameters: &[
            WORLD,
            Parameter::new("customer", Text, "The name of the customer, such as bo.").needed(),
            Parameter::new("text", Text, "The message.").needed(),
        ],
        is_read_only: false,
    },
    Declaration {
        tool: Tool::Reply,
        name: "reply",
        says: "An account user answers a customer; the tested program receives a signed callback. Wait for callback.delivered \
               afterwards. Answers message_id and conversation_id.",
        parameters: &[
            WORLD,
            Parameter::new("text", Text, "The answer.").needed(),
            Parameter::new("user", Text, "The name of the user (ada)."),
            Parameter::new(
                "customer",
                Text,
                "The customer who is answered, or the integration's id of a conversation (who wrote last).",
            ),
        ],
        is_read_only: false,
    },
    Declaration {
        tool: Tool::Wait,
        name: "wait",
        says: "Waits for a state of a world, without sleeping: with the clock skip, retries after minutes cost nothing. Answers \
               met, the cursor, and the entries that count; or why it cannot be met, and what came near.",
        parameters: &[
            WORLD,
            Parameter::new(
                "until",
                Word(&STATES),
                "The state. quiet: nothing is queued or under way.",
            )
            .needed(),
            Parameter::new("count", Whole, "So many times (1)."),
            Parameter::new(
                "match",
                Text,
                "Only what has this text in METHOD path, in the body of a callback or a question, or in the code of a hook.",
            ),
            Parameter::new("message", Text, "Only this message."),
            Parameter::new("stage", Whole, "With lead.stage: the number of the status."),
            Parameter::new("timeout", Number, "Seconds of the world's time (3600)."),
            Parameter::new(
                "after",
                Whole,
                "Only what came after this cursor of an earlier answer.",
            ),
        ],
        is_read_only: false,
    },
    Declaration {
        tool: Tool::OrderFault,
        name: "order_fault",
        says: "Orders a fault for what comes next, by «on» and «do». answers: status, rate_limited, token_expired, account_unpaid, \
               over_chat_limit, bad_gateway_html, ip_blocked_html, slow, truncated, clock_ahead, clock_behind, lost_before_commit, \
               lost_after_commit. \
               media: status, slow, truncated, wrong_type. oauth: revoked, refresh_race. callbacks: status, drop, delay, \
               reorder, answer_lost, duplicate, twice_at_once, bad_signature, old_secret, other_scope, unknown_field, \
               unknown_type, huge, split, drip. hooks: status, drop, late, reordered, answer_lost, duplicate, twice_at_once, \
               other_account. questions: status, drop, late, answer_lost, duplicate, twice_at_once. engine: disk_full, \
               power_cut, slow_sync. With end, ends all faults.",
        parameters: &[
            WORLD,
            Parameter::new("on", Word(&PLACES), "The place."),
            Parameter::new("do", Text, "The fault."),
            Parameter::new("times", Whole, "So many times it strikes (1)."),
            Parameter::new(
                "match",
                Text,
                "It strikes only what has this text in METHOD path, or in the body of a callback.",
            ),
            Parameter::new("status", Whole, "The status of the fault «status»."),
            Parameter::new(
                "retry_after",
                Whole,
                "The seconds of the fault rate_limited.",
            ),
            Parameter::new(
                "seconds",
                Number,
                "The seconds of slow, delay, late, drip, slow_sync, clock_ahead and clock_behind.",
            ),
            Parameter::new(
                "probability",
                Number,
                "It strikes only sometimes: more than 0, at most 1.",
            ),
            Parameter::new(
                "seed",
                Whole,
                "Chooses when it strikes, with a probability (1).",
            ),
            Parameter::new("end", Flag, "End all faults; without the other parameters."),
        ],
        is_read_only: false,
    },
    Declaration {
        tool: Tool::ReadJournal,
        name: "read_journal",
        says: "Reads what happened in a world, oldest first: requests with their answers, attempts of callbacks and hooks, and \
               orders. The last line says how to read on. The forms of test frameworks, curl and scenario give your orders as a \
               test to keep.",
        parameters: &[
            WORLD,
            Parameter::new("after", Whole, "Only entries after this cursor (0)."),
            Parameter::new(
                "form",
                Word(&FORMS),
                "text: a line for people (the default). json: whole entries with cursors and bodies.",
            ),
            Parameter::new(
                "skip",
                Whole,
                "Leave out so many lines at the beginning: where an earlier answer ended (0).",
            ),
        ],
        is_read_only: true,
    },
    Declaration {
        tool: Tool::ExplainRefusal,
        name: "explain_refusal",
        says: "Explains a request that a world has refused: its reason, the likely mistake (for signatures one of some fifty), \
               each wrong field, what was sent, and the faults that were ordered before it.",
        parameters: &[
            WORLD,
            Parameter::new(
                "entry",
                Whole,
                "The cursor of its entry in the journal (the newest refusal).",
            ),
        ],
        is_read_only: true,
    },
    Declaration {
        tool: Tool::RunExam,
        name: "run_exam",
        says: "Examines the program rule by rule, each in a world of its own: callbacks twice, lost answers, kills, expired tokens. \
               Answers what is broken, why, and what to do (advice), with evidence. All rules take about a minute; fewer rules \
               (only) are faster and have more room for evidence.",
        parameters: &[
            Parameter::new(
                PROFILE,
                Word(&Profile::WORDS),
                "bridge: it gets callbacks of a channel (the default). bot: it gets hooks of the account. both: each rule in each role.",
            ),
            Parameter::new("only", Wholes, "Try only these rules, by number."),
            Parameter::new(
                "waive",
                Texts,
                "Rules that are not tried: the number, with the reason.",
            ),
            Parameter::new(
                "strict",
                Flag,
                "Warnings and rules that were not tried fail, too.",
            ),
            Parameter::new("seed", Whole, "The seed of the worlds (1)."),
            Parameter::new(
                "jobs",
                Whole,
                "So many rules at once (8). 1 for programs that share a port or a database with themselves.",
            ),
            Parameter::new(
                COMMAND,
                Text,
                "The program and its arguments, separated by spaces, instead of the one of the server.",
            ),
        ],
        is_read_only: false,
    },
];

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use switchboard_worlds::dev::Worlds;
    use tokio::runtime::Builder;
    use tokio::task::LocalSet;

    use super::*;

    async fn refusal(worlds: &Worlds, method: &str, path: &str, body: &Value) -> String {
        let answer = worlds.accepted_order(method, path, body).await;
        answer.unwrap_err().to_string()
    }

    /// The faults of a place, as the tool describes them.
    fn faults_of(place: &str) -> Vec<&'static str> {
        let mut declarations = TOOLS.iter();
        let says = declarations
            .find(|it| it.tool == Tool::OrderFault)
            .unwrap()
            .says;
        let (_, behind) = says.split_once(&format!("{place}: ")).unwrap();
        behind.split('.').next().unwrap().split(", ").collect()
    }

    #[test]
    fn states_forms_and_faults_are_those_of_worlds() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        LocalSet::new().block_on(&runtime, async {
            let worlds = Worlds::drawn(None).await.unwrap();
            let webhook = json!({ "webhook": "http://127.0.0.1:9/" });
            worlds.accepted_order("POST", "", &webhook).await.unwrap();
            let why = refusal(&worlds, "GET", "/w1/wait?until=x", &Value::Null).await;
            assert!(
                why.ends_with(&format!("; there are {}", STATES.join(", "))),
                "{why}"
            );
            for form in FORMS {
                let path = format!("/w1/journal?form={form}");
                worlds
                    .accepted_order("GET", &path, &Value::Null)
                    .await
                    .unwrap();
            }
            let wrong = json!({ "on": "x", "do": "x" });
            let why = refusal(&worlds, "POST", "/w1/faults", &wrong).await;
            assert!(why.contains(&PLACES.join(", ")), "{why}");
            for place in PLACES {
                let names = faults_of(place);
                let wrong = json!({ "on": place, "do": "x" });
                let why = refusal(&worlds, "POST", "/w1/faults", &wrong).await;
                assert!(why.ends_with(&names.join(", ")), "{place}: {why}");
            }
            worlds.stop().await;
        });
    }
}
