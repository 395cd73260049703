//! Chats as pages for people: what a customer sees on the phone. Each text is escaped.

use std::fmt::Write as _;

use serde_json::Value;

use super::Machine;
use super::bot::Bot;
use super::chat::{Author, Chat, Message, Standing};
use super::people::People;
use crate::bounds::SECOND;
use crate::clock::Moment;
use crate::orders::OrderError;

/// The most messages of a page: the newest.
const SHOWN_MAX: usize = 200;
/// The kinds of files besides pictures, with their words.
const FILES: [(&str, &str); 7] = [
    ("animation", "Animation"),
    ("document", "File"),
    ("video", "Video"),
    ("audio", "Audio"),
    ("voice", "Voice message"),
    ("video_note", "Round video"),
    ("sticker", "Sticker"),
];

impl Machine {
    /// Returns the page that lists the chats of a bot.
    pub(crate) fn chats_page(&self, bot: i64) -> Result<String, OrderError> {
        let bot = self.page_bot(bot)?;
        let mut body = String::from("<ul>");
        for chat in bot.chats.values() {
            let (id, name) = (chat.id, escaped(&title(&self.people, chat)));
            put(
                &mut body,
                format_args!(
                    "<li><a href=\"/double/chat?bot={}&amp;id={id}\">{name}</a></li>",
                    bot.id
                ),
            );
        }
        body.push_str("</ul>");
        let count = bot.chats.len();
        Ok(document(
            "Chats",
            &format!("{count} with @{}", bot.username),
            &body,
        ))
    }

    /// Returns the page of a chat.
    pub(crate) fn chat_page(&self, bot: i64, id: i64) -> Result<String, OrderError> {
        let bot = self.page_bot(bot)?;
        let missing = || {
            let detail = format!("there is no chat {id}: GET /double/chat lists those of a bot");
            OrderError::one("id", detail)
        };
        let chat = bot.chats.get(&id).ok_or_else(missing)?;
        let name = title(&self.people, chat);
        let mut body = String::from("<section role=\"log\" aria-label=\"Messages\">");
        let messages: Vec<&Message> = chat
            .messages()
            .filter(|it| it.deleted_at.is_none())
            .collect();
        let first = messages.len().saturating_sub(SHOWN_MAX);
        let view = View {
            bot,
            people: &self.people,
        };
        for message in messages.iter().skip(first) {
            view.message(&mut body, message);
        }
        body.push_str("</section>");
        if let Some(notice) = notice(chat) {
            put(
                &mut body,
                format_args!("<p role=\"status\">{}</p>", escaped(&notice)),
            );
        }
        Ok(document(&name, &format!("with @{}", bot.username), &body))
    }

    fn page_bot(&self, bot: i64) -> Result<&Bot, OrderError> {
        let missing = || OrderError::one("bot", "it is not registered");
        self.bots.get(&bot).ok_or_else(missing)
    }
}

fn title(people: &People, chat: &Chat) -> String {
    if chat.is_private() {
        person_name(people, chat.public_id())
    } else {
        chat.title.clone()
    }
}

fn person_name(people: &People, id: i64) -> String {
    match people.get(id) {
        Some(it) if it.is_deactivated => "Deleted account".to_owned(),
        Some(it) => {
            let last = it.person.last_name.as_deref().unwrap_or_default();
            format!("{} {last}", it.person.first_name).trim().to_owned()
        }
        None => id.to_string(),
    }
}

/// The sentence about what keeps the bot from the chat.
fn notice(chat: &Chat) -> Option<String> {
    match chat.standing {
        Standing::Member => None,
        Standing::Kicked if chat.is_private() => Some("The bot is blocked.".to_owned()),
        Standing::Kicked => Some("The bot was removed.".to_owned()),
        Standing::Upgraded(id) => Some(format!("The group is the supergroup {id} now.")),
    }
}

/// The people and files that messages name.
struct View<'m> {
    bot: &'m Bot,
    people: &'m People,
}

impl View<'_> {
    fn name(&self, author: Author) -> String {
        match author {
            Author::Bot => self.bot.name.clone(),
            Author::Person(id) => person_name(self.people, id),
        }
    }

    fn message(&self, page: &mut String, message: &Message) {
        let author = escaped(&self.name(message.author));
        let side = match message.author {
            Author::Bot => "bot",
            Author::Person(_) => "person",
        };
        put(
            page,
            format_args!(
                "<article class=\"{side}\" aria-label=\"{author}, message {}\"><p class=\"author\">{author}</p>",
                message.id
            ),
        );
        self.quote(page, message);
        self.content(page, message);
        buttons(page, message);
        reactions(page, message);
        let mark = if message.edits.is_empty() {
            ""
        } else {
            "edited "
        };
        put(
            page,
            format_args!("<p class=\"foot\">{mark}{}</p></article>", time(message.at)),
        );
    }

    fn quote(&self, page: &mut String, message: &Message) {
        let Some(target) = message.body.get("reply_to_message") else {
            return;
        };
        let part = message.body.get("quote").map(|it| text(it, "text"));
        let whole = [text(target, "text"), text(target, "caption"), "a message"];
        let words = part.into_iter().chain(whole).find(|it| !it.is_empty());
        put(
            page,
            format_args!(
                "<blockquote>{}</blockquote>",
                escaped(words.unwrap_or_default())
            ),
        );
    }

    fn content(&self, page: &mut String, message: &Message) {
        let body = &message.body;
        let mut lines = Vec::new();
        if let Some(photo) = body.get("photo").and_then(Value::as_array) {
            let id = photo.last().map_or("", |it| text(it, "file_id"));
            if self.bot.files.picture(id).is_some() {
                put(
                    page,
                    format_args!(
                        "<img src=\"/double/picture?bot={}&amp;id={}\" alt=\"Picture\">",
                        self.bot.id,
                        escaped(id)
                    ),
                );
            } else {
                lines.push("Picture".to_owned());
            }
        }
        let file = FILES
            .iter()
            .find_map(|(kind, word)| Some((body.get(*kind)?, word)));
        if let Some((file, word)) = file {
            lines.push(format!("{word} {}", text(file, "file_name")));
        }
        if let Some(place) = body.get("location") {
            let degree = |name| place.get(name).and_then(Value::as_f64).unwrap_or_default();
            lines.push(format!(
                "Place {}, {}",
                degree("latitude"),
                degree("longitude")
            ));
        }
        if let Some(venue) = body.get("venue") {
            lines.push(format!(
                "{}, {}",
                text(venue, "title"),
                text(venue, "address")
            ));
        }
        if let Some(card) = body.get("contact") {
            lines.push(format!(
                "Contact {} {}",
                text(card, "first_name"),
                text(card, "phone_number")
            ));
        }
        lines.push(message.words().to_owned());
        for line in lines.iter().filter(|it| !it.is_empty()) {
            put(page, format_args!("<p>{}</p>", escaped(line.trim_end())));
        }
    }
}

fn buttons(page: &mut String, message: &Message) {
    let keyboard = message.keyboard().and_then(|it| it.get("inline_keyboard"));
    let rows = keyboard.and_then(Value::as_array).into_iter().flatten();
    let labels = rows.filter_map(Value::as_array).flatten();
    list(
        page,
        "Buttons",
        labels.map(|it| text(it, "text").to_owned()),
    );
}

fn reactions(page: &mut String, message: &Message) {
    list(
        page,
        "Reactions",
        message.reactions.values().flatten().cloned(),
    );
}

/// Adds a list, if it has an entry.
fn list(page: &mut String, label: &str, entries: impl Iterator<Item = String>) {
    let items: String = entries
        .map(|it| format!("<li>{}</li>", escaped(&it)))
        .collect();
    if !items.is_empty() {
        put(
            page,
            format_args!("<ul aria-label=\"{label}\">{items}</ul>"),
        );
    }
}

fn document(title: &str, about: &str, body: &str) -> String {
    let (title, about) = (escaped(title), escaped(about));
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><link rel=\"icon\" href=\"data:,\">\
         <link rel=\"stylesheet\" href=\"/double/chat.css\"><script type=\"module\" src=\"/double/chat.js\"></script></head>\
         <body><header><h1>{title}</h1><p>{about}</p></header><main>{body}</main></body></html>"
    )
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The hour and the minute of a moment.
fn time(at: Moment) -> String {
    let minutes = (at / SECOND / 60).rem_euclid(24 * 60);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

fn put(page: &mut String, words: std::fmt::Arguments<'_>) {
    // A text takes whatever is written.
    page.write_fmt(words).unwrap_or_default();
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
