//! The text of a body in another character set than UTF-8, signed or sent.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, IBM866, ISO_8859_2, ISO_8859_5, KOI8_R, MACINTOSH,
    SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253,
    WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};
use unicode_normalization::UnicodeNormalization;

use crate::candidates::search::Search;
use crate::mistake::Mistake;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The character sets that programs take for UTF-8, with the names that programs know them by.
static SETS: [(&str, &Encoding); 21] = [
    ("Windows-1251", WINDOWS_1251),
    ("Windows-1252", WINDOWS_1252),
    ("KOI8-R", KOI8_R),
    ("IBM866", IBM866),
    ("ISO-8859-5", ISO_8859_5),
    ("Windows-1250", WINDOWS_1250),
    ("ISO-8859-2", ISO_8859_2),
    ("Windows-1253", WINDOWS_1253),
    ("Windows-1254", WINDOWS_1254),
    ("Windows-1255", WINDOWS_1255),
    ("Windows-1256", WINDOWS_1256),
    ("Windows-1257", WINDOWS_1257),
    ("Windows-1258", WINDOWS_1258),
    ("Windows-874", WINDOWS_874),
    ("Mac Roman", MACINTOSH),
    ("GB18030", GB18030),
    ("Big5", BIG5),
    ("Shift_JIS", SHIFT_JIS),
    ("EUC-JP", EUC_JP),
    ("EUC-KR", EUC_KR),
    ("UTF-8", UTF_8),
];

/// The replacement of a letter that a character set does not have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    QuestionMark,
    Nothing,
}

/// The mistake, if the signer or the sender took another character set.
pub(super) fn with_another_set(body: &[u8], search: &Search<'_>) -> Option<Mistake> {
    let with_mark = [MARK, body].concat();
    let without_mark = body.strip_prefix(MARK);
    if search.is(&with_mark) || without_mark.is_some_and(|rest| search.is(rest)) {
        return Some(Mistake::ByteOrderMark);
    }
    let Ok(text) = std::str::from_utf8(body) else {
        return sent_in_another_set(body, search);
    };
    if let Some(mistake) = in_wide_units(text, search) {
        return Some(mistake);
    }
    if text.is_ascii() {
        return None;
    }
    if ascii(text).iter().any(|bytes| search.is(bytes)) {
        return Some(Mistake::Ascii);
    }
    if twice(text).iter().any(|bytes| search.is(bytes)) {
        return Some(Mistake::EncodedTwice);
    }
    let normal = [text.nfc().collect::<String>(), text.nfd().collect()];
    let mut others = normal.iter().filter(|other| other.as_str() != text);
    if others.any(|other| search.is(other.as_bytes())) {
        return Some(Mistake::OtherNormalForm);
    }
    in_one_of_the_sets(text, search)
}

fn in_one_of_the_sets(text: &str, search: &Search<'_>) -> Option<Mistake> {
    for missing in [Missing::QuestionMark, Missing::Nothing] {
        if search.is(&latin1(text, missing)) {
            return Some(Mistake::SignedIn { set: "ISO-8859-1" });
        }
        for (set, encoding) in SETS {
            let encoded = encoded(text, encoding, missing);
            if encoded.is_some_and(|bytes| search.is(&bytes)) {
                return Some(Mistake::SignedIn { set });
            }
        }
    }
    search.is(&cesu8(text)).then_some(Mistake::SignedIn {
        set: "CESU-8, the modified UTF-8 of Java",
    })
}

/// UTF-16 and UTF-32 in both orders of bytes, with and without their mark.
fn in_wide_units(text: &str, search: &Search<'_>) -> Option<Mistake> {
    let with_mark = format!("\u{feff}{text}");
    let mut texts = [text, &with_mark].into_iter();
    texts.find_map(|text| {
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        if search.is(&little) || search.is(&big) {
            return Some(Mistake::SignedIn { set: "UTF-16" });
        }
        let letters = || text.chars().map(u32::from);
        let little: Vec<u8> = letters().flat_map(u32::to_le_bytes).collect();
        let big: Vec<u8> = letters().flat_map(u32::to_be_bytes).collect();
        (search.is(&little) || search.is(&big)).then_some(Mistake::SignedIn { set: "UTF-32" })
    })
}

/// ASCII in the ways in which programs replace what it does not have: a question mark, for each letter, each byte or each
/// unit of UTF-16; nothing; U+FFFD.
fn ascii(text: &str) -> [Vec<u8>; 6] {
    let per = |marks: fn(char) -> usize, mark: &str| {
        let mut bytes = Vec::with_capacity(text.len());
        for letter in text.chars() {
            if letter.is_ascii() {
                bytes.extend(letter.to_string().into_bytes());
            } else {
                bytes.extend(mark.repeat(marks(letter)).into_bytes());
            }
        }
        bytes
    };
    [
        per(|_| 1, "?"),
        per(char::len_utf8, "?"),
        per(char::len_utf16, "?"),
        per(|_| 0, "?"),
        per(|_| 1, "\u{fffd}"),
        per(char::len_utf8, "\u{fffd}"),
    ]
}

/// The text encoded once more, as if its bytes were letters of a set of one byte each; and with one such encoding undone.
fn twice(text: &str) -> Vec<Vec<u8>> {
    let as_latin1: String = text.bytes().map(char::from).collect();
    let (as_windows, _) = WINDOWS_1252.decode_without_bom_handling(text.as_bytes());
    let mut others = vec![as_latin1.into_bytes(), as_windows.into_owned().into_bytes()];
    let latin1_bytes: Result<Vec<u8>, _> = text
        .chars()
        .map(|letter| u8::try_from(u32::from(letter)))
        .collect();
    let original = latin1_bytes.ok().or_else(|| {
        let (bytes, _, has_missing) = WINDOWS_1252.encode(text);
        (!has_missing).then(|| bytes.into_owned())
    });
    others.extend(original.filter(|bytes| std::str::from_utf8(bytes).is_ok()));
    others
}

fn latin1(text: &str, missing: Missing) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match u8::try_from(u32::from(letter)) {
            Ok(byte) => bytes.push(byte),
            Err(_) if missing == Missing::QuestionMark => bytes.push(b'?'),
            Err(_) => {}
        }
    }
    bytes
}

/// The text in a set; `None` if it has nothing of the text but ASCII, or if this gives the text itself.
fn encoded(text: &str, set: &'static Encoding, missing: Missing) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut has_letters = false;
    let mut buffer = [0; 4];
    for letter in text.chars() {
        if letter.is_ascii() {
            bytes.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
            continue;
        }
        let (written, _, is_missing) = set.encode(letter.encode_utf8(&mut buffer));
        if !is_missing {
            has_letters = true;
            bytes.extend_from_slice(&written);
        } else if missing == Missing::QuestionMark {
            bytes.push(b'?');
        }
    }
    (has_letters && bytes != text.as_bytes()).then_some(bytes)
}

/// UTF-8 in which each half of a surrogate pair is a letter.
fn cesu8(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        let mut buffer = [0; 4];
        if letter.len_utf16() == 1 {
            bytes.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            let [high, low] = unit.to_be_bytes();
            bytes.extend([
                0xe0 | (high >> 4),
                0x80 | ((high & 0x0f) << 2) | (low >> 6),
                0x80 | (low & 0x3f),
            ]);
        }
    }
    bytes
}

/// The body is no UTF-8: the signature may be that of its text in UTF-8.
fn sent_in_another_set(body: &[u8], search: &Search<'_>) -> Option<Mistake> {
    let latin1: String = body.iter().copied().map(char::from).collect();
    if search.is(latin1.as_bytes()) {
        return Some(Mistake::SentIn { set: "ISO-8859-1" });
    }
    SETS.into_iter().find_map(|(set, encoding)| {
        let (text, has_errors) = encoding.decode_without_bom_handling(body);
        (!has_errors && search.is(text.as_bytes())).then_some(Mistake::SentIn { set })
    })
}
