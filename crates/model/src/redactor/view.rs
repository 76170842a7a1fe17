//! A text as it reads once something in it is decoded or left out, and the way back.

/// Bytes of a text: from, and to before.
pub(super) type Span = (usize, usize);

/// A text that was made from another one, and where its bytes come from.
#[derive(Default)]
pub(super) struct View {
    pub(super) bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

/// The bytes of a view from `at` on, to where the next piece begins. They are those of the other text from `from` to `to`
/// one by one, if these are as many; else they stand for them all together.
struct Piece {
    at: usize,
    from: usize,
    to: usize,
}

impl View {
    /// Takes over bytes of the other text.
    pub(super) fn keep(&mut self, text: &[u8], (from, to): Span) {
        if from == to {
            return;
        }
        let at = self.bytes.len();
        match self.pieces.last_mut() {
            Some(last) if last.to == from && at - last.at == last.to - last.from => last.to = to,
            _ => self.pieces.push(Piece { at, from, to }),
        }
        self.bytes.extend_from_slice(&text[from..to]);
    }

    /// Writes what bytes of the other text stand for: fewer than these are, or something that is never found.
    pub(super) fn put(&mut self, bytes: &[u8], (from, to): Span) {
        if !bytes.is_empty() {
            self.pieces.push(Piece { at: self.bytes.len(), from, to });
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// The span in the other text of bytes of the view, at least one.
    pub(super) fn origin(&self, (start, end): Span) -> Span {
        (self.place(start).0, self.place(end - 1).1)
    }

    fn place(&self, byte: usize) -> Span {
        let next = self.pieces.partition_point(|it| it.at <= byte);
        let Some(piece) = next.checked_sub(1).and_then(|it| self.pieces.get(it)) else { return (byte, byte) };
        let end = self.pieces.get(next).map_or(self.bytes.len(), |it| it.at);
        if end - piece.at == piece.to - piece.from {
            let from = piece.from + (byte - piece.at);
            (from, from + 1)
        } else {
            (piece.from, piece.to)
        }
    }
}
