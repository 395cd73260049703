//! The kinds of channels: the messengers and other ways that customers write by.

use crate::words;

words! {
    /// The kind of a channel, by which users recognize it. The service treats all kinds alike.
    #[derive(Default)]
    pub enum ChannelKind {
        /// Telegram.
        Telegram = "telegram",
        /// WhatsApp.
        Whatsapp = "whatsapp",
        /// Viber.
        Viber = "viber",
        /// Instagram.
        Instagram = "instagram",
        /// The messenger of Facebook.
        Facebook = "facebook",
        /// A chat on a web site.
        Web = "web",
        /// E-mail.
        Email = "email",
        /// Short messages of a phone network.
        Sms = "sms",
        /// Another one, or one that nothing is known of.
        #[default]
        Other = "other",
    }
}
