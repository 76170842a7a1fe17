use diag::Span;

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A person wrote it: the byte.
    Written(Span),
    /// No file sets it: a type definition's rule made it because of what stands at the byte.
    Inferred(Span),
    /// No file sets it: the type definition's default, for the object that stands at the byte.
    Default(Span),
    /// It was recorded when the resource was last changed.
    Recorded,
    /// An adapter saw it.
    Observed,
}

impl Origin {
    /// The byte in a file, if there is one.
    pub const fn span(self) -> Option<Span> {
        match self {
            Self::Written(span) | Self::Inferred(span) | Self::Default(span) => Some(span),
            Self::Recorded | Self::Observed => None,
        }
    }

    /// True if no file sets the value.
    pub const fn is_implicit(self) -> bool {
        matches!(self, Self::Inferred(_) | Self::Default(_))
    }
}
