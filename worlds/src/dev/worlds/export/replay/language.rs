//! The languages in which a test is written.

use serde_json::json;
use switchboard_network::printable;

use super::call::Call;
use super::{World, node, php, python, scenario, shell};
use crate::dev::worlds::export::form::Language;

impl Language {
    /// A whole file with these lines.
    pub(super) fn whole(self, world: &World<'_>, lines: &[String]) -> String {
        let (title, options) = (printable::line(world.title), &world.options);
        let name = identifier(&title);
        let lines = |indent: &str| -> String {
            let lines = lines.iter().map(|line| format!("{indent}{line}\n"));
            lines.collect()
        };
        match self {
            Self::Pytest => format!(
                "import pytest\n\n\n@pytest.mark.world({})\ndef test_{name}(world):\n{}",
                options.arguments(python::argument),
                or_pass(lines("    "))
            ),
            Self::Vitest => node::file("vitest", &title, world, &lines("  ")),
            Self::NodeTest => node::file("node:test", &title, world, &lines("  ")),
            Self::Phpunit => format!(
                "<?php\ndeclare(strict_types=1);\n\nrequire_once 'switchboard_testing.php';\n\nfinal class JournalTest extends PHPUnit\\Framework\\TestCase\n{{\n    use Switchboard\\Testing\\UsesSwitchboard;\n\n    public function test_{name}(): void\n    {{\n        $world = $this->world({});\n{}    }}\n}}\n",
                options.arguments(php::argument),
                or_no_assertion(lines("        "))
            ),
            Self::Curl => format!(
                "#!/bin/sh\n# {title}\n# READY is the ready file of «switchboard dev»; jq reads it.\nset -eu\nURL=$(jq -r .dev.url \"$READY\")\nTOKEN=$(jq -r .dev.token \"$READY\")\norder() {{\n  curl -fsS -X \"$1\" -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' ${{3:+-d \"$3\"}} \"$URL/worlds$2\"\n}}\nWORLD=$(order POST '' {} | jq -r .id)\n{}order DELETE \"/$WORLD\"\n",
                shell::quoted(&options.object().to_string()),
                lines("")
            ),
            Self::Scenario => format!(
                "[[scenarios]]\nname = {}\nworld = {}\nsteps = [\n{}]\n",
                scenario::toml(&json!(title)),
                scenario::toml(&options.object()),
                lines("  ")
            ),
        }
    }

    /// A line that fails unless this text is in the conversation of this customer; none where a test has no such line.
    pub(super) fn assertion(self, customer: &str, text: &str) -> Option<String> {
        match self {
            Self::Pytest => Some(python::assertion(customer, text)),
            Self::Vitest | Self::NodeTest => Some(node::assertion(customer, text)),
            Self::Phpunit => Some(php::assertion(customer, text)),
            Self::Curl | Self::Scenario => None,
        }
    }

    /// A line of its own, whatever the text is: some languages end lines, or take no text, where others do not.
    pub(super) fn comment(self, text: &str) -> String {
        let text = printable::line(text);
        match self {
            Self::Pytest | Self::Curl | Self::Scenario => format!("# {text}"),
            // PHP ends its code inside a comment, too.
            Self::Vitest | Self::NodeTest | Self::Phpunit => {
                format!("// {}", text.replace("?>", "? >"))
            }
        }
    }

    pub(super) fn call(self, call: &Call<'_>) -> String {
        let line = match self {
            Self::Pytest => python::call(&call.does),
            Self::Vitest | Self::NodeTest => node::call(&call.does),
            Self::Phpunit => php::call(&call.does),
            Self::Curl => Some(shell::call(call.request)),
            Self::Scenario => Some(scenario::call(call)),
        };
        line.unwrap_or_else(|| {
            let request = call.request;
            self.comment(&format!("Left out: {} {}", request.method, request.path))
        })
    }
}

/// A test without a statement is no Python.
fn or_pass(lines: String) -> String {
    let is_empty = lines.lines().all(|line| line.trim_start().starts_with('#'));
    if is_empty {
        format!("{lines}    pass\n")
    } else {
        lines
    }
}

/// `PHPUnit` reports a test that asserts nothing, unless it says so.
fn or_no_assertion(lines: String) -> String {
    if lines.contains("self::assert") {
        lines
    } else {
        format!("        $this->expectNotToPerformAssertions();\n{lines}")
    }
}

/// A name as programs have it.
fn identifier(text: &str) -> String {
    let plain = |sign: char| match sign {
        sign if sign.is_ascii_alphanumeric() => sign,
        _ => '_',
    };
    let name = text.trim_start_matches("test_");
    name.chars().map(plain).collect()
}
