//! Whose rules count, by name.

use catalog::{Profile, range::Dialect};

pub(crate) fn named(name: &str) -> Option<Profile> {
    [Profile::V0, Profile::V1, Profile::Phase0].into_iter().find(|it| as_str(*it) == name)
}

pub(crate) const fn as_str(profile: Profile) -> &'static str {
    match profile {
        Profile::V0 => "v0",
        Profile::V1 => "v1",
        Profile::Phase0 => "phase0",
    }
}

/// How users of a profile write ranges.
pub(crate) const fn dialect(profile: Profile) -> Dialect {
    match profile {
        Profile::V1 => Dialect::Masterminds,
        Profile::V0 | Profile::Phase0 => Dialect::Blang,
    }
}
