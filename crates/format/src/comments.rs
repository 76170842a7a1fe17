use crate::frames::{Frame, Frames, STEP};

/// The position of what follows a comment on a line of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    /// The column where it was.
    pub(crate) old: usize,
    /// Its indentation now.
    pub(crate) new: usize,
    /// True if it begins an entry, or nothing follows: then the comment may belong to what is before it.
    pub(crate) is_entry: bool,
    /// True if the entry before it has no value.
    pub(crate) after_nothing: bool,
}

/// The indentation of a comment that was in `column`: that of what follows, or of what it belonged to by its column.
pub(crate) fn indentation(frames: &Frames, column: usize, next: Next) -> usize {
    if matches!(frames.top(), Some(Frame::Flow { .. })) || !next.is_entry || column <= next.old {
        return match frames.top() {
            Some(Frame::Flow { base, .. }) => base + STEP,
            _ => next.new,
        };
    }
    if let Some((old, new)) = frames.blocks().next().filter(|_| next.after_nothing)
        && column > old
    {
        return new + STEP;
    }
    frames.blocks().find(|(old, _)| *old <= column).map_or(next.new, |(_, new)| new)
}
