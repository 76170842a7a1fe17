use std::{fmt, sync::Arc};

/// A problem of a policy, as data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolicyProblem {
    /// The place in the JSON of the policy, as a JSON pointer (RFC 6901): `/enabledRegions/1`.
    pub pointer: String,
    /// The mistake at that place.
    pub mistake: PolicyMistake,
}

/// A mistake in a policy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyMistake {
    /// The value is of another type of JSON than this one: `an object`, `a list`, `a text`.
    Type(&'static str),
    /// The field does not exist.
    UnknownField,
    /// The text is no id of a region: it is blank, or `-` or `*`, which mean all of them elsewhere.
    Region(Arc<str>),
    /// The text is no kind with its service, as `devices.edgelq.com/Device`, so that the rule would apply to nothing.
    Kind(Arc<str>),
    /// This default control region, blank if none is written, is not among the enabled ones.
    DefaultNotEnabled(Arc<str>),
}

/// The message, without the place.
impl fmt::Display for PolicyMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(expected) => write!(f, "expected {expected}"),
            Self::UnknownField => f.write_str("a policy of regions has no such field"),
            Self::Region(text) => write!(f, "`{text}` is not the id of a region"),
            Self::Kind(text) => {
                write!(f, "`{text}` is not a kind with its service, as `devices.edgelq.com/Device`")
            }
            Self::DefaultNotEnabled(region) if region.is_empty() => {
                f.write_str("the default control region is missing")
            }
            Self::DefaultNotEnabled(region) => {
                write!(f, "the default control region `{region}` is not enabled")
            }
        }
    }
}
