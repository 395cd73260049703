//! Settings as TOML with their sources in comments, and as JSON.

use serde_json::{Value, json};

use crate::config::effective::{Setting, ValueSource};
use crate::terminal::aligned;

/// All settings as a configuration that says the same but for secrets; `file` is the one they were read from.
pub(super) fn toml(settings: &[Setting], file: &str) -> String {
    let mut sections = Vec::new();
    let mut rest = settings;
    while let Some(first) = rest.first() {
        let (section, _) = parted(&first.path);
        let same = rest.iter().take_while(|it| parted(&it.path).0 == section);
        let (now, later) = rest.split_at(same.count());
        let rows: Vec<_> = now.iter().map(|setting| row(setting, file)).collect();
        sections.push(format!("{}\n{}", head(section), aligned(&rows)));
        rest = later;
    }
    sections.join("\n\n")
}

/// All settings with their sources.
pub(super) fn document(settings: &[Setting], file: &str) -> Value {
    let documents = settings.iter().map(|setting| {
        let source = match &setting.source {
            ValueSource::Default => json!({ "kind": "default" }),
            ValueSource::Line(line) => json!({ "kind": "file", "file": file, "line": line }),
            ValueSource::Variable(name) => json!({ "kind": "variable", "name": name }),
            ValueSource::Flag(flag) => json!({ "kind": "flag", "name": flag }),
        };
        json!({ "key": setting.path, "value": setting.value, "source": source })
    });
    json!({ "settings": documents.collect::<Value>() })
}

/// The section of a key, and the rest of it.
fn parted(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

/// The line that begins a section; those of lists have a number.
fn head(section: &str) -> String {
    let plain: String = section
        .split('.')
        .map(|part| part.split_once('[').map_or(part, |(name, _)| name))
        .collect::<Vec<_>>()
        .join(".");
    if section.ends_with(']') {
        format!("[[{plain}]]")
    } else {
        format!("[{plain}]")
    }
}

fn row(setting: &Setting, file: &str) -> [String; 2] {
    let (_, key) = parted(&setting.path);
    let line = match toml::Value::try_from(&setting.value) {
        Ok(value) => format!("{key} = {value}"),
        // TOML has no null.
        Err(_) => format!("# {key} is not set"),
    };
    let source = match &setting.source {
        ValueSource::Default => "default".to_owned(),
        ValueSource::Line(line) => format!("{file}:{line}"),
        ValueSource::Variable(name) => name.clone(),
        ValueSource::Flag(flag) => (*flag).to_owned(),
    };
    [line, format!("# {source}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(path: &str, value: Value, source: ValueSource) -> Setting {
        Setting {
            path: path.to_owned(),
            value,
            source,
        }
    }

    #[test]
    fn the_configuration_is_printed_as_toml_with_its_sources() {
        let variable = ValueSource::Variable("SWITCHBOARD_SERVER__WORKERS".to_owned());
        let settings = [
            setting("server.listen", json!("h:80"), ValueSource::Line(3)),
            setting("server.workers", json!(4), variable),
            setting("server.public_url", Value::Null, ValueSource::Default),
            setting(
                "accounts[0].users[1].token",
                json!("***"),
                ValueSource::Line(9),
            ),
        ];
        let text = "\
[server]
listen = \"h:80\"             # my.toml:3
workers = 4                 # SWITCHBOARD_SERVER__WORKERS
# public_url is not set     # default

[[accounts.users]]
token = \"***\"  # my.toml:9";
        let printed = toml(&settings, "my.toml");
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(plain(&printed), plain(text));
        assert!(printed.parse::<toml::Table>().is_ok(), "{printed}");
        let json = document(&settings, "my.toml");
        let source = json!({ "kind": "file", "file": "my.toml", "line": 3 });
        assert_eq!(json["settings"][0]["source"], source);
    }
}
