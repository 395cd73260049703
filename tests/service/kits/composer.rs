//! The kit for PHP, installed by Composer as its page says.

use std::path::Path;
use std::process::Command;

use super::{pass, root};
use crate::clients::run;
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// The first block of this language on the kit's page that has these words.
fn block(page: &str, language: &str, words: &str) -> String {
    let mut blocks = page
        .split("```")
        .skip(1)
        .step_by(2)
        .filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    let snippet = blocks.find(|block| block.contains(words));
    snippet.expect("the page has such a block").to_owned()
}

/// A shell in this folder, in which Composer asks no questions and writes no file elsewhere.
fn shell(folder: &Path, script: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-euc", script]).current_dir(folder);
    shell.env("COMPOSER_HOME", folder.join("home"));
    shell.env("COMPOSER_ALLOW_SUPERUSER", "1");
    shell.env("COMPOSER_NO_INTERACTION", "1");
    shell
}

/// The commands of the page install the kit, and the test of the page passes with what Composer loads. No package registry is
/// asked: the kit requires no package.
#[tokio::test]
async fn the_kit_for_php_is_installed_by_composer() {
    for needed in ["composer", "phpunit"] {
        if let Err(why) = run(Command::new(needed).arg("--version")) {
            return skipped(&why, "apt-get install composer php-cli phpunit");
        }
    }
    let _turn = turn().await;
    let page = std::fs::read_to_string(root().join("kits/php/README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (folder, kit) = (folder.path(), root().join("kits/php"));
    let commands = block(&page, "sh", "composer require")
        .replace("./switchboard/kits/php", &kit.display().to_string());
    let alone = "composer config repositories.packagist.org false";
    let (first, rest) = commands.split_once('\n').unwrap();
    run(&mut shell(folder, &format!("{first}\n{alone}\n{rest}"))).unwrap();
    let test = block(&page, "php", "final class OrderTest");
    std::fs::write(folder.join("OrderTest.php"), format!("<?php\n{test}")).unwrap();
    let mut phpunit = Command::new("phpunit");
    phpunit.args(["--bootstrap", "vendor/autoload.php"]);
    phpunit.args(["--do-not-cache-result", "OrderTest.php"]);
    pass(&mut phpunit, folder);
}
