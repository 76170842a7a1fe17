use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use diag::{Diagnostic, Span};
use links::{Deployment, Dns, Exposure};
use syntax::{Node, NodeData};

use crate::{
    cloud::Cloud,
    codes, dns,
    facts::GroupFacts,
    reporter::Reporter,
    shape::{self, kind},
    spec::Specs,
    value::is_open,
};

/// The context of every manifest.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) specs: &'a Specs,
    pub(crate) cloud: &'a Cloud,
    /// The runtime configs.
    pub(crate) runtime: Vec<&'a Node>,
    /// The group and the job whose properties are requested.
    pub(crate) expected: Option<(&'a str, &'a str)>,
}

/// Reads one manifest.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) root: &'a Node,
    pub(crate) context: &'a Context<'a>,
    pub(crate) reporter: &'a mut Reporter,
    /// Jobs whose spec was not given, with the number of deployments.
    pub(crate) without_spec: &'a mut BTreeMap<Arc<str>, u32>,
    /// The part of the deployment that was read so far.
    pub(crate) deployment: Deployment,
    /// Other data about its groups.
    pub(crate) facts: Vec<GroupFacts>,
    /// The deployment's name in DNS names.
    pub(crate) label: String,
    /// The release of jobs that do not name one: the only one of the manifest.
    pub(crate) release: Option<Arc<str>>,
    /// The number of instances that can still be listed.
    pub(crate) room: usize,
    /// The properties of the requested job.
    pub(crate) properties: Option<Exposure>,
}

/// The highest number of instances that are listed of one deployment, as a protection against mistaken
/// counts.
const MOST_INSTANCES: usize = 100_000;

/// Reads a manifest in the director's order: variables, features, groups with their jobs, addons.
pub(crate) fn read(
    root: &Node,
    context: &Context<'_>,
    say: &mut Reporter,
    without_spec: &mut BTreeMap<Arc<str>, u32>,
) -> (Deployment, Option<Exposure>) {
    let mut reader = Reader {
        root,
        context,
        reporter: say,
        without_spec,
        deployment: Deployment::default(),
        facts: Vec::new(),
        label: String::new(),
        release: None,
        room: MOST_INSTANCES,
        properties: None,
    };
    reader.name();
    reader.release();
    reader.variables();
    reader.features();
    reader.groups();
    reader.check_former();
    reader.addons();
    (reader.deployment, reader.properties)
}

impl Reader<'_> {
    fn name(&mut self) {
        if self.root.as_mapping().is_none() {
            let message = format!("a manifest must be a map, not {}", kind(self.root));
            self.reporter.push(Diagnostic::error(codes::BAD_SHAPE, self.root.span, message));
            return;
        }
        if let Some(name) = self.reporter.name(self.root, "the manifest") {
            self.label = self.dns_label(&name.text, name.span);
            (self.deployment.name, self.deployment.span) = (name.text, Some(name.span));
        }
    }

    /// A name as part of DNS names; an invalid one is reported.
    pub(crate) fn dns_label(&mut self, name: &str, span: Span) -> String {
        dns::label(name).unwrap_or_else(|bad| {
            let where_ = if bad.at_start { "start" } else { "end" };
            let own = format!("`{name}` is `{}` in DNS, which cannot {where_} with a hyphen", bad.label);
            let found = self.reporter.error(codes::BAD_LABEL, span, bad.director(), own);
            self.reporter.push(found.help("let the name start and end with a letter or a digit"));
            bad.label
        })
    }

    /// The release of jobs that do not name one.
    fn release(&mut self) {
        let root = self.root;
        if let [only] = self.reporter.maps(root, "releases")[..] {
            self.release = self.reporter.text(only, "name").map(|it| it.text);
        }
    }

    fn features(&mut self) {
        let root = self.root;
        let mut given = HashMap::new();
        for entry in &self.reporter.map(root, "features").entries {
            match (&entry.value.data, &*entry.key) {
                (NodeData::Bool(it), key) => drop(given.insert(key, *it)),
                (NodeData::String(text, _), _) if is_open(text) => {}
                (_, key @ ("use_dns_addresses" | "use_short_dns_addresses" | "use_link_dns_names")) => {
                    let message = format!("`{key}` is true or false, not {}", kind(&entry.value));
                    self.reporter.push(Diagnostic::error(codes::FEATURES, shape::place(entry), message));
                }
                _ => {}
            }
        }
        let use_link_dns_names = given.get("use_link_dns_names").copied().unwrap_or_default();
        // Names of links are short names.
        let or_links = |key| given.get(key).copied().unwrap_or(use_link_dns_names);
        self.deployment.dns = Dns {
            use_dns_addresses: or_links("use_dns_addresses"),
            use_short_dns_addresses: or_links("use_short_dns_addresses"),
            use_link_dns_names,
            ..Dns::default()
        };
    }

    fn groups(&mut self) {
        let root = self.root;
        let mut names: HashMap<Arc<str>, Span> = HashMap::new();
        let key = self.reporter.spelling(root, "instance_groups", "jobs");
        for node in self.reporter.maps(root, key) {
            let name = self.group(node);
            if let Some(first) = names.get(&name.text) {
                let director = format!("Duplicate instance group name '{}'", name.text);
                let own = format!("there are two instance groups `{}`", name.text);
                let found = self.reporter.error(codes::DUPLICATE, name.span, director, own);
                self.reporter
                    .push(found.related(*first, "the first one").help("give one of them another name"));
            } else {
                names.insert(name.text, name.span);
            }
        }
    }
}
