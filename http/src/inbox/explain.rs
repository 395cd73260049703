//! `GET /inbox/v1/rights/explain`: whether a user may do something, and the steps that lead to this result.
//!
//! `entity` is `leads`, `contacts`, `companies`, `customers`, `conversations`, `tasks`, `mail` or `catalogs`; `action`
//! one of `view`, `edit`, `add`, `delete`, `export`, where the entity has it; `id` that of a lead, a contact or a
//! conversation; `user_id` that of another user, which only administrators may use.

use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::domain::account::rights::EntityAction;
use switchboard_actors::domain::account::rights::Right;
use switchboard_actors::domain::account::rights::calculation::{
    self, AccessDecision, Step, TaskAction,
};
use switchboard_actors::domain::id::UserId;
use switchboard_actors::system::user_access::AccessQuestion;

use crate::extract::caller::AnyUser;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_known(&request, &["entity", "action", "id", "user_id"])?;
    let entity = query.text("entity").unwrap_or_default();
    let operation = operation(entity, query.text("action"))?;
    let question = question(entity, &query)?;
    let user: UserId = query.parsed("user_id")?.unwrap_or(caller.user);
    if user != caller.user && !caller.is_admin {
        return Err(Problem::Forbidden(
            "only administrators of the account may ask for other users".to_owned(),
        ));
    }
    let access = state.system().user_access(&caller).await?;
    let unknown = || Problem::NotFound("there is no such user, or no such thing".to_owned());
    access.users().get(user).ok_or_else(unknown)?;
    let ruling = access
        .explain(user, operation, question)
        .await?
        .ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(RulingView::new(user, &ruling)))
}

view! {
    #[schemars(inline)]
    struct RulingView(user: UserId, ruling: &AccessDecision) {
        user_id: UserId = user,
        allowed: bool = ruling.allowed,
        right: Right = ruling.right,
        steps: Vec<StepView> = ruling.steps.iter().map(StepView::new).collect(),
    }

    #[schemars(inline)]
    struct StepView(step: &Step) {
        #[serde(flatten)]
        step: Step = *step,
        /// The step as a sentence.
        detail: String = step.to_string(),
    }
}

fn operation(entity: &str, action: Option<&str>) -> Result<calculation::Operation, Problem> {
    let entity_action = action.and_then(|key| {
        EntityAction::ALL
            .into_iter()
            .find(|action| action.key() == key)
    });
    let of = |operation: fn(EntityAction) -> calculation::Operation| entity_action.map(operation);
    let operation = match entity {
        "leads" | "conversations" => of(calculation::Operation::Leads),
        "contacts" => of(calculation::Operation::Contacts),
        "companies" => of(calculation::Operation::Companies),
        "customers" => of(calculation::Operation::Buyers),
        "tasks" => match entity_action {
            Some(EntityAction::Edit) => Some(calculation::Operation::Tasks(TaskAction::Edit)),
            Some(EntityAction::Delete) => Some(calculation::Operation::Tasks(TaskAction::Delete)),
            Some(EntityAction::View | EntityAction::Add | EntityAction::Export) | None => None,
        },
        "mail" if action.is_none() => Some(calculation::Operation::Mail),
        "catalogs" if action.is_none() => Some(calculation::Operation::Catalogs),
        _ => None,
    };
    operation.ok_or_else(|| {
        Problem::BadRequest(
            "entity must be leads, contacts, companies, customers or conversations with an action of view, edit, add, \
             delete or export, tasks with edit or delete, or mail or catalogs without one"
                .to_owned(),
        )
    })
}

fn question(entity: &str, query: &Query) -> Result<AccessQuestion, Problem> {
    let question = match (entity, query.text("id")) {
        (_, None) => None,
        ("leads", Some(_)) => query.parsed("id")?.map(AccessQuestion::Lead),
        ("contacts", Some(_)) => query.parsed("id")?.map(AccessQuestion::Contact),
        ("conversations", Some(_)) => query.parsed("id")?.map(AccessQuestion::Conversation),
        (_, Some(_)) => {
            return Err(Problem::BadRequest(
                "id goes with leads, contacts and conversations only".to_owned(),
            ));
        }
    };
    Ok(question.unwrap_or(AccessQuestion::Nothing))
}

pub(crate) fn describe() -> Operation {
    let entities = [
        "leads",
        "contacts",
        "companies",
        "customers",
        "conversations",
        "tasks",
        "mail",
        "catalogs",
    ];
    Operation::inbox(
        "explainRights",
        "Explain the steps that allow or deny an action.",
    )
    .query_needed("entity", Schema::words(entities))
    .query(
        "action",
        Schema::words(EntityAction::ALL.map(EntityAction::key))
            .says("Where the entity has it; none with mail and catalogs."),
    )
    .query(
        "id",
        Schema::text().says("Of a lead, a contact or a conversation."),
    )
    .query(
        "user_id",
        Schema::number().says("Another user; administrators only."),
    )
    .gives::<RulingView>(200, "The answer.")
    .refuses(403, "Only administrators may ask for other users.")
    .refuses(404, "There is no such user, or no such thing.")
}
