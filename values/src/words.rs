//! Closed sets of words: enums that are stored, sent and typed as one word each.

use std::fmt;

/// The text is none of the words of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordError(
    /// The words of the set.
    pub &'static [&'static str],
);

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.0.len().saturating_sub(1);
        for (at, word) in self.0.iter().enumerate() {
            let before = match at {
                0 => "write ",
                at if at == last => " or ",
                _ => ", ",
            };
            write!(f, "{before}\"{word}\"")?;
        }
        Ok(())
    }
}

impl std::error::Error for WordError {}

/// Declares enums whose cases are one word each, in stored records, on the wire, in `config.toml` and on the command line.
#[macro_export]
macro_rules! words {
    ($($(#[$doc:meta])* pub enum $name:ident { $($(#[$case_doc:meta])* $case:ident = $word:literal),+ $(,)? })+) => {$(
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[schemars(inline)]
        $(#[$doc])*
        pub enum $name { $($(#[$case_doc])* #[serde(rename = $word)] $case),+ }

        impl $name {
            /// The words.
            pub const WORDS: [&'static str; { [$($word),+].len() }] = [$($word),+];
            /// All of them, by their words.
            pub const NAMES: [(&'static str, Self); Self::WORDS.len()] = [$(($word, Self::$case)),+];
            /// All of them.
            pub const ALL: [Self; Self::WORDS.len()] = [$(Self::$case),+];

            /// The word that stands for it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$case => $word),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::words::WordError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok(Self::$case),)+
                    _ => Err($crate::words::WordError(&Self::WORDS)),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+};
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro declares public sets")]
mod tests {
    words! {
        /// A language of a test.
        pub enum Lang {
            /// English.
            En = "en",
            /// Spanish.
            Es = "es",
            /// Russian.
            Ru = "ru",
        }
    }

    #[test]
    fn a_variant_has_the_same_word_everywhere() {
        for (word, case) in Lang::NAMES {
            assert_eq!(word.parse(), Ok(case));
            assert_eq!((case.as_str(), case.to_string().as_str()), (word, word));
            assert_eq!(serde_json::to_value(case).unwrap(), word);
            assert_eq!(serde_json::from_value::<Lang>(word.into()).unwrap(), case);
        }
        assert_eq!(Lang::ALL.map(Lang::as_str), Lang::WORDS);
    }

    #[test]
    fn an_unknown_word_is_answered_with_the_known_ones() {
        for text in ["", "En", "english", "en "] {
            let error = text.parse::<Lang>().unwrap_err();
            assert_eq!(error.to_string(), "write \"en\", \"es\" or \"ru\"");
        }
    }
}
