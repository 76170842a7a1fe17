//! The differences between two texts, small enough to be marked inside them.

/// A stretch of text and which side it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// In both, or only in one.
    pub side: Side,
    /// The text.
    pub text: String,
}

/// The texts that a piece occurs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In both.
    Both,
    /// In the old text only.
    Old,
    /// In the new text only.
    New,
}

/// More pairs of tokens than this are not compared: the middle then counts as replaced.
const MOST_PAIRS: usize = 250_000;

/// The pieces of both texts, in order, neighbours of one side joined. Words are compared, not letters, so that the
/// marked text can be read; a changed word is narrowed down to the part between its common ends.
pub fn diff(old: &str, new: &str) -> Vec<Piece> {
    let (old_tokens, new_tokens) = (tokens(old), tokens(new));
    let front = common(old_tokens.iter(), new_tokens.iter());
    let back = common(old_tokens.iter().skip(front).rev(), new_tokens.iter().skip(front).rev());
    let old_middle = middle(&old_tokens, front, back);
    let new_middle = middle(&new_tokens, front, back);
    let mut pieces = Pieces::default();
    pieces.push_all(Side::Both, old_tokens.iter().take(front));
    if old_middle.len().saturating_mul(new_middle.len()) > MOST_PAIRS {
        pieces.push_all(Side::Old, old_middle.iter());
        pieces.push_all(Side::New, new_middle.iter());
    } else {
        align(&mut pieces, old_middle, new_middle);
    }
    pieces.push_all(Side::Both, old_tokens.iter().skip(old_tokens.len() - back));
    narrowed(pieces)
}

/// The pieces one side of the difference is made of.
pub fn side(pieces: &[Piece], side: Side) -> impl Iterator<Item = &Piece> {
    pieces.iter().filter(move |piece| piece.side == Side::Both || piece.side == side)
}

#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn push(&mut self, side: Side, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.side == side => last.text.push_str(text),
            _ => self.0.push(Piece { side, text: text.to_owned() }),
        }
    }

    fn push_all<'a>(&mut self, side: Side, texts: impl Iterator<Item = &'a &'a str>) {
        for text in texts {
            self.push(side, text);
        }
    }
}

/// Runs of spaces and runs of everything else.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let other = |c: char| c.is_whitespace() != first.is_whitespace();
        let (token, tail) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
        tokens.push(token);
        rest = tail;
    }
    tokens
}

fn common<T: PartialEq>(left: impl Iterator<Item = T>, right: impl Iterator<Item = T>) -> usize {
    left.zip(right).take_while(|(left, right)| left == right).count()
}

fn middle<'a, 'b>(tokens: &'b [&'a str], front: usize, back: usize) -> &'b [&'a str] {
    tokens.get(front..tokens.len() - back).unwrap_or_default()
}

/// The pieces, where a single word replaced by another one is split so that only the part between their common ends
/// differs.
fn narrowed(pieces: Pieces) -> Vec<Piece> {
    let mut result = Pieces::default();
    let mut all = pieces.0.into_iter().peekable();
    while let Some(piece) = all.next() {
        let is_word = |piece: &Piece| !piece.text.contains(char::is_whitespace);
        match all.next_if(|next| {
            piece.side == Side::Old && next.side == Side::New && is_word(&piece) && is_word(next)
        }) {
            Some(next) => narrow(&mut result, &piece.text, &next.text),
            None => result.push(piece.side, &piece.text),
        }
    }
    result.0
}

fn narrow(pieces: &mut Pieces, old: &str, new: &str) {
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let mut front = common(old.iter(), new.iter());
    let mut back = common(old.iter().skip(front).rev(), new.iter().skip(front).rev());
    front = word_start(&old, front);
    back = word_start(&old.iter().rev().copied().collect::<Vec<_>>(), back);
    let text = |chars: &[char], from: usize, to: usize| {
        chars.get(from..to).unwrap_or_default().iter().collect::<String>()
    };
    pieces.push(Side::Both, &text(&old, 0, front));
    pieces.push(Side::Old, &text(&old, front, old.len() - back));
    pieces.push(Side::New, &text(&new, front, new.len() - back));
    pieces.push(Side::Both, &text(&old, old.len() - back, old.len()));
}

/// Back to where a short run of letters and digits begins, so that `10` and `20` differ as numbers; in a long one, such
/// as a digest, the differing letters themselves matter.
fn word_start(chars: &[char], at: usize) -> usize {
    const SHORT: usize = 8;
    let in_word = |c: &&char| c.is_alphanumeric();
    let before = chars.iter().take(at).rev().take_while(in_word).count();
    let after = chars.iter().skip(at).take_while(in_word).count();
    if after > 0 && before + after <= SHORT { at - before } else { at }
}

/// Words are kept before spaces: the unchanged part should be the text that is read.
fn weight(token: &str) -> u32 {
    if token.starts_with(char::is_whitespace) {
        1
    } else {
        u32::try_from(token.len()).unwrap_or(1024).min(1024) + 1
    }
}

/// The heaviest common subsequence of both lists of tokens; tokens that are not in it belong to one side.
fn align(pieces: &mut Pieces, old: &[&str], new: &[&str]) {
    let width = new.len() + 1;
    let mut longest = vec![0u32; (old.len() + 1) * width];
    let at =
        |longest: &[u32], row: usize, column: usize| longest.get(row * width + column).copied().unwrap_or(0);
    for (row, old_token) in old.iter().enumerate().rev() {
        for (column, new_token) in new.iter().enumerate().rev() {
            let best = if old_token == new_token {
                at(&longest, row + 1, column + 1) + weight(old_token)
            } else {
                at(&longest, row + 1, column).max(at(&longest, row, column + 1))
            };
            if let Some(cell) = longest.get_mut(row * width + column) {
                *cell = best;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    loop {
        match (old.get(row), new.get(column)) {
            (Some(left), Some(right)) if left == right => {
                pieces.push(Side::Both, left);
                (row, column) = (row + 1, column + 1);
            }
            (Some(left), right)
                if right.is_none() || at(&longest, row + 1, column) >= at(&longest, row, column + 1) =>
            {
                pieces.push(Side::Old, left);
                row += 1;
            }
            (_, Some(right)) => {
                pieces.push(Side::New, right);
                column += 1;
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Piece, Side, diff, side};

    /// `[-old-]`, `{+new+}`.
    fn shown(old: &str, new: &str) -> String {
        diff(old, new)
            .iter()
            .map(|Piece { side, text }| match side {
                Side::Both => text.clone(),
                Side::Old => format!("[-{text}-]"),
                Side::New => format!("{{+{text}+}}"),
            })
            .collect()
    }

    #[test]
    fn words_are_marked() {
        assert_eq!(shown("a b c", "a x c"), "a [-b-]{+x+} c");
        assert_eq!(shown("", "a"), "{+a+}");
        assert_eq!(shown("a", "a"), "a");
        assert_eq!(shown("--port 80 --host a", "--host a --port 81"), "[---port 80 -]--host a{+ --port 81+}");
        assert_eq!(
            shown("[x, \"--port\", y]", "[x, \"--raft\", z, \"--port\", y]"),
            "[x, {+\"--raft\", z, +}\"--port\", y]"
        );
    }

    #[test]
    fn one_word_is_narrowed_between_its_ends() {
        assert_eq!(shown("85021afecf", "85021bbecf"), "85021[-af-]{+bb+}ecf");
        assert_eq!(shown("storage.gib>10", "storage.gib>20"), "storage.gib>[-10-]{+20+}");
        assert_eq!(shown("http://a:80/", "http://a:8080/"), "http://a:80{+80+}/");
        assert_eq!(shown("aa", "aaa"), "aa{+a+}");
        assert_eq!(shown("é1", "é2"), "[-é1-]{+é2+}");
    }

    #[test]
    fn long_texts_are_not_compared_word_by_word() {
        let old = "a b ".repeat(600);
        let new = "c d ".repeat(600);
        assert!(diff(&old, &new).len() <= 3);
    }

    proptest! {
        #[test]
        fn each_side_reads_as_its_text(old in "[ab -]{0,24}", new in "[ab -]{0,24}") {
            let pieces = diff(&old, &new);
            let text = |which| side(&pieces, which).map(|piece| piece.text.as_str()).collect::<String>();
            prop_assert_eq!(text(Side::Old), old);
            prop_assert_eq!(text(Side::New), new);
        }
    }
}
