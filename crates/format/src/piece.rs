/// A part of a text between white space, or where a block collection begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// True if it begins a key of a block map, without `?`.
    pub(crate) is_key: bool,
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `-`
    Dash,
    /// `?`
    Question,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `[` or `{`
    Open(Bracket),
    /// `]` or `}`
    Close(Bracket),
    /// An anchor or a tag.
    Property,
    /// `*a`
    Alias,
    /// A scalar without quotes.
    Plain,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// The indicators of a block scalar.
    Header,
    /// The lines of a block scalar, without the line break at their end.
    Body,
    /// From `#` to what is written last on the line.
    Comment,
    /// `---`
    DocumentStart,
    /// `...`
    DocumentEnd,
    /// `%YAML …`
    Directive,
    /// A block collection begins with the next piece. It has no bytes.
    BlockStart,
    /// The last block collection has ended. It has no bytes.
    BlockEnd,
}

/// The brackets of flow collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// `[]`
    Square,
    /// `{}`
    Curly,
}

impl Kind {
    /// True if it begins an entry of a block collection.
    pub(crate) const fn is_indicator(self) -> bool {
        matches!(self, Self::Dash | Self::Question | Self::Colon)
    }

    /// True if it is on the first column, whatever is around it.
    pub(crate) const fn is_of_stream(self) -> bool {
        matches!(self, Self::DocumentStart | Self::DocumentEnd | Self::Directive)
    }
}

impl Piece {
    /// The bytes of the text.
    pub(crate) fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}
