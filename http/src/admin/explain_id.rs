//! `POST /admin/v1/explain-id`: the thing that an id names, its owner, and its id in the other interface. The id is in the body,
//! since it may be a token: paths stand in logs. Nothing is stored, and no secret is repeated.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::{
    AccountId, ChannelId, ContactId, ConversationId, LeadId, OauthClientId, ScopeId, UserId,
};
use switchboard_actors::domain::id_kind::IdKind;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::system::operator::explain_id::{IdMatch, IdQuestion};
use switchboard_actors::wire::body;

use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

/// The longest id, in bytes: access tokens are the longest.
const ID_BYTES_MAX: usize = 4096;

body!(
    /// An id to explain.
    struct IdToExplain {
        /// An id of any kind, a token or a secret, at most 4,096 bytes. The service compares it, and neither stores nor repeats it.
        #[body(secret)]
        id: String,
        /// The only account to look in. Without it, numbers and ids of integrations are looked up in the first 100 accounts and
        /// connections.
        account_id: Option<AccountId>,
        /// The conversation of a `msgid`, by either id; a `msgid` is found with it alone.
        conversation_id: Option<String>,
    }
);

view! {
    /// The explanation of an id.
    struct Explanation<'m>(matches: &'m [IdMatch], partial: bool) {
        /// True when the id names something.
        is_known: bool = !matches.is_empty(),
        /// True when there are more accounts or connections than were asked: name an account.
        is_partial: bool = partial,
        matches: Vec<MatchView<'m>> = matches.iter().map(MatchView::new).collect(),
    }

    /// A thing that the id names.
    #[schemars(inline)]
    struct MatchView<'m>(it: &'m IdMatch) [
        let scope = it.channel.clone().zip(it.account).map(|(channel, account)| ScopeId::new(channel, account));
    ] {
        #[schemars(extend("enum" = IdKind::WORDS))]
        kind: &'static str = it.kind.as_str(),
        /// The service's id; null of a token or a secret.
        id: Option<&'m str> = it.id.as_deref(),
        /// The id in the other interface: the `msgid` of a message, the integration's id of a conversation or a customer, the
        /// `amojo_id` of a user, the number of an account.
        twin: Option<&'m str> = it.twin.as_deref(),
        name: Option<&'m str> = it.name.as_deref(),
        account_id: Option<AccountId> = it.account,
        channel_id: Option<&'m ChannelId> = it.channel.as_ref(),
        scope_id: Option<ScopeId> = scope,
        conversation_id: Option<ConversationId> = it.conversation,
        lead_id: Option<LeadId> = it.lead,
        contact_id: Option<ContactId> = it.contact,
        /// The user who has it, wrote it, or is responsible for it.
        user_id: Option<UserId> = it.user,
        /// The OAuth client.
        client_id: Option<OauthClientId> = it.client,
        /// The reason for which it is of no use now; null while it is in force.
        refusal: Option<&'m str> = it.refusal.as_deref(),
    }
}

pub(crate) async fn explain(
    access: Access<Operator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let body: IdToExplain = access.json(payload).await?;
    let text = body.id.trim();
    if text.is_empty() || text.len() > ID_BYTES_MAX {
        let detail = format!("expected 1 to {ID_BYTES_MAX} bytes, found {}", text.len());
        return Err(Problem::field("id", ViolationCode::InvalidValue, &detail));
    }
    let question = IdQuestion {
        text,
        account: body.account_id,
        conversation: body.conversation_id.as_deref().map(str::trim),
    };
    let explained = access.system().explain_id(question).await?;
    let answer = Explanation::new(&explained.matches, explained.is_partial);
    Ok(HttpResponse::Ok().json(answer))
}

pub(crate) fn describe() -> Operation {
    let example = json!({ "id": "0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3" });
    Operation::operator("explainId", "Explain an id of any kind.")
        .says("The answer has each thing that the id names, its owner, and its id in the other interface. Nothing is stored.")
        .takes::<IdToExplain>(example)
        .gives::<Explanation<'_>>(200, "The explanation; without matches, nothing has this id.")
}
