/// The offset in bytes of each character of a text.
///
/// Free for ASCII; otherwise a table with one entry for each other character.
#[derive(Clone, Debug)]
pub(crate) struct Offsets {
    len: usize,
    /// After each character that is not ASCII: how many characters and how many bytes are before that place.
    after_wide: Vec<(u32, u32)>,
}

impl Offsets {
    pub(crate) fn new(text: &str) -> Self {
        let mut after_wide = Vec::new();
        if !text.is_ascii() {
            for (idx, (at, character)) in text.char_indices().enumerate() {
                if !character.is_ascii() {
                    after_wide.push((idx as u32 + 1, (at + character.len_utf8()) as u32));
                }
            }
        }
        Self { len: text.len(), after_wide }
    }

    /// The byte at which the character with this index starts; the text's length past the end.
    pub(crate) fn byte(&self, character: usize) -> usize {
        let idx = self.after_wide.partition_point(|(characters, _)| *characters as usize <= character);
        let byte = match idx.checked_sub(1).map(|idx| self.after_wide[idx]) {
            Some((characters, bytes)) => bytes as usize + (character - characters as usize),
            None => character,
        };
        byte.min(self.len)
    }

    /// The number of characters before a byte that starts one.
    pub(crate) fn character(&self, byte: usize) -> usize {
        let idx = self.after_wide.partition_point(|(_, bytes)| *bytes as usize <= byte);
        match idx.checked_sub(1).map(|idx| self.after_wide[idx]) {
            Some((characters, bytes)) => characters as usize + (byte - bytes as usize),
            None => byte,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_bytes_agree_with_char_indices() {
        for text in ["", "abc", "é", "aéb", "日本 語\n🦀x", "a\u{feff}b"] {
            let offsets = Offsets::new(text);
            for (character, (byte, _)) in text.char_indices().enumerate() {
                assert_eq!(offsets.byte(character), byte, "{text:?}");
                assert_eq!(offsets.character(byte), character, "{text:?}");
            }
            assert_eq!(offsets.byte(text.chars().count()), text.len());
            assert_eq!(offsets.byte(1_000), text.len());
        }
    }
}
