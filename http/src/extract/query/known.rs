//! Parameters that would be ignored are refused: a page would begin again for ever, and a filter would let everything pass.

use std::collections::BTreeSet;

use actix_web::HttpRequest;
use switchboard_actors::domain::text::nearest::nearest;

use super::Query;
use crate::reply::problem::Problem;

/// Parameters for the beginning of a page in other interfaces.
const PAGING: [&str; 9] = [
    "after",
    "before",
    "cursor",
    "next",
    "offset",
    "page",
    "page_token",
    "skip",
    "starting_after",
];

impl Query {
    /// The query of this request, which may have these parameters and no others.
    pub(crate) fn of_known(request: &HttpRequest, known: &[&str]) -> Result<Self, Problem> {
        let query = Self::from_request(request)?;
        let names: BTreeSet<&str> = query.names().collect();
        let unknown: Vec<String> = names
            .into_iter()
            .filter(|name| !known.contains(name))
            .map(|name| described(name, known))
            .collect();
        if unknown.is_empty() {
            return Ok(query);
        }
        let others = if known.is_empty() {
            "there are none here".to_owned()
        } else {
            format!("there are {}", known.join(", "))
        };
        Err(Problem::BadRequest(format!(
            "unknown parameters: {}; {others}",
            unknown.join(", ")
        )))
    }

    /// The query of a list with `limit` and `cursor`, and with these parameters besides.
    pub(crate) fn of_list(request: &HttpRequest, others: &[&str]) -> Result<Self, Problem> {
        Self::of_known(request, &[others, &["limit", "cursor"]].concat())
    }
}

/// An unknown parameter, with the one that was probably meant.
fn described(name: &str, known: &[&str]) -> String {
    let is_known = |word: &&&str| known.contains(word);
    let pages = || {
        let means_a_page = PAGING.contains(&name);
        let mut of_pages = ["cursor"].iter().filter(is_known);
        of_pages.next().filter(|_| means_a_page).copied()
    };
    let begins =
        |word: &&&str| !name.is_empty() && (word.starts_with(name) || name.starts_with(**word));
    let meant = pages()
        .or_else(|| nearest(&name.to_lowercase(), known.iter().copied()))
        .or_else(|| known.iter().find(begins).copied());
    match meant {
        Some(meant) => format!("«{name}» (did you mean {meant}?)"),
        None => format!("«{name}»"),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const KNOWN: [&str; 4] = ["state", "query", "conversation_id", "limit"];

    fn refusal(query: &str) -> Option<String> {
        let request = TestRequest::with_uri(&format!("/?{query}")).to_http_request();
        Query::of_list(&request, &KNOWN)
            .err()
            .map(|problem| format!("{problem:?}"))
    }

    #[test]
    fn an_unknown_parameter_is_refused_with_the_nearest_known_one() {
        for (name, meant) in [
            ("sate", "state"),
            ("limt", "limit"),
            ("LIMIT", "limit"),
            ("q", "query"),
            ("conversation", "conversation_id"),
            ("before", "cursor"),
            ("page", "cursor"),
            ("cursor[]", "cursor"),
            ("colour", ""),
            ("", ""),
        ] {
            let why = refusal(&format!("{name}=1")).unwrap();
            assert!(why.contains(&format!("«{name}»")), "{why}");
            let hint = format!("(did you mean {meant}?)");
            assert_eq!(why.contains("did you mean"), !meant.is_empty(), "{why}");
            assert!(meant.is_empty() || why.contains(&hint), "{why}");
            assert!(why.contains("there are state, query"), "{why}");
        }
        let why = refusal("sate=a&limt=1&state=b").unwrap();
        assert!(why.contains("«limt»") && why.contains("«sate»"), "{why}");
        assert_eq!(
            refusal("state=a&limit=1&cursor=x&query=&conversation_id=y"),
            None
        );
    }
}
