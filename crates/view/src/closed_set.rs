//! The definition of a closed set in one place: an enum, the word of each value in JSON and TypeScript, and the conversions
//! between them.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};

/// Defines an enum whose values are words in JSON.
///
/// It gets `ALL`, `WORDS`, `as_str`, `label`, `named`, `Display`, `Serialize` and `Deserialize`; the words are the only text of its
/// that anything outside sees.
macro_rules! closed_set {
    ($(#[$set:meta])* $name:ident { $($(#[$value:meta])* $variant:ident = $word:literal,)+ }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        $(#[$set])*
        pub enum $name {
            $($(#[$value])* #[cfg_attr(feature = "typescript", ts(rename = $word))] $variant,)+
        }

        impl $name {
            /// All values, in the order in which they are declared.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Their words, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word of the value, as JSON has it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The word with spaces, for people.
            pub fn label(self) -> String {
                self.as_str().replace('_', " ")
            }

            /// The value that has this word.
            pub fn named(word: &str) -> Option<Self> {
                let at = Self::WORDS.iter().position(|it| *it == word)?;
                Self::ALL.get(at).copied()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let at = $crate::closed_set::position(Self::WORDS, deserializer)?;
                Self::ALL.get(at).copied().ok_or_else(|| serde::de::Error::custom("no such value"))
            }
        }
    };
}

pub(crate) use closed_set;

/// Reads a word and says which of these it is. One function for all sets: a module holds it once for each format.
///
/// # Errors
/// Another word, or something that is not text.
pub(crate) fn position<'de, D: Deserializer<'de>>(
    words: &'static [&'static str],
    deserializer: D,
) -> Result<usize, D::Error> {
    deserializer.deserialize_str(Position(words))
}

struct Position(&'static [&'static str]);

impl Visitor<'_> for Position {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", self.0.join(", "))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<usize, E> {
        self.0.iter().position(|it| *it == word).ok_or_else(|| E::unknown_variant(word, self.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::Action;

    #[test]
    fn a_value_is_its_word_in_json() {
        for (action, word) in Action::ALL.iter().zip(Action::WORDS) {
            assert_eq!(action.as_str(), *word);
            assert_eq!(Action::named(word), Some(*action));
            assert_eq!(serde_json::to_value(action).expect("JSON"), *word);
            assert_eq!(serde_json::from_value::<Action>((*word).into()).expect("an action"), *action);
        }
    }

    #[test]
    fn another_word_is_an_error_that_names_the_right_ones() {
        let wrong = serde_json::from_str::<Action>("\"delete\"").expect_err("no action");
        assert!(wrong.to_string().contains("unknown variant `delete`, expected one of `create`"), "{wrong}");
        assert!(serde_json::from_str::<Action>("7").is_err());
    }
}
