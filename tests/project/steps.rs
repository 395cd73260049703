//! The commands of developers: a step is declared once, as a file in `.ci/steps`, and `.ci/run`, the justfile and the hook
//! run that file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::documents::text;
use super::none;

/// The folder of the steps.
const STEPS: &str = ".ci/steps";

/// Programs that only steps call.
const PROGRAMS: [&str; 5] = ["cargo ", "npm ", "npx ", "apt-get ", "pip "];

/// The names of the steps, each an executable file.
fn steps() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(STEPS);
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let mode = entry.metadata().map(|about| about.permissions().mode());
        assert!(
            mode.is_ok_and(|mode| mode & 0o111 == 0o111),
            "{STEPS}/{name} is not executable: chmod +x"
        );
        names.push(name);
    }
    assert!(names.len() > 10, "the steps were not found");
    names.sort();
    names
}

/// The steps that a text calls, by their paths.
fn calls(text: &str) -> Vec<&str> {
    text.split(".ci/steps/")
        .skip(1)
        .map(|rest| {
            let end = rest.find(|letter: char| !(letter.is_ascii_lowercase() || letter == '-'));
            end.map_or(rest, |end| rest.split_at(end).0)
        })
        .collect()
}

/// The lines of a script that are no comment.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
}

#[test]
fn each_step_is_run_by_ci_and_by_a_recipe() {
    let steps = steps();
    for path in [".ci/run", "justfile"] {
        let text = text(path);
        let calls = calls(&text);
        let unused: Vec<_> = steps
            .iter()
            .filter(|step| !calls.contains(&step.as_str()))
            .cloned()
            .collect();
        none(
            &unused,
            &format!("{path} does not run these files of {STEPS}"),
        );
    }
}

#[test]
fn each_step_that_is_called_is_a_file() {
    let steps = steps();
    for path in [".ci/run", "justfile", ".githooks/pre-commit"] {
        let text = text(path);
        let unknown: Vec<_> = calls(&text)
            .into_iter()
            .filter(|call| !steps.iter().any(|step| step == call))
            .map(str::to_owned)
            .collect();
        none(
            &unknown,
            &format!("{path} calls these, which are not in {STEPS}"),
        );
    }
}

/// A command that `.ci/run` had by itself would be declared a second time in the justfile.
#[test]
fn ci_has_no_command_of_its_own() {
    let script = text(".ci/run");
    let own: Vec<_> = commands(&script)
        .filter(|line| !line.starts_with("step '"))
        .filter(|line| PROGRAMS.iter().any(|program| line.contains(program)))
        .map(str::to_owned)
        .collect();
    none(
        &own,
        "move these commands of .ci/run to a file in .ci/steps",
    );
}

#[test]
fn each_recipe_has_a_sentence() {
    let file = text("justfile");
    let lines: Vec<&str> = file.lines().collect();
    let is_recipe = |line: &str| {
        line.starts_with(|letter: char| letter.is_ascii_lowercase())
            && !line.starts_with("set ")
            && line.contains(':')
    };
    let bare: Vec<_> = lines
        .windows(2)
        .filter_map(|pair| match pair {
            [before, line] if is_recipe(line) => {
                let is_sentence = before.starts_with("# ") && before.ends_with('.');
                (!is_sentence).then(|| (*line).to_owned())
            }
            _ => None,
        })
        .collect();
    none(&bare, "a sentence above each recipe, which `just` shows");
}
