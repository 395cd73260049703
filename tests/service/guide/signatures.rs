//! The functions that sign, in each language of the guide. Those in Rust are a test of the documentation.

use std::process::Command;

use super::block;
use crate::support::limit::Limited as _;
use crate::support::skip::skipped;

const BODY: &str = r#"{"text":"Grüße 😀"}"#;
const DATE: &str = "Mon, 02 Jan 2023 10:00:00 GMT";
const PATH: &str = "/v2/origin/custom/channel_account";
const SECRET: &str = "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189";

/// The right result of both functions, computed with `openssl dgst -sha1 -hmac`.
const RAW: &str = "036299964698e97479f9088283b03e21762f388a";
const CANONICAL: &str = "e7329959cbd1eda296a37f0d4bf10528b35b1234";

/// Runs the block of a language with calls behind it that print both signatures.
fn signs(language: &str, file: &str, program: &[&str], calls: &str) {
    let (name, arguments) = program.split_first().unwrap();
    if Command::new(name).arg("--help").limited_output().is_err() {
        return skipped(
            &format!("there is no {name} for the guide's example"),
            &format!("install {name}"),
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let calls = calls
        .replace("$BODY", BODY)
        .replace("$DATE", DATE)
        .replace("$PATH", PATH)
        .replace("$SECRET", SECRET);
    let text = format!("{}\n{calls}\n", block(&format!("{language} sign")));
    std::fs::write(folder.path().join(file), text).unwrap();
    let ran = Command::new(name)
        .args(arguments)
        .arg(file)
        .current_dir(folder.path())
        .test_output()
        .unwrap();
    // Go's println writes to the standard error.
    let printed = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
    let lines: Vec<_> = printed.split_whitespace().collect();
    assert_eq!(lines, [RAW, CANONICAL], "{language}: {printed}");
}

#[test]
fn the_python_functions_sign() {
    let calls = "\
body, more = '$BODY'.encode(), ('application/json', '$DATE', '$PATH')
print(raw('$SECRET', body), canonical('$SECRET', 'POST', body, *more))";
    signs("python", "sign.py", &["python3"], calls);
}

#[test]
fn the_node_functions_sign() {
    let calls = "\
console.log(raw('$SECRET', '$BODY'));
console.log(canonical('$SECRET', 'POST', '$BODY', 'application/json', '$DATE', '$PATH'));";
    signs("js", "sign.mjs", &["node"], calls);
}

#[test]
fn the_php_functions_sign() {
    let calls = "\
echo raw('$SECRET', '$BODY'), ' ';
echo canonical('$SECRET', 'POST', '$BODY', 'application/json', '$DATE', '$PATH');";
    signs("php", "sign.php", &["php"], calls);
}

#[test]
fn the_go_functions_sign() {
    let calls = "\
func main() {
	body := []byte(`$BODY`)
	println(raw(\"$SECRET\", body))
	println(canonical(\"$SECRET\", \"POST\", body, \"application/json\", \"$DATE\", \"$PATH\"))
}";
    signs("go", "sign.go", &["go", "run"], calls);
}

#[test]
fn the_shell_functions_sign() {
    if Command::new("openssl")
        .arg("version")
        .limited_output()
        .is_err()
    {
        return skipped(
            "there is no openssl for the guide's example in the shell",
            "install openssl",
        );
    }
    let calls = "\
raw '$SECRET' '$BODY'
canonical '$SECRET' POST '$BODY' application/json '$DATE' '$PATH'";
    signs("sh", "sign.sh", &["sh"], calls);
}
