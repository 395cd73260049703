//! The token of a bot.

use std::fmt;

use thiserror::Error;

/// The longest secret part.
const SECRET_MAX: usize = 256;
const REPLACEMENT: &str = "(token)";

/// The reason why a text is no token. It does not repeat the text.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "this is no token of a bot: it has the form «123456789:letters», as @BotFather shows it, without «bot» before it"
)]
pub struct TokenError;

/// The token of a bot. Only the id of the bot, which is public, is ever printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    text: String,
    bot: i64,
}

impl Token {
    /// Reads a token.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let (number, secret) = text.trim().split_once(':').ok_or(TokenError)?;
        let is_number =
            (1..=18).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_digit());
        let is_secret = (1..=SECRET_MAX).contains(&secret.len())
            && secret
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'));
        let bot = number.parse().ok().filter(|_| is_number && is_secret);
        Ok(Self {
            text: text.trim().to_owned(),
            bot: bot.ok_or(TokenError)?,
        })
    }

    /// The id of the bot.
    #[must_use]
    pub fn bot(&self) -> i64 {
        self.bot
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A text from outside, in which the token cannot be any more.
    pub(super) fn redact(&self, text: &str) -> String {
        let secret = self.text.split_once(':').map_or("", |(_, secret)| secret);
        text.replace(&self.text, REPLACEMENT)
            .replace(secret, REPLACEMENT)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}:…)", self.bot)
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, TokenError};

    #[test]
    fn a_token_has_a_number_and_a_secret() {
        let token = Token::parse(" 42:AA-b_9\n").expect("it is one");
        assert_eq!((token.bot(), token.text()), (42, "42:AA-b_9"));
        for text in [
            "", "42", "42:", ":AA", "bot42:AA", "42:A/b", "4x:AA", "42:AA BB", "-4:AA",
        ] {
            assert_eq!(Token::parse(text), Err(TokenError), "{text}");
        }
        assert_eq!(
            Token::parse(&format!("42:{}", "A".repeat(257))),
            Err(TokenError)
        );
        assert_eq!(
            Token::parse(&format!("{}:A", "9".repeat(30))),
            Err(TokenError)
        );
    }

    #[test]
    fn a_token_is_never_printed() {
        let token = Token::parse("42:SECRET").expect("it is one");
        assert_eq!(format!("{token:?}"), "Token(42:…)");
        let text = token.redact("404 /bot42:SECRET/getMe and SECRET");
        assert_eq!(text, "404 /bot(token)/getMe and (token)");
    }
}
