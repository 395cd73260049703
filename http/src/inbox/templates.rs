//! `GET /inbox/v1/conversations/{id}/templates`: the templates that a user may send there, as they would be sent now.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::id::TemplateId;
use switchboard_actors::domain::markers::Parameter;
use switchboard_actors::domain::templates::template::TemplateFile;
use switchboard_actors::domain::text::{FileName, TemplateContent, TemplateName};
use switchboard_actors::system::user_access::FilledTemplate;

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::inbox::view::TemplateButton;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let templates = user.sendable_templates(id).await?.ok_or_else(unknown)?;
    let views = templates.iter().map(FilledView::new).collect();
    Ok(HttpResponse::Ok().json(TemplateList { templates: views }))
}

fields! {
    pub(crate) struct TemplateList<'t> {
        /// By number.
        templates: Vec<FilledView<'t>>,
    }
}

view! {
    #[schemars(rename = "FilledTemplate")]
    pub(crate) struct FilledView<'t>(filled: &'t FilledTemplate) [
        let settings = &filled.template.settings;
        let parameters = filled.sent.parameters.iter();
        let is_empty = |it: &&Parameter| it.value.is_empty();
    ] {
        id: TemplateId = filled.template.id,
        name: &'t TemplateName = &settings.name,
        /// The text with its markers.
        content: &'t TemplateContent = &settings.content,
        /// The text of the message, if it were sent now; null when it cannot be sent, since there is nothing to send or the text is too long.
        text: Option<&'t str> = filled.sendable_text(),
        /// The markers without a value here.
        empty: Vec<&'t str> = parameters.filter(is_empty).map(|it| it.key.as_str()).collect(),
        /// The buttons that the channel shows below the message.
        buttons: Vec<TemplateButton<'t>> = filled.sent.shown_buttons().iter().map(TemplateButton::new).collect(),
        /// The name of the file that goes with it.
        file_name: Option<&'t FileName> = settings.attachment.as_ref().map(|TemplateFile { name, .. }| name),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("listSendableTemplates", "List the templates that can be sent in a conversation.")
        .says("Those of installed OAuth clients of its channel, and of tokens of no client. One of the type `waba` needs an approved review for the source of the conversation. Random markers have other values when the template is sent.")
        .path("id", Schema::uuid())
        .gives::<TemplateList<'_>>(200, "The templates with the values of their markers.")
        .refuses(404, NO_CONVERSATION)
}
