//! Problems as packages with ranges of versions, where they can be said so.

use planloom_resolve::{Rule, Variable};

/// A package and its versions from one to before another.
pub type Range = (u32, u32, u32);

/// The ranges that the root requires, and those that each version of each package requires.
#[derive(Clone, Default)]
pub struct Packages {
    pub root: Vec<Range>,
    pub versions: Vec<(u32, u32, Vec<Range>)>,
}

/// `None` when it has conflicts.
pub fn of(variables: &[Variable]) -> Option<Packages> {
    let mut packages = Packages::default();
    for variable in variables {
        let mut ranges = Vec::new();
        for constraint in &variable.constraints {
            match &constraint.rule {
                Rule::Dependency(of) => {
                    let ((package, last), (_, first)) = (version(of.first()?)?, version(of.last()?)?);
                    ranges.push((package, first, last + 1));
                }
                Rule::Mandatory | Rule::AtMost { n: 1, .. } => {}
                _ => return None,
            }
        }
        match version(&variable.id) {
            Some((package, version)) => packages.versions.push((package, version, ranges)),
            None => packages.root.extend(ranges),
        }
    }
    Some(packages)
}

fn version(id: &str) -> Option<(u32, u32)> {
    let (package, version) = id.strip_prefix('p')?.split_once('@')?;
    Some((package.parse().ok()?, version.parse().ok()?))
}
