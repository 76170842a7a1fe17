/// The comparison of names of resources with names in filters, which may have wildcards: `projects/-/regions/eu`.
///
/// Ids may hold `/`, so only the patterns of a kind say where the ids of a name are. [`BySegment`] is for kinds whose ids
/// hold none.
pub trait NameMatcher {
    /// True if a name fits one with wildcards. If the name itself has wildcards: true if all names that fit it do.
    /// `resource` is the kind, if it is known.
    fn fits(&self, resource: Option<&str>, pattern: &str, name: &str) -> bool;
}

/// Compares names by the parts between slashes: `-` in the pattern fits any one part.
#[derive(Clone, Copy, Debug, Default)]
pub struct BySegment;

impl NameMatcher for BySegment {
    fn fits(&self, _: Option<&str>, pattern: &str, name: &str) -> bool {
        let mut parts = name.split('/');
        let all = pattern
            .split('/')
            .all(|it| parts.next().is_some_and(|part| it == part || it == "-" && !part.is_empty()));
        all && parts.next().is_none()
    }
}
