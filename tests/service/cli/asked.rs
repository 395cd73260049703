//! Wrong arguments, and the check of signatures.

use serde_json::Value;

use crate::cli::{ID, run, text};

#[test]
fn a_signature_is_checked_and_its_signing_mistake_is_named() {
    let directory = tempfile::tempdir().unwrap();
    // Published with its signature by the vendor of the interface.
    let body = r#"{"account_id":"52e591f7-c98f-4255-8495-827210138c81","title":"ChatsIntegration","hook_api_version":"v2"}"#;
    std::fs::write(directory.path().join("body"), body).unwrap();
    let path = "/v2/origin/custom/344a5002-f8ca-454d-af3d-396180102ac7/connect";
    let request = [
        "body",
        "--secret",
        "f2d7f8704eff95087ed45b23ba99c0b5aac8278e",
        "--path",
        path,
        "--date",
        "Wed, 15 Dec 2021 23:12:55 +0000",
    ];
    let sign = |more: &[&str]| {
        let args: Vec<&str> = ["sign"]
            .into_iter()
            .chain(request)
            .chain(more.to_vec())
            .collect();
        run(directory.path(), &args)
    };
    let sha = "81211856ce0c5095f3e1a90c0a38dc9d736cfd55";
    assert_eq!(text(&sign(&[]).stdout).trim(), sha);
    let md5 = ["--content-md5", "2fbcb3c652b61e24e004daddfc73d0ce"];
    let raw = "3fa5856b066091e4112361eb781a044085cebba5";
    for (signature, more, code, said) in [
        (
            raw,
            &[][..],
            0,
            "right: the signature of the raw body (2019 generation)",
        ),
        // Right when it was made.
        (sha, &md5, 1, "may be off by 15 at most"),
        (sha, &[], 1, "there is no Content-MD5 header"),
        (
            &format!("sha1={sha}"),
            &md5,
            1,
            "something stands around it",
        ),
        (&"0".repeat(40), &md5, 1, "no known mistake explains it"),
        // What a shell or an editor left around it is no part of it.
        (
            &format!(" {raw}\n"),
            &[][..],
            0,
            "right: the signature of the raw body (2019 generation)",
        ),
        ("abc", &[][..], 1, "a signature has 40 hexadecimal digits"),
    ] {
        let output = sign(&[&["--verify", signature], more].concat());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let verdict = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert!(verdict.contains(said), "{verdict}");
        assert!(!verdict.contains("f2d7f870"), "{verdict}");
    }
}

#[test]
fn a_signature_of_no_channel_is_checked_against_all_of_them() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("body"), "{}").unwrap();
    std::fs::write(
        directory.path().join("config.toml"),
        switchboard::config::SHIPPED,
    )
    .unwrap();
    let foreign = ["sign", "--verify", &"0".repeat(40), "body"];
    let other = run(directory.path(), &[&foreign[..], &["--json"]].concat());
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    let document: Value = serde_json::from_slice(&other.stdout).unwrap();
    assert_eq!(document["right"], false);
    assert!(other.stderr.is_empty(), "{other:?}");
}

#[test]
fn a_wrong_command_line_ends_with_2_and_a_remedy() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("bad.toml"), "[server]\nlisen = 1\n").unwrap();
    for (args, told) in [
        (&["sign"][..], "give --secret"),
        (&["listen", "--once"], "give --secret"),
        (&["send", "Hi", "--secret", "x"], "give --url"),
        (
            &[
                "send",
                "--url",
                "http://h",
                "--channel",
                "c",
                "--secret",
                "x",
                "--account",
                ID,
            ],
            "needs a TEXT",
        ),
        (
            &[
                "send",
                "--type",
                "picture",
                "--url",
                "http://h",
                "--channel",
                "c",
                "--secret",
                "x",
                "--account",
                ID,
            ],
            "needs --media",
        ),
        (&["listen", "--status", "100"], "100 is not in 200..=599"),
        (&["lisen"], "unrecognized subcommand"),
        (&["serve", "--config", "bad.toml"], "did you mean `listen`?"),
        (&["--listen", "here"], "--listen = \"here\" is not valid"),
        (&["--ephemeral", "--data-dir", "d"], "cannot be used with"),
    ] {
        let output = run(directory.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?} {output:?}");
        assert!(text(&output.stderr).contains(told), "{args:?} {output:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
