//! `GET /media/{id}/{name}` and `…/thumbnail`: the files of messages, for all clients that know their address.
//!
//! The content is untrusted. Browsers show only pictures that were decoded and save all other files; they must not
//! guess a type, and must not run anything in a file.

mod range;

use actix_files::NamedFile;
use actix_web::http::header::{
    self, ContentDisposition, DispositionParam, DispositionType, HeaderValue,
};
use actix_web::{HttpRequest, HttpResponse, web};

pub(crate) use self::range::settle as settle_range;
use crate::inbox::upload::failed;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// Beside each file: it says what it is, is no page, and never changes.
const HEADERS: [(header::HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; sandbox",
    ),
    (
        header::CACHE_CONTROL,
        "private, max-age=31536000, immutable",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
];

pub(crate) async fn file(
    path: web::Path<(String, String)>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    serve(&path.0, false, &request, &state).await
}

pub(crate) async fn thumbnail(
    path: web::Path<(String, String)>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    serve(&path.0, true, &request, &state).await
}

async fn serve(
    id: &str,
    thumbnail: bool,
    request: &HttpRequest,
    state: &AppState,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such file".to_owned());
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let result = state.media().about(id).await;
    let about = result.map_err(failed)?.ok_or_else(unknown)?;
    let content_type = match &about.picture {
        Some(picture) if thumbnail => &picture.thumbnail_type,
        None if thumbnail => return Err(unknown()),
        Some(_) | None => &about.content_type,
    };
    let result = state.media().open_file(&about, thumbnail).await;
    let (file, path) = result.map_err(failed)?;
    let Ok(content_type) = content_type.parse() else {
        return Err(unknown());
    };
    let disposition = ContentDisposition {
        disposition: if about.picture.is_some() {
            DispositionType::Inline
        } else {
            DispositionType::Attachment
        },
        parameters: named(about.name.as_str()),
    };
    let file = NamedFile::from_file(file, path).map_err(failed)?;
    let mut response = file
        .set_content_type(content_type)
        // The content of a text is not known to be UTF-8.
        .prefer_utf8(false)
        .set_content_disposition(disposition)
        .into_response(request);
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

/// The name as old clients read it, and as it is.
fn named(name: &str) -> Vec<DispositionParam> {
    let plain = name.is_ascii();
    let ascii = name
        .chars()
        .map(|letter| if letter.is_ascii() { letter } else { '_' });
    let mut parameters = vec![DispositionParam::Filename(ascii.collect())];
    if !plain {
        parameters.push(DispositionParam::FilenameExt(header::ExtendedValue {
            charset: header::Charset::Ext("UTF-8".to_owned()),
            language_tag: None,
            value: name.as_bytes().to_vec(),
        }));
    }
    parameters
}

pub(crate) fn describe_file() -> Operation {
    described("getFile", "Get a file of a message.")
}

pub(crate) fn describe_thumbnail() -> Operation {
    described("getThumbnail", "Get the thumbnail of a picture.")
}

fn described(id: &'static str, summary: &'static str) -> Operation {
    let name = Schema::text().says("The name of the file; it is ignored.");
    let part = || Schema::text();
    Operation::service(id, summary)
        .path(
            "id",
            Schema::text().says("The unguessable id of the upload."),
        )
        .path("name", name)
        .header("Range", Schema::text())
        .answers_as(200, "The content. It never changes.", "*/*", part())
        .answers_as(206, "A part of the content.", "*/*", part())
        .answers_nothing(304, "What the client has is right.")
        .answers_nothing(412, "A condition of the request (If-…) is not met.")
        .answers_nothing(416, "There is no such part.")
        .refuses(404, "There is no such file.")
        .refuses(503, "The file cannot be read now.")
}
