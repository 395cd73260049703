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
        assert!(title(page.text).is_some(), "{}: no title", page.path);
        let sentence = first_sentence(page.text);
        let length = sentence.map_or(0, |sentence| sentence.chars().count());
        assert!(
            (10..=250).contains(&length),
            "{}: a sentence of {length} letters below its title",
            page.path
        );
    }
}

#[test]
fn relative_links_lead_to_pages() {
    let mut count = 0;
    let texts = pages().map(|page| (page.path(), page.markdown()));
    for (path, text) in texts.chain([("llms.txt", list())]) {
        links::with_links(text, |link| {
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
