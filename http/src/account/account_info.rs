//! `GET /api/v4/account`: the caller's account, with the keys that typed clients require; `with` adds more.

mod entity_names;

use std::collections::BTreeSet;

use actix_web::HttpResponse;
use sha2::{Digest, Sha256};
use switchboard_actors::Caller;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::task::TaskType;
use switchboard_actors::domain::id::{AccountId, AccountNumber, GroupId, UserId};
use switchboard_actors::domain::installation::accounts::{Account, Lang};
use uuid::Uuid;

use self::entity_names::EntityNames;
use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds, Url};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// The version of the account interface that the shapes follow, as the counterpart numbers it.
const VERSION: u32 = 4;

pub(crate) async fn get(access: Access) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let query = Query::from_request(&access.request)?;
    let account = access.system().account(caller.account).ok_or_else(|| {
        Problem::NotFound("the account of this token no longer exists".to_owned())
    })?;
    let user = access.open().await?;
    let with = With(query.words("with").collect());
    Ok(hal::ok(&AccountInfo::new(
        &access.base,
        &account,
        caller,
        user.users(),
        &with,
    )))
}

/// The words of `with`. Unknown ones are ignored, as the counterpart ignores them.
struct With<'q>(BTreeSet<&'q str>);

impl With<'_> {
    /// The value, if it is wanted.
    fn then<T>(&self, word: &str, value: impl FnOnce() -> T) -> Option<T> {
        self.0.contains(word).then(value)
    }
}

/// The country, the currency and its symbol that the language of an account stands for.
fn locale(lang: Lang) -> [&'static str; 3] {
    match lang {
        Lang::En => ["US", "USD", "$"],
        Lang::Es => ["ES", "EUR", "€"],
        Lang::Ru => ["RU", "RUB", "₽"],
    }
}

/// Another UUID of the account, which is neither its id in the chat interface nor leads to it.
fn uuid(account: AccountId) -> Uuid {
    let digest = Sha256::digest([b"account".as_slice(), &account.bytes()].concat());
    let mut bytes = [0; 16];
    bytes
        .iter_mut()
        .zip(digest)
        .for_each(|(byte, from)| *byte = from);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

view! {
    #[schemars(inline)]
    struct AccountInfo<'a>(
        base: &str,
        account: &'a Account,
        caller: &Caller,
        users: &'a Users,
        with: &With<'_>,
    ) [
        let [country, currency, symbol] = locale(account.settings.lang);
    ] {
        id: AccountNumber = account.number,
        name: &'a str = account.settings.name.as_str(),
        subdomain: String = account.subdomain().to_string(),
        created_at: Seconds = account.created_at.into(),
        #[schemars(extend("const" = 0))]
        created_by: u64 = 0,
        updated_at: Seconds = account.updated_at.into(),
        #[schemars(extend("const" = 0))]
        updated_by: u64 = 0,
        current_user_id: UserId = caller.user,
        /// The country of the account's language, two letters.
        country: &'static str = country,
        /// The currency of that country, three letters.
        currency: &'static str = currency,
        currency_symbol: &'static str = symbol,
        #[schemars(extend("const" = "unavailable"))]
        customers_mode: &'static str = "unavailable",
        #[schemars(extend("const" = true))]
        is_unsorted_on: bool = true,
        #[schemars(extend("const" = 0))]
        mobile_feature_version: u64 = 0,
        #[schemars(extend("const" = false))]
        is_loss_reason_enabled: bool = false,
        #[schemars(extend("const" = false))]
        is_helpbot_enabled: bool = false,
        #[schemars(extend("const" = false))]
        is_technical_account: bool = false,
        /// 1: the first name comes first.
        #[schemars(extend("const" = 1))]
        contact_name_display_order: u64 = 1,
        #[schemars(extend("const" = true))]
        is_api_filter_enabled: bool = true,
        language: Lang = account.settings.lang,
        _links: Links = Links::to(format!("{base}/api/v4/account")),
        /// The account's id in the chat interface; with `with=amojo_id`.
        amojo_id ?: AccountId = with.then("amojo_id", || account.id),
        /// With `with=uuid`.
        uuid ?: String = with.then("uuid", || uuid(account.id).to_string()),
        /// With `with=version`.
        version ?: u32 = with.then("version", || VERSION),
        /// The base address of files; with `with=drive_url`.
        drive_url ?: Url<String> = with.then("drive_url", || Url(base.to_owned())),
        _embedded: AccountEmbedded<'a> = AccountEmbedded::new(account, users, with),
    }

    #[schemars(inline)]
    struct AccountEmbedded<'a>(account: &Account, users: &'a Users, with: &With<'_>) [
        let [_, currency, _] = locale(account.settings.lang);
        let groups = || users.groups().values().map(GroupInfo::new).collect();
    ] {
        /// With `with=amojo_rights`.
        amojo_rights ?: ChatRights = with.then("amojo_rights", ChatRights::new),
        /// With `with=users_groups`.
        users_groups ?: Vec<GroupInfo<'a>> = with.then("users_groups", groups),
        /// With `with=task_types`.
        task_types ?: Vec<TaskTypeInfo> = with.then("task_types", || TaskType::ALL.into_iter().map(TaskTypeInfo::new).collect()),
        /// With `with=entity_names`.
        entity_names ?: EntityNames = with.then("entity_names", EntityNames::new),
        /// With `with=datetime_settings`.
        datetime_settings ?: Times = with.then("datetime_settings", Times::new),
        /// With `with=invoices_settings`.
        invoices_settings ?: Invoices = with.then("invoices_settings", || Invoices::new(account.settings.lang, currency)),
    }

    #[schemars(inline)]
    struct ChatRights() {
        #[schemars(extend("const" = false))]
        can_direct: bool = false,
        #[schemars(extend("const" = false))]
        can_create_groups: bool = false,
    }

    #[schemars(inline)]
    struct GroupInfo<'g>(group: &'g Group) {
        id: GroupId = group.id,
        name: &'g str = group.name.as_str(),
        uuid: () = (),
    }

    #[schemars(inline)]
    struct TaskTypeInfo(task_type: TaskType) [
        let (name, code) = match task_type {
            TaskType::FollowUp => ("Follow-up", "FOLLOW_UP"),
            TaskType::Meeting => ("Meeting", "MEETING"),
        };
    ] {
        id: u64 = task_type.number(),
        name: &'static str = name,
        color: () = (),
        icon_id: () = (),
        code: &'static str = code,
    }

    #[schemars(inline)]
    struct Times() {
        date_pattern: &'static str = "d.m.Y H:i",
        short_date_pattern: &'static str = "d.m.Y",
        short_time_pattern: &'static str = "H:i",
        date_format: &'static str = "d.m.Y",
        time_format: &'static str = "H:i:s",
        timezone: &'static str = "UTC",
        timezone_offset: &'static str = "+00:00",
    }

    #[schemars(inline)]
    struct Invoices(lang: Lang, currency: &'static str) {
        lang: Lang = lang,
        currency: &'static str = currency,
    }
}

pub(crate) fn describe() -> Operation {
    let with = "Words with commas: `amojo_id`, `uuid`, `amojo_rights`, `users_groups`, `task_types`, `version`, `entity_names`, `datetime_settings`, `drive_url`, `invoices_settings`. Others are ignored.";
    Operation::leads("getCurrentAccount", "Get the caller's account.")
        .query("with", Schema::text().says(with))
        .gives_hal::<AccountInfo<'_>>(200, "The account.")
        .refuses(404, "The account no longer exists.")
}
