//! Jobs that addons add to several groups.

use std::{collections::HashMap, sync::Arc};

use diag::Diagnostic;
use links::Named;
use syntax::Node;

use crate::{
    codes,
    filter::{Candidate, Filter},
    job::{DeployedProperties, Job, dropped},
    manifest::Reader,
    value::is_open,
};

impl<'a> Reader<'a> {
    /// Adds the jobs of the manifest's addons, then those of runtime configs: addon by addon, job by job,
    /// group by group.
    pub(crate) fn addons(&mut self) {
        let stemcells = self.stemcells();
        let sources = [(self.root, false)].into_iter();
        let sources = sources.chain(self.context.runtime.iter().map(|it| (*it, true)));
        for (source, is_runtime) in sources.collect::<Vec<_>>() {
            for addon in self.reporter.maps(source, "addons") {
                self.addon(addon, is_runtime, &stemcells);
            }
        }
    }

    fn addon(&mut self, addon: &'a Node, is_runtime: bool, stemcells: &HashMap<Arc<str>, Named>) {
        let include = Filter::read(addon, false, is_runtime, self.reporter);
        let exclude = Filter::read(addon, true, is_runtime, self.reporter);
        let groups = self.eligible(&include, &exclude, stemcells);
        for job in self.reporter.maps(addon, "jobs") {
            let found = dropped(job, self.reporter.profile);
            found.into_iter().for_each(|it| self.reporter.push(it));
            let Some(name) = self.reporter.name(job, "a job of an addon") else { continue };
            let release = self.addon_release(job, &name);
            let written = self.addon_written(addon, job);
            for group in &groups {
                self.job(&Job {
                    group: *group,
                    group_name: Arc::clone(&self.deployment.groups[*group].name),
                    name: name.clone(),
                    release: release.clone(),
                    node: job,
                    written,
                    can_define: self.reporter.is_strict(),
                });
            }
        }
    }

    /// The groups that both filters permit. Jobs of earlier addons are taken into account.
    fn eligible(
        &self,
        include: &Filter,
        exclude: &Filter,
        stemcells: &HashMap<Arc<str>, Named>,
    ) -> Vec<usize> {
        let groups = self.deployment.groups.iter().zip(&self.facts);
        let eligible = groups.map(|(group, facts)| {
            let os = facts.stemcell.as_ref().and_then(|it| stemcells.get(it));
            let candidate = Candidate { deployment: &self.deployment.name, group, facts, os };
            include.applies(&candidate) && !exclude.applies(&candidate)
        });
        eligible.enumerate().filter(|it| it.1).map(|it| it.0).collect()
    }

    fn addon_release(&mut self, job: &Node, name: &Named) -> Option<Arc<str>> {
        let release = self.reporter.text(job, "release").map(|it| it.text);
        if release.is_none() && self.reporter.key(job, "release").is_none() {
            let message = format!("the addon's job `{}` has no `release`", name.text);
            let found = Diagnostic::error(codes::MISSING, name.span, message);
            self.reporter.push(found.help("add its `release`"));
        }
        release.filter(|it| !is_open(it))
    }

    /// The properties of an addon's job, or else of its addon; never those of the deployment.
    fn addon_written(&mut self, addon: &'a Node, job: &'a Node) -> DeployedProperties<'a> {
        let source = if self.reporter.key(job, "properties").is_some() { job } else { addon };
        self.reporter.map(source, "properties");
        DeployedProperties::Own(source.get("properties"))
    }
}
