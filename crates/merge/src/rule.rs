/// The rule by which a node came to hold what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Only one layer wrote it.
    Set,
    /// Maps were merged key by key.
    Deep,
    /// A later scalar won.
    Override,
    /// Lists were put behind each other.
    Concatenate,
    /// The field's definition, or the tag `!override`, says that the later one replaces.
    Replace,
    /// Lists were put behind each other without repeating an item.
    Unique,
    /// Items were merged by their key.
    ByKey,
    /// `!reset` removed it.
    Reset,
    /// The merge behavior of the field discarded it.
    Discard,
}

impl Rule {
    /// `set`, `deep`, `override`, `concatenate`, `replace`, `unique`, `by_key`, `reset`, `discard`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Deep => "deep",
            Self::Override => "override",
            Self::Concatenate => "concatenate",
            Self::Replace => "replace",
            Self::Unique => "unique",
            Self::ByKey => "by_key",
            Self::Reset => "reset",
            Self::Discard => "discard",
        }
    }
}
