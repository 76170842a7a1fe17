//! Typical problems of package managers: packages with versions, which require ranges of versions of others.

use planloom_resolve::{Constraint, Id, Rule, Variable};

use crate::random::Random;

/// The parameters of a problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) packages: usize,
    pub(crate) versions: usize,
    /// The percentage of packages that are required.
    pub(crate) required: u64,
    /// A version requires fewer than this many others.
    pub(crate) requirements: u64,
    /// The percentage of requirements that are for few versions, including old ones.
    pub(crate) narrow: u64,
    /// The percentage of versions that conflict with another one.
    pub(crate) conflicts: u64,
    pub(crate) seed: u64,
}

impl Shape {
    /// Packages most of whose requirements are loose.
    pub(crate) const fn roomy(packages: usize, versions: usize, seed: u64) -> Self {
        Self { packages, versions, required: 20, requirements: 4, narrow: 20, conflicts: 15, seed }
    }
}

/// The name of a version; a greater number is newer.
pub(crate) fn version(package: usize, version: usize) -> Id {
    format!("p{package}@{version}").into()
}

/// The names of all versions, the newest first; they are shared, as by readers of documents.
struct Names(Vec<Vec<Id>>);

impl Names {
    fn new(shape: &Shape) -> Self {
        let of = |package| (0..shape.versions).rev().map(|it| version(package, it)).collect();
        Self((0..shape.packages).map(of).collect())
    }

    fn version(&self, package: usize, version: usize) -> Id {
        let versions = &self.0[package];
        versions[versions.len() - 1 - version].clone()
    }

    /// The versions from one to before another, the newest first.
    fn range(&self, package: usize, from: usize, to: usize) -> Vec<Id> {
        let versions = &self.0[package];
        versions[versions.len() - to..versions.len() - from].to_vec()
    }
}

/// First the requirements, then the versions, the newest first, then the limits to one of each package.
pub(crate) fn variables(shape: &Shape) -> Vec<Variable> {
    let mut random = Random::new(shape.seed);
    let names = Names::new(shape);
    let mut variables = Vec::new();
    for package in 0..shape.packages {
        if random.below(100) < shape.required {
            let rules = [Rule::Mandatory, Rule::Dependency(names.range(package, 0, shape.versions))];
            variables.push(variable(format!("require p{package}"), rules));
        }
    }
    for package in 0..shape.packages {
        for number in (0..shape.versions).rev() {
            let rules = requirements(shape, &names, package, &mut random);
            variables.push(variable(names.version(package, number), rules));
        }
    }
    for package in 0..shape.packages {
        let rule = Rule::AtMost { n: 1, of: names.range(package, 0, shape.versions) };
        variables.push(variable(format!("one p{package}"), [rule]));
    }
    variables
}

fn variable(id: impl Into<Id>, rules: impl IntoIterator<Item = Rule>) -> Variable {
    Variable::new(id, rules.into_iter().map(Constraint::from))
}

fn requirements(shape: &Shape, names: &Names, package: usize, random: &mut Random) -> Vec<Rule> {
    let mut rules = Vec::new();
    for _ in 0..random.below(shape.requirements) {
        let other = other(random, shape.packages, package);
        rules.push(Rule::Dependency(match random.below(100) < shape.narrow {
            true => {
                let from = random.below(shape.versions as u64) as usize;
                names.range(other, from, (from + 1 + random.below(2) as usize).min(shape.versions))
            }
            false => names.range(other, random.below(shape.versions as u64) as usize, shape.versions),
        }));
    }
    if random.below(100) < shape.conflicts {
        let other = other(random, shape.packages, package);
        rules.push(Rule::Conflict(names.version(other, random.below(shape.versions as u64) as usize)));
    }
    rules
}

/// One of the first `count` numbers except that one.
fn other(random: &mut Random, count: usize, but: usize) -> usize {
    let other = random.below(count as u64 - 1) as usize;
    if other >= but { other + 1 } else { other }
}
