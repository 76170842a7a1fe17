/// The rules that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// As the director of BOSH does it, where it is known to be odd as well: manifests that work there work here.
    Bosh,
    /// Also reports what the director accepts silently or detects only later.
    #[default]
    Strict,
}

impl Profile {
    /// `bosh`, `strict`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bosh => "bosh",
            Self::Strict => "strict",
        }
    }

    /// True if it is [`Self::Strict`].
    pub fn is_strict(self) -> bool {
        self == Self::Strict
    }
}
