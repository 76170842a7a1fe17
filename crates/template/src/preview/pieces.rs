use crate::ByteRange;

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text that is copied as it is.
    Text(ByteRange),
    /// The expression of `<%= … %>`.
    Output(ByteRange),
    /// The code of `<% … %>`.
    Code(ByteRange),
    /// A tag that is not supported, and its name.
    Strange(ByteRange, &'static str),
}

/// Splits a template into pieces.
pub(crate) fn split(template: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(open) = template[at..].find("<%").map(|found| at + found) {
        if template[open..].starts_with("<%%") {
            push_text(&mut pieces, at, open + 2);
            at = open + 3;
            continue;
        }
        let tag = Tag::read(template, open);
        push_text(&mut pieces, at, tag.text_end(template, at));
        pieces.extend(tag.piece(template));
        at = tag.after(template);
    }
    push_text(&mut pieces, at, template.len());
    pieces
}

fn push_text(pieces: &mut Vec<Piece>, start: usize, end: usize) {
    if start < end {
        pieces.push(Piece::Text(ByteRange::new(start, end)));
    }
}

#[derive(Clone, Copy, Debug)]
struct Tag {
    open: usize,
    /// The content after `<%` or `<%-`.
    inner: ByteRange,
    trims_before: bool,
    trims_after: bool,
    closed: bool,
    /// True if it contains `%%>`, which is an escape for `%>`.
    escapes: bool,
}

impl Tag {
    fn read(template: &str, open: usize) -> Self {
        let trims_before = template[open..].starts_with("<%-");
        let start = open + if trims_before { 3 } else { 2 };
        let whole = ByteRange::new(start, template.len());
        let mut tag =
            Self { open, inner: whole, trims_before, trims_after: false, closed: false, escapes: false };
        let mut at = start;
        while let Some(end) = template[at..].find("%>").map(|found| at + found) {
            match template.as_bytes()[start..end].last() {
                Some(b'%') => tag.escapes = true,
                before => {
                    tag.trims_after = before == Some(&b'-');
                    tag.inner.end = end - usize::from(tag.trims_after);
                    tag.closed = true;
                    return tag;
                }
            }
            at = end + 2;
        }
        tag
    }

    /// The end of the text before it, which begins at `start`: without the white space of its line if it
    /// trims that.
    fn text_end(self, template: &str, start: usize) -> usize {
        let text = &template[start..self.open];
        let kept = text.trim_end_matches([' ', '\t']);
        let alone = kept.is_empty() || kept.ends_with('\n');
        if self.trims_before && alone { start + kept.len() } else { self.open }
    }

    fn piece(self, template: &str) -> Option<Piece> {
        let code = &template[self.inner.start..self.inner.end];
        let whole = ByteRange::new(self.open, self.inner.end);
        if !self.closed {
            return Some(Piece::Strange(whole, "a tag that is never closed"));
        }
        if code.starts_with('#') && !self.trims_before {
            return None;
        }
        if self.escapes {
            return Some(Piece::Strange(whole, "`%%>`"));
        }
        Some(match code.strip_prefix('=') {
            Some(more) if more.starts_with('=') => Piece::Strange(whole, "`<%==`"),
            Some(_) if self.trims_before => Piece::Strange(whole, "`<%-=`"),
            Some(_) => Piece::Output(ByteRange::new(self.inner.start + 1, self.inner.end)),
            None => Piece::Code(self.inner),
        })
    }

    /// The first byte after it.
    fn after(self, template: &str) -> usize {
        if !self.closed {
            return template.len();
        }
        let end = self.inner.end + usize::from(self.trims_after) + 2;
        let rest = &template[end..];
        match self.trims_after {
            true if rest.starts_with("\r\n") => end + 2,
            true if rest.starts_with('\n') => end + 1,
            _ => end,
        }
    }
}
