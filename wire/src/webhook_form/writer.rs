//! The writer of forms with bracket keys.

use std::fmt::{self, Display, Write};

/// A form, and the place in it that is written now.
#[derive(Default)]
pub(super) struct FormWriter {
    form: String,
    /// The keys around that place, encoded.
    around: String,
}

impl FormWriter {
    /// The form.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.form.into_bytes()
    }

    /// Writes a value.
    pub(super) fn put(&mut self, key: impl Display, value: impl Display) {
        self.within(key, |form| {
            if !form.form.is_empty() {
                form.form.push('&');
            }
            form.form.push_str(&form.around);
            form.form.push('=');
            encode(&mut form.form, value);
        });
    }

    /// Writes a value, if there is one.
    pub(super) fn put_some(&mut self, key: impl Display, value: Option<impl Display>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    /// Writes a flag.
    pub(super) fn put_flag(&mut self, key: impl Display, flag: bool) {
        self.put(key, u8::from(flag));
    }

    /// Writes the values of an object.
    pub(super) fn within(&mut self, key: impl Display, write: impl FnOnce(&mut Self)) {
        let length = self.around.len();
        if length == 0 {
            encode(&mut self.around, key);
        } else {
            encode(&mut self.around, format_args!("[{key}]"));
        }
        write(self);
        self.around.truncate(length);
    }

    /// Writes the objects of a list.
    pub(super) fn each<T>(
        &mut self,
        key: impl Display,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.within(key, |form| {
            for (index, item) in items.into_iter().enumerate() {
                form.within(index, |form| write(form, item));
            }
        });
    }

    /// Writes a list of one value.
    pub(super) fn put_only(&mut self, key: impl Display, value: impl Display) {
        self.within(key, |form| form.put(0, value));
    }
}

fn encode(form: &mut String, value: impl Display) {
    #[expect(clippy::expect_used, reason = "a text takes every character")]
    write!(Encoder(form), "{value}").expect("a text takes every character");
}

/// Encodes as PHP does: of the characters without a meaning of their own, `*` and `~` are encoded too.
struct Encoder<'f>(&'f mut String);

impl Write for Encoder<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
                    self.0.push(char::from(byte));
                }
                b' ' => self.0.push('+'),
                _ => {
                    self.0.push('%');
                    self.0.push(digit(byte >> 4));
                    self.0.push(digit(byte & 15));
                }
            }
        }
        Ok(())
    }
}

/// The hexadecimal digit of a number below 16.
fn digit(value: u8) -> char {
    char::from(match value {
        0..10 => b'0'.saturating_add(value),
        10.. => b'A'.saturating_add(value.saturating_sub(10)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_nest_in_brackets_and_lists_count() {
        let mut form = FormWriter::default();
        form.put("a", 1);
        form.within("b", |form| {
            form.put_flag("c", true);
            form.each("d", ["x", "y"], |form, text| form.put("e", text));
            form.put_some("f", None::<u64>);
            form.put_only("g", 7);
        });
        form.put("h", "");
        assert_eq!(
            String::from_utf8(form.into_bytes()).unwrap(),
            "a=1&b%5Bc%5D=1&b%5Bd%5D%5B0%5D%5Be%5D=x&b%5Bd%5D%5B1%5D%5Be%5D=y&b%5Bg%5D%5B0%5D=7&h="
        );
    }

    #[test]
    fn each_byte_is_encoded_as_php_does() {
        let mut form = FormWriter::default();
        form.put("a", "aZ09-._ ~*+&=[]%é\0\n");
        assert_eq!(
            String::from_utf8(form.into_bytes()).unwrap(),
            "a=aZ09-._+%7E%2A%2B%26%3D%5B%5D%25%C3%A9%00%0A"
        );
    }
}
