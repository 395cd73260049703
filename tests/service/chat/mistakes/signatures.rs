//! Mistakes in signatures.

use serde_json::json;

use super::*;

/// Signed another body than was sent, or in another way.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn raw_signatures<'a>(kit: &Kit<'a>) -> Vec<Case<'a>> {
    let spaced = kit.body.replace("\":", "\": ").replace(",\"", ", \"");
    let turned = kit
        .client
        .signed("POST", &kit.scope, spaced.clone())
        .header("X-Signature", &signature(SECRET, kit.body.as_bytes()));
    let right = signature(SECRET, kit.body.as_bytes());
    let dashes: Vec<&str> = (0..20).map(|at| &right[at * 2..at * 2 + 2]).collect();
    let request = |header: &str| kit.right().header("X-Signature", header);
    let twice = json!(kit.body).to_string();
    vec![
        Case(
            "no signature",
            kit.right().without("X-Signature"),
            403,
            "there is no X-Signature header",
        ),
        Case(
            "a wrong secret",
            kit.keyed("not the secret", &kit.body),
            403,
            "compare the secret",
        ),
        Case(
            "the secret of another channel",
            kit.keyed(OTHER_SECRET, &kit.body),
            403,
            "the secret of the channel",
        ),
        Case(
            "body written anew before it is signed",
            kit.keyed(SECRET, &spaced),
            403,
            "another form of the same JSON",
        ),
        Case(
            "body written anew before it is sent",
            turned,
            403,
            "another form of the same JSON",
        ),
        Case(
            "body made a string twice",
            kit.keyed(SECRET, &twice),
            403,
            "made a JSON string once more",
        ),
        Case(
            "a newline signed behind the body",
            kit.keyed(SECRET, &format!("{}\n", kit.body)),
            403,
            "another line end",
        ),
        Case(
            "an empty body signed",
            kit.keyed(SECRET, ""),
            403,
            "an empty body was signed",
        ),
        Case(
            "the secret with a space",
            kit.keyed(&format!("{SECRET} "), &kit.body),
            403,
            "a space or a quotation mark",
        ),
        Case(
            "the secret in quotes",
            kit.keyed(&format!("\"{SECRET}\""), &kit.body),
            403,
            "a space or a quotation mark",
        ),
        Case(
            "the secret in upper case",
            kit.keyed(&SECRET.to_uppercase(), &kit.body),
            403,
            "in another case",
        ),
        Case(
            "the channel's id as the key",
            kit.keyed(CHANNEL, &kit.body),
            403,
            "the id of the channel was used",
        ),
        Case(
            "the account's id as the key",
            kit.keyed(ACCOUNT, &kit.body),
            403,
            "the id of the account",
        ),
        Case(
            "the signature in base64",
            request(&base64(&right)),
            403,
            "send it in hexadecimal",
        ),
        Case(
            "SHA-256",
            request(&sha256(&kit.body)),
            403,
            "this is HMAC-SHA256",
        ),
        Case(
            "sha1= before the digest",
            request(&format!("sha1={right}")),
            403,
            "something stands around it",
        ),
        Case(
            "dashes in the digest",
            request(&dashes.join("-")),
            403,
            "between its digits",
        ),
        Case(
            "a digest cut short",
            request(&right[1..]),
            403,
            "40 hexadecimal digits",
        ),
        Case(
            "the word «signature» sent",
            request("signature"),
            403,
            "this has 9 characters",
        ),
        Case(
            "spaces around the signature",
            request(&format!("  {right} ")),
            200,
            "",
        ),
        Case(
            "upper-case signature",
            request(&right.to_uppercase()),
            200,
            "",
        ),
        Case(
            "the method DELETE signed, POST sent",
            kit.with(0, "DELETE"),
            403,
            "another method was signed",
        ),
    ]
}

/// Signed the canonical text wrongly.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn canonical_signatures<'a>(kit: &Kit<'a>) -> Vec<Case<'a>> {
    let rfc = |later| date(later);
    let full = format!("https://amojo.amocrm.ru{}", kit.path);
    let connect = format!("/v2/origin/custom/{CHANNEL}/connect");
    let signature_with_names = kit.canonical(|[method, md5, kind, date, path]| {
        format!("{method}\nContent-MD5: {md5}\nContent-Type: {kind}\nDate: {date}\n{path}")
    });
    let twice = kit.canonical(|[method, md5, kind, sent, path]| {
        let now: jiff::Timestamp = jiff::fmt::rfc2822::parse(&sent).unwrap().timestamp();
        let next_second = now + jiff::SignedDuration::from_secs(1);
        let next = next_second.strftime("%a, %d %b %Y %H:%M:%S +0000");
        format!("{method}\n{md5}\n{kind}\n{next}\n{path}")
    });
    let minutes = |number: i64| kit.dated(&rfc(number * 60));
    vec![
        Case(
            "no Date at all",
            kit.canonical(|parts| parts.join("\n")).without("Date"),
            403,
            "there is no Date header",
        ),
        Case("the Date taken twice", twice, 403, "a moment apart"),
        Case(
            "the Date in ISO form",
            kit.dated("2026-11-23T12:00:00Z"),
            403,
            "Date cannot be read",
        ),
        Case(
            "the Date as a number",
            kit.dated(&seconds().to_string()),
            403,
            "Date cannot be read",
        ),
        Case(
            "the Date 20 minutes behind",
            minutes(-20),
            403,
            "20 minutes behind",
        ),
        Case(
            "local time sent as GMT",
            minutes(180),
            403,
            "minutes ahead of",
        ),
        Case(
            "MD5 in base64",
            kit.with(1, &base64(&content_md5(kit.body.as_bytes()))),
            403,
            "Content-MD5 is in base64",
        ),
        Case(
            "the query signed",
            kit.with(4, &format!("{}?a=1", kit.path))
                .to(&format!("{}?a=1", kit.scope)),
            403,
            "the query was signed",
        ),
        Case(
            "the Date left out of what is signed",
            kit.canonical(|[method, md5, kind, _, path]| {
                format!(
                    "{method}
{md5}
{kind}
{path}"
                )
            }),
            403,
            "Date was left out",
        ),
        Case(
            "another Content-Type signed",
            kit.with(2, "application/json; charset=utf-8"),
            403,
            "another Content-Type was signed",
        ),
        Case(
            "the path without /v2/origin/custom",
            kit.with(4, &format!("/{}", kit.scope)),
            403,
            "in another form",
        ),
        Case(
            "the path without /v2",
            kit.with(4, &kit.path[3..]),
            403,
            "in another form",
        ),
        Case(
            "the path without its slash",
            kit.with(4, &kit.path[1..]),
            403,
            "in another form",
        ),
        Case(
            "the path with a slash behind",
            kit.with(4, &format!("{}/", kit.path)),
            403,
            "in another form",
        ),
        Case(
            "the path of connect",
            kit.with(4, &connect),
            403,
            "the path of another operation",
        ),
        Case(
            "the vendor's address signed",
            kit.with(4, &full),
            403,
            "the full address was signed",
        ),
        Case(
            "names of headers signed",
            signature_with_names,
            403,
            "the names of the headers",
        ),
        Case(
            "an MD5 alone signed",
            kit.canonical(|[_, md5, ..]| md5),
            403,
            "an MD5 alone was signed",
        ),
        Case(
            "parts joined with \\n in single quotes",
            kit.canonical(|parts| parts.join("\\n")),
            403,
            "not joined with a newline",
        ),
    ]
}
