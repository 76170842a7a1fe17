use std::fmt;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lit(u32);

impl Lit {
    pub(crate) const fn new(var: u32, is_true: bool) -> Self {
        Self(var << 1 | !is_true as u32)
    }

    pub(crate) const fn var(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) const fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The literal itself if it is to hold, or else its negation.
    pub(crate) const fn when(self, holds: bool) -> Self {
        Self(self.0 ^ !holds as u32)
    }

    /// Its index in lists by literal.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.var())
    }
}
