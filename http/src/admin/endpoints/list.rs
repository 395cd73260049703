//! `GET /admin/v1/endpoints`: the endpoints, by channel and version.

use std::fmt::{self, Display};
use std::str::FromStr;

use actix_web::HttpResponse;
use switchboard_actors::domain::dispatch::endpoint::id::EndpointId;
use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Class};
use switchboard_actors::domain::endpoint::LastError;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::webhook::WebhookAddress;
use switchboard_actors::system::endpoints::EndpointView;

use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Seconds};
use crate::reply::health::EndpointHealth;
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let endpoints = access.system().endpoints().await?;
    let page = paging::smallest_first(&query, endpoints.iter(), |endpoint| {
        EndpointCursor(endpoint.endpoint_status.endpoint.clone())
    })?;
    let endpoints = page.entries.into_iter().map(Endpoint::new);
    Ok(list::page("endpoints", endpoints, page.next))
}

/// The channel and the version, as in `acme/v2`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct EndpointCursor(EndpointId);

impl Display for EndpointCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EndpointId { channel, version } = &self.0;
        write!(f, "{channel}/{version}")
    }
}

impl FromStr for EndpointCursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (channel, version) = text.rsplit_once('/').ok_or(())?;
        let channel = channel.parse().map_err(drop)?;
        let version = version.parse().map_err(drop)?;
        Ok(Self(EndpointId { channel, version }))
    }
}

view! {
    /// An address for callbacks.
    struct Endpoint<'e>(endpoint: &'e EndpointView) [let (endpoint_status, record) = (&endpoint.endpoint_status, &endpoint.record);] {
        channel_id: &'e ChannelId = &endpoint_status.endpoint.channel,
        version: HookVersion = endpoint_status.endpoint.version,
        address: Option<&'e str> = endpoint.address.as_ref().map(WebhookAddress::as_str),
        queued: u64 = endpoint.queued,
        in_flight: usize = endpoint_status.in_flight,
        oldest_queued_at: Option<Seconds> = endpoint_status.oldest.map(Seconds::from),
        failing_since: Option<Seconds> = endpoint_status.failing_since.map(Seconds::from),
        disabled_at: Option<Seconds> = record.disabled.as_ref().map(|disabled| disabled.at.into()),
        succeeded_at: Option<Seconds> = record.succeeded_at.map(Seconds::from),
        last_error: Option<ErrorView<'e>> = record.last_error.as_ref().map(ErrorView::new),
        #[serde(flatten)]
        health: EndpointHealth = EndpointHealth::new(&endpoint_status.health),
    }

    #[schemars(inline)]
    struct ErrorView<'e>(error: &'e LastError) {
        at: Seconds = error.at.into(),
        address: Option<String> = error.address.map(|address| address.to_string()),
        #[schemars(range(min = 100, max = 999))]
        status: Option<u16> = error.status,
        failure: Option<AttemptFailure> = error.failure,
        class: Class = error.class,
        excerpt: &'e str = &error.excerpt,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "listEndpoints",
        "List callback endpoints with their health.",
    )
    .cursor()
    .answers_next::<Endpoint<'_>>("endpoints", "A page, by channel and version.")
}
