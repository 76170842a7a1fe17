//! The text of a document in the editor, and the edits that the user makes in it.

use std::rc::Rc;

/// The text of a document. Only the line ends of a text in which every line ends with CRLF are one character in the editor.
#[derive(Debug, Default)]
pub struct EditedText {
    text: Rc<str>,
    has_crlf: bool,
}

/// A stretch of a text, in the order of the text. Lengths are those of the editor: UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// It stays.
    Kept(usize),
    /// Lines stand in its place.
    Replaced(usize, Vec<String>),
}

impl EditedText {
    /// The document with that text.
    pub fn new(text: &Rc<str>) -> Self {
        let crlf = text.matches("\r\n").count();
        Self { text: text.clone(), has_crlf: crlf > 0 && crlf == text.matches('\n').count() }
    }

    /// Changes the text, and gives the new one.
    pub fn edit(&mut self, stretches: &[Stretch]) -> Rc<str> {
        let end = if self.has_crlf { "\r\n" } else { "\n" };
        let mut edited = String::with_capacity(self.text.len() + 64);
        let mut at = 0;
        for stretch in stretches {
            let (Stretch::Kept(length) | Stretch::Replaced(length, _)) = stretch;
            let next = self.skip(at, *length);
            match stretch {
                Stretch::Kept(_) => edited.push_str(self.text.get(at..next).unwrap_or_default()),
                Stretch::Replaced(_, lines) => edited.push_str(&lines.join(end)),
            }
            at = next;
        }
        self.text = edited.into();
        self.text.clone()
    }

    /// The byte that lies so many UTF-16 units behind one.
    fn skip(&self, at: usize, mut units: usize) -> usize {
        let bytes = self.text.as_bytes().iter().enumerate().skip(at);
        for (at, byte) in bytes {
            // The other bytes of a character count nothing, and one of four bytes is two units.
            let width = match byte {
                0x80..0xC0 => 0,
                b'\r' if self.has_crlf => 0,
                0xF0.. => 2,
                _ => 1,
            };
            if width > units || (units == 0 && (*byte == b'\r' || width > 0)) {
                return at;
            }
            units -= width;
        }
        self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, stretches: &[Stretch]) -> String {
        EditedText::new(&text.into()).edit(stretches).to_string()
    }

    fn lines(length: usize, lines: &[&str]) -> Stretch {
        Stretch::Replaced(length, lines.iter().map(|it| (*it).to_owned()).collect())
    }

    #[test]
    fn lengths_are_utf_16_units() {
        let text = "😀é: 1\nb: 2\n";
        assert_eq!(edited(text, &[Stretch::Kept(3), lines(0, &["x"]), Stretch::Kept(9)]), "😀éx: 1\nb: 2\n");
        assert_eq!(
            edited(text, &[lines(2, &[]), Stretch::Kept(4), lines(1, &[" "]), Stretch::Kept(5)]),
            "é: 1 b: 2\n"
        );
        assert_eq!(edited("", &[lines(0, &["a", "b"])]), "a\nb");
    }

    #[test]
    fn new_lines_end_as_those_of_the_file() {
        let text = "a\r\nb\r\n";
        assert_eq!(
            edited(text, &[Stretch::Kept(1), lines(0, &["", ""]), Stretch::Kept(3)]),
            "a\r\n\r\nb\r\n"
        );
        assert_eq!(edited(text, &[Stretch::Kept(1), lines(1, &[]), Stretch::Kept(2)]), "ab\r\n");
        assert_eq!(edited(text, &[Stretch::Kept(2), lines(2, &["c"])]), "a\r\nc");
        let mixed = "a\r\nb\n";
        assert_eq!(edited(mixed, &[Stretch::Kept(5), lines(0, &["", "c"])]), "a\r\nb\n\nc");
        assert_eq!(edited(mixed, &[Stretch::Kept(1), lines(1, &[]), Stretch::Kept(3)]), "a\nb\n");
    }
}
