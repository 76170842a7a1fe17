//! Filters for the groups that an addon applies to.

use diag::Diagnostic;
use links::Named;
use syntax::Node;

use crate::{codes, facts::GroupFacts, manifest::Reader, reporter::Reporter};

/// One of the two filters of an addon.
#[derive(Debug)]
pub(crate) struct Filter {
    is_exclude: bool,
    deployments: Vec<Named>,
    /// Name and release.
    jobs: Vec<(Named, Named)>,
    /// Operating systems.
    stemcells: Vec<Named>,
    networks: Vec<Named>,
    groups: Vec<Named>,
    azs: Vec<Named>,
    /// True if it restricts teams, which only the director knows.
    teams: bool,
    lifecycle: Option<Named>,
}

/// A group in the form that filters read.
#[derive(Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) deployment: &'a str,
    pub(crate) group: &'a links::Group,
    pub(crate) facts: &'a GroupFacts,
    /// The operating system of its stemcell, or the stemcell's name.
    pub(crate) os: Option<&'a Named>,
}

impl Filter {
    /// Reads a filter. Addons of a manifest cannot restrict deployments and teams.
    pub(crate) fn read(addon: &Node, is_exclude: bool, is_runtime: bool, reporter: &mut Reporter) -> Self {
        let key = if is_exclude { "exclude" } else { "include" };
        reporter.map(addon, key);
        let none = Node::new(syntax::NodeData::Null, addon.span);
        let node = addon.get(key).filter(|it| it.as_mapping().is_some()).unwrap_or(&none);
        let deployments = reporter.names(node, "deployments");
        if let (false, Some(first)) = (is_runtime, deployments.first()) {
            let director = "Deployment filter is not allowed for deployment level addons.";
            let own = "an addon of a manifest applies to its own deployment only";
            let found = reporter.error(codes::ADDON, first.span, director, own);
            reporter.push(found.help("remove `deployments`"));
        }
        Self {
            is_exclude,
            deployments: if is_runtime { deployments } else { Vec::new() },
            jobs: jobs(node, reporter),
            stemcells: stemcells(node, reporter),
            networks: reporter.names(node, "networks"),
            groups: reporter.names(node, "instance_groups"),
            azs: reporter.names(node, "azs"),
            teams: is_runtime && !reporter.names(node, "teams").is_empty(),
            lifecycle: reporter.text(node, "lifecycle"),
        }
    }

    /// True if a group meets a filter: all of its lists, and one item of each list. An empty filter includes
    /// all and excludes none.
    pub(crate) fn applies(&self, to: &Candidate<'_>) -> bool {
        let any = |list: &[Named], is_it: &dyn Fn(&str) -> bool| {
            list.is_empty() || list.iter().any(|it| is_it(&it.text))
        };
        let facts = to.facts;
        let all = self.lifecycle.as_ref().is_none_or(|it| it.text == facts.lifecycle)
            && any(&self.azs, &|az| facts.azs.iter().any(|it| &*it.text == az))
            && any(&self.stemcells, &|os| to.os.is_some_and(|it| is_of(&it.text, os)))
            && any(&self.networks, &|name| to.group.networks.iter().any(|it| &*it.name == name))
            && any(&self.groups, &|name| &*to.group.name == name)
            && any(&self.deployments, &|name| to.deployment == name)
            && (self.jobs.is_empty() || self.jobs.iter().any(|(job, release)| has_job(facts, job, release)))
            // The team of a deployment is not known here.
            && !self.teams;
        all && !(self.is_exclude && self.says_nothing())
    }

    fn says_nothing(&self) -> bool {
        let lists = [&self.deployments, &self.stemcells, &self.networks, &self.groups, &self.azs];
        lists.iter().all(|it| it.is_empty())
            && self.jobs.is_empty()
            && !self.teams
            && self.lifecycle.is_none()
    }
}

/// True if a stemcell, named by its operating system or in full, has an operating system.
fn is_of(stemcell: &str, os: &str) -> bool {
    stemcell == os || (stemcell.starts_with("bosh-") && stemcell.contains(&format!("-{os}-")))
}

/// A job of an unknown release is assumed to match.
fn has_job(facts: &GroupFacts, job: &Named, release: &Named) -> bool {
    let found = facts.jobs.get(&job.text);
    found.is_some_and(|(of, _)| of.as_ref().is_none_or(|it| *it == release.text))
}

fn jobs(node: &Node, reporter: &mut Reporter) -> Vec<(Named, Named)> {
    let mut jobs = Vec::new();
    for item in reporter.maps(node, "jobs") {
        let full = |it: &Named| !it.text.is_empty();
        let name = reporter.text(item, "name").filter(full);
        match (name, reporter.text(item, "release").filter(full)) {
            (Some(name), Some(release)) => jobs.push((name, release)),
            _ => {
                let found =
                    Diagnostic::error(codes::ADDON, item.span, "a job of a rule needs a name and a release");
                reporter.push(found.help("write both `name` and `release`"));
            }
        }
    }
    jobs
}

fn stemcells(node: &Node, reporter: &mut Reporter) -> Vec<Named> {
    let mut stemcells = Vec::new();
    for item in reporter.maps(node, "stemcell") {
        match reporter.text(item, "os").filter(|it| !it.text.is_empty()) {
            Some(os) => stemcells.push(os),
            None => {
                let message = "a stemcell of a rule needs an operating system";
                let found = Diagnostic::error(codes::ADDON, item.span, message);
                reporter.push(found.help("write its `os`, e.g. `os: ubuntu-jammy`"));
            }
        }
    }
    stemcells
}

impl Reader<'_> {
    /// The operating systems of the manifest's stemcells, by the names that groups use for them.
    pub(crate) fn stemcells(&mut self) -> std::collections::HashMap<std::sync::Arc<str>, Named> {
        let root = self.root;
        let mut stemcells = std::collections::HashMap::new();
        for item in self.reporter.maps(root, "stemcells") {
            let name = self.reporter.text(item, "name");
            let Some(os) = self.reporter.text(item, "os").or_else(|| name.clone()) else { continue };
            let Some(alias) = self.reporter.text(item, "alias").or(name) else { continue };
            stemcells.insert(alias.text, os);
        }
        stemcells
    }
}
