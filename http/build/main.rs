//! Gives the program the pages of the documentation, and their list: `README.md`, and every Markdown file of this repository that
//! links lead to from there. Their links fit the addresses at which they are served.
//!
//! The links are the list: a new page is in the program as soon as another one leads to it. A macro could not do this, since
//! Cargo would not run it again for a new file.

mod excerpt;
mod index;
mod links;
mod served;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use links::{resolve, with_links};
use served::{served_path, with_served_links};

/// The page where all links begin.
const FIRST: &str = "README.md";
/// The name of the list of the pages.
const INDEX: &str = "llms.txt";

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize()?;
    let out = env::var_os("OUT_DIR").map(PathBuf::from);
    let out = out.ok_or_else(|| io::Error::other("Cargo sets OUT_DIR"))?;
    let pages = pages(&root)?;
    let mut list = String::new();
    for (source, text) in &pages {
        let path = served_path(source);
        let file = out.join(&path);
        write(&file, &with_served_links(&pages, source, &path, text))?;
        list.push_str(&format!("    ({path:?}, include_str!({file:?})),\n"));
    }
    write(&out.join("pages.rs"), &format!("&[\n{list}]\n"))?;
    let index = with_served_links(&pages, INDEX, INDEX, &index::written(&pages));
    write(&out.join(INDEX), &index)?;
    rerun_if_changed(&root, &pages);
    Ok(())
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)
}

/// The pages that links lead to, by their paths from the root of the repository.
fn pages(root: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut pages = BTreeMap::new();
    let mut unread = vec![FIRST.to_owned()];
    while let Some(page) = unread.pop() {
        if pages.contains_key(&page) {
            continue;
        }
        let text = fs::read_to_string(root.join(&page))?;
        with_links(&text, |link| {
            let target = resolve(&page, link);
            unread.extend(target.filter(|target| is_page(root, target)));
            None
        });
        pages.insert(page, text);
    }
    Ok(pages)
}

fn is_page(root: &Path, target: &str) -> bool {
    let path = Path::new(target);
    path.extension().is_some_and(|extension| extension == "md") && root.join(path).is_file()
}

#[expect(
    clippy::print_stdout,
    reason = "Cargo reads what a build script prints"
)]
fn rerun_if_changed(root: &Path, pages: &BTreeMap<String, String>) {
    println!("cargo::rerun-if-changed=build");
    for page in pages.keys() {
        println!("cargo::rerun-if-changed={}", root.join(page).display());
    }
}
