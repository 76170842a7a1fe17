//! The versions that the services of a registry can operate on together, as a problem for [`resolve`]: the imports that are
//! registered are its facts.

use std::collections::{BTreeMap, BTreeSet};

use regions::{
    Deployment,
    registration::{DeploymentEntry, Entries, ServiceEntry},
};
use resolve::{Answer, Budget, Constraint, Id, Limits, Problem, Rule, Variable, solve};
use spec::compare_versions;

use crate::{EntryName, Name, entry_key::deployment_of};

/// The newest versions that fit together, or the reasons why none do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The newest version that each deployment can operate on, so that each has what it imports in its region.
    Fits(BTreeMap<Deployment, Name>),
    /// Sentences that cannot all be true; without any one of them, the others can.
    Conflict(Vec<String>),
}

/// The services and deployments of a registry.
struct Registered<'a> {
    services: BTreeMap<&'a Name, &'a ServiceEntry<Name>>,
    deployments: BTreeMap<Deployment, &'a DeploymentEntry<Name>>,
}

impl Fit {
    /// The answer for the entries of a registry. A service that is imported has to be in each region of those that import it. A
    /// deployment operates on one version at a time; besides that, it serves the lower versions that its program has (source:
    /// Goten's guide, "Meta Service as Service Registry").
    pub fn of(entries: &Entries<Name>) -> Self {
        let registered = Registered::of(entries);
        let variables = registered.deployments.keys().flat_map(|it| registered.variables(it));
        let (problem, _) = Problem::new(variables.collect());
        match solve(&problem, &mut (), &Budget::new(&Limits::default())) {
            Answer::Solved(solution) => Self::Fits(registered.chosen(&solution.ids(&problem))),
            Answer::Unsolvable(conflict) => Self::Conflict(conflict.sentences(&problem)),
            Answer::Stopped(_) => Self::Conflict(vec!["there are too many possibilities to try".to_owned()]),
        }
    }
}

impl<'a> Registered<'a> {
    fn of(entries: &'a Entries<Name>) -> Self {
        let (mut services, mut deployments) = (BTreeMap::new(), BTreeMap::new());
        for (name, entry) in entries {
            if let (EntryName::Service { service }, Some(entry)) = (name, entry.value.service()) {
                services.insert(service, entry);
            }
            deployments.extend(deployment_of(name).zip(entry.value.deployment()));
        }
        Self { services, deployments }
    }

    /// The versions that a deployment may operate on, the newest one first: those of its program, and of the programs that the
    /// service has in other regions.
    fn versions(&self, deployment: &Deployment) -> Vec<&'a Name> {
        let supported = self.deployments.get(deployment).map(|it| &it.version.supported_versions);
        let all = self.services.get(&deployment.service).map(|it| it.versions.keys());
        let versions = supported.into_iter().flatten().chain(all.into_iter().flatten());
        let mut versions: Vec<&Name> = versions.collect::<BTreeSet<_>>().into_iter().collect();
        versions.sort_by(|a, b| compare_versions(b, a));
        versions
    }

    /// A deployment, and each of its versions.
    fn variables(&self, deployment: &Deployment) -> Vec<Variable> {
        let versions = self.versions(deployment);
        let ids: Vec<Id> = versions.iter().map(|it| id(deployment, it)).collect();
        let names: Vec<&str> = versions.iter().map(|it| &***it).collect();
        let has = format!("{deployment} has the versions {}", names.join(", "));
        let is_one = format!("{deployment} operates on one version at a time");
        let of_deployment = [
            Constraint::new(Rule::Mandatory).text(format!("{deployment} is registered")),
            Constraint::new(Rule::Dependency(ids.clone())).text(has),
            Constraint::new(Rule::AtMost { n: 1, of: ids }).text(is_one),
        ];
        let own = Variable::new(deployment.to_string(), of_deployment);
        let of_versions =
            versions.iter().map(|it| Variable::new(id(deployment, it), self.imports(deployment, it)));
        std::iter::once(own).chain(of_versions).collect()
    }

    /// What a version of a deployment imports.
    fn imports(&self, deployment: &Deployment, version: &Name) -> Vec<Constraint> {
        let service = self.services.get(&deployment.service);
        let imported = service.and_then(|it| it.versions.get(version)).map(|it| &it.imported);
        let constraint = |(service, target): (&Name, &Name)| {
            let import = Deployment { service: service.clone(), region: deployment.region.clone() };
            let serving = self.versions(&import).into_iter().filter(|it| self.serves(&import, it, target));
            let candidates: Vec<Id> = serving.map(|it| id(&import, it)).collect();
            let text = format!("`{}` {version} imports `{service}` {target}", deployment.service);
            let text = match self.deployments.contains_key(&import) {
                true => text,
                false => format!("{text}, which is not deployed in {}", deployment.region),
            };
            Constraint::new(Rule::Dependency(candidates)).text(text)
        };
        imported.into_iter().flatten().map(constraint).collect()
    }

    /// True if a deployment that operates on a version serves another one, too.
    fn serves(&self, deployment: &Deployment, version: &Name, target: &Name) -> bool {
        let Some(entry) = self.deployments.get(deployment) else { return false };
        let has = |it: &Name| entry.version.supported_versions.contains(it);
        version == target || (has(version) && has(target) && compare_versions(version, target).is_gt())
    }

    fn chosen(&self, ids: &[Id]) -> BTreeMap<Deployment, Name> {
        let chosen = |deployment: &Deployment| {
            let versions = self.versions(deployment).into_iter();
            let version = versions.into_iter().find(|it| ids.contains(&id(deployment, it)))?;
            Some((deployment.clone(), version.clone()))
        };
        self.deployments.keys().filter_map(chosen).collect()
    }
}

fn id(deployment: &Deployment, version: &Name) -> Id {
    format!("{deployment} {version}").into()
}
