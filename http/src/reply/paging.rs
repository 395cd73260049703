//! Pages of the operator's lists that are in memory: entries in the order of their keys. The cursor is the key of the last
//! entry of the page before, so that a page neither repeats nor leaves out what was there all along.

use std::cmp::Ordering;
use std::fmt::Display;
use std::str::FromStr;

use crate::extract::query::Query;
use crate::reply::problem::Problem;

/// A page, and where the one after it begins.
#[derive(Debug)]
pub(crate) struct Cut<T> {
    pub entries: Vec<T>,
    pub next: Option<String>,
}

/// The page that the query asks for, of entries with the smallest key first.
pub(crate) fn smallest_first<T, K: Ord + Display + FromStr>(
    query: &Query,
    entries: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Result<Cut<T>, Problem> {
    cut(query, entries, key, Ordering::Greater)
}

/// The page that the query asks for, of entries with the largest key first.
pub(crate) fn largest_first<T, K: Ord + Display + FromStr>(
    query: &Query,
    entries: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Result<Cut<T>, Problem> {
    cut(query, entries, key, Ordering::Less)
}

fn cut<T, K: Ord + Display + FromStr>(
    query: &Query,
    entries: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
    behind: Ordering,
) -> Result<Cut<T>, Problem> {
    let limit = query.entries()?;
    let after = query.cursor(|text| text.parse::<K>().ok())?;
    let is_behind = |entry: &T| {
        let after = after.as_ref();
        after.is_none_or(|after| key(entry).cmp(after) == behind)
    };
    let mut rest = entries.into_iter().filter(is_behind);
    let entries: Vec<T> = rest.by_ref().take(limit).collect();
    let last = entries.last().filter(|_| rest.next().is_some());
    let next = last.map(|last| key(last).to_string());
    Ok(Cut { entries, next })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn query(text: &str) -> Query {
        let request = TestRequest::with_uri(&format!("/?{text}")).to_http_request();
        Query::of_list(&request, &[]).unwrap()
    }

    fn walk(limit: u64, page: impl Fn(&Query) -> Cut<u64>) -> Vec<u64> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = page(&query(&format!("limit={limit}{cursor}")));
            assert!(page.entries.len() <= 3 && !page.entries.is_empty());
            all.extend(page.entries);
            match page.next {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return all,
            }
        }
    }

    #[test]
    fn pages_have_each_entry_once_in_either_order() {
        for limit in 1..=3 {
            let up = walk(limit, |query| smallest_first(query, 1..=6, |n| *n).unwrap());
            assert_eq!(up, [1, 2, 3, 4, 5, 6]);
            let down = walk(limit, |query| {
                largest_first(query, (1..=6).rev(), |n| *n).unwrap()
            });
            assert_eq!(down, [6, 5, 4, 3, 2, 1]);
        }
    }

    #[test]
    fn a_page_goes_on_behind_an_entry_that_is_gone() {
        let page = smallest_first(&query("cursor=4"), [1, 3, 5_u64], |n| *n).unwrap();
        assert_eq!((page.entries, page.next), (vec![5], None));
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        assert!(smallest_first(&query("cursor=x"), [1_u64], |n| *n).is_err());
    }
}
