//! `/inbox/v1/conversations/{id}/drafts/{kind}`: what an account user has written and not sent. No other user sees it.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::drafts::draft::{Draft, DraftContent, DraftKind};
use switchboard_actors::domain::id::{ConversationId, MediaId};
use switchboard_actors::domain::text::{FileName, MessageText};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::UpdateDraftRejection;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::inbox_body::draft::DraftBody;
use switchboard_media::About;

use crate::extract::access::Access;
use crate::extract::body;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::inbox::reply::visible;
use crate::inbox::upload;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::problem::{Present, Problem};

view! {
    struct StoredDraft<'d>(draft: &'d Draft, file: Option<&'d About>) {
        /// The number of the version, which only grows; 0 when there was never one.
        number: u64 = draft.number,
        /// Null when there was never one.
        updated_at: Option<Seconds> = (draft.number > 0).then(|| draft.at.into()),
        /// Empty when there is no draft, or only a file.
        text: &'d str = draft.content.text.as_ref().map_or("", MessageText::as_str),
        file: Option<DraftFile<'d>> = file.map(DraftFile::new),
    }

    /// The upload that goes along.
    #[schemars(inline)]
    struct DraftFile<'d>(about: &'d About) {
        id: MediaId = about.id,
        #[serde(rename = "type")]
        #[schemars(extend("enum" = ["picture", "file"]))]
        kind: &'static str = if about.picture.is_some() { "picture" } else { "file" },
        file_name: &'d FileName = &about.name,
        file_size: u64 = about.bytes,
    }
}

pub(crate) async fn get(
    access: Access,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (id, kind) = path.into_inner();
    let (id, kind) = place(&id, &kind)?;
    let user = access.open().await?;
    let draft = user.draft(id, kind).await?.ok_or_else(unknown)?;
    answer(&access, &draft).await
}

pub(crate) async fn update(
    access: Access,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (id, kind) = path.into_inner();
    let (id, kind) = place(&id, &kind)?;
    let user = access.open().await?;
    let read = body::read_json(&access.request, payload, access.state.body_limit()).await;
    let parsed = read.and_then(|body| {
        Ok(DraftBody::read_as(&body, |body, draft| {
            draft.content(kind, body)
        })?)
    });
    let (based_on, content) = visible(&user, id, parsed).await?;
    if content.media.is_some() && file_of(&access, &content).await?.is_none() {
        visible(&user, id, Err(upload::unknown())).await?;
    }
    match user.update_draft(id, kind, based_on, content).await {
        Ok(draft) => answer(&access, &draft).await,
        Err(error) => Err(refused(&access, error).await?),
    }
}

fn place(id: &str, kind: &str) -> Result<(ConversationId, DraftKind), Problem> {
    let id = place::conversation(id)?;
    let kind = DraftKind::NAMES.iter().find(|(name, _)| *name == kind);
    let (_, kind) =
        kind.ok_or_else(|| Problem::NotFound("there is no such kind of drafts".to_owned()))?;
    Ok((id, *kind))
}

async fn answer(access: &Access, draft: &Draft) -> Result<HttpResponse, Problem> {
    let file = file_of(access, &draft.content).await?;
    Ok(HttpResponse::Ok().json(StoredDraft::new(draft, file.as_ref())))
}

/// The upload of a draft, if it is there and of the caller's account.
async fn file_of(access: &Access, content: &DraftContent) -> Result<Option<About>, Problem> {
    let Some(media) = content.media else {
        return Ok(None);
    };
    upload::of_account(&access.state, access.caller.0.account, media).await
}

async fn refused(
    access: &Access,
    error: CommandError<UpdateDraftRejection>,
) -> Result<Problem, Problem> {
    let detail = error.to_string();
    let rejection = match error {
        CommandError::Rejected(rejection) => rejection,
        CommandError::Unavailable(unavailable) => return Ok(unavailable.into()),
    };
    Ok(match rejection {
        UpdateDraftRejection::UnknownConversation => unknown(),
        UpdateDraftRejection::Rejected(_) => Problem::Conflict(detail),
        UpdateDraftRejection::Newer(draft) => {
            let file = file_of(access, &draft.content).await?;
            let view = StoredDraft::new(&draft, file.as_ref());
            Problem::ConflictWith {
                detail,
                present: Box::new(Present {
                    draft: serde_json::to_value(view).ok(),
                    ..Present::default()
                }),
            }
        }
    })
}

fn kind_schema() -> Schema {
    Schema::choice(&DraftKind::NAMES)
}

pub(crate) fn describe_get() -> Operation {
    Operation::inbox("getDraft", "Get the caller's draft.")
        .says("What the caller has written here and not sent. No other user can read it; it is shown for 30 days.")
        .path("id", Schema::uuid())
        .path("kind", kind_schema())
        .gives::<StoredDraft<'_>>(200, "The newest version.")
        .refuses(404, NO_CONVERSATION)
}

pub(crate) fn describe_update() -> Operation {
    Operation::inbox("updateDraft", "Update the caller's draft.")
        .says("An empty text without a file deletes it. `based_on` keeps an older page from overwriting a newer version: it gets a 409 with that version as `draft`, and nothing is stored. The other pages of the caller receive the event `draft`.")
        .path("id", Schema::uuid())
        .path("kind", kind_schema())
        .takes::<DraftBody>(json!({ "based_on": 0, "text": "Red ones and" }))
        .gives::<StoredDraft<'_>>(200, "On disk.")
        .refuses(409, "A newer version is stored, or the conversation has drafts of 100 users.")
        .refuses(404, NO_CONVERSATION)
}
