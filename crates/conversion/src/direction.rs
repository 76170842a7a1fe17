/// The direction of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the old version to the new one: requests.
    ToNew,
    /// From the new version to the old one: responses.
    ToOld,
}

impl Direction {
    /// The one of two values that is converted, and the one that it becomes.
    pub(crate) fn of<T>(self, old: T, new: T) -> (T, T) {
        match self {
            Self::ToNew => (old, new),
            Self::ToOld => (new, old),
        }
    }
}
