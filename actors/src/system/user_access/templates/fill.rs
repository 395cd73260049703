//! The templates that a user may send in a conversation, with the values of their markers at this moment.

use crate::domain::calendar;
use crate::domain::conversation::Conversation;
use crate::domain::crm::custom_fields::{CustomFields, value::FieldValues};
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::{Contact, Lead};
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{
    ChannelId, ConversationId, FieldId, OauthClientId, SourceNumber, TemplateId, UserId,
};
use crate::domain::markers;
use crate::domain::templates::review::ReviewStatus;
use crate::domain::templates::sent::SentTemplate;
use crate::domain::templates::template::{Template, TemplateKind};
use crate::domain::text::MessageText;
use crate::domain::text::email::Email;
use crate::domain::text::phone_number;
use crate::system::inbox::MessageView;
use crate::system::user_access::UserAccess;
use crate::wire::chat_body::stored;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A template with the values of its markers in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledTemplate {
    /// The template.
    pub template: Template,
    /// The text of the message; `None` when all of it is empty, or it is too long.
    pub text: Option<MessageText>,
    /// The template as part of the message.
    pub sent: SentTemplate,
    /// True when all of the text is empty.
    is_blank: bool,
}

impl FilledTemplate {
    /// The text that can be sent; `None` when there is nothing to send, or too much. A file may go without a text.
    #[must_use]
    pub fn sendable_text(&self) -> Option<&str> {
        match &self.text {
            Some(text) => Some(text.as_str()),
            None if self.is_blank && self.template.settings.attachment.is_some() => Some(""),
            None => None,
        }
    }
}

/// The rejection of a template for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateUseRejection {
    /// There is no such conversation that the user may see.
    #[error("there is no such conversation")]
    UnknownConversation,
    /// There is no such template that may be sent in the conversation.
    #[error(
        "there is no such template for this conversation: it is of another channel, was deleted, or its review is not approved"
    )]
    Unknown,
    /// The text of the message would be empty, or too long.
    #[error("the text of the message would be empty or longer than 65,536 bytes; write it by hand")]
    NoText,
}

/// The things that the markers of templates and of canned replies are filled from.
pub(in crate::system::user_access) struct Values<'v> {
    access: &'v UserAccess,
    state: Conversation,
    channel: ChannelId,
    lead: Option<Lead>,
    contact: Option<Contact>,
    fields: CustomFields,
    /// The source of the conversation, if the account has it.
    source: Option<SourceNumber>,
    /// The installed OAuth clients of the channel: their templates may be sent.
    clients: Vec<OauthClientId>,
    /// True when the integration of the channel shows buttons.
    shows_buttons: bool,
    /// The newest text of the customer.
    text: String,
}

impl UserAccess {
    /// The templates that the user may send in a conversation, by number; `None` when they may not see it.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn sendable_templates(
        &self,
        id: ConversationId,
    ) -> Result<Option<Vec<FilledTemplate>>, UnavailableError> {
        let Some(values) = self.values(id).await? else {
            return Ok(None);
        };
        let templates = self.templates().await?;
        let sendable = templates.iter().filter(|it| values.takes(it));
        Ok(Some(sendable.map(|it| values.filled(it)).collect()))
    }

    /// A template with the values of its markers, for a message in a conversation.
    ///
    /// # Errors
    /// When the user may not see the conversation, there is no such template for it, there is no text, or something cannot
    /// be read now.
    pub async fn fill_template(
        &self,
        id: ConversationId,
        template: TemplateId,
    ) -> Result<FilledTemplate, CommandError<TemplateUseRejection>> {
        let unknown = CommandError::Rejected(TemplateUseRejection::UnknownConversation);
        let values = self.values(id).await?.ok_or(unknown)?;
        let templates = self.templates().await?;
        let sendable = templates.get(template).filter(|it| values.takes(it));
        let template = sendable.ok_or(CommandError::Rejected(TemplateUseRejection::Unknown))?;
        Ok(values.filled(template))
    }

    /// The installed OAuth clients of a channel.
    async fn clients_of(
        &self,
        channel: &ChannelId,
    ) -> Result<Vec<OauthClientId>, UnavailableError> {
        let grants = self.system.grants(self.caller.account).await?;
        let clients = self.system.kernel().shared.read_cache.oauth_clients();
        let is_of_channel = |id: &OauthClientId| {
            let client = clients.get(*id);
            client.is_some_and(|client| client.settings.channel.as_ref() == Some(channel))
        };
        Ok(grants
            .iter()
            .map(|(id, _)| id)
            .filter(is_of_channel)
            .collect())
    }

    /// Returns whether the channel of a conversation gets buttons as such: it shows them, and its callbacks have a place for
    /// them.
    async fn shows_buttons(&self, state: &Conversation) -> Result<bool, UnavailableError> {
        let Some(origin) = &state.origin else {
            return Ok(false);
        };
        let entry = self.system.channel(origin.scope.channel());
        let connection = self.system.connection(&origin.scope).await?;
        let has_markup = connection.is_none_or(|it| it.version == HookVersion::V2);
        Ok(has_markup && entry.is_some_and(|entry| entry.channel.settings.buttons))
    }

    /// The values of markers in a conversation at this moment; `None` when the user may not see it.
    pub(in crate::system::user_access) async fn values(
        &self,
        id: ConversationId,
    ) -> Result<Option<Values<'_>>, UnavailableError> {
        let Some(visible) = self.seen(id).await? else {
            return Ok(None);
        };
        let (state, lead) = (visible.state, visible.lead);
        let Some(channel) = state.origin.as_ref().map(|it| it.scope.channel().clone()) else {
            return Ok(None);
        };
        let text = match self.system.last_of_customer(&state)? {
            Some(MessageView::In { received, raw, .. }) => stored::message(&received, &raw)
                .and_then(|message| message.content.text().cloned())
                .map(String::from),
            Some(MessageView::Out { .. }) | None => None,
        };
        let contact = match lead.as_ref().and_then(|lead| lead.contact) {
            Some(contact) => self.contact(contact).await?,
            None => None,
        };
        let crm = self.crm().await?;
        let mut sources = crm.sources.iter();
        let source = sources.find(|it| Some(&it.settings.external_id) == state.source.as_ref());
        let shows_buttons = self.shows_buttons(&state).await?;
        Ok(Some(Values {
            access: self,
            source: source.map(|source| source.id),
            clients: self.clients_of(&channel).await?,
            shows_buttons,
            state,
            channel,
            lead,
            contact,
            fields: crm.custom_fields,
            text: text.unwrap_or_default(),
        }))
    }
}

impl Values<'_> {
    /// Returns whether a template may be sent in the conversation: it is of an installed integration of its channel, and its
    /// review is approved.
    fn takes(&self, template: &Template) -> bool {
        let is_approved = || {
            let mut reviews = template.reviews.iter();
            reviews.any(|review| {
                let is_other = |id| self.source.is_some_and(|source| source != id);
                review.status == ReviewStatus::Approved && !review.source.is_some_and(is_other)
            })
        };
        let is_of_channel = template.client.is_none_or(|id| self.clients.contains(&id));
        is_of_channel && (template.settings.kind == TemplateKind::Amocrm || is_approved())
    }

    fn filled(&self, template: &Template) -> FilledTemplate {
        let filled = markers::fill(template.settings.content.as_str(), |name| self.value(name));
        let part = SentTemplate::new(template, filled.parameters, self.shows_buttons);
        FilledTemplate {
            template: template.clone(),
            text: part.text(&filled.text),
            is_blank: filled.text.is_empty() && !part.buttons_in_text,
            sent: part,
        }
    }

    /// The value of a marker; `None` when there is none.
    pub(in crate::system::user_access) fn value(&self, name: &str) -> Option<String> {
        match name {
            "name" => self.name(),
            "origin" => Some(self.channel.to_string()),
            "message_text" => Some(self.text.clone()),
            "message_text.email" => self.email(),
            "message_text.phone" => {
                let numbers = phone_number::numbers_in(&self.text);
                numbers.first().map(|number| number.digits().to_owned())
            }
            "rand" => Some(hex(&self.access.system.random())),
            "short_rand" => Some(hex(self.access.system.random().get(..4)?)),
            "short_rand_num" => Some(short_number(self.access.system.random())),
            "current_date" => Some(calendar::date_text(self.access.system.now())),
            name => match name.split_once('.')? {
                ("contact", field) => self.of_contact(field),
                ("lead", field) => self.of_lead(field),
                _ => None,
            },
        }
    }

    fn name(&self) -> Option<String> {
        let customer = self.state.customer.as_ref();
        let name = self.contact.as_ref().map(|contact| &contact.name);
        name.or(customer.map(|customer| &customer.name))
            .map(|name| name.as_str().to_owned())
    }

    /// The first e-mail address in the newest text of the customer.
    fn email(&self) -> Option<String> {
        let mut words = self
            .text
            .split(|it: char| it.is_whitespace() || ",;<>()".contains(it));
        let trimmed = |word: &str| word.trim_end_matches(['.', '!', '?']).to_owned();
        let email = words.find_map(|word| trimmed(word).parse::<Email>().ok())?;
        Some(email.to_string())
    }

    fn of_contact(&self, field: &str) -> Option<String> {
        if field == "name" {
            return self.name();
        }
        let contact = self.contact.as_ref()?;
        match field.split_once('.') {
            None if field == "id" => Some(contact.id.to_string()),
            Some(("cf", id)) => self.custom(EntityKind::Contacts, id, &contact.values),
            Some(("responsible", part)) => self.responsible(contact.responsible, part),
            _ => None,
        }
    }

    fn of_lead(&self, field: &str) -> Option<String> {
        let lead = self.lead.as_ref()?;
        match field.split_once('.') {
            Some(("cf", id)) => self.custom(EntityKind::Leads, id, &lead.values),
            Some(("responsible", part)) => self.responsible(lead.responsible, part),
            Some(_) => None,
            None => match field {
                "id" => Some(lead.id.to_string()),
                "name" => Some(lead.name.clone()),
                "price" => Some(lead.price.0.to_string()),
                "status_id" => Some(lead.stage.to_string()),
                "source_id" => Some(self.source?.to_string()),
                _ => None,
            },
        }
    }

    fn custom(&self, kind: EntityKind, id: &str, values: &FieldValues) -> Option<String> {
        let id: FieldId = id.parse().ok()?;
        let field = self.fields.get(kind, id)?;
        field.settings.text(values.get(id)?)
    }

    fn responsible(&self, user: Option<UserId>, part: &str) -> Option<String> {
        let user = self.access.users.get(user?)?;
        match part {
            "id" => Some(user.id.to_string()),
            "name" => Some(user.name.to_string()),
            "email" => Some(user.email.to_string()),
            _ => None,
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A number from 1,111 to 9,999.
fn short_number(random: [u8; 16]) -> String {
    const LEAST: u128 = 1_111;
    const COUNT: u128 = 8_889;
    LEAST
        .saturating_add(u128::from_be_bytes(random) % COUNT)
        .to_string()
}
