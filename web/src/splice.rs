//! The change that an edit makes in a text.

use serde::{Deserialize, Serialize};

/// A stretch of a text, in bytes, and what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// The start of the replaced range, in bytes.
    pub from: usize,
    /// The end of the replaced range, in bytes, exclusive.
    pub to: usize,
    /// The text that replaces it.
    pub text: String,
}

impl Splice {
    /// The splice that turns one text into another, without their common beginning and end.
    pub fn between(old: &str, new: &str) -> Self {
        let mut from = old.bytes().zip(new.bytes()).take_while(|(old, new)| old == new).count();
        while !old.is_char_boundary(from) || !new.is_char_boundary(from) {
            from -= 1;
        }
        let rest = old.len().min(new.len()) - from;
        let ends = old.bytes().rev().zip(new.bytes().rev()).take(rest);
        let mut end = ends.take_while(|(old, new)| old == new).count();
        while !old.is_char_boundary(old.len() - end) || !new.is_char_boundary(new.len() - end) {
            end -= 1;
        }
        let text = new.get(from..new.len() - end).unwrap_or_default().to_owned();
        Self { from, to: old.len() - end, text }
    }

    /// The text after the change; a range outside the text counts as its end.
    pub fn apply(&self, old: &str) -> String {
        let (before, after) = (old.get(..self.from), old.get(self.to..));
        [before.unwrap_or_default(), &self.text, after.unwrap_or_default()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_in_a_splice() {
        for (old, new, text) in [
            ("", "", ""),
            ("", "all", "all"),
            ("all", "", ""),
            ("one two three", "one 2 three", "2"),
            ("aaa", "aaaa", "a"),
            ("aaaa", "aaa", ""),
            ("grün", "grau", "au"),
            ("naïve", "naive", "i"),
            ("é", "è", "è"),
            ("日本", "日曜", "曜"),
        ] {
            let splice = Splice::between(old, new);
            assert_eq!((&*splice.text, &*splice.apply(old)), (text, new), "{old} {new}");
        }
    }
}
