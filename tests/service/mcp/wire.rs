//! A client of the protocol that sees each line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::limit::Limit;

/// A generation of the protocol, with the version that is spoken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Generation {
    /// The client and the server agree on a version first.
    Handshake(&'static str),
    /// Each request names its version.
    Inline(&'static str),
}

/// An agent's client, with the server that it has started.
pub(super) struct Client {
    child: Child,
    _limit: Limit,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    generation: Generation,
    last: u64,
    notifications: Vec<Value>,
}

impl Client {
    /// Starts `switchboard mcp` with these flags, and shakes hands if the generation does so.
    pub(super) fn start(generation: Generation, flags: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command.arg("mcp").args(flags);
        Self::start_command(generation, command)
    }

    pub(super) fn start_command(generation: Generation, mut command: Command) -> Self {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        let mut client = Self {
            _limit: Limit::of_a_test(&child),
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            generation,
            last: 0,
            notifications: Vec::new(),
        };
        if let Generation::Handshake(version) = generation {
            let answer = client.initialize(version);
            assert_eq!(answer["protocolVersion"], version, "{answer:#}");
        }
        client
    }

    /// Asks for a version in a handshake; gives the result.
    pub(super) fn initialize(&mut self, version: &str) -> Value {
        let client = json!({ "name": "test", "version": "1" });
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        let answer = self.ask("initialize", params);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        answer["result"].clone()
    }

    pub(super) fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Sends a request as it is, and gives the answer, a result or an error.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// The next line, which is a message: nothing else may stand on standard output.
    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Sends a request as its generation does, and gives the result.
    pub(super) fn request(&mut self, method: &str, mut params: Value) -> Value {
        let token = self.last + 1;
        params["_meta"] = match self.generation {
            Generation::Handshake(_) => json!({ "progressToken": token }),
            Generation::Inline(version) => inline(version, token),
        };
        let answer = self.ask(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer:#}");
        answer["result"].clone()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> (bool, String) {
        self.notifications.clear();
        let params = json!({ "name": tool, "arguments": arguments });
        let result = self.request("tools/call", params);
        let is_modern = matches!(self.generation, Generation::Inline(_));
        assert_eq!(result["resultType"] == "complete", is_modern, "{result:#}");
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(text.len() <= 64 << 10, "{} bytes", text.len());
        (result["isError"] == true, text)
    }

    /// Calls a tool; gives its answer.
    pub(super) fn text(&mut self, tool: &str, arguments: &Value) -> String {
        let (is_error, text) = self.call(tool, arguments);
        assert!(!is_error, "{tool} {arguments}: {text}");
        text
    }

    /// Calls a tool; gives its answer, which is a document.
    pub(super) fn document(&mut self, tool: &str, arguments: &Value) -> Value {
        let text = self.text(tool, arguments);
        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {text}"))
    }

    /// Calls a tool, which refuses the call; gives the reason.
    pub(super) fn refusal(&mut self, tool: &str, arguments: &Value) -> String {
        let (is_error, text) = self.call(tool, arguments);
        assert!(is_error, "{tool} {arguments}: {text}");
        text
    }

    /// The steps that were reported during the last call.
    pub(super) fn progress(&self) -> impl Iterator<Item = &Value> {
        let token = self.last;
        let params = self.notifications.iter().map(|it| &it["params"]);
        params.filter(move |it| it["progressToken"] == token)
    }

    /// Closes the input; the server ends without a fault, and says nothing more.
    pub(super) fn end(mut self) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_line(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert!(self.child.wait().unwrap().success());
    }
}

/// The fields that each request of the newer generation has.
pub(super) fn inline(version: &str, token: u64) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "progressToken": token,
    })
}
