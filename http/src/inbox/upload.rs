//! `POST /inbox/v1/media`: a file for a message, as the part `file` of a form. The 201 means: all of it is on disk.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt};
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::id::{AccountId, MediaId};
use switchboard_actors::domain::text::FileName;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::UnavailableError;
use switchboard_engine::store::ReadError;
use switchboard_gate::limits::connection::Connection;
use switchboard_gate::request_id;
use switchboard_media::{About, UploadError, clean};
use switchboard_network::shares::Rank;

use crate::base::Base;
use crate::extract::body;
use crate::extract::caller::AnyUser;
use crate::openapi::{Operation, Schema, Url, must};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The longest time of an upload.
const DEADLINE: Duration = Duration::from_secs(10 * 60);
/// The time after which an upload that was one too many may be tried again.
const RETRY: Duration = Duration::from_secs(15);
/// The most bytes of a form before its file begins, and besides the file in all.
const HEAD_BYTES_MAX: u64 = 1 << 20;
/// The bytes of a form of declared length besides the file.
const FRAME_BYTES_MAX: u64 = 16 << 10;

/// The upload with this id, if it is there and of this account.
pub(super) async fn of_account(
    state: &AppState,
    account: AccountId,
    media: MediaId,
) -> Result<Option<About>, Problem> {
    let about = state.media().about(media).await.map_err(failed)?;
    Ok(about.filter(|about| about.account == account))
}

/// There is no such upload in the caller's account.
pub(super) fn unknown() -> Problem {
    let detail = "there is no such upload in this account";
    Problem::field("media_id", ViolationCode::InvalidValue, &detail)
}

pub(crate) async fn post(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let access = state.system().user_access(&caller).await?;
    if !access.may_write() {
        return Err(Problem::Forbidden(
            "to upload a file you need the right to edit leads, all of them or those of one stage"
                .to_owned(),
        ));
    }
    let uploader = Holder {
        account: caller.account,
        user: caller.user,
    };
    let user = access.users().get(caller.user);
    let rank = if user.is_some_and(|user| user.is_admin()) {
        Rank::Administrator
    } else {
        Rank::User
    };
    let text = |name| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let is_form = text(header::CONTENT_TYPE).is_some_and(|kind| {
        kind.to_ascii_lowercase()
            .starts_with("multipart/form-data;")
    });
    if !is_form {
        return Err(Problem::NotMultipart);
    }
    let declared = text(header::CONTENT_LENGTH).and_then(|text| text.parse::<u64>().ok());
    fits(declared, &state)?;
    let room = state
        .system()
        .has_room(caller.account, declared.unwrap_or(0));
    room.await
        .map_err(|refused| refused.into_error(Problem::from))?;
    if let Some(connection) = request.conn_data::<Connection>() {
        // An upload waits for its client. How many there may be is a limit of its own.
        connection.leave_place();
    }
    let bytes_max = Rc::new(Cell::new(HEAD_BYTES_MAX));
    let form = Multipart::new(request.headers(), bounded(payload, Rc::clone(&bytes_max)));
    let receiving = receive(form, &bytes_max, uploader, rank, &state);
    let result = tokio::time::timeout(DEADLINE, receiving).await;
    let about = result.map_err(|_elapsed| Problem::TooSlow(body::too_slow(DEADLINE)))??;
    Ok(HttpResponse::Created().json(Uploaded::new(&about, &base)))
}

/// Refuses a form whose declared length is more than that of one with the largest file.
pub(crate) fn fits(declared: Option<u64>, state: &AppState) -> Result<(), Problem> {
    let largest = state.media().file_bytes_max();
    if declared.is_some_and(|bytes| bytes > largest.saturating_add(FRAME_BYTES_MAX)) {
        return Err(refused(UploadError::TooLarge(largest)));
    }
    Ok(())
}

/// The body, cut off at `bytes_max`: the reader of forms would keep a head without end.
fn bounded(
    payload: web::Payload,
    bytes_max: Rc<Cell<u64>>,
) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    let mut total = 0_u64;
    payload.map(move |piece| {
        let piece = piece?;
        total = total.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
        if total > bytes_max.get() {
            return Err(PayloadError::Overflow);
        }
        Ok(piece)
    })
}

async fn receive(
    mut form: Multipart,
    bytes_max: &Cell<u64>,
    uploader: Holder,
    rank: Rank,
    state: &AppState,
) -> Result<About, Problem> {
    let one_part =
        || Problem::BadRequest("send exactly one part, «file», with a file name".to_owned());
    let pause_max = state.limits().arrival().body;
    let mut field = part(&mut form, pause_max).await?.ok_or_else(one_part)?;
    let name = field
        .content_disposition()
        .and_then(|disposition| disposition.get_filename())
        .and_then(clean)
        .filter(|_| field.name() == Some("file"))
        .ok_or_else(one_part)?;
    let declared = field.content_type().map(ToString::to_string);
    let largest = state.media().file_bytes_max();
    bytes_max.set(largest.saturating_add(HEAD_BYTES_MAX));
    let id = MediaId::from_random(state.system().random());
    let mut upload = state
        .media()
        .begin(uploader, rank, id)
        .await
        .map_err(refused)?;
    while let Some(piece) = soon(field.try_next(), pause_max).await? {
        upload.write(piece).await.map_err(refused)?;
    }
    drop(field);
    if part(&mut form, pause_max).await?.is_some() {
        return Err(one_part());
    }
    let now = state.now();
    let about = upload.finish(name, declared.as_deref(), now).await;
    about.map_err(refused)
}

async fn part(form: &mut Multipart, pause_max: Duration) -> Result<Option<Field>, Problem> {
    soon(form.try_next(), pause_max).await
}

async fn soon<T>(
    next: impl Future<Output = Result<T, MultipartError>>,
    pause_max: Duration,
) -> Result<T, Problem> {
    match tokio::time::timeout(pause_max, next).await {
        Ok(Ok(next)) => Ok(next),
        Ok(Err(MultipartError::Payload(PayloadError::Overflow))) => Err(Problem::BadRequest(
            "the form has more around its file than a form needs".to_owned(),
        )),
        Ok(Err(error)) => Err(Problem::BadRequest(malformed(&error).to_owned())),
        Err(_elapsed) => {
            let seconds = pause_max.as_secs();
            let why = format!("no byte of the body arrived for {seconds} s");
            Err(Problem::TooSlow(why))
        }
    }
}

/// The fault of a form, in words for people.
fn malformed(error: &MultipartError) -> &'static str {
    match error {
        MultipartError::Payload(error) => body::broken_off(error),
        MultipartError::Incomplete => "the form ended before its last boundary",
        MultipartError::BoundaryMissing => {
            "the Content-Type names no boundary: multipart/form-data; boundary=…"
        }
        MultipartError::ContentTypeMissing
        | MultipartError::ContentTypeParse
        | MultipartError::ContentTypeIncompatible
        | MultipartError::ContentDispositionMissing
        | MultipartError::ContentDispositionNameMissing
        | MultipartError::Nested
        | MultipartError::Parse(_)
        | MultipartError::NotConsumed
        | MultipartError::Field { .. }
        | MultipartError::DuplicateField(_)
        | MultipartError::MissingField(_)
        | MultipartError::UnknownField(_)
        | _ => "the form is malformed: check its boundaries and the headers of its part",
    }
}

fn refused(error: UploadError) -> Problem {
    let wrong = |detail: String| Problem::field("file", ViolationCode::InvalidValue, &detail);
    match error {
        UploadError::Empty => wrong(error.to_string()),
        UploadError::TooLarge(limit) => {
            Problem::TooLarge(usize::try_from(limit).unwrap_or(usize::MAX))
        }
        UploadError::TooManyOfYours(_) => Problem::TooManyRequests {
            detail: error.to_string(),
            retry_after: RETRY,
        },
        UploadError::TooManyUnsent(_) => Problem::Conflict(error.to_string()),
        UploadError::Busy => Problem::Unavailable(UnavailableError::Busy),
        UploadError::DiskFull => Problem::Unavailable(UnavailableError::DiskFull),
        UploadError::Picture(error) => wrong(error.to_string()),
        UploadError::Failed(error) => failed(error),
    }
}

/// The disk failed a request about a file.
pub(crate) fn failed(error: std::io::Error) -> Problem {
    tracing::error!(request_id = request_id::current(), %error, "a file cannot be kept or read");
    if error.kind() == std::io::ErrorKind::InvalidData {
        return Problem::Unavailable(UnavailableError::Damaged(ReadError::Io {
            file: "a file of a message".to_owned(),
            reason: error.to_string(),
        }));
    }
    Problem::Unavailable(UnavailableError::Interrupted)
}

view! {
    #[schemars(inline)]
    struct Uploaded<'u>(about: &'u About, base: &str) [
        let url = about.url(base);
        let picture = about.picture.as_ref();
    ] {
        /// The `media_id` of a message.
        id: MediaId = about.id,
        #[schemars(extend("enum" = ["picture", "file"]))]
        r#type: &'static str = if picture.is_some() { "picture" } else { "file" },
        file_name: &'u FileName = &about.name,
        /// In bytes.
        file_size: u64 = about.bytes,
        /// Detected from the content. Where the content leaves several types open, the type of the part decides, or else the
        /// ending of the name.
        content_type: &'u str = &about.content_type,
        /// In pixels; null but for a picture.
        width: Option<u32> = picture.map(|picture| picture.width),
        /// In pixels; null but for a picture.
        height: Option<u32> = picture.map(|picture| picture.height),
        thumbnail: Option<Url<String>> = picture.map(|_| Url(format!("{url}/thumbnail"))),
        media: Url<String> = Url(url),
    }
}

pub(crate) fn describe() -> Operation {
    let file = Schema::text().says("The file, with a file name.");
    Operation::inbox("upload",
        "Upload a file for a message.",
    )
    .says("The form has one part, `file`. A picture that cannot be decoded is kept as a file. What no message refers to is deleted after a day.")
    .form(Schema::object([must("file", file)]))
    .gives::<Uploaded<'_>>(201, "All of it is on disk.")
    .refuses(403, "The user may not write anywhere.")
    .refuses(
        409,
        "The user or the account has too many uploads that no message refers to.",
    )
    .refuses(429, "Too many uploads of the user or of the account are in progress, or the storage quota of the account is used up.")
}
