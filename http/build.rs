//! Lists the pages of the documentation, so that the program has them: `README.md`, and every Markdown file of this repository that
//! links lead to from there.
//!
//! The links are the list: a new page is in the program as soon as another one leads to it. A macro could not do this, since
//! Cargo would not run it again for a new file.

#[path = "src/documentation/links.rs"]
mod links;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use links::{resolve, with_links};

/// The page where all links begin.
const FIRST: &str = "README.md";

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize()?;
    let out = env::var_os("OUT_DIR").map(PathBuf::from);
    let out = out.ok_or_else(|| io::Error::other("Cargo sets OUT_DIR"))?;
    let pages = pages(&root)?;
    let lines = pages.iter().map(|page| {
        let file = root.join(page);
        format!("    ({page:?}, include_str!({file:?})),\n")
    });
    let list = format!("&[\n{}]\n", lines.collect::<String>());
    fs::write(out.join("pages.rs"), list)?;
    rerun_if_changed(&root, &pages);
    Ok(())
}

/// The pages that links lead to, by their paths from the root of the repository.
fn pages(root: &Path) -> io::Result<BTreeSet<String>> {
    let mut pages = BTreeSet::from([FIRST.to_owned()]);
    let mut unread = vec![FIRST.to_owned()];
    while let Some(page) = unread.pop() {
        let text = fs::read_to_string(root.join(&page))?;
        with_links(&text, |link| {
            let target = resolve(&page, link).filter(|target| is_page(root, target));
            if let Some(target) = target.filter(|target| pages.insert(target.clone())) {
                unread.push(target);
            }
            None
        });
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
fn rerun_if_changed(root: &Path, pages: &BTreeSet<String>) {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/documentation/links.rs");
    for page in pages {
        println!("cargo::rerun-if-changed={}", root.join(page).display());
    }
}
