//! The words about scheduled replies.

crate::words! {
    /// The reason for which a scheduled reply was not sent at its time.
    pub enum DueRejection {
        /// The customer wrote meanwhile, and its rule says so.
        CustomerWrote = "customer_wrote",
        /// A colleague, the integration or a program answered behind the message that its writer had seen.
        Answered = "answered",
        /// Its writer may not reply there any more.
        NoRight = "no_right",
        /// The integration cannot take it now.
        NotConnected = "not_connected",
        /// The time window of the channel is closed, and the reply is no template.
        WindowClosed = "window_closed",
        /// A quota of the account is used up.
        Quota = "quota",
        /// The template cannot be sent as it was chosen.
        Template = "template",
        /// The message that it answers is not there any more.
        MessageGone = "message_gone",
    }

    /// A change of a scheduled reply, as listeners hear of it.
    pub enum ScheduledChange {
        /// It is new.
        Created = "created",
        /// A user changed it.
        Changed = "changed",
        /// A user cancelled it.
        Cancelled = "cancelled",
        /// It became a message.
        Sent = "sent",
        /// It was not sent at its time.
        Held = "held",
    }
}

impl std::error::Error for DueRejection {}

impl DueRejection {
    /// Returns the reason as a sentence for people, with the ways to go on.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::CustomerWrote => {
                "the customer wrote after the reply was scheduled; read the message, then send the reply now or discard it"
            }
            Self::Answered => {
                "another answer was sent after the message in «seen»; read it, then send the reply now or discard it"
            }
            Self::NoRight => {
                "its writer may not reply in this conversation any more; an administrator can send it or discard it"
            }
            Self::NotConnected => {
                "nothing can leave through the channel of this conversation; connect the account again, then send the reply now or discard it"
            }
            Self::WindowClosed => {
                "the time window of the channel was closed at that time; send a template, or the reply once the customer has written"
            }
            Self::Quota => {
                "a quota of the account was used up; send the reply when there is room again, or discard it"
            }
            Self::Template => {
                "the template was changed or deleted, or its text is empty here; write the reply by hand, or discard it"
            }
            Self::MessageGone => {
                "the message that it answers is not there any more; send the text as a new reply, or discard it"
            }
        }
    }
}
