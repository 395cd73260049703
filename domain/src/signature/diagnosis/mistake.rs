//! The mistakes that are recognised, and what to do about each.

use std::borrow::Cow;

/// A mistake of a signer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// There is no `X-Signature`, or it is empty.
    Missing,
    /// The right digest in base64.
    Base64,
    /// The right digest with something around it, such as `sha1=`.
    Prefixed,
    /// The right digest with something between its digits.
    Dashes,
    /// What was sent is no digest in any form.
    NoDigest {
        /// How many bytes were sent.
        length: usize,
    },
    /// The secret was decoded from hexadecimal before it was used.
    HexDecodedSecret,
    /// The secret was used with a line end at its end.
    SecretWithNewline,
    /// The secret was used with a space or a quotation mark around it.
    SecretDecorated,
    /// The secret was used in another case.
    SecretInOtherCase,
    /// The channel's id was used as the key.
    ChannelIdAsKey,
    /// The account's id, or that of the scope, was used as the key.
    AccountIdAsKey,
    /// SHA-256 in place of SHA-1.
    Sha256,
    /// MD5 in place of SHA-1.
    HmacMd5,
    /// A plain hash in place of an HMAC.
    PlainHash,
    /// Key and message in each other's place.
    Swapped,
    /// A line end at the end of the body was signed and not sent, or sent and not signed.
    TrailingNewline,
    /// The body was left out of what was signed.
    EmptyBody,
    /// Another form of the same JSON was signed: other blanks, other escapes, another order of keys.
    Reserialised,
    /// The body was made a JSON string once more, before it was signed or before it was sent.
    Stringified,
    /// The text was signed in ASCII, with something else for all other letters.
    Ascii,
    /// The text was signed in another character set than UTF-8.
    SignedIn {
        /// Its name.
        set: &'static str,
    },
    /// The text was signed in UTF-8 and sent in another character set.
    SentIn {
        /// Its name.
        set: &'static str,
    },
    /// A byte order mark was signed and not sent, or sent and not signed.
    ByteOrderMark,
    /// The text was encoded as UTF-8 twice, before it was signed or before it was sent.
    EncodedTwice,
    /// Letters with marks were signed in the other of the two forms that Unicode has for them.
    OtherNormalForm,
    /// The body was signed in base64 or in hexadecimal.
    InLetters,
    /// The body was compressed after it was signed.
    SignedPlainAndSentCompressed,
    /// The body was signed with escapes of HTML.
    HtmlEscapes,
    /// The body was signed with escapes of addresses.
    PercentEscapes,
    /// What Python prints of an object was signed.
    PrintedObject,
    /// A part of the body was signed, such as `payload`.
    PartOfBody,
    /// The raw body was signed where the canonical signature is asked for.
    RawBody,
    /// The canonical text was signed where the channel takes the raw body only.
    NotRawBody,
    /// The parts were joined with something else than a newline.
    Separator,
    /// A newline was signed behind the last part.
    NewlineAtEnd,
    /// The parts were signed in another order.
    Order,
    /// The method was signed in lower case.
    MethodLowerCase,
    /// Another method was signed than was asked with.
    OtherMethod,
    /// The names of the headers were signed with their values.
    HeaderNames,
    /// The path was signed without its beginning, or with other slashes around it.
    PathForm,
    /// The path of another operation was signed.
    OtherPath,
    /// More than the path was signed: scheme and host.
    FullUrl,
    /// More than the path was signed: the query.
    Query,
    /// The `Content-Type` was left out.
    TypeLeftOut,
    /// Another `Content-Type` was signed than was sent.
    TypeChanged,
    /// The `Date` was left out, of what was signed or of what was sent.
    DateLeftOut,
    /// There is no `Date` where there has to be one.
    DateMissing,
    /// The `Date` that was signed is a moment away from the one that was sent.
    DateTwice,
    /// The `Date` has neither of the two forms.
    DateUnreadable,
    /// The `Date` is too far from our clock.
    DateOutside {
        /// How far, in seconds; negative when it is in the past.
        seconds: i64,
    },
    /// The `Content-MD5` was left out of what was signed.
    Md5LeftOut,
    /// The `Content-MD5` was signed and not sent.
    Md5Missing,
    /// The MD5 is in base64.
    Md5Base64,
    /// The MD5 is in upper case.
    Md5UpperCase,
    /// The MD5 is that of other bytes.
    Md5OfSomethingElse,
    /// Body and MD5 were signed, one behind the other.
    BodyAndMd5,
    /// Nothing but an MD5 was signed: that of the body, or of method and path.
    Md5Alone,
}

impl Mistake {
    /// What to do about it.
    #[must_use]
    pub fn hint(self) -> Cow<'static, str> {
        if let Self::NoDigest { length } = self {
            return match length {
                40 => Cow::Borrowed(
                    "a signature has 40 hexadecimal digits: among these 40 characters are others",
                ),
                length => Cow::Owned(format!(
                    "a signature has 40 hexadecimal digits: this has {length} characters"
                )),
            };
        }
        if let Self::SignedIn { set } = self {
            return Cow::Owned(format!(
                "the body was signed in {set}: sign the UTF-8 bytes that you send"
            ));
        }
        if let Self::SentIn { set } = self {
            return Cow::Owned(format!(
                "the body was signed in UTF-8 and sent in {set}: send the UTF-8 bytes that you sign"
            ));
        }
        let Self::DateOutside { seconds } = self else {
            return Cow::Borrowed(self.sentence());
        };
        // To the nearest one: an offset of hours reads as such.
        let minutes = seconds.unsigned_abs().saturating_add(30) / 60;
        let where_to = if seconds < 0 { "behind" } else { "ahead of" };
        Cow::Owned(format!(
            "the signature is right, but Date is {minutes} minutes {where_to} our clock, and may be off by 15 at most: sign anew with each request, and set the clock of the machine"
        ))
    }

    #[expect(clippy::too_many_lines, reason = "a table, one sentence for each")]
    fn sentence(self) -> &'static str {
        match self {
            Self::Missing => {
                "there is no X-Signature header: send the hex HMAC-SHA1 of the raw body, or of METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath, keyed with the channel's secret"
            }
            Self::Base64 => "the digest is right, but it is in base64: send it in hexadecimal",
            Self::Prefixed => {
                "the digest is right, but something stands around it: send the 40 hexadecimal digits alone"
            }
            Self::Dashes => {
                "the digest is right, but something stands between its digits: send the 40 hexadecimal digits alone (in C#, BitConverter.ToString puts dashes there)"
            }
            Self::NoDigest { .. } => "a signature has 40 hexadecimal digits",
            Self::HexDecodedSecret => {
                "the secret was decoded from hexadecimal: use its characters as they are, as the key"
            }
            Self::SecretWithNewline => {
                "the secret was used with a newline at its end: trim what you read it from"
            }
            Self::SecretDecorated => {
                "the secret was used with a space or a quotation mark around it: use its characters alone"
            }
            Self::SecretInOtherCase => {
                "the secret was used in another case: use its characters as they are"
            }
            Self::ChannelIdAsKey => {
                "the id of the channel was used as the key: the channel's secret is the key"
            }
            Self::AccountIdAsKey => {
                "the id of the account or of the scope was used as the key: the channel's secret is the key"
            }
            Self::HmacMd5 => "this is HMAC-MD5: use HMAC-SHA1",
            Self::Sha256 => "this is HMAC-SHA256: use HMAC-SHA1",
            Self::PlainHash => "this is a plain hash: use HMAC-SHA1 with the secret as the key",
            Self::Swapped => "key and message are in each other's place: the secret is the key",
            Self::TrailingNewline => {
                "the body was signed with another line end than it was sent with: sign exactly the bytes that you send"
            }
            Self::EmptyBody => "an empty body was signed: sign the bytes that you send",
            Self::Reserialised => {
                "another form of the same JSON was signed, with other blanks, escapes or order of keys: make the body once, then sign and send the same bytes"
            }
            Self::Stringified => {
                "the body was made a JSON string once more: make it once, then sign and send the same bytes"
            }
            Self::Ascii => {
                "the body was signed in ASCII, with another sign in place of each other letter: sign the UTF-8 bytes that you send"
            }
            Self::SignedIn { .. } | Self::SentIn { .. } => {
                "the body was signed in another character set than it was sent in: sign the UTF-8 bytes that you send"
            }
            Self::ByteOrderMark => {
                "the body has a byte order mark in what was signed or in what was sent, and not in the other: leave the mark out, then sign and send the same bytes"
            }
            Self::EncodedTwice => {
                "the text was encoded as UTF-8 twice, in what was signed or in what was sent: encode it once, then sign and send the same bytes"
            }
            Self::OtherNormalForm => {
                "letters with marks were signed in another form of Unicode (NFC, NFD) than they were sent in: sign the bytes that you send"
            }
            Self::InLetters => {
                "base64 or hexadecimal digits of the body were signed: sign the bytes of the body that you send"
            }
            Self::SignedPlainAndSentCompressed => {
                "the body was signed before it was compressed: send it without Content-Encoding, as the bytes that you sign"
            }
            Self::HtmlEscapes => {
                "the body was signed with escapes of HTML (&quot;, &#1062;): sign the bytes that you send"
            }
            Self::PercentEscapes => {
                "the body was signed with the escapes of addresses (%22): sign the bytes that you send"
            }
            Self::PrintedObject => {
                "the object was signed as Python prints it, with single quotes: make JSON of it once, then sign and send the same bytes"
            }
            Self::PartOfBody => {
                "a part of the body was signed: sign the whole body, from the first byte to the last"
            }
            Self::RawBody => {
                "this is the signature of the raw body: here METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath has to be signed"
            }
            Self::NotRawBody => {
                "this channel is set to the 2019 generation: sign the raw body alone"
            }
            Self::Separator => {
                "the five parts were not joined with a newline: join them with the one byte 0x0A (in PHP, \"\\n\" in double quotes)"
            }
            Self::NewlineAtEnd => "a newline was signed behind the path: nothing may follow it",
            Self::Order => {
                "the parts were signed in another order: METHOD, Content-MD5, Content-Type, Date, path"
            }
            Self::MethodLowerCase => "the method was signed in lower case: write it in upper case",
            Self::OtherMethod => {
                "another method was signed than was used: sign the method of this very request"
            }
            Self::HeaderNames => "the names of the headers were signed: sign their values alone",
            Self::PathForm => {
                "the path was signed in another form: sign it as it is requested, from /v2/origin/custom on, with a slash before it and none behind it"
            }
            Self::OtherPath => {
                "the path of another operation was signed: sign the path of this very request"
            }
            Self::FullUrl => "the full address was signed: sign the path alone, from /v2 on",
            Self::Query => "the query was signed: sign the path alone, without ? and what follows",
            Self::TypeLeftOut => {
                "Content-Type was left out of what was signed: it is the third part"
            }
            Self::TypeChanged => {
                "another Content-Type was signed than was sent: sign the header exactly as it leaves (some HTTP libraries add a charset)"
            }
            Self::DateLeftOut => {
                "Date was left out: send the header, and sign the same text as the fourth part"
            }
            Self::DateMissing => {
                "there is no Date header: send one, and sign the same text as the fourth part (browsers do not let scripts set it: sign and send from a server)"
            }
            Self::DateTwice => {
                "another Date was signed than was sent, a moment apart: take the time once, for the header and for what is signed"
            }
            Self::DateUnreadable => {
                "the signature is right, but Date cannot be read: write it as in Wed, 15 Dec 2021 23:12:55 +0000"
            }
            Self::DateOutside { .. } => "Date is too far from our clock",
            Self::Md5LeftOut => {
                "Content-MD5 was left out of what was signed: it is the second part"
            }
            Self::Md5Missing => {
                "the canonical text was signed, but there is no Content-MD5 header: send it as well"
            }
            Self::Md5Base64 => {
                "Content-MD5 is in base64: write it in lower-case hexadecimal, in the header and in what is signed"
            }
            Self::Md5UpperCase => {
                "Content-MD5 is in upper case: write it in lower case, in the header and in what is signed"
            }
            Self::Md5OfSomethingElse => "Content-MD5 is not the MD5 of the body that was sent",
            Self::Md5Alone => {
                "an MD5 alone was signed: sign METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath, or the raw body"
            }
            Self::BodyAndMd5 => {
                "body and MD5 were signed together: sign METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath"
            }
        }
    }
}
