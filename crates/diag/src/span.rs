/// A file of a [`Sources`](crate::Sources): its index there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes in one file. `start <= end`; an empty span is a place between two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The empty span at `offset`.
    pub const fn at(file: FileId, offset: u32) -> Self {
        Self { file, start: offset, end: offset }
    }

    /// True if another range of the file lies in this one. A place at the end does only if this one is empty.
    pub const fn contains(self, inner: Self) -> bool {
        self.start <= inner.start
            && inner.end <= self.end
            && (inner.start < self.end || self.start == self.end)
    }

    /// True if `offset` lies in the span or at its end (a cursor after the last character counts).
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// The smallest span around both; `self` when they lie in different files.
    pub fn cover(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_contains_what_begins_in_it_and_does_not_end_after_it() {
        let span = |start, end| Span { file: FileId(0), start, end };
        for (outer, inner, is_in) in [
            ((2, 5), (2, 5), true),
            ((2, 5), (3, 4), true),
            ((2, 5), (1, 3), false),
            ((2, 5), (4, 6), false),
            ((2, 5), (2, 2), true),
            ((2, 5), (5, 5), false),
            ((2, 2), (2, 2), true),
            ((2, 2), (3, 3), false),
            ((2, 2), (1, 1), false),
        ] {
            assert_eq!(span(outer.0, outer.1).contains(span(inner.0, inner.1)), is_in, "{outer:?} {inner:?}");
        }
    }
}
