//! `GET /inbox/v1/me`: who is asking, and what they may do.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use switchboard_actors::Caller;
use switchboard_actors::domain::account::credentials::session::csrf_token;
use switchboard_actors::domain::account::presence::Presence;
use switchboard_actors::domain::id::PersonId;
use switchboard_actors::wire::inbox_body::notifications::NotificationsView;

use crate::admin::accounts::AccountView;
use crate::base::Base;
use crate::extract::caller::AnyUser;
use crate::extract::cookie;
use crate::openapi::Operation;
use crate::reply::problem::Problem;
use crate::state::{AppState, PROGRAMS};
use crate::users::view::{UserView, With};

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let by_token = request.headers().contains_key(header::AUTHORIZATION);
    let secret = cookie::session(&request, &base).filter(|_| !by_token);
    answer(
        HttpResponse::Ok(),
        &state,
        &caller,
        secret.as_deref(),
        &base,
    )
    .await
}

/// The account, the user with their effective rights, and what a page must send along when it changes something.
pub(super) async fn answer(
    mut response: HttpResponseBuilder,
    state: &AppState,
    caller: &Caller,
    secret: Option<&str>,
    base: &Base,
) -> Result<HttpResponse, Problem> {
    let system = state.system();
    let users = system.users(caller.account).await?;
    let pipelines = system.pipelines(caller.account).await?;
    let user = users.get(caller.user).ok_or(Problem::Unauthorized(None))?;
    let account = system.account(caller.account);
    let me = Me {
        account: account.as_ref().map(AccountView::new),
        user: UserView::new(
            base,
            &users,
            &pipelines,
            user,
            &With::role_and_group(),
            None,
        ),
        chat_id: system.person_of(caller.account, caller.user),
        csrf_token: secret.map(csrf_token),
        program: state.program(),
        has_worlds: state.worlds().is_some(),
        file_bytes_max: state.media().file_bytes_max(),
        notifications: user.notifications.as_deref().map(NotificationsView::new),
        presence: user.chosen_presence(),
    };
    let no_store = (header::CACHE_CONTROL, "no-store");
    Ok(response.insert_header(no_store).json(me))
}

fields! {
    pub(super) struct Me<'m> {
        account: Option<AccountView<'m>>,
        user: UserView<'m>,
        /// The caller's id in the chat service.
        chat_id: PersonId,
        /// For the header X-CSRF-Token; null without a session.
        #[schemars(extend("x-secret" = true))]
        csrf_token: Option<String>,
        /// The beginning of a command of the program where this service was started.
        #[schemars(extend("enum" = PROGRAMS))]
        program: &'static str,
        /// True if this process runs worlds: `switchboard dev` does.
        has_worlds: bool,
        /// The longest file that can be uploaded, in bytes.
        file_bytes_max: u64,
        /// The notifications that the caller wants; not there as long as they are the default: all kinds, without a sound, at
        /// all hours.
        notifications ?: NotificationsView,
        /// The presence that the caller chose. Colleagues see them away after ten minutes without a sign on any device, too.
        presence: Presence,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("getMe", "Get the caller and their rights.")
        .gives::<Me<'_>>(200, "The caller.")
}
