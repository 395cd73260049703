use std::collections::BTreeSet;
use std::path::Path;

use super::excerpt::{first_sentence, title};
use super::*;

/// The files of a folder of the repository in Markdown, with those of its folders.
fn markdown(folder: &Path) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root.join(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        if root.join(&path).is_dir() {
            files.extend(markdown(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path.to_str().unwrap().to_owned());
        }
    }
    files
}

#[test]
fn links_lead_to_every_page_of_the_folder() {
    let sources: BTreeSet<&str> = SOURCES.iter().map(|(source, _)| *source).collect();
    let files = markdown(Path::new("docs"));
    assert!(files.len() > 80, "{} files", files.len());
    let lonely = files.iter().filter(|file| !sources.contains(file.as_str()));
    assert_eq!(lonely.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn the_list_has_every_page_of_the_folder_itself() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let list = list();
    for entry in std::fs::read_dir(root).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            assert!(
                list.contains(&format!("](docs/{name}): ")),
                "{name}: {list}"
            );
        }
    }
}

#[test]
fn every_page_has_a_path_a_title_and_a_first_sentence() {
    let paths: BTreeSet<&str> = pages().map(Page::path).collect();
    assert_eq!(paths.len(), SOURCES.len(), "two pages have one path");
    for page in pages() {
        assert!(title(page.text).is_some(), "{}: no title", page.source);
        let sentence = first_sentence(page.text);
        let length = sentence.map_or(0, |sentence| sentence.chars().count());
        assert!(
            (10..=250).contains(&length),
            "{}: a sentence of {length} letters below its title",
            page.source
        );
    }
}

#[test]
fn relative_links_lead_to_pages() {
    let mut count = 0;
    let list = list();
    let texts = pages().map(|page| (page.path(), page.markdown()));
    for (path, text) in texts.chain([(INDEX, list)]) {
        links::with_links(&text, |link| {
            if let Some(target) = links::resolve(path, link) {
                let page = pages().find(|page| page.path == target);
                assert!(page.is_some(), "{path}: {link}");
                count += 1;
            }
            None
        });
    }
    assert!(count > 400, "{count} links");
}

#[test]
fn links_to_other_files_are_texts() {
    for (text, expected) in [
        ("[one](worlds.md#x)", "[one](worlds.md#x)"),
        ("[one](../kits/README.md#x)", "[one](kits/README.md#x)"),
        ("[one](../config.toml), ![two](a.svg)", "one, two"),
        ("[one](/openapi.json)", "[one](/openapi.json)"),
        ("[one](https://example.com)", "[one](https://example.com)"),
        ("[one](#x)", "[one](#x)"),
    ] {
        let served = with_served_links("docs/a.md", "docs/a.md", text);
        assert_eq!(served, expected);
    }
}

#[test]
fn relative_paths_go_up_and_down() {
    for (from, to, expected) in [
        ("docs/a.md", "docs/b.md", "b.md"),
        ("docs/exam/01.md", "docs/exam.md", "../exam.md"),
        ("docs/exam.md", "docs/exam/01.md", "exam/01.md"),
        ("docs/x/y/a.md", "docs/x/a.md", "../a.md"),
        ("llms.txt", "docs/a.md", "docs/a.md"),
    ] {
        assert_eq!(relative(from, to), expected, "{from} {to}");
    }
}
