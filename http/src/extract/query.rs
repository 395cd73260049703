//! The query of a request, read strictly: a parameter that is given twice or is no number is an error by its name.

mod known;

use std::collections::BTreeSet;

use actix_web::HttpRequest;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::user_access::{ListPosition, PageStart};

use crate::reply::problem::Problem;

/// The most entries of a page; asking for more gives this many.
pub(crate) const LIMIT_MAX: u64 = 250;
/// The entries of a page when nothing is asked for.
const LIMIT_DEFAULT: u64 = 50;

/// The parameters of a query.
#[derive(Debug)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// The query of this request.
    pub(crate) fn from_request(request: &HttpRequest) -> Result<Self, Problem> {
        let mut names = BTreeSet::new();
        let mut parameters = Vec::new();
        for (name, value) in url::form_urlencoded::parse(request.query_string().as_bytes()) {
            // What ends like this is one of several.
            if !name.ends_with("[]") && !names.insert(name.to_string()) {
                return Err(Problem::BadRequest(format!(
                    "the parameter {name} is given twice"
                )));
            }
            parameters.push((name.into_owned(), value.into_owned()));
        }
        // Links have the parameters in this order, whatever order they came in.
        parameters.sort();
        Ok(Self(parameters))
    }

    /// All values of a parameter that may be given several times, as `name`, `name[]` or `name[0]`, each of which can be
    /// read from text; at most this many.
    pub(crate) fn all<T: std::str::FromStr + Ord>(
        &self,
        name: &str,
        max: usize,
    ) -> Result<BTreeSet<T>, Problem>
    where
        T::Err: std::fmt::Display,
    {
        let is_one = |given: &str| match given.strip_prefix(name) {
            Some("") => true,
            Some(place) => place.starts_with('[') && place.ends_with(']'),
            None => false,
        };
        let values: Vec<_> = self.0.iter().filter(|(given, _)| is_one(given)).collect();
        if values.len() > max {
            return Err(Problem::BadRequest(format!(
                "{name}: at most {max} fit into one request, this one has {}",
                values.len()
            )));
        }
        let read = |text: &str| {
            text.parse()
                .map_err(|why: T::Err| Problem::BadRequest(format!("{name}: {why}, got «{text}»")))
        };
        values.into_iter().map(|(_, text)| read(text)).collect()
    }

    /// The names of the parameters.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The parameters whose names begin so: the rest of the name, and the value.
    pub(crate) fn parameters(&self, name: &str) -> impl Iterator<Item = (&str, &str)> {
        let parameters = self.0.iter();
        parameters.filter_map(move |(own, text)| Some((own.strip_prefix(name)?, text.as_str())))
    }

    /// A parameter as text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(given, _)| given == name);
        values.next().map(|(_, value)| value.as_str())
    }

    /// The words of a parameter that is a list with commas; none when it is not there.
    pub(crate) fn words(&self, name: &str) -> impl Iterator<Item = &str> {
        let words = self.text(name).unwrap_or_default().split(',');
        words.map(str::trim).filter(|word| !word.is_empty())
    }

    /// A parameter of any kind that can be read from text.
    pub(crate) fn parsed<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Problem>
    where
        T::Err: std::fmt::Display,
    {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        text.parse()
            .map(Some)
            .map_err(|why: T::Err| Problem::BadRequest(format!("{name}: {why}, got «{text}»")))
    }

    /// `page` and `limit` of the account interface: from 1, and a page of 0 is the first one too, where real clients
    /// begin; a limit of more than 250 means 250.
    pub(crate) fn page(&self) -> Result<(u64, u64), Problem> {
        let page = self.whole("page", 0)?.unwrap_or(1).max(1);
        Ok((page, self.limit()?))
    }

    /// `page` and `limit`, and where that page begins: behind what `after` of an earlier page's link says, else behind
    /// as many entries as the pages before it have.
    /// A limit of more than `max` means `max`.
    pub(crate) fn start(&self, max: u64) -> Result<(u64, u64, PageStart), Problem> {
        let (page, limit) = self.page()?;
        let limit = limit.min(max);
        let Some(text) = self.text("after") else {
            let skip = page.saturating_sub(1).saturating_mul(limit);
            return Ok((page, limit, PageStart { after: None, skip }));
        };
        let (place, skip) = text.split_once('.').unwrap_or((text, "0"));
        match (position(place), skip.parse()) {
            (Some(after), Ok(skip)) => {
                let after = Some(after);
                Ok((page, limit, PageStart { after, skip }))
            }
            (None, _) | (_, Err(_)) => Err(self.foreign_start()),
        }
    }

    /// The refusal of an `after` that no link of the list has.
    pub(crate) fn foreign_start(&self) -> Problem {
        let text = self.text("after").unwrap_or_default();
        Problem::BadRequest(format!(
            "after must be what a link of this list in this order says, got «{text}»"
        ))
    }

    /// The same query at another page of a list that goes on behind an entry, for a link.
    pub(crate) fn at_start(&self, page: u64, limit: u64, start: Option<PageStart>) -> String {
        let without = Self(
            self.0
                .iter()
                .filter(|(name, _)| name != "after")
                .cloned()
                .collect(),
        );
        let query = without.at_page(page, limit);
        match start {
            None => query,
            Some(PageStart { after, skip }) => {
                let skip = if skip > 0 {
                    format!(".{skip}")
                } else {
                    String::new()
                };
                let after = after.unwrap_or(ListPosition::from(0));
                let time = after
                    .updated_at
                    .map(|time| format!("{}-", time.get()))
                    .unwrap_or_default();
                format!("{query}&after={time}{}{skip}", after.number)
            }
        }
    }

    /// The same query at another page, for a link.
    pub(crate) fn at_page(&self, page: u64, limit: u64) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("page", &page.to_string());
        query.append_pair("limit", &limit.to_string());
        let others = self
            .0
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "page" | "limit"));
        query.extend_pairs(others.map(|(name, value)| (name, value)));
        query.finish()
    }

    /// `limit`, 50 when it is not given, at most 250.
    pub(crate) fn limit(&self) -> Result<u64, Problem> {
        Ok(self
            .whole("limit", 1)?
            .unwrap_or(LIMIT_DEFAULT)
            .min(LIMIT_MAX))
    }

    /// The most entries of a page: [`Self::limit`].
    pub(crate) fn entries(&self) -> Result<usize, Problem> {
        Ok(usize::try_from(self.limit()?).unwrap_or(1))
    }

    /// `cursor`, where the page before it said that this one begins.
    pub(crate) fn cursor<C>(&self, read: fn(&str) -> Option<C>) -> Result<Option<C>, Problem> {
        let Some(text) = self.text("cursor") else {
            return Ok(None);
        };
        let wrong = "cursor must be the «next» of an earlier page of this list";
        let read = read(text).ok_or_else(|| Problem::BadRequest(wrong.to_owned()));
        read.map(Some)
    }

    fn whole(&self, name: &str, least: u64) -> Result<Option<u64>, Problem> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse::<u64>() {
            Ok(number) if digits && number >= least => Ok(Some(number)),
            Ok(_) | Err(_) => Err(Problem::BadRequest(format!(
                "{name} must be a whole number of at least {least}, got «{text}»"
            ))),
        }
    }
}

/// The place of an entry in a link: its number, with the time of its last change before it in a list in that order.
fn position(text: &str) -> Option<ListPosition> {
    let (time, number) = match text.split_once('-') {
        Some((time, number)) => (Some(time), number),
        None => (None, text),
    };
    let time = time.map(str::parse).transpose().ok()?;
    Some(ListPosition {
        updated_at: time.map(UnixMillis::new),
        number: number.parse().ok()?,
    })
}
