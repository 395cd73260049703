//! The buttons and lists below messages, and the presses of them.

use switchboard_actors::domain::id::{MessageId, TemplateId};
use switchboard_actors::domain::list_message::{ListMessage, ListRow, ListSection};
use switchboard_actors::domain::templates::sent::SentTemplate;
use switchboard_actors::domain::templates::template::Button;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::domain::text::{
    ButtonText, CallbackData, ListLabel, ListLine, RowDescription,
};

view! {
    #[schemars(inline)]
    pub(crate) struct TemplateRef<'m>(template: &'m SentTemplate) {
        id: TemplateId = template.id,
        /// The buttons that the channel shows below the message.
        buttons: Vec<TemplateButton<'m>> = template.shown_buttons().iter().map(TemplateButton::new).collect(),
    }

    #[schemars(inline)]
    pub(crate) struct Pressed<'m>(message: MessageId, text: &'m ButtonText) {
        /// The other message: the one with the button, or the one that pressed it.
        message_id: MessageId = message,
        /// The text of the button, or the title of the row.
        text: &'m ButtonText = text,
    }

    /// The list that the channel shows below the message.
    #[schemars(inline)]
    pub(crate) struct ListRef<'m>(list: &'m ListMessage) {
        header: Option<&'m ListLine> = list.header.as_ref(),
        footer: Option<&'m ListLine> = list.footer.as_ref(),
        /// The label of the button that opens it.
        button: &'m ListLabel = &list.button,
        sections: Vec<ListPart<'m>> = list.sections.iter().map(ListPart::new).collect(),
    }

    #[schemars(inline)]
    pub(crate) struct ListPart<'m>(section: &'m ListSection) {
        title: &'m ListLabel = &section.title,
        rows: Vec<ListEntry<'m>> = section.rows.iter().map(ListEntry::new).collect(),
    }

    #[schemars(inline)]
    pub(crate) struct ListEntry<'m>(row: &'m ListRow) {
        callback_data: &'m CallbackData = &row.callback_data,
        title: &'m ListLabel = &row.title,
        description: Option<&'m RowDescription> = row.description.as_ref(),
    }

    #[schemars(inline)]
    pub(crate) struct TemplateButton<'m>(button: &'m Button) {
        text: &'m ButtonText = &button.text,
        /// The link that it opens.
        url ?: &'m HttpUrl = button.url.as_ref(),
    }
}
