//! Kinds below their parents.

use workspace::view::{ResourceTypeView, ServiceOverviewView, ServiceView};

/// A kind at one of its places in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    /// The kind, with its service.
    pub(super) kind: String,
    /// The patterns of the names that it has at this place.
    pub(super) patterns: Vec<String>,
    /// It has other places too.
    pub(super) is_shared: bool,
    /// It is of another service.
    pub(super) is_foreign: bool,
    /// The kinds below it.
    pub(super) below: Vec<Branch>,
}

/// The kinds of a service below their parents, first those at the root, then those below kinds of other services.
pub(super) fn tree(overview: &ServiceOverviewView, service: &ServiceView) -> Vec<Branch> {
    let forest = Forest { overview, service };
    let roots = service.resources.iter().filter(|it| is_root(it));
    let own: Vec<Branch> = roots.map(|it| forest.branch(it, None, &mut Vec::new())).collect();
    let mut foreign: Vec<&String> = Vec::new();
    for parent in service.resources.iter().flat_map(|it| &it.parents).filter(|it| it.contains('/')) {
        if !foreign.contains(&parent) {
            foreign.push(parent);
        }
    }
    own.into_iter().chain(foreign.into_iter().map(|it| forest.foreign(it))).collect()
}

fn is_root(kind: &ResourceTypeView) -> bool {
    kind.parents.is_empty() || kind.parents.iter().any(String::is_empty)
}

struct Forest<'a> {
    overview: &'a ServiceOverviewView,
    service: &'a ServiceView,
}

impl Forest<'_> {
    fn branch(&self, kind: &ResourceTypeView, parent: Option<&str>, above: &mut Vec<String>) -> Branch {
        above.push(kind.name.clone());
        let below = self.below(&kind.name, above);
        above.pop();
        Branch {
            kind: kind.type_name.clone(),
            patterns: self.patterns(kind, parent),
            is_shared: kind.parents.len() > 1,
            is_foreign: false,
            below,
        }
    }

    fn foreign(&self, parent: &str) -> Branch {
        let patterns = self.overview.resource(parent).map(|it| it.patterns.clone()).unwrap_or_default();
        let below = self.below(parent, &mut Vec::new());
        Branch { kind: parent.to_owned(), patterns, is_shared: false, is_foreign: true, below }
    }

    /// The kinds below a kind, without those that are above it already, which is a mistake in the specification.
    fn below(&self, parent: &str, above: &mut Vec<String>) -> Vec<Branch> {
        let children = self.service.resources.iter().filter(|it| it.parents.iter().any(|it| it == parent));
        let children: Vec<_> = children.filter(|it| !above.contains(&it.name)).collect();
        children.into_iter().map(|it| self.branch(it, Some(parent), above)).collect()
    }

    /// The patterns below a parent, or at the root.
    fn patterns(&self, kind: &ResourceTypeView, parent: Option<&str>) -> Vec<String> {
        let of = |parent: &str| {
            let own = self.service.resources.iter().find(|it| it.name == parent);
            own.or_else(|| self.overview.resource(parent)).map(|it| &it.patterns[..]).unwrap_or_default()
        };
        let is_in = |pattern: &str, parent: &str| of(parent).iter().any(|it| is_below(pattern, it));
        let is_here = |pattern: &&String| match parent {
            Some(parent) => is_in(pattern, parent),
            None => !kind.parents.iter().any(|parent| is_in(pattern, parent)),
        };
        let here: Vec<String> = kind.patterns.iter().filter(is_here).cloned().collect();
        if here.is_empty() { kind.patterns.clone() } else { here }
    }
}

/// True if a pattern goes on where another one ends: with its own collection, or with a region before it.
fn is_below(pattern: &str, parent: &str) -> bool {
    let rest = pattern.strip_prefix(parent).and_then(|it| it.strip_prefix('/'));
    let Some(rest) = rest else { return false };
    let rest = rest.strip_prefix("regions/{region}/").unwrap_or(rest);
    rest.matches('/').count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::services::fixture::overview;

    fn shown(branches: &[Branch], depth: usize) -> Vec<String> {
        let line = |it: &Branch| {
            let sign = if it.is_foreign {
                "~"
            } else if it.is_shared {
                "*"
            } else {
                ""
            };
            format!("{}{sign}{} {}", " ".repeat(depth), it.kind, it.patterns.join(" "))
        };
        branches.iter().flat_map(|it| [vec![line(it)], shown(&it.below, depth + 1)].concat()).collect()
    }

    #[test]
    fn kinds_are_below_each_of_their_parents() {
        let view = overview();
        let tree = tree(&view, &view.specification.services[0]);
        assert_eq!(
            shown(&tree, 0),
            [
                "a/Project projects/{project}",
                " *a/Author projects/{project}/authors/{author}",
                " a/Site projects/{project}/regions/{region}/sites/{site}",
                "*a/Author authors/{author}",
                "~b/Service services/{service}",
                " *a/Author services/{service}/authors/{author}",
            ]
        );
    }

    #[test]
    fn a_circle_ends() {
        let mut view = overview();
        let service = &mut view.specification.services[0];
        service.resources[0].parents = vec![String::new(), "Site".into()];
        let service = service.clone();
        assert_eq!(tree(&view, &service)[0].below.len(), 2);
    }
}
