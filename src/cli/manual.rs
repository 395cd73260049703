//! The manual pages, with the sections that readers of manual pages look for: EXAMPLES and EXIT STATUS.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

/// Writes the pages of a command and of all its subcommands to a directory.
///
/// # Errors
/// If the directory or a file in it cannot be written.
pub(super) fn write_all(all: Command, directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut all = all.disable_help_subcommand(true);
    all.build();
    write(&all, directory)
}

fn write(command: &Command, directory: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        write(subcommand, directory)?;
    }
    let manual = Man::new(command.clone());
    let mut file = File::create(directory.join(manual.get_filename()))?;
    render(command, &manual, &mut file)?;
    file.flush()
}

fn render(command: &Command, manual: &Man, out: &mut dyn Write) -> io::Result<()> {
    manual.render_title(out)?;
    manual.render_name_section(out)?;
    manual.render_synopsis_section(out)?;
    manual.render_description_section(out)?;
    if command.get_arguments().any(|it| !it.is_hide_set()) {
        manual.render_options_section(out)?;
    }
    if command.get_subcommands().any(|it| !it.is_hide_set()) {
        manual.render_subcommands_section(out)?;
    }
    if let Some(help) = command.get_after_help() {
        sections(&help.to_string()).to_writer(out)?;
    }
    if command.get_version().is_some() {
        manual.render_version_section(out)?;
    }
    Ok(())
}

/// Turns the text behind the options of a command into sections. Each paragraph has its heading in the first line, and
/// lines that are to stay lines, since they are commands or rows.
fn sections(help: &str) -> Roff {
    let mut roff = Roff::default();
    for paragraph in help.split("\n\n") {
        let (heading, lines) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        let heading = match heading.trim_end_matches(':') {
            "Exit codes" => "EXIT STATUS".to_owned(),
            other => other.to_uppercase(),
        };
        roff.control("SH", [heading.as_str()]);
        roff.control("nf", []);
        for line in lines.lines() {
            roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
        }
        roff.control("fi", []);
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_exit_codes_are_sections_with_their_lines() {
        let help = "Examples:\n  switchboard verify\n  .hidden\n\nExit codes:\n  0  done";
        let page = sections(help).to_roff();
        let lines: Vec<&str> = page.lines().collect();
        for expected in [
            ".SH EXAMPLES",
            "switchboard verify",
            ".SH \"EXIT STATUS\"",
            "0  done",
        ] {
            assert!(lines.contains(&expected), "{expected}: {page}");
        }
        assert_eq!(lines.iter().filter(|line| **line == ".nf").count(), 2);
        assert!(
            !lines.contains(&".hidden"),
            "a line that begins with a dot is no request of roff: {page}"
        );
    }
}
