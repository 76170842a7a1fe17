use crate::schema::lower_camel;

/// The parts of names of a scope: `projects/{project}/devices/-` is filtered by `name.projectId` and ordered by
/// `name.deviceId`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scope {
    pub(super) filters: Vec<String>,
    pub(super) order: Vec<String>,
}

impl Scope {
    /// The parts of a scope; `None` if no pattern of the kind has its collections.
    pub(super) fn new(scope: &str, patterns: &[&str]) -> Option<Self> {
        let pattern = patterns.iter().find(|it| has_collections(scope, it))?;
        let mut parts = Self::default();
        for (part, id) in scope.split('/').zip(pattern.split('/')).skip(1).step_by(2) {
            let list = if part == "-" { &mut parts.order } else { &mut parts.filters };
            list.push(format!("name.{}Id", lower_camel(id.trim_matches(['{', '}']))));
        }
        Some(parts)
    }
}

fn has_collections(scope: &str, pattern: &str) -> bool {
    let collections = |it: &str| it.split('/').step_by(2).map(str::to_owned).collect::<Vec<_>>();
    scope.split('/').count() == pattern.split('/').count() && collections(scope) == collections(pattern)
}

/// A pattern with a wildcard instead of its last id.
pub(crate) fn with_last_wildcard(pattern: &str) -> String {
    match pattern.rsplit_once('/') {
        Some((parent, _)) => format!("{parent}/-"),
        None => pattern.to_owned(),
    }
}
