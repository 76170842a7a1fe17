use diag::{Diagnostic, Span};
use links::{Consumer, ConsumerSpec, Manual, Named, ProviderSelector, Request, Scope};
use syntax::{Entry, Mapping, Node, NodeData};

use super::Job;
use crate::{
    codes,
    manifest::Reader,
    shape::{self, kind},
    spec::{Consumes, JobSpec, scope},
    value::{scalar, value},
};

/// Keys that make a link a manual one; `nodes` is the older name of `instances`.
const MANUAL: [&str; 4] = ["instances", "nodes", "properties", "address"];

const KNOWN: [&str; 10] = [
    "from",
    "deployment",
    "network",
    "ip_addresses",
    "instances",
    "nodes",
    "properties",
    "address",
    "scope",
    "colocated",
];

impl Reader<'_> {
    /// Reads the consumers of a job.
    pub(super) fn consumers(&mut self, job: &Job<'_>, spec: &JobSpec) {
        let manifest = self.reporter.map(job.node, "consumes");
        for consumes in &spec.consumes {
            let entry = manifest.entry(&consumes.name.text);
            let consumer_spec = entry.map_or(ConsumerSpec::implicit(), |it| self.consumer_spec(job, it));
            let written = entry.map_or(Scope::Deployment, |it| scope(&it.value, self.reporter));
            self.deployment.consumers.push(consumer(job, consumes, consumer_spec, written));
        }
        let known = spec.consumes.iter().map(|it| &*it.name.text);
        self.unknown_links(job, manifest, known, "consumer");
    }

    /// The settings of a consumed link in a manifest.
    fn consumer_spec(&mut self, job: &Job<'_>, entry: &Entry) -> ConsumerSpec {
        match &entry.value.data {
            NodeData::String(text, _) if &**text == "nil" => ConsumerSpec::Blocked(entry.value.span),
            NodeData::Mapping(mapping) => self.consumer_spec_map(job, entry, mapping),
            _ => {
                self.neither_map_nor_nil(job, entry, "Consumer");
                ConsumerSpec::Broken
            }
        }
    }

    fn consumer_spec_map(&mut self, job: &Job<'_>, entry: &Entry, mapping: &Mapping) -> ConsumerSpec {
        let before = self.reporter.diagnostics.len();
        self.check_together(job, entry, mapping);
        self.check_ip_addresses(job, entry, mapping);
        self.name_or_type(job, entry, mapping, codes::CONSUMER);
        if before < self.reporter.diagnostics.len() {
            return ConsumerSpec::Broken;
        }
        self.unknown_keys(mapping, &KNOWN, "consumer");
        if MANUAL.iter().any(|key| mapping.entry(key).is_some()) {
            return self.manual(entry, mapping);
        }
        self.request(entry).map_or(ConsumerSpec::Broken, ConsumerSpec::Ask)
    }

    /// Checks keys that exclude or need each other.
    fn check_together(&mut self, job: &Job<'_>, entry: &Entry, mapping: &Mapping) {
        let has = |key: &str| mapping.entry(key);
        if let Some(from) = has("from") {
            // The director does not check `address`, and then not `from`, either.
            let excluded = if self.reporter.is_strict() { &MANUAL[..] } else { &MANUAL[..3] };
            for key in excluded {
                if let Some(other) = has(key) {
                    let found = self.not_both(job, entry, (key, other.key_span), from.key_span);
                    self.reporter.push(found);
                }
            }
        }
        if let (Some(properties), None) = (has("properties"), has("instances").or(has("nodes"))) {
            let director = format!(
                "Cannot specify 'properties' without 'instances' for link '{}' {}.",
                entry.key,
                job.place()
            );
            let own = format!("the link `{}` has `properties` without `instances`", entry.key);
            let found = self.reporter.error(codes::CONSUMER, properties.key_span, director, own);
            self.reporter.push(found.help("add `instances`, e.g. `instances: [{address: db.example.com}]`"));
        }
    }

    fn not_both(&self, job: &Job<'_>, entry: &Entry, other: (&str, Span), from: Span) -> Diagnostic {
        let (key, span) = other;
        let director =
            format!("Cannot specify both '{key}' and 'from' keys for link '{}' {}.", entry.key, job.place());
        let own = format!("the link `{}` has both `{key}` and `from`", entry.key);
        let found = self.reporter.error(codes::CONSUMER, span, director, own).related(from, "`from` is here");
        found.help(format!("a link is either manual or has a provider: remove `from` or `{key}`"))
    }

    fn check_ip_addresses(&mut self, job: &Job<'_>, entry: &Entry, mapping: &Mapping) {
        let Some(wrong) = mapping.entry("ip_addresses") else { return };
        if matches!(wrong.value.data, NodeData::Bool(_)) {
            return;
        }
        let director = format!(
            "Cannot specify non boolean values for 'ip_addresses' field for link '{}' {}.",
            entry.key,
            job.place()
        );
        let own = format!("`ip_addresses` is true or false, not {}", kind(&wrong.value));
        let mut found = self.reporter.error(codes::CONSUMER, shape::place(wrong), director, own);
        if let Some(meant @ ("true" | "false")) = wrong.value.as_str() {
            found = found.replace(format!("Write `{meant}`"), wrong.value.span, meant);
        }
        self.reporter.push(found.help("write `true` for IPs, `false` for names"));
    }

    /// A manual link: only the three keys are used.
    fn manual(&mut self, entry: &Entry, mapping: &Mapping) -> ConsumerSpec {
        for other in &mapping.entries {
            let known = KNOWN.contains(&&*other.key) && !MANUAL.contains(&&*other.key);
            if known && self.reporter.is_strict() {
                let message = format!("`{}` has no effect on a manual link", other.key);
                let found = Diagnostic::warning(codes::UNKNOWN_KEY, other.key_span, message);
                self.reporter.push(found.help("remove it, or `instances`, `properties`, `address`"));
            }
        }
        let written = |key| Some(value(mapping.get(key)?));
        let listed = self.reporter.spelling(&entry.value, "instances", "nodes");
        let [instances, properties, address] = [listed, "properties", "address"].map(written);
        ConsumerSpec::Manual(Manual { instances, properties, address, span: entry.value.span })
    }

    fn request(&mut self, entry: &Entry) -> Option<Request> {
        let node = &entry.value;
        let before = self.reporter.diagnostics.len();
        let by = self.by(entry);
        let (deployment, network) = (self.word(node, "deployment"), self.word(node, "network"));
        let is_fine = before == self.reporter.diagnostics.len();
        let ip_addresses = match node.get("ip_addresses").map(|it| &it.data) {
            Some(NodeData::Bool(it)) => Some(*it),
            _ => None,
        };
        is_fine.then_some(Request { by, deployment, network, ip_addresses, span: Some(node.span) })
    }

    fn by(&mut self, entry: &Entry) -> ProviderSelector {
        let from = entry.value.as_mapping().and_then(|it| it.entry("from"));
        let name = match from {
            Some(it) if matches!(it.value.data, NodeData::Null) => {
                let message = "`from` is the name of a provider, not null";
                self.reporter.push(Diagnostic::error(codes::CONSUMER, shape::place(it), message));
                None
            }
            Some(_) => self.word(&entry.value, "from"),
            None => None,
        };
        let written = name.is_some();
        let name = name.unwrap_or_else(|| Named::new(entry.key.clone(), entry.key_span));
        ProviderSelector::Name { name: self.last_of(name, written), written }
    }

    /// The director only uses the part after the last dot, without a message.
    fn last_of(&mut self, name: Named, written: bool) -> Named {
        let Some((before, last)) = name.text.trim_end_matches('.').rsplit_once('.') else { return name };
        if !self.reporter.is_strict() {
            return Named::new(last, name.span);
        }
        if written {
            let message = format!("`from` is the name of a link, and `{}` is a path", name.text);
            let found = Diagnostic::error(codes::DOTTED, name.span, message);
            self.reporter.push(found.help(format!("use `deployment: {before}` and `from: {last}`")));
        }
        name
    }

    /// A name; false is treated as missing, as by the director.
    fn word(&mut self, node: &Node, key: &str) -> Option<Named> {
        let entry = self.reporter.key(node, key)?;
        if matches!(entry.value.data, NodeData::Bool(false)) {
            return None;
        }
        match scalar(&entry.value) {
            Some(text) => Some(Named::new(text, entry.value.span)),
            None => {
                self.reporter.wrong_kind(entry, "a name");
                None
            }
        }
    }
}

fn consumer(job: &Job<'_>, consumes: &Consumes, consumer_spec: ConsumerSpec, written: Scope) -> Consumer {
    let scope = if written == Scope::Colocated { written } else { consumes.scope };
    Consumer {
        owner: job.owner(),
        declared: job.name.span,
        body: job.node.span,
        said: crate::shape::elsewhere(job.node, "consumes"),
        name: consumes.name.clone(),
        link_type: consumes.link_type.clone(),
        optional: consumes.optional,
        scope,
        spec: consumer_spec,
    }
}
