//! The mistakes that are recognised, and what to do about each.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

/// Declares the mistakes of signers: each with its name, and what to do about it.
macro_rules! mistakes {
    ($($(#[$about:meta])* $name:ident $({ $(#[$says:meta])* $field:ident: $kind:ty })? $hint:literal)+) => {
        /// A mistake of a signer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
        #[serde(tag = "code", rename_all = "snake_case")]
        pub enum Mistake {
            $($(#[$about])* $name $({ $(#[$says])* $field: $kind })?,)+
        }

        impl Mistake {
            /// The remedy, with places for what it names.
            fn sentence(self) -> &'static str {
                match self {
                    $(Self::$name $({ $field: _ })? => $hint,)+
                }
            }
        }
    };
}

mistakes! {
    /// There is no `X-Signature`, or it is empty.
    Missing
        "there is no X-Signature header: send the hex HMAC-SHA1 of the raw body, or of METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath, keyed with the channel's secret"
    /// The right digest in base64.
    Base64
        "the digest is right, but it is in base64: send it in hexadecimal"
    /// The right digest with something around it, such as `sha1=`.
    Prefixed
        "the digest is right, but something stands around it: send the 40 hexadecimal digits alone"
    /// The right digest with something between its digits.
    Dashes
        "the digest is right, but something stands between its digits: send the 40 hexadecimal digits alone (in C#, BitConverter.ToString puts dashes there)"
    /// The header holds no digest in any form.
    NoDigest { #[doc = "The length of the header in bytes."] length: usize }
        "a signature has 40 hexadecimal digits: this has {length} characters"
    /// The secret was decoded from hexadecimal before it was used.
    HexDecodedSecret
        "the secret was decoded from hexadecimal: use its characters as they are, as the key"
    /// The secret was used with a line end at its end.
    SecretWithNewline
        "the secret was used with a newline at its end: trim what you read it from"
    /// The secret was used with a space or a quotation mark around it.
    SecretDecorated
        "the secret was used with a space or a quotation mark around it: use its characters alone"
    /// The secret was used in another case.
    SecretInOtherCase
        "the secret was used in another case: use its characters as they are"
    /// The channel's id was used as the key.
    ChannelIdAsKey
        "the id of the channel was used as the key: the channel's secret is the key"
    /// The account's id, or that of the scope, was used as the key.
    AccountIdAsKey
        "the id of the account or of the scope was used as the key: the channel's secret is the key"
    /// SHA-256 in place of SHA-1.
    Sha256
        "this is HMAC-SHA256: use HMAC-SHA1"
    /// MD5 in place of SHA-1.
    HmacMd5
        "this is HMAC-MD5: use HMAC-SHA1"
    /// A plain hash in place of an HMAC.
    PlainHash
        "this is a plain hash: use HMAC-SHA1 with the secret as the key"
    /// Key and message in each other's place.
    Swapped
        "key and message are in each other's place: the secret is the key"
    /// A line end at the end of the body was signed and not sent, or sent and not signed.
    TrailingNewline
        "the body was signed with another line end than it was sent with: sign exactly the bytes that you send"
    /// The body was left out of what was signed.
    EmptyBody
        "an empty body was signed: sign the bytes that you send"
    /// Another form of the same JSON was signed: other blanks, other escapes, another order of keys.
    Reserialised
        "another form of the same JSON was signed, with other blanks, escapes or order of keys: make the body once, then sign and send the same bytes"
    /// The body was made a JSON string once more, before it was signed or before it was sent.
    Stringified
        "the body was made a JSON string once more: make it once, then sign and send the same bytes"
    /// The text was signed in ASCII, with something else for all other letters.
    Ascii
        "the body was signed in ASCII, with another sign in place of each other letter: sign the UTF-8 bytes that you send"
    /// The text was signed in another character set than UTF-8.
    SignedIn { #[doc = "Its name."] set: &'static str }
        "the body was signed in {set}: sign the UTF-8 bytes that you send"
    /// The text was signed in UTF-8 and sent in another character set.
    SentIn { #[doc = "Its name."] set: &'static str }
        "the body was signed in UTF-8 and sent in {set}: send the UTF-8 bytes that you sign"
    /// A byte order mark was signed and not sent, or sent and not signed.
    ByteOrderMark
        "the body has a byte order mark in what was signed or in what was sent, and not in the other: leave the mark out, then sign and send the same bytes"
    /// The text was encoded as UTF-8 twice, before it was signed or before it was sent.
    EncodedTwice
        "the text was encoded as UTF-8 twice, in what was signed or in what was sent: encode it once, then sign and send the same bytes"
    /// Letters with marks were signed in the other of the two forms that Unicode has for them.
    OtherNormalForm
        "letters with marks were signed in another form of Unicode (NFC, NFD) than they were sent in: sign the bytes that you send"
    /// The body was signed in base64 or in hexadecimal.
    InLetters
        "base64 or hexadecimal digits of the body were signed: sign the bytes of the body that you send"
    /// The body was compressed after it was signed.
    SignedPlainAndSentCompressed
        "the body was signed before it was compressed: send it without Content-Encoding, as the bytes that you sign"
    /// The body was signed with escapes of HTML.
    HtmlEscapes
        "the body was signed with escapes of HTML (&quot;, &#1062;): sign the bytes that you send"
    /// The body was signed with escapes of addresses.
    PercentEscapes
        "the body was signed with the escapes of addresses (%22): sign the bytes that you send"
    /// The signed text is Python's print of an object.
    PrintedObject
        "the object was signed as Python prints it, with single quotes: make JSON of it once, then sign and send the same bytes"
    /// A part of the body was signed, such as `payload`.
    PartOfBody
        "a part of the body was signed: sign the whole body, from the first byte to the last"
    /// The raw body was signed where the canonical signature is asked for.
    RawBody
        "this is the signature of the raw body: here METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath has to be signed"
    /// The canonical text was signed where the channel takes the raw body only.
    NotRawBody
        "this channel is set to the 2019 generation: sign the raw body alone"
    /// The parts were joined with something else than a newline.
    Separator
        "the five parts were not joined with a newline: join them with the one byte 0x0A (in PHP, \"\\n\" in double quotes)"
    /// A newline was signed behind the last part.
    NewlineAtEnd
        "a newline was signed behind the path: nothing may follow it"
    /// The parts were signed in another order.
    Order
        "the parts were signed in another order: METHOD, Content-MD5, Content-Type, Date, path"
    /// The method was signed in lower case.
    MethodLowerCase
        "the method was signed in lower case: write it in upper case"
    /// Another method was signed than was asked with.
    OtherMethod
        "another method was signed than was used: sign the method of this very request"
    /// The names of the headers were signed with their values.
    HeaderNames
        "the names of the headers were signed: sign their values alone"
    /// The path was signed without its beginning, or with other slashes around it.
    PathForm
        "the path was signed in another form: sign it as it is requested, from /v2/origin/custom on, with a slash before it and none behind it"
    /// The path of another operation was signed.
    OtherPath
        "the path of another operation was signed: sign the path of this very request"
    /// More than the path was signed: scheme and host.
    FullUrl
        "the full address was signed: sign the path alone, from /v2 on"
    /// More than the path was signed: the query.
    Query
        "the query was signed: sign the path alone, without ? and what follows"
    /// The `Content-Type` was left out.
    TypeLeftOut
        "Content-Type was left out of what was signed: it is the third part"
    /// Another `Content-Type` was signed than was sent.
    TypeChanged
        "another Content-Type was signed than was sent: sign the header exactly as it leaves (some HTTP libraries add a charset)"
    /// The `Date` was left out, of what was signed or of what was sent.
    DateLeftOut
        "Date was left out: send the header, and sign the same text as the fourth part"
    /// There is no `Date` where there has to be one.
    DateMissing
        "there is no Date header: send one, and sign the same text as the fourth part (browsers do not let scripts set it: sign and send from a server)"
    /// The `Date` that was signed is a moment away from the one that was sent.
    DateTwice
        "another Date was signed than was sent, a moment apart: take the time once, for the header and for what is signed"
    /// The `Date` has neither of the two forms.
    DateUnreadable
        "the signature is right, but Date cannot be read: write it as in Wed, 15 Dec 2021 23:12:55 +0000"
    /// The `Date` is too far from our clock.
    DateOutside { #[doc = "The distance in seconds; negative when `Date` is in the past."] seconds: i64 }
        "the signature is right, but Date is {minutes} minutes {direction} our clock, and may be off by 15 at most: sign anew with each request, and set the clock of the machine"
    /// The `Content-MD5` was left out of what was signed.
    Md5LeftOut
        "Content-MD5 was left out of what was signed: it is the second part"
    /// The `Content-MD5` was signed and not sent.
    Md5Missing
        "the canonical text was signed, but there is no Content-MD5 header: send it as well"
    /// The MD5 is in base64.
    Md5Base64
        "Content-MD5 is in base64: write it in lower-case hexadecimal, in the header and in what is signed"
    /// The MD5 is in upper case.
    Md5UpperCase
        "Content-MD5 is in upper case: write it in lower case, in the header and in what is signed"
    /// The MD5 is that of other bytes.
    Md5OfSomethingElse
        "Content-MD5 is not the MD5 of the body that was sent"
    /// Body and MD5 were signed, one behind the other.
    BodyAndMd5
        "body and MD5 were signed together: sign METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath"
    /// Nothing but an MD5 was signed: that of the body, or of method and path.
    Md5Alone
        "an MD5 alone was signed: sign METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath, or the raw body"
}

/// The extent of the comparison with the known mistakes, none of which explains a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unexplained {
    /// All that is known.
    All,
    /// Of a long body, some spellings only.
    SomeSpellings,
    /// The body is too long.
    Nothing,
}

impl Unexplained {
    /// Returns the advice.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            Self::All => {
                "no known mistake explains it: compare the secret, the bytes of the body and each header with what you sent"
            }
            Self::SomeSpellings => {
                "none of the most frequent mistakes explains it (of bodies of more than 4 KiB, the check compares some spellings only): compare the secret, the bytes of the body and each header with what you sent"
            }
            Self::Nothing => {
                "the check for known mistakes covers bodies of up to 16 KiB only: compare the secret, the bytes of the body and each header with what you sent"
            }
        }
    }
}

impl Mistake {
    /// Returns the advice.
    #[must_use]
    pub fn hint(self) -> Cow<'static, str> {
        let sentence = self.sentence();
        if let Self::NoDigest { length } = self {
            return match length {
                40 => Cow::Borrowed(
                    "a signature has 40 hexadecimal digits: among these 40 characters are others",
                ),
                length => sentence.replace("{length}", &length.to_string()).into(),
            };
        }
        if let Self::SignedIn { set } | Self::SentIn { set } = self {
            return sentence.replace("{set}", set).into();
        }
        let Self::DateOutside { seconds } = self else {
            return Cow::Borrowed(sentence);
        };
        // To the nearest one: an offset of hours reads as such.
        let minutes = seconds.unsigned_abs().saturating_add(30) / 60;
        let direction = if seconds < 0 { "behind" } else { "ahead of" };
        let sentence = sentence.replace("{minutes}", &minutes.to_string());
        sentence.replace("{direction}", direction).into()
    }
}
