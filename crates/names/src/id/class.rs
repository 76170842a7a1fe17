/// The ASCII characters that one place of an id may have. Ids with other characters are left to the regex engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Class {
    /// A bit for each byte; those of bytes from 128 on are never set.
    bytes: [u64; 4],
}

impl Class {
    pub(crate) fn of(bytes: impl IntoIterator<Item = u8>) -> Self {
        let mut class = Self::default();
        bytes.into_iter().for_each(|byte| class.insert(byte));
        class
    }

    fn insert(&mut self, byte: u8) {
        if let (true, Some(word)) = (byte.is_ascii(), self.bytes.get_mut(usize::from(byte >> 6))) {
            *word |= 1 << (byte & 63);
        }
    }

    /// True if the class has this byte. Bytes of characters outside of ASCII it never has.
    pub(crate) fn has(&self, byte: u8) -> bool {
        self.bytes.get(usize::from(byte >> 6)).is_some_and(|word| (word >> (byte & 63)) & 1 == 1)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self::of((0..128).filter(|byte| self.has(*byte) || other.has(*byte)))
    }

    /// The ASCII characters that the class does not have.
    pub(crate) fn complement(self) -> Self {
        Self::of((0..128).filter(|byte| !self.has(*byte)))
    }

    /// Its ASCII characters in ascending order.
    pub(crate) fn bytes(&self) -> impl Iterator<Item = u8> {
        (0..128).filter(|byte| self.has(*byte))
    }

    /// `\d`, `\w`, `\s` and their complements. As in Go they are ASCII classes.
    pub(crate) fn of_escape(letter: u8) -> Option<Self> {
        let class = match letter.to_ascii_lowercase() {
            b'd' => Self::of(b'0'..=b'9'),
            b'w' => Self::of((0..128).filter(|it: &u8| it.is_ascii_alphanumeric() || *it == b'_')),
            b's' => Self::of(*b"\t\n\x0b\x0c\r "),
            _ => return None,
        };
        Some(if letter.is_ascii_uppercase() { class.complement() } else { class })
    }

    /// The class of `.`: everything but the end of a line.
    pub(crate) fn any() -> Self {
        Self::of([b'\n']).complement()
    }
}
