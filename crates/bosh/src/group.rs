//! Instance groups: their instances and the jobs that run on them.

mod former;
mod instances;
mod ips;
mod networks;

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use links::{Exposure, Group, Named, Owner, Provider};
use model::{Data, Map, Origin, Value};
use syntax::Node;

use crate::{
    codes,
    facts::GroupFacts,
    job::{DeployedProperties, Job},
    manifest::Reader,
    value::is_open,
};

impl<'a> Reader<'a> {
    /// Reads an instance group: the group, then its jobs, then its disks.
    pub(crate) fn group(&mut self, node: &'a Node) -> Named {
        let name = self.reporter.name(node, "an instance group").unwrap_or_else(|| Named::new("", node.span));
        let label = self.dns_label(&name.text, name.span);
        let lifecycle = self.lifecycle(node, &name);
        let nets = self.networks(node, &name);
        let azs = self.azs(node);
        let former = self.former(node, &name);
        let group = Group {
            name: Arc::clone(&name.text),
            span: name.span,
            former,
            host: Arc::clone(&name.text),
            default_network: networks::default(&nets),
            addresses: self.group_addresses(&nets, &label, name.span),
            instances: self.instances(node, &name, &label, &nets, &azs),
            networks: nets.into_iter().map(|it| it.network).collect(),
            errand: &*lifecycle == "errand",
        };
        let index = self.deployment.groups.len();
        self.deployment.groups.push(group);
        let stemcell = self.reporter.text(node, "stemcell").map(|it| it.text);
        self.facts.push(GroupFacts { stemcell, azs, lifecycle, jobs: HashMap::new() });
        self.jobs(node, index, &name);
        self.disks(node, index, &name);
        name
    }

    fn lifecycle(&mut self, node: &Node, group: &Named) -> Arc<str> {
        let lifecycle = self.reporter.text(node, "lifecycle");
        let Some(lifecycle) = lifecycle else { return "service".into() };
        if !matches!(&*lifecycle.text, "service" | "errand") && !is_open(&lifecycle.text) {
            let director = format!(
                "Invalid lifecycle '{}' for '{}', valid lifecycle profiles are: service, errand",
                lifecycle.text, group.text
            );
            let own = format!("unknown lifecycle `{}`", lifecycle.text);
            let found = self.reporter.error(codes::LIFECYCLE, lifecycle.span, director, own);
            let found = self.reporter.help(found, &lifecycle.text, ["service", "errand"], "lifecycles");
            self.reporter.push(found);
        }
        lifecycle.text
    }

    /// The zones; none if they are filled in later.
    fn azs(&mut self, node: &Node) -> Vec<Named> {
        match self.reporter.key(node, "azs").map(|it| &it.value) {
            Some(open) if open.as_str().is_some_and(is_open) => Vec::new(),
            _ => self.reporter.names(node, "azs"),
        }
    }

    fn jobs(&mut self, node: &'a Node, group: usize, name: &Named) {
        let release = self.reporter.text(node, "release").map(|it| it.text).or_else(|| self.release.clone());
        let key = self.reporter.spelling(node, "jobs", "templates");
        for job in self.reporter.maps(node, key) {
            let Some(job_name) = self.reporter.name(job, "a job") else { continue };
            let written = self.written(node, job);
            let own = self.reporter.text(job, "release").map(|it| it.text);
            // A release that is filled in later can be any.
            let release = own.or_else(|| release.clone()).filter(|it| !is_open(it));
            self.job(&Job {
                group,
                group_name: Arc::clone(&name.text),
                name: job_name,
                release,
                node: job,
                written,
                can_define: true,
            });
        }
    }

    /// The properties of a job, which inherits others only if it has none of its own.
    fn written(&mut self, group: &'a Node, job: &'a Node) -> DeployedProperties<'a> {
        if let Some(own) = job.get("properties") {
            self.reporter.map(job, "properties");
            return DeployedProperties::Own(Some(own));
        }
        let root = self.root;
        let map = |node: &'a Node| node.get("properties").filter(|it| it.as_mapping().is_some());
        DeployedProperties::Inherited { deployment: map(root), group: map(group) }
    }

    /// Disks are providers too, under their names.
    fn disks(&mut self, node: &Node, group: usize, name: &Named) {
        let mut seen = BTreeSet::new();
        for disk in self.reporter.maps(node, "persistent_disks") {
            let Some(disk_name) = self.reporter.text(disk, "name").filter(|it| !it.text.is_empty()) else {
                let director = format!(
                    "Instance group '{}' persistent_disks's section contains a disk with no name",
                    name.text
                );
                let found = self.reporter.error(codes::MISSING, disk.span, director, "a disk has no name");
                self.reporter.push(found.help("give it a `name`"));
                continue;
            };
            if !seen.insert(Arc::clone(&disk_name.text)) {
                let director = format!(
                    "Instance group '{}' persistent_disks's section contains duplicate names",
                    name.text
                );
                let own = format!("there are two disks `{}`", disk_name.text);
                let found = self.reporter.error(codes::DUPLICATE, disk_name.span, director, own);
                self.reporter.push(found.help("give one of them another name"));
                continue;
            }
            self.deployment.providers.push(disk_provider(group, disk, disk_name));
        }
    }
}

fn disk_provider(group: usize, disk: &Node, name: Named) -> Provider {
    let mut properties = Map::new();
    let text = Data::String(Arc::clone(&name.text));
    properties.insert("name".into(), Value::new(text, Origin::Written(name.span)));
    let written = Value::new(Data::Map(properties), Origin::Inferred(name.span));
    Provider {
        owner: Owner::Disk { group },
        declared: name.span,
        body: disk.span,
        said: None,
        link_type: Named::new("disk", name.span),
        name,
        alias: None,
        shared: false,
        blocked: None,
        exposure: Exposure { written: Some(written), ..Exposure::default() },
        broken: false,
        aliases: Vec::new(),
    }
}
