//! The pages for operators: their commands, flags and settings exist, and figures of the sizing table are measured ones.

use super::{documents, none, texts};

/// The pages for operators.
const PAGES: [&str; 5] = [
    "docs/operating.md",
    "docs/import.md",
    "docs/oauth.md",
    "docs/users-and-roles.md",
    "SECURITY.md",
];

/// The beginnings of commands in these pages.
const PROGRAM: [&str; 2] = ["switchboard ", "cargo run -q -- "];

/// Units of figures that are measured.
const UNITS: [&str; 4] = ["µs", "MiB", "B", "ms"];

/// The commands of a page: what follows the program's name, up to the end of the line or of the code.
fn commands(page: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for (at, part) in page.split("```").enumerate() {
        if at % 2 == 1 {
            texts.extend(part.lines().map(str::to_owned));
        } else {
            texts.extend(part.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    let commands = texts.iter().filter_map(|code| {
        let code = PROGRAM
            .iter()
            .find_map(|program| code.strip_prefix(program))?
            .split([';', '|', '#', '>'])
            .next()
            .unwrap_or_default();
        Some(code.trim().to_owned())
    });
    commands.filter(|code| !code.starts_with('-')).collect()
}

/// Returns the fault of a command, by the help of all commands.
fn fault(command: &str, help: &[(String, String)]) -> Option<String> {
    let is_known = |path: &str| help.iter().any(|(known, _)| known == path);
    let mut words = command.split_whitespace().peekable();
    let mut path = "switchboard".to_owned();
    while let Some(word) = words.peek()
        && is_known(&format!("{path} {word}"))
    {
        path = format!("{path} {word}");
        words.next();
    }
    let below = format!("{path} ");
    let has_below = help.iter().any(|(known, _)| known.starts_with(&below));
    if let Some(word) = words.peek()
        && has_below
    {
        return Some(format!("`{command}`: {path} has no {word}"));
    }
    let page_of_help = help.iter().find(|(known, _)| *known == path);
    let text = page_of_help.map_or("", |(_, text)| text);
    let flags = words.filter(|word| word.starts_with("--"));
    let unknown: Vec<&str> = flags.filter(|flag| !text.contains(*flag)).collect();
    (!unknown.is_empty()).then(|| format!("`{command}`: {path} has no {unknown:?}"))
}

#[test]
fn commands_and_flags_of_the_guide_exist() {
    let mut help = Vec::new();
    texts::help(&[], &mut help);
    // The program itself has the path without a word.
    for (path, _) in &mut help {
        *path = path.trim_end().to_owned();
    }
    let (mut faults, mut count) = (Vec::new(), 0);
    for page in PAGES {
        for command in commands(&documents::text(page)) {
            count += 1;
            faults.extend(fault(&command, &help).map(|fault| format!("{page}: {fault}")));
        }
    }
    assert!(count > 30, "{count} commands were found");
    none(
        &faults,
        "the help of the program shows the commands that exist",
    );
    assert!(fault("channel burn x", &help).is_some());
    assert!(fault("verify --burn", &help).is_some());
}

/// The settings of the shipped configuration, as `section.key`.
fn settings() -> Vec<String> {
    let mut section = String::new();
    let mut keys = Vec::new();
    for line in documents::text("config.toml").lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_matches(['[', ']']).to_owned();
        } else if let Some((key, _)) = line.trim_start_matches("# ").split_once(" = ") {
            keys.push(format!("{section}.{key}"));
        }
    }
    keys
}

#[test]
fn settings_of_the_guide_exist() {
    let settings = settings();
    let sections: Vec<&str> = settings
        .iter()
        .filter_map(|setting| setting.split('.').next())
        .collect();
    let (mut unknown, mut count) = (Vec::new(), 0);
    for page in PAGES {
        let text = documents::text(page);
        let codes = text.split("```").step_by(2);
        for code in codes.flat_map(|part| part.split('`').skip(1).step_by(2)) {
            let setting = code.split(" = ").next().unwrap_or_default();
            let Some((section, key)) = setting.split_once('.') else {
                continue;
            };
            let is_key = key
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            if sections.contains(&section) && is_key {
                count += 1;
                if !settings.iter().any(|known| known == setting) {
                    unknown.push(format!("{page}: {setting}"));
                }
            }
        }
    }
    assert!(count > 10, "{count} settings were found");
    none(&unknown, "config.toml has every setting");
}

#[test]
fn figures_of_the_sizing_table_are_measured() {
    let (guide, measured) = (
        documents::text("docs/operating.md"),
        documents::text("docs/performance.md"),
    );
    let table = guide
        .split("\n## Sizing\n")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next());
    let rows = table.unwrap_or_default().lines();
    let cells = rows.filter_map(|row| row.split('|').nth(2));
    let (mut strange, mut count) = (Vec::new(), 0);
    for cell in cells {
        let words: Vec<&str> = cell
            .split(' ')
            .map(|word| word.trim_matches([';', ',', ' ']))
            .collect();
        for pair in words.windows(2) {
            let [number, unit] = pair else { continue };
            let is_number = number.starts_with(|letter: char| letter.is_ascii_digit());
            if is_number && UNITS.contains(unit) {
                count += 1;
                // Tables have units in their heads or behind each figure.
                let is_there = measured
                    .split(|letter: char| !letter.is_ascii_digit() && !".,".contains(letter))
                    .any(|known| known.trim_end_matches(['.', ',']) == *number);
                if !is_there {
                    strange.push(format!("{number} {unit}"));
                }
            }
        }
    }
    assert!(count > 8, "{count} figures were found");
    none(&strange, "docs/performance.md has the measured figures");
}
