//! The limits of the Bot API that the double keeps, and its own bounds.

/// One second, in milliseconds.
pub(crate) const SECOND: i64 = 1_000;
/// One hour, in milliseconds.
pub(crate) const HOUR: i64 = 3_600 * SECOND;
/// One day: the time for which an update is kept.
pub(crate) const DAY: i64 = 24 * HOUR;
/// The time without updates after which the next number is chosen anew.
pub(crate) const WEEK: i64 = 7 * DAY;

/// The longest text of a message, in UTF-16 units.
pub(crate) const TEXT_MAX: usize = 4_096;
/// The longest caption, in UTF-16 units.
pub(crate) const CAPTION_MAX: usize = 1_024;
/// The longest `callback_data`, in bytes.
pub(crate) const CALLBACK_DATA_MAX: usize = 64;
/// The longest text of an answer to a press, in UTF-16 units.
pub(crate) const CALLBACK_ANSWER_MAX: usize = 200;
/// The most buttons of an inline keyboard.
pub(crate) const BUTTONS_MAX: usize = 100;
/// The fewest and the most parts of an album.
pub(crate) const ALBUM: std::ops::RangeInclusive<usize> = 2..=10;
/// The largest picture, in bytes.
pub(crate) const PHOTO_MAX: usize = 10 << 20;
/// The largest upload, in bytes.
pub(crate) const UPLOAD_MAX: usize = 50 << 20;
/// The largest picture that is sent by its address.
pub(crate) const PHOTO_BY_URL_MAX: usize = 5 << 20;
/// The largest file that is sent by its address.
pub(crate) const FILE_BY_URL_MAX: usize = 20 << 20;
/// The largest file that `getFile` serves.
pub(crate) const DOWNLOAD_MAX: u64 = 20 << 20;
/// The time for which a download link is good.
pub(crate) const LINK_KEPT: i64 = HOUR;
/// The age up to which a bot may delete a message.
pub(crate) const DELETABLE: i64 = 48 * HOUR;
/// The time within which a press is answered.
pub(crate) const QUERY_KEPT: i64 = 30 * SECOND;
/// The longest wait of `getUpdates`, in seconds.
pub(crate) const POLL_MAX: i64 = 50;
/// The most updates of one answer.
pub(crate) const POLL_LIMIT: i64 = 100;

/// The most bots.
pub(crate) const BOTS_MAX: usize = 1_000;
/// The most people.
pub(crate) const PEOPLE_MAX: usize = 100_000;
/// The most chats of a bot.
pub(crate) const CHATS_MAX: usize = 100_000;
/// The most messages of a chat.
pub(crate) const MESSAGES_MAX: usize = 100_000;
/// The most messages of a bot.
pub(crate) const ALL_MESSAGES_MAX: usize = 500_000;
/// The most entities of a text, and their longest form in bytes.
pub(crate) const ENTITIES_MAX: usize = 100;
pub(crate) const ENTITIES_BYTES_MAX: usize = 64 << 10;
/// The longest form of a keyboard, in bytes.
pub(crate) const KEYBOARD_BYTES_MAX: usize = 32 << 10;
/// The most members of a group.
pub(crate) const MEMBERS_MAX: usize = 1_000;
/// The most entries of a list about one message or one chat: earlier contents, chat actions.
pub(crate) const ENTRIES_MAX: usize = 1_000;
/// The most updates that wait, and the most confirmed ones that are remembered, of a bot.
pub(crate) const UPDATES_MAX: usize = 100_000;
/// The most presses that are remembered of a bot.
pub(crate) const QUERIES_MAX: usize = 10_000;
/// The most files of a bot.
pub(crate) const FILES_MAX: usize = 100_000;
/// The most bytes of all files of a bot.
pub(crate) const FILE_BYTES_MAX: u64 = 512 << 20;
/// The largest file that a person sends. It has a size, and its bytes need not exist.
pub(crate) const SENT_FILE_MAX: u64 = 2_000 << 20;
/// The most faults.
pub(crate) const FAULTS_MAX: usize = 1_000;
/// The largest body of a call without files.
pub(crate) const CALL_TEXT_MAX: usize = 1 << 20;
/// The size from which a body is large, and waits for a place.
pub(crate) const LARGE_BODY: u64 = 64 << 10;
/// The most large bodies at a time.
pub(crate) const LARGE_BODIES_MAX: usize = 16;
/// The largest body of a call: one upload and its form.
pub(crate) const CALL_BODY_MAX: usize = UPLOAD_MAX + (1 << 20);
/// The largest body of an order.
pub(crate) const ORDER_BODY_MAX: usize = 32 << 20;
/// The most connections at a time.
pub(crate) const CONNECTIONS_MAX: usize = 1_024;
/// The most webhooks that are called at a time.
pub(crate) const DELIVERIES_MAX: usize = 256;
/// The longest text of a name, a title or a description in an order, in bytes.
pub(crate) const NAME_MAX: usize = 256;
